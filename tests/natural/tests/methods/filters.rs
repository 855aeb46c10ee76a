//! Filters and smoothers.

/// Scalar Kalman filter, log-likelihood of the innovations.
mod kalman_local_level {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::f64::consts::PI;

    #[differentiable]
    pub fn log_likelihood(x: &[f64], #[constant] ys: &[f64]) -> f64 {
        let q = x[0].exp();
        let r = x[1].exp();
        let mut mean = x[2];
        let mut var = 1.0;
        let mut ll = 0.0;
        for &y in ys {
            var += q;
            let s = var + r;
            let innovation = y - mean;
            ll -= 0.5 * ((2.0 * PI * s).ln() + innovation * innovation / s);
            let gain = var / s;
            mean += gain * innovation;
            var *= 1.0 - gain;
        }
        ll
    }

    #[test]
    fn kalman_local_level() {
        scalar!(
            log_likelihood,
            (&[1.1, 0.9, 1.4, 1.2, 0.7]),
            &[-1.0, -0.5, 0.8]
        );
    }
}

/// Constant velocity Kalman filter with small matrices as nested arrays and helper functions.
mod kalman_cv {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        type M2 = [[f64; 2]; 2];

        fn matmul(a: &M2, b: &M2) -> M2 {
            let mut c = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    for k in 0..2 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }

        fn transpose(a: &M2) -> M2 {
            [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
        }

        fn predict(m: [f64; 2], p: &M2, dt: f64, q: f64) -> ([f64; 2], M2) {
            let f = [[1.0, dt], [0.0, 1.0]];
            let mut pp = matmul(&matmul(&f, p), &transpose(&f));
            pp[0][0] += q * dt.powi(3) / 3.0;
            pp[0][1] += q * dt * dt / 2.0;
            pp[1][0] += q * dt * dt / 2.0;
            pp[1][1] += q * dt;
            ([m[0] + dt * m[1], m[1]], pp)
        }

        pub fn filter(x: &[f64], #[constant] zs: &[f64]) -> Vec<f64> {
            let (q, r) = (x[0], x[1]);
            let mut m = [x[2], x[3]];
            let mut p = [[1.0, 0.0], [0.0, 1.0]];
            let mut estimates = vec![];
            for z in zs.iter() {
                let (mp, pp) = predict(m, &p, 0.5, q);
                let s = pp[0][0] + r;
                let k = [pp[0][0] / s, pp[1][0] / s];
                let e = z - mp[0];
                m = [mp[0] + k[0] * e, mp[1] + k[1] * e];
                p = matmul(&[[1.0 - k[0], 0.0], [-k[1], 1.0]], &pp);
                estimates.push(m[0]);
            }
            estimates
        }
    }

    #[test]
    fn kalman_cv() {
        vector!(
            system::filter,
            (&[0.1, 0.6, 0.9, 1.7]),
            &[0.4, 0.3, 0.0, 1.0]
        );
    }
}

/// Extended Kalman filter of a pendulum with a measured sine, inline module with a matrix struct.
mod ekf_pendulum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        use std::ops::{Add, Mul};

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Mat2 {
            pub a: f64,
            pub b: f64,
            pub c: f64,
            pub d: f64,
        }

        impl Mat2 {
            fn diag(p: f64, q: f64) -> Self {
                Mat2 {
                    a: p,
                    b: 0.0,
                    c: 0.0,
                    d: q,
                }
            }

            fn t(self) -> Self {
                Mat2 {
                    a: self.a,
                    b: self.c,
                    c: self.b,
                    d: self.d,
                }
            }
        }

        impl Add for Mat2 {
            type Output = Mat2;
            fn add(self, o: Mat2) -> Mat2 {
                Mat2 {
                    a: self.a + o.a,
                    b: self.b + o.b,
                    c: self.c + o.c,
                    d: self.d + o.d,
                }
            }
        }

        impl Mul for Mat2 {
            type Output = Mat2;
            fn mul(self, o: Mat2) -> Mat2 {
                Mat2 {
                    a: self.a * o.a + self.b * o.c,
                    b: self.a * o.b + self.b * o.d,
                    c: self.c * o.a + self.d * o.c,
                    d: self.c * o.b + self.d * o.d,
                }
            }
        }

        pub fn neg_log_lik(x: &[f64], #[constant] zs: &[f64], dt: f64) -> f64 {
            let g = x[0];
            let q = Mat2::diag(0.01, x[1] * dt);
            let r = x[2];
            let (mut th, mut om) = (x[4], x[3]);
            let mut p = Mat2::diag(0.3, 0.3);
            let mut nll = 0.0;
            for z in zs {
                let f = Mat2 {
                    a: 1.0,
                    b: dt,
                    c: -g * th.cos() * dt,
                    d: 1.0,
                };
                let th_new = th + om * dt;
                om -= g * th.sin() * dt;
                th = th_new;
                p = f * p * f.t() + q;
                let h = th.cos();
                let s = h * h * p.a + r;
                let v = z - th.sin();
                let (k0, k1) = (p.a * h / s, p.c * h / s);
                th += k0 * v;
                om += k1 * v;
                p = Mat2 {
                    a: 1.0 - k0 * h,
                    b: 0.0,
                    c: -k1 * h,
                    d: 1.0,
                } * p;
                nll += 0.5 * (s.ln() + v * v / s);
            }
            nll
        }

        pub fn objective(x: &[f64], #[constant] zs: &[f64]) -> f64 {
            neg_log_lik(x, zs, 0.2)
        }
    }

    #[test]
    fn ekf_pendulum() {
        scalar!(
            model::objective,
            (&[0.6, 0.5, 0.45, 0.2]),
            &[1.5, 0.2, 0.3, 0.4, 0.7]
        );
    }
}

/// Second order sections (biquads) with state in a struct.
mod biquad_chain {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    struct Biquad {
        b: [f64; 3],
        a: [f64; 2],
        z1: f64,
        z2: f64,
    }

    #[differentiable]
    impl Biquad {
        fn lowpass(freq: f64, q: f64) -> Biquad {
            let w = freq.sin() / (2.0 * q);
            let c = freq.cos();
            let a0 = 1.0 + w;
            Biquad {
                b: [(1.0 - c) / 2.0 / a0, (1.0 - c) / a0, (1.0 - c) / 2.0 / a0],
                a: [-2.0 * c / a0, (1.0 - w) / a0],
                z1: 0.0,
                z2: 0.0,
            }
        }

        fn process(&mut self, x: f64) -> f64 {
            let y = self.b[0] * x + self.z1;
            self.z1 = self.b[1] * x - self.a[0] * y + self.z2;
            self.z2 = self.b[2] * x - self.a[1] * y;
            y
        }
    }

    #[differentiable]
    pub fn impulse_response(x: &[f64], n: usize) -> Vec<f64> {
        let mut sections = vec![Biquad::lowpass(x[0], x[1]), Biquad::lowpass(x[2], x[3])];
        let mut out = Vec::new();
        for i in 0..n {
            let mut s = if i == 0 { 1.0 } else { 0.0 };
            for sec in sections.iter_mut() {
                s = sec.process(s);
            }
            out.push(s);
        }
        out
    }

    #[test]
    fn biquad_chain() {
        vector!(impulse_response, (8), &[0.9, 0.7, 1.4, 1.1]);
    }
}

/// Moving average by windows and an adaptive weighting.
mod weighted_windows {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        fn weights(theta: &[f64]) -> Vec<f64> {
            let e: Vec<f64> = theta.iter().map(|t| t.exp()).collect();
            let total: f64 = e.iter().sum();
            e.iter().map(|v| v / total).collect()
        }

        fn smooth(series: &[f64], w: &[f64]) -> Vec<f64> {
            series
                .windows(w.len())
                .map(|win| win.iter().zip(w).map(|(s, c)| s * c).sum())
                .collect()
        }

        pub fn roughness(x: &[f64], #[constant] series: &[f64]) -> f64 {
            let s = smooth(series, &weights(x));
            let second: f64 = s
                .windows(3)
                .map(|w| (w[0] - 2.0 * w[1] + w[2]).powi(2))
                .sum();
            let fidelity: f64 = s
                .iter()
                .zip(&series[1..])
                .map(|(a, b)| (a - b) * (a - b))
                .sum();
            second + 0.5 * fidelity
        }
    }

    #[test]
    fn weighted_windows() {
        let series = [0.2, 0.9, 0.4, 1.3, 0.8, 1.6, 1.1];
        scalar!(compute::roughness, (&series), &[0.1, 0.5, -0.3]);
    }
}
