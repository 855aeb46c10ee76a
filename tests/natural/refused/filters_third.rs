//! Filters: programs of a third collection. Refused: each with what the compiler says, and the cure.

// E0277 `[[f64; 2]; 2]` is not a differentiable type; [DI0125] `M2` is an alias of a type with floats, and its definition is not visible here
// Put all of it into `#[differentiable] mod`, or write the type.
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
