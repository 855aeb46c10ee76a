//! The rows themselves. What they mean is said at [`elementary!`](crate::elementary).

/// Hands the rows of the table to the macro named in the argument: `elementary! { callback }`
/// expands to `callback! { row; row; .. }`.
///
/// One row reads
///
/// ```text
/// name(arguments; integer) "what it is"
///     [class of each argument] [second derivatives across arguments]
///     { dk product (operands) { formula } .. }
///     on [sampled boxes] at [points with first and second derivatives] note "convention";
/// ```
///
/// - `arguments` are floats, `integer` (only `powi` has one) is passive.
/// - A class is `zero` (first derivative zero wherever it exists), `linear` (second derivative in
///   this argument zero) or `nonlinear`; pairs are the arguments whose mixed second derivative may
///   be nonzero.
/// - `dk` is the derivative by argument `k`, as a function of the arguments and then the result,
///   written in methods of the runtime's `Scalar` so that it can itself be differentiated. `_`
///   stands for an operand that it does not read; there is no other declaration of what is read.
/// - `product` says how a tangent or adjoint is multiplied by it, see [`Product`](crate::Product).
/// - Points are `[x..; n] => [first derivatives] [upper triangle of the second derivatives]`; nothing
///   is promised of the second where they are left out.
///
/// A formula may branch, but it may not return a literal at a special point where a neighbouring
/// value would have another derivative: `zero()` stands only where all derivatives are zero.
///
/// A callback takes rows in this shape (see `table.rs` for one that looks at everything):
///
/// ```text
/// ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
///     [$($class:ident),+] [$($cross:tt),*]
///     { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
///     on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => { .. }
/// ```
#[macro_export]
macro_rules! elementary {
    ($callback:ident) => {
        $callback! {
            // ---- sign and rounding ----
            abs(x) "absolute value" [linear] []
                { d0 plain (x: S, _: S) { x.signum() } }
                on [[(0.2, 3.0)] [(-3.0, -0.2)]] at [[0.0] => [1.0] [0.0] [-0.0] => [-1.0] [0.0]]
                note "the sign of x, also at +0 and -0";
            signum(x) "sign" [zero] [] {}
                on [[(0.2, 3.0)] [(-3.0, -0.2)]] at [[0.0] => [0.0] [0.0]]
                note "0, also at the jump";
            copysign(x, s) "magnitude of x with the sign of s" [linear, zero] []
                { d0 plain (x: S, s: S, _: S) { x.signum() * s.signum() } }
                on [[(0.2, 3.0), (-3.0, -0.2)] [(-3.0, -0.2), (-3.0, -0.2)] [(0.2, 3.0), (0.2, 3.0)]]
                at [[0.0, -1.0] => [-1.0, 0.0] [0.0, 0.0, 0.0]]
                note "by x the product of the signs, by s 0";
            floor(x) "largest integer not above" [zero] [] {}
                on [[(0.1, 0.9)] [(-1.9, -1.1)]] at [[1.0] => [0.0] [0.0]] note "0, also at jumps";
            ceil(x) "smallest integer not below" [zero] [] {}
                on [[(0.1, 0.9)] [(-1.9, -1.1)]] at [[1.0] => [0.0] [0.0]] note "0, also at jumps";
            round(x) "nearest integer, ties away from zero" [zero] [] {}
                on [[(0.6, 1.4)] [(-1.4, -0.6)]] at [[0.5] => [0.0] [0.0]] note "0, also at jumps";
            round_ties_even(x) "nearest integer, ties to even" [zero] [] {}
                on [[(0.6, 1.4)] [(-1.4, -0.6)]] at [[0.5] => [0.0] [0.0]] note "0, also at jumps";
            trunc(x) "integer part" [zero] [] {}
                on [[(0.1, 0.9)] [(-1.9, -1.1)]] at [[1.0] => [0.0] [0.0]] note "0, also at jumps";
            fract(x) "fractional part" [linear] []
                { d0 plain (_: S, _: S) { one() } }
                on [[(0.1, 0.9)] [(-1.9, -1.1)]] at [[1.0] => [1.0] [0.0]] note "1, also at jumps";
            next_up(x) "next larger float" [linear] []
                { d0 plain (_: S, _: S) { one() } }
                on [[(0.2, 3.0)]] at [[0.0] => [1.0] [0.0]] note "1, as for x itself";
            next_down(x) "next smaller float" [linear] []
                { d0 plain (_: S, _: S) { one() } }
                on [[(0.2, 3.0)]] at [[0.0] => [1.0] [0.0]] note "1, as for x itself";
            to_degrees(x) "radians to degrees" [linear] []
                { d0 plain (_: S, _: S) { S::from_real(lit(180.0 / PI)) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [180.0 / PI] [0.0]] note "";
            to_radians(x) "degrees to radians" [linear] []
                { d0 plain (_: S, _: S) { S::from_real(lit(PI / 180.0)) } }
                on [[(-180.0, 180.0)]] at [[0.0] => [PI / 180.0] [0.0]] note "";
            // ---- powers and roots ----
            recip(x) "reciprocal" [nonlinear] []
                { d0 strong (_: S, y: S) { -(y * y) } }
                on [[(0.3, 3.0)] [(-3.0, -0.3)]] at [[0.0] => [-INF] [INF]] note "infinite at 0";
            sqrt(x) "square root" [nonlinear] []
                { d0 strong (_: S, y: S) { S::real_div(lit(0.5), y) } }
                on [[(0.2, 4.0)]] at [[0.0] => [INF] [-INF]] note "infinite at 0";
            cbrt(x) "cube root" [nonlinear] []
                { d0 strong (_: S, y: S) { S::real_div(lit(1.0 / 3.0), y) / y } }
                on [[(0.2, 4.0)] [(-4.0, -0.2)]] at [[0.0] => [INF] [-INF]] note "infinite at 0";
            powi(x; n) "integer power" [nonlinear] []
                { d0 strong (x: S, n: i32, _: S) {
                    match n.checked_sub(1) {
                        // x^0 is constant wherever it is, so this zero has no derivative to lose
                        Some(_) if n == 0 => zero(),
                        Some(m) => x.powi(m).mul_real(lit(f64::from(n))),
                        None => (x.powi(n) / x).mul_real(lit(f64::from(n))),
                    }
                } }
                on [[(0.3, 2.0)] [(-2.0, -0.3)]]
                at [[0.0; 0] => [0.0] [0.0] [0.0; 1] => [1.0] [0.0] [0.0; 2] => [0.0] [2.0]
                    [0.0; 3] => [0.0] [0.0] [0.0; -1] => [-INF] [INF] [2.0; 1] => [1.0] [0.0]]
                note "at 0: 0 for n = 0, 1 for n = 1, infinite for n < 0; a plain product will do where n is known to be nonnegative";
            powf(x, p) "power" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, p: S, y: S) {
                    // by the result where that loses nothing: a quotient for a power
                    if x.ne(zero()) && is_normal(y) {
                        p.mul_strong(y / x)
                    } else {
                        p.mul_strong(x.powf(p.sub_real(lit(1.0))))
                    }
                  }
                  d1 strong (x: S, _: S, y: S) { y.mul_strong(x.ln()) } }
                on [[(0.2, 3.0), (-2.0, 2.0)]]
                at [[0.0, 2.0] => [0.0, 0.0] [2.0, 0.0, 0.0] [0.0, 1.0] => [1.0, 0.0] [0.0, -INF, 0.0]
                    [0.0, 3.0] => [0.0, 0.0] [0.0, 0.0, 0.0]
                    [2.0, 0.0] => [0.0, LN_2] [0.0, 0.5, LN_2 * LN_2] [2.0, 1.0] => [1.0, 2.0 * LN_2] [0.0, 1.0 + LN_2, 2.0 * LN_2 * LN_2]]
                note "by x at 0: 0 for p > 1 or p = 0, 1 for p = 1, infinite for 0 < p < 1; by p at 0: 0 for p > 0; by p where x < 0: NaN, unless p has no derivative";
            hypot(x, b) "square root of the sum of squares" [nonlinear, nonlinear] [(0, 1)]
                // a root, at 0, is zero without a derivative of its own
                { d0 strong (x: S, _: S, y: S) { if y.vanishes() { y.sqrt() } else { x / y } }
                  d1 strong (_: S, b: S, y: S) { if y.vanishes() { y.sqrt() } else { b / y } } }
                on [[(-3.0, -0.3), (0.3, 3.0)]] at [[0.0, 0.0] => [0.0, 0.0] [NAN, NAN, NAN] [0.0, 2.0] => [0.0, 1.0] [0.5, 0.0, 0.0]]
                note "0 at (0, 0), second derivatives NaN";
            // ---- exponentials and logarithms ----
            exp(x) "e^x" [nonlinear] []
                { d0 strong (_: S, y: S) { y } }
                on [[(-3.0, 3.0)]] at [[0.0] => [1.0] [1.0]] note "";
            exp2(x) "2^x" [nonlinear] []
                { d0 strong (_: S, y: S) { y.mul_real(lit(LN_2)) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [LN_2] [LN_2 * LN_2]] note "";
            exp_m1(x) "e^x - 1" [nonlinear] []
                { d0 strong (x: S, y: S) {
                    // y + 1 cancels where y is near -1
                    if y.lt(S::from_real(lit(-0.5))) { x.exp() } else { y.add_real(lit(1.0)) }
                } }
                on [[(-3.0, 3.0)]] at [[0.0] => [1.0] [1.0]] note "";
            ln(x) "natural logarithm" [nonlinear] []
                { d0 strong (x: S, _: S) { S::real_div(lit(1.0), x) } }
                on [[(0.3, 4.0)]] at [[0.0] => [INF] [-INF] [1.0] => [1.0] [-1.0]] note "infinite at 0";
            log(x, base) "logarithm to a base" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, base: S, _: S) { S::real_div(lit(1.0), x * base.ln()) }
                  d1 strong (_: S, base: S, y: S) { -(y / (base * base.ln())) } }
                on [[(0.3, 4.0), (1.5, 5.0)] [(0.3, 4.0), (0.2, 0.7)]]
                at [[1.0, E] => [1.0, 0.0] [-1.0, -1.0 / E, 0.0]] note "infinite at x = 0 and at base 1";
            log2(x) "logarithm to base 2" [nonlinear] []
                { d0 strong (x: S, _: S) { S::real_div(lit(LOG2_E), x) } }
                on [[(0.3, 4.0)]] at [[0.0] => [INF] [-INF]] note "infinite at 0";
            log10(x) "logarithm to base 10" [nonlinear] []
                { d0 strong (x: S, _: S) { S::real_div(lit(LOG10_E), x) } }
                on [[(0.3, 4.0)]] at [[0.0] => [INF] [-INF]] note "infinite at 0";
            ln_1p(x) "ln(1 + x)" [nonlinear] []
                { d0 strong (x: S, _: S) { S::real_div(lit(1.0), x.add_real(lit(1.0))) } }
                on [[(-0.6, 3.0)]] at [[-1.0] => [INF] [-INF] [0.0] => [1.0] [-1.0]] note "infinite at -1";
            // ---- trigonometric ----
            sin(x) "sine" [nonlinear] []
                { d0 plain (x: S, _: S) { x.cos() } }
                on [[(-3.0, 3.0)]] at [[0.0] => [1.0] [0.0]] note "";
            cos(x) "cosine" [nonlinear] []
                { d0 plain (x: S, _: S) { -x.sin() } }
                on [[(-3.0, 3.0)]] at [[0.0] => [0.0] [-1.0]] note "";
            tan(x) "tangent" [nonlinear] []
                { d0 plain (_: S, y: S) { (y * y).add_real(lit(1.0)) } }
                on [[(-1.2, 1.2)]] at [[0.0] => [1.0] [0.0]] note "";
            asin(x) "arcsine" [nonlinear] []
                { d0 strong (x: S, _: S) {
                    S::real_div(lit(1.0), (S::real_sub(lit(1.0), x) * x.add_real(lit(1.0))).sqrt())
                } }
                on [[(-0.8, 0.8)]] at [[0.0] => [1.0] [0.0] [1.0] => [INF] [INF] [-1.0] => [INF] [-INF]]
                note "infinite at -1 and 1";
            acos(x) "arccosine" [nonlinear] []
                { d0 strong (x: S, _: S) {
                    S::real_div(lit(-1.0), (S::real_sub(lit(1.0), x) * x.add_real(lit(1.0))).sqrt())
                } }
                on [[(-0.8, 0.8)]] at [[0.0] => [-1.0] [0.0] [1.0] => [-INF] [-INF] [-1.0] => [-INF] [INF]]
                note "infinite at -1 and 1";
            atan(x) "arctangent" [nonlinear] []
                { d0 plain (x: S, _: S) { S::real_div(lit(1.0), (x * x).add_real(lit(1.0))) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [1.0] [0.0]] note "";
            atan2(x, b) "angle of the point (b, x)" [nonlinear, nonlinear] [(0, 1)]
                { d0 strong (x: S, b: S, _: S) { let h = x.hypot(b); b / h / h }
                  d1 strong (x: S, b: S, _: S) { let h = x.hypot(b); -(x / h / h) } }
                on [[(0.3, 3.0), (-3.0, -0.3)] [(-3.0, -0.3), (0.3, 3.0)]]
                at [[0.0, 2.0] => [0.5, 0.0] [0.0, -0.25, 0.0] [0.0, 0.0] => [NAN, NAN] []]
                note "NaN at (0, 0)";
            // ---- hyperbolic ----
            sinh(x) "hyperbolic sine" [nonlinear] []
                { d0 strong (x: S, _: S) { x.cosh() } }
                on [[(-2.0, 2.0)]] at [[0.0] => [1.0] [0.0]] note "";
            cosh(x) "hyperbolic cosine" [nonlinear] []
                { d0 strong (x: S, _: S) { x.sinh() } }
                on [[(-2.0, 2.0)]] at [[0.0] => [0.0] [1.0]] note "";
            tanh(x) "hyperbolic tangent" [nonlinear] []
                { d0 plain (_: S, y: S) { S::real_sub(lit(1.0), y * y) } }
                on [[(-2.0, 2.0)]] at [[0.0] => [1.0] [0.0]]
                note "from the result: absolute, not relative accuracy where abs(x) is large";
            asinh(x) "inverse hyperbolic sine" [nonlinear] []
                { d0 plain (x: S, _: S) { S::real_div(lit(1.0), x.hypot(one())) } }
                on [[(-3.0, 3.0)]] at [[0.0] => [1.0] [0.0]] note "";
            acosh(x) "inverse hyperbolic cosine" [nonlinear] []
                { d0 strong (x: S, _: S) {
                    S::real_div(lit(1.0), x.sub_real(lit(1.0)).sqrt() * x.add_real(lit(1.0)).sqrt())
                } }
                on [[(1.3, 4.0)]] at [[1.0] => [INF] [-INF]] note "infinite at 1";
            atanh(x) "inverse hyperbolic tangent" [nonlinear] []
                { d0 strong (x: S, _: S) {
                    S::real_div(lit(1.0), S::real_sub(lit(1.0), x) * x.add_real(lit(1.0)))
                } }
                on [[(-0.7, 0.7)]] at [[0.0] => [1.0] [0.0] [1.0] => [INF] [INF] [-1.0] => [INF] [-INF]]
                note "infinite at -1 and 1";
            // ---- pieces and combinations ----
            max(x, b) "larger of two" [linear, linear] []
                { d0 select (x: S, b: S, _: S) { if x.gt(b) || b.ne(b) { one() } else { zero() } }
                  d1 select (x: S, b: S, _: S) { if x.gt(b) || b.ne(b) { zero() } else { one() } } }
                on [[(1.0, 2.0), (-1.0, 0.5)] [(-1.0, 0.5), (1.0, 2.0)]]
                at [[1.0, 1.0] => [0.0, 1.0] [0.0, 0.0, 0.0] [0.0, 0.0] => [0.0, 1.0] [0.0, 0.0, 0.0]
                    [NAN, 1.0] => [0.0, 1.0] [0.0, 0.0, 0.0] [1.0, NAN] => [1.0, 0.0] [0.0, 0.0, 0.0]]
                note "a tie goes to the second argument, so x.max(0.0) has slope 0 at 0; beside NaN the other argument counts";
            min(x, b) "smaller of two" [linear, linear] []
                { d0 select (x: S, b: S, _: S) { if x.lt(b) || b.ne(b) { one() } else { zero() } }
                  d1 select (x: S, b: S, _: S) { if x.lt(b) || b.ne(b) { zero() } else { one() } } }
                on [[(1.0, 2.0), (-1.0, 0.5)] [(-1.0, 0.5), (1.0, 2.0)]]
                at [[1.0, 1.0] => [0.0, 1.0] [0.0, 0.0, 0.0] [0.0, 0.0] => [0.0, 1.0] [0.0, 0.0, 0.0]
                    [NAN, 1.0] => [0.0, 1.0] [0.0, 0.0, 0.0] [1.0, NAN] => [1.0, 0.0] [0.0, 0.0, 0.0]]
                note "a tie goes to the second argument; beside NaN the other argument counts";
            clamp(x, lo, hi) "x kept between two bounds" [linear, linear, linear] []
                { d0 select (x: S, lo: S, hi: S, _: S) { if x.le(lo) || x.ge(hi) { zero() } else { one() } }
                  d1 select (x: S, lo: S, _: S, _: S) { if x.le(lo) { one() } else { zero() } }
                  d2 select (x: S, lo: S, hi: S, _: S) { if !x.le(lo) && x.ge(hi) { one() } else { zero() } } }
                on [[(-0.5, 0.5), (-2.0, -1.0), (1.0, 2.0)] [(-3.0, -2.5), (-2.0, -1.0), (1.0, 2.0)] [(2.5, 3.0), (-2.0, -1.0), (1.0, 2.0)]]
                at [[0.0, 0.0, 1.0] => [0.0, 1.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
                    [1.0, 0.0, 1.0] => [0.0, 0.0, 1.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
                    [1.0, 1.0, 1.0] => [0.0, 1.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
                note "at a bound the bound counts, the lower one first; panics where std does";
            abs_sub(x, b) "positive difference" [linear, linear] []
                { d0 select (x: S, b: S, _: S) { if x.gt(b) { one() } else { zero() } }
                  d1 select (x: S, b: S, _: S) { if x.gt(b) { -one::<S>() } else { zero() } } }
                on [[(1.0, 2.0), (-1.0, 0.5)] [(-1.0, 0.5), (1.0, 2.0)]]
                at [[1.0, 1.0] => [0.0, 0.0] [0.0, 0.0, 0.0]] note "0 at a tie";
            midpoint(x, b) "mean of two" [linear, linear] []
                { d0 plain (_: S, _: S, _: S) { S::from_real(lit(0.5)) }
                  d1 plain (_: S, _: S, _: S) { S::from_real(lit(0.5)) } }
                on [[(-3.0, 3.0), (-3.0, 3.0)]] at [[0.0, 0.0] => [0.5, 0.5] [0.0, 0.0, 0.0]] note "";
            mul_add(x, a, b) "x a + b, rounded once" [linear, linear, linear] [(0, 1)]
                { d0 plain (_: S, a: S, _: S, _: S) { a }
                  d1 plain (x: S, _: S, _: S, _: S) { x }
                  d2 plain (_: S, _: S, _: S, _: S) { one() } }
                on [[(-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0)]]
                at [[0.0, 0.0, 0.0] => [0.0, 0.0, 1.0] [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]] note "";
            rem_euclid(x, b) "least nonnegative remainder" [linear, linear] []
                { d0 plain (_: S, _: S, _: S) { one() }
                  // the quotient from the exact remainder: x / b may round up to the next integer
                  d1 strong (x: S, b: S, y: S) { -((x - y) / b).round() } }
                on [[(2.2, 2.8), (0.95, 1.05)] [(-2.8, -2.2), (0.95, 1.05)] [(2.2, 2.8), (-1.05, -0.95)]]
                at [[6.0, 2.0] => [1.0, -3.0] [0.0, 0.0, 0.0] [-5.0, 2.0] => [1.0, 3.0] [0.0, 0.0, 0.0]]
                note "1 and minus the quotient, also at jumps";
            div_euclid(x, b) "quotient of rem_euclid" [zero, zero] [] {}
                on [[(2.2, 2.8), (0.95, 1.05)] [(-2.8, -2.2), (0.95, 1.05)]]
                at [[6.0, 2.0] => [0.0, 0.0] [0.0, 0.0, 0.0]] note "0, also at jumps";
        }
    };
}

/// Hands the rows of the arithmetic operators to a callback macro, as [`elementary!`] does.
///
/// They are apart since they are operators of the scalar, not methods.
#[macro_export]
macro_rules! operators {
    ($callback:ident) => {
        $callback! {
            neg(x) "-x" [linear] []
                { d0 plain (_: S, _: S) { -one::<S>() } }
                on [[(-3.0, 3.0)]] at [[0.0] => [-1.0] [0.0]] note "";
            add(x, b) "x + b" [linear, linear] []
                { d0 plain (_: S, _: S, _: S) { one() }
                  d1 plain (_: S, _: S, _: S) { one() } }
                on [[(-3.0, 3.0), (-3.0, 3.0)]] at [[0.0, 0.0] => [1.0, 1.0] [0.0, 0.0, 0.0]] note "";
            sub(x, b) "x - b" [linear, linear] []
                { d0 plain (_: S, _: S, _: S) { one() }
                  d1 plain (_: S, _: S, _: S) { -one::<S>() } }
                on [[(-3.0, 3.0), (-3.0, 3.0)]] at [[0.0, 0.0] => [1.0, -1.0] [0.0, 0.0, 0.0]] note "";
            mul(x, b) "x b" [linear, linear] [(0, 1)]
                { d0 plain (_: S, b: S, _: S) { b }
                  d1 plain (x: S, _: S, _: S) { x } }
                on [[(-3.0, 3.0), (-3.0, 3.0)]] at [[0.0, 0.0] => [0.0, 0.0] [0.0, 1.0, 0.0]] note "";
            div(x, b) "x / b" [linear, nonlinear] [(0, 1)]
                { d0 strong (_: S, b: S, _: S) { S::real_div(lit(1.0), b) }
                  // by the reciprocal, which is then shared with d0
                  d1 strong (_: S, b: S, y: S) { -(y * S::real_div(lit(1.0), b)) } }
                on [[(-3.0, 3.0), (0.3, 3.0)] [(-3.0, 3.0), (-3.0, -0.3)]]
                at [[0.0, 2.0] => [0.5, 0.0] [0.0, -0.25, 0.0]]
                note "infinite at b = 0";
            rem(x, b) "remainder of truncated division" [linear, linear] []
                { d0 plain (_: S, _: S, _: S) { one() }
                  d1 strong (x: S, b: S, y: S) { -((x - y) / b).round() } }
                on [[(2.2, 2.8), (0.95, 1.05)] [(-2.8, -2.2), (0.95, 1.05)] [(2.2, 2.8), (-1.05, -0.95)]]
                at [[6.0, 2.0] => [1.0, -3.0] [0.0, 0.0, 0.0] [-5.0, 2.0] => [1.0, 2.0] [0.0, 0.0, 0.0]]
                note "1 and minus the truncated quotient, also at jumps";
        }
    };
}
