//! Filters: programs of a third collection.

/// Local level model: Kalman filter and the log likelihood of variances.
mod local_level {
    use di::prelude::*;
    use std::f64::consts::PI;

    #[differentiable]
    fn local_level_loglik(log_var: &[f64], #[constant] y: &[f64]) -> f64 {
        let q = log_var[0].exp();
        let r = log_var[1].exp();
        let mut a = y[0];
        let mut p = 1e2;
        let mut ll = 0.0;
        for &obs in y.iter().skip(1) {
            // predict
            p += q;
            // skip missing values
            if obs.is_nan() {
                continue;
            }
            // update
            let v = obs - a;
            let f = p + r;
            let k = p / f;
            a += k * v;
            p *= 1.0 - k;
            ll -= 0.5 * ((2.0 * PI * f).ln() + v * v / f);
        }
        ll
    }

    #[test]
    fn local_level() {
        let y = [1.1, 1.4, 0.8, f64::NAN, 1.9, 2.1, 1.6];
        crate::check::scalar!(local_level_loglik, (&y), &vec![-0.8, -1.3]);
    }
}

/// A cascade of biquads fitted to a target response.
mod biquad_cascade {
    use di::prelude::*;

    #[differentiable]
    fn biquad(c: &[f64], x: &[f64]) -> Vec<f64> {
        let (b, a) = c.split_at(3);
        let mut z1 = 0.0;
        let mut z2 = 0.0;
        x.iter()
            .map(|&xn| {
                let y = b[0] * xn + z1;
                z1 = b[1] * xn - a[0] * y + z2;
                z2 = b[2] * xn - a[1] * y;
                y
            })
            .collect()
    }

    #[differentiable]
    fn cascade_error(coeffs: &[f64], #[constant] input: &[f64], #[constant] target: &[f64]) -> f64 {
        let mut signal = input.to_vec();
        for section in coeffs.chunks_exact(5) {
            signal = biquad(section, &signal);
        }
        let err = signal
            .iter()
            .zip(target.iter())
            .map(|(s, t)| (s - t) * (s - t))
            .sum::<f64>()
            / target.len() as f64;
        let roughness: f64 = signal.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
        err + 1e-2 * roughness
    }

    #[test]
    fn biquad_cascade() {
        let input = [1.0, 0.5, -0.3, 0.8, 0.0, 0.2];
        let target = [0.2, 0.4, 0.3, 0.3, 0.2, 0.1];
        let c = vec![0.2, 0.3, 0.1, -0.4, 0.2, 0.5, 0.1, 0.2, -0.3, 0.1];
        crate::check::scalar!(cascade_error, (&input, &target), &c);
    }
}
