//! Rows of functions that are no methods of floats: special functions, called by their paths.

/// Hands the rows of the special functions to a callback macro, as [`elementary!`](crate::elementary)
/// does. An integer comes first when they are called: `jn(n, x)`.
///
/// Formulas may call other rows, generic in the scalar: `digamma(x)`, `polygamma(x, n)`.
#[macro_export]
macro_rules! special {
    ($callback:ident) => {
        $callback! {
            // ---- error function ----
            erf(x) "error function" [nonlinear] []
                { d0 plain (x: S, _: S) { (-(x * x)).exp().mul_real(lit(FRAC_2_SQRT_PI)) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [FRAC_2_SQRT_PI] [0.0]] note "";
            erfc(x) "complementary error function, 1 - erf(x)" [nonlinear] []
                { d0 plain (x: S, _: S) { -(-(x * x)).exp().mul_real(lit(FRAC_2_SQRT_PI)) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [-FRAC_2_SQRT_PI] [0.0]] note "";
            normal_cdf(x) "distribution function of the standard normal" [nonlinear] []
                { d0 plain (x: S, _: S) {
                    (x * x).mul_real(lit(-0.5)).exp().mul_real(lit(0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2))
                } }
                on [[(-3.0, 3.0)]] at [[0.0] => [0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2] [0.0]] note "";
            // ---- gamma function ----
            gamma(x) "gamma function" [nonlinear] []
                { d0 strong (x: S, y: S) { y * digamma(x) } }
                on [[(0.3, 5.0)] [(-1.8, -1.2)]] at [[1.0] => [-EULER_GAMMA] []] note "NaN at 0 and negative integers";
            ln_gamma(x) "logarithm of the absolute value of the gamma function" [nonlinear] []
                { d0 strong (x: S, _: S) { digamma(x) } }
                on [[(0.3, 9.0)] [(-1.8, -1.2)]]
                at [[1.0] => [-EULER_GAMMA] [PI * PI / 6.0] [2.0] => [1.0 - EULER_GAMMA] [PI * PI / 6.0 - 1.0]]
                note "NaN at 0 and negative integers";
            digamma(x) "derivative of ln_gamma" [nonlinear] []
                { d0 strong (x: S, _: S) { polygamma(x, 1) } }
                on [[(0.3, 9.0)] [(-1.8, -1.2)]] at [[1.0] => [PI * PI / 6.0] []] note "infinite at 0 and negative integers";
            trigamma(x) "derivative of digamma" [nonlinear] []
                { d0 strong (x: S, _: S) { polygamma(x, 2) } }
                on [[(0.3, 9.0)] [(-1.8, -1.2)]] at [[1.0] => [-2.0 * ZETA_3] [PI * PI * PI * PI / 15.0]]
                note "NaN at 0 and negative integers";
            polygamma(x; n) "derivative of order n of digamma" [nonlinear] []
                { d0 strong (x: S, n: i32, _: S) { polygamma(x, n.saturating_add(1)) } }
                on [[(0.3, 9.0)] [(-1.8, -1.2)]] at [[1.0; 0] => [PI * PI / 6.0] [-2.0 * ZETA_3] [1.0; 1] => [-2.0 * ZETA_3] [PI * PI * PI * PI / 15.0]]
                note "NaN for n < 0";
            beta(x, b) "beta function" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, b: S, y: S) { y * (digamma(x) - digamma(x + b)) }
                  d1 strong (x: S, b: S, y: S) { y * (digamma(b) - digamma(x + b)) } }
                on [[(0.3, 4.0), (0.3, 4.0)]] at [[1.0, 1.0] => [-1.0, -1.0] [2.0, 2.0 - PI * PI / 6.0, 2.0]] note "of positive numbers";
            ln_beta(x, b) "logarithm of the beta function" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, b: S, _: S) { digamma(x) - digamma(x + b) }
                  d1 strong (x: S, b: S, _: S) { digamma(b) - digamma(x + b) } }
                on [[(0.3, 4.0), (0.3, 4.0)]] at [[1.0, 1.0] => [-1.0, -1.0] [1.0, 1.0 - PI * PI / 6.0, 1.0]] note "of positive numbers";
            // ---- Bessel functions ----
            j0(x) "Bessel function of the first kind, order 0" [nonlinear] []
                { d0 plain (x: S, _: S) { -j1(x) } }
                on [[(-6.0, 6.0)]] at [[0.0] => [0.0] [-0.5]] note "";
            j1(x) "Bessel function of the first kind, order 1" [nonlinear] []
                { d0 plain (x: S, _: S) { (j0(x) - jn(x, 2)).mul_real(lit(0.5)) } }
                on [[(-6.0, 6.0)]] at [[0.0] => [0.5] [0.0]] note "";
            jn(x; n) "Bessel function of the first kind, order n" [nonlinear] []
                { d0 plain (x: S, n: i32, _: S) {
                    (jn(x, n.saturating_sub(1)) - jn(x, n.saturating_add(1))).mul_real(lit(0.5))
                } }
                on [[(-6.0, 6.0)]]
                at [[0.0; 0] => [0.0] [-0.5] [0.0; 1] => [0.5] [0.0] [0.0; 2] => [0.0] [0.25] [0.0; -1] => [-0.5] [0.0]] note "";
            y0(x) "Bessel function of the second kind, order 0" [nonlinear] []
                { d0 strong (x: S, _: S) { -y1(x) } }
                on [[(0.3, 6.0)]] at [[0.0] => [INF] []] note "infinite at 0, NaN below";
            y1(x) "Bessel function of the second kind, order 1" [nonlinear] []
                { d0 strong (x: S, _: S) { (y0(x) - yn(x, 2)).mul_real(lit(0.5)) } }
                on [[(0.3, 6.0)]] at [[0.0] => [NAN] []] note "NaN at 0 and below";
            yn(x; n) "Bessel function of the second kind, order n" [nonlinear] []
                { d0 strong (x: S, n: i32, _: S) {
                    (yn(x, n.saturating_sub(1)) - yn(x, n.saturating_add(1))).mul_real(lit(0.5))
                } }
                on [[(0.6, 6.0)]] at [[0.0; 2] => [NAN] []] note "NaN at 0 and below";
            // ---- logistic functions ----
            sigmoid(x) "logistic function, 1 / (1 + e^-x)" [nonlinear] []
                { d0 plain (x: S, _: S) {
                    // even in x, so that the kink of the absolute value is none
                    let e = (-x.abs()).exp();
                    let sum = e.add_real(lit(1.0));
                    e / (sum * sum)
                } }
                on [[(-4.0, 4.0)]] at [[0.0] => [0.25] [0.0]] note "accurate in both tails";
            log_sigmoid(x) "logarithm of the logistic function" [nonlinear] []
                { d0 plain (x: S, _: S) { sigmoid(-x) } }
                on [[(-4.0, 4.0)]] at [[0.0] => [0.5] [-0.25]] note "";
            softplus(x) "ln(1 + e^x)" [nonlinear] []
                { d0 plain (x: S, _: S) { sigmoid(x) } }
                on [[(-4.0, 4.0)]] at [[0.0] => [0.5] [0.25]] note "";
            logit(x) "inverse of the logistic function, ln(x / (1 - x))" [nonlinear] []
                { d0 strong (x: S, _: S) { S::real_div(lit(1.0), x * S::real_sub(lit(1.0), x)) } }
                on [[(0.1, 0.9)]] at [[0.5] => [4.0] [0.0] [0.0] => [INF] []] note "infinite at 0 and 1";
            log_add_exp(x, b) "ln(e^x + e^b)" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, b: S, _: S) { sigmoid(x - b) }
                  d1 strong (x: S, b: S, _: S) { sigmoid(b - x) } }
                on [[(-4.0, 4.0), (-4.0, 4.0)]] at [[0.0, 0.0] => [0.5, 0.5] [0.25, -0.25, 0.25]]
                note "minus infinity is neutral, and its derivative is 0";
        }
    };
}
