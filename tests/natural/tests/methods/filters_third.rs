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

/// Constant velocity tracker: a Kalman filter as a struct of small matrices.
mod velocity_tracker {
    use di::prelude::*;

    type M2 = [[f64; 2]; 2];

    #[derive(Clone, Debug, Differentiable)]
    struct Filter {
        x: [f64; 2],
        p: M2,
        q: f64,
        r: f64,
    }

    #[differentiable]
    fn mul(a: &M2, b: &M2) -> M2 {
        let mut c = [[0.0; 2]; 2];
        for (i, row) in c.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                *v = a[i].iter().enumerate().map(|(k, a)| a * b[k][j]).sum();
            }
        }
        c
    }

    #[differentiable]
    fn transpose(a: &M2) -> M2 {
        [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
    }

    #[differentiable]
    impl Filter {
        fn predict(&mut self, dt: f64) {
            let f = [[1.0, dt], [0.0, 1.0]];
            self.x = [self.x[0] + dt * self.x[1], self.x[1]];
            self.p = mul(&mul(&f, &self.p), &transpose(&f));
            self.p[0][0] += self.q * dt.powi(3) / 3.0;
            self.p[0][1] += self.q * dt.powi(2) / 2.0;
            self.p[1][0] += self.q * dt.powi(2) / 2.0;
            self.p[1][1] += self.q * dt;
        }

        fn update(&mut self, z: f64) -> f64 {
            let s = self.p[0][0] + self.r;
            let k = [self.p[0][0] / s, self.p[1][0] / s];
            let nu = z - self.x[0];
            for i in 0..2 {
                self.x[i] += k[i] * nu;
            }
            let old = self.p;
            for i in 0..2 {
                for j in 0..2 {
                    self.p[i][j] = old[i][j] - k[i] * old[0][j];
                }
            }
            0.5 * (s.ln() + nu * nu / s)
        }
    }

    #[differentiable]
    fn track_nll(noise: &[f64; 2], #[constant] times: &[f64], #[constant] zs: &[f64]) -> f64 {
        let mut kf = Filter {
            x: [zs[0], 0.0],
            p: [[1.0, 0.0], [0.0, 1.0]],
            q: noise[0].exp(),
            r: noise[1].exp(),
        };
        let mut nll = 0.0;
        for i in 1..zs.len() {
            kf.predict(times[i] - times[i - 1]);
            nll += kf.update(zs[i]);
        }
        nll
    }

    #[test]
    fn velocity_tracker() {
        crate::check::scalar!(
            track_nll,
            (&[0.0, 0.5, 1.2, 1.6], &[0.1, 0.7, 1.3, 2.2]),
            &[-0.5, -1.0]
        );
    }
}
