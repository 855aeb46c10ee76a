//! Curve fits: programs of a third collection.

/// Natural cubic spline through values at knots, compared with data.
mod natural_spline {
    use di::prelude::*;

    #[differentiable]
    fn second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
        let n = x.len();
        let mut y2 = vec![0.0; n];
        let mut u = vec![0.0; n];
        for i in 1..n - 1 {
            let sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
            let p = sig * y2[i - 1] + 2.0;
            y2[i] = (sig - 1.0) / p;
            let slope =
                (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
            u[i] = (6.0 * slope / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p;
        }
        for k in (0..n - 1).rev() {
            y2[k] = y2[k] * y2[k + 1] + u[k];
        }
        y2
    }

    #[differentiable]
    fn spline(x: &[f64], y: &[f64], y2: &[f64], at: f64) -> f64 {
        let mut lo = 0;
        let mut hi = x.len() - 1;
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if x[mid] > at { hi = mid } else { lo = mid }
        }
        let h = x[hi] - x[lo];
        let a = (x[hi] - at) / h;
        let b = (at - x[lo]) / h;
        a * y[lo] + b * y[hi] + ((a.powi(3) - a) * y2[lo] + (b.powi(3) - b) * y2[hi]) * h * h / 6.0
    }

    #[differentiable]
    fn spline_misfit(y: &[f64], #[constant] knots: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let y2 = second_derivatives(knots, y);
        let mut sum = 0.0;
        for (t, v) in data {
            let r = spline(knots, y, &y2, *t) - v;
            sum += r.powi(4) + r * r;
        }
        sum
    }

    #[test]
    fn natural_spline() {
        let knots = [0.0, 0.7, 1.5, 2.2, 3.0];
        let data = [(0.2, 0.1), (1.0, 0.9), (1.9, 0.5), (2.8, -0.3)];
        crate::check::scalar!(
            spline_misfit,
            (&knots, &data),
            &vec![0.0, 0.8, 0.9, 0.2, -0.4]
        );
    }
}
