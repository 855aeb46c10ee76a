//! Networks, splines and options: models as structs.

/// A natural spline through knots, fit to data.
mod spline {
    use crate::check::scalar;
    use di::prelude::*;

    #[differentiable]
    pub mod spline {
        pub struct Spline {
            x: Vec<f64>,
            y: Vec<f64>,
            m: Vec<f64>,
        }

        impl Spline {
            pub fn natural(x: &[f64], y: &[f64]) -> Spline {
                let n = x.len();
                let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
                let slope: Vec<f64> = (0..n - 1).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
                let mut diag = vec![1.0; n];
                let mut upper = vec![0.0; n];
                let mut rhs = vec![0.0; n];
                for i in 1..n - 1 {
                    let w = if i > 1 { h[i - 1] / diag[i - 1] } else { 0.0 };
                    diag[i] = 2.0 * (h[i - 1] + h[i]) - w * upper[i - 1];
                    upper[i] = h[i];
                    rhs[i] = 6.0 * (slope[i] - slope[i - 1]) - w * rhs[i - 1];
                }
                let mut m = vec![0.0; n];
                for i in (1..n - 1).rev() {
                    m[i] = (rhs[i] - upper[i] * m[i + 1]) / diag[i];
                }
                Spline {
                    x: x.to_vec(),
                    y: y.to_vec(),
                    m,
                }
            }

            pub fn eval(&self, t: f64) -> f64 {
                let last = self.x.len() - 2;
                let i = match self.x.iter().position(|&k| k > t) {
                    Some(0) => 0,
                    Some(i) => (i - 1).min(last),
                    None => last,
                };
                let h = self.x[i + 1] - self.x[i];
                let a = (self.x[i + 1] - t) / h;
                let b = (t - self.x[i]) / h;
                a * self.y[i]
                    + b * self.y[i + 1]
                    + ((a.powi(3) - a) * self.m[i] + (b.powi(3) - b) * self.m[i + 1]) * h * h / 6.0
            }
        }

        pub fn misfit(
            y: &[f64],
            #[constant] knots: &[f64],
            #[constant] data: &[(f64, f64)],
            #[constant] smoothing: f64,
        ) -> f64 {
            let s = Spline::natural(knots, y);
            let fit: f64 = data.iter().map(|&(t, v)| (s.eval(t) - v).powi(2)).sum();
            let rough: f64 = s.m.iter().map(|m| m * m).sum();
            fit + smoothing * rough
        }
    }

    #[test]
    fn spline() {
        use spline::misfit;
        let knots = [0.0, 1.0, 2.0, 3.5];
        let data = [(0.3, 0.5), (1.4, 0.9), (2.9, 0.2)];
        scalar!(misfit, (&knots, &data, 0.05), &[0.4, 0.8, 0.6, 0.1]);
    }
}
