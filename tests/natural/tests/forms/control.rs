//! Control.

/// LQR cost of a feedback gain by rollout, with noise-free dynamics in nested arrays.
mod lqr_rollout {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const A: [[f64; 2]; 2] = [[1.0, 0.1], [-0.2, 0.95]];
    const B: [f64; 2] = [0.0, 0.1];

    #[differentiable]
    fn feedback(k: &[f64], s: &[f64; 2]) -> f64 {
        -k.iter().zip(s.iter()).map(|(a, b)| a * b).sum::<f64>()
    }

    #[differentiable]
    fn next(s: &[f64; 2], u: f64) -> [f64; 2] {
        let mut n = [0.0; 2];
        for i in 0..2 {
            n[i] = A[i][0] * s[0] + A[i][1] * s[1] + B[i] * u;
        }
        n
    }

    #[differentiable]
    pub fn cost(k: &[f64], horizon: usize) -> f64 {
        let mut s = [1.0, -0.5];
        let mut j = 0.0;
        for _ in 0..horizon {
            let u = feedback(k, &s);
            j += s[0] * s[0] + 0.5 * s[1] * s[1] + 0.1 * u * u;
            s = next(&s, u);
        }
        j + 5.0 * (s[0] * s[0] + s[1] * s[1])
    }

    #[test]
    fn lqr_rollout() {
        scalar!(cost, (20), &[1.2, 0.8]);
    }
}

/// Discrete Riccati recursion, gain matrices as vectors of vectors.
mod riccati {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        type Mat = Vec<Vec<f64>>;

        fn mul(a: &Mat, b: &Mat) -> Mat {
            let (n, m, p) = (a.len(), b.len(), b[0].len());
            let mut c = vec![vec![0.0; p]; n];
            for i in 0..n {
                for j in 0..p {
                    c[i][j] = (0..m).map(|k| a[i][k] * b[k][j]).sum();
                }
            }
            c
        }

        fn tr(a: &Mat) -> Mat {
            let mut t = vec![vec![0.0; a.len()]; a[0].len()];
            for i in 0..a.len() {
                for j in 0..a[0].len() {
                    t[j][i] = a[i][j];
                }
            }
            t
        }

        fn riccati_step(p: &Mat, a: &Mat, b: &Mat, q: &Mat, r: f64) -> (Mat, Mat) {
            let at = tr(a);
            let bt = tr(b);
            let s = r + mul(&mul(&bt, p), b)[0][0];
            let mut k = mul(&mul(&bt, p), a);
            for v in k[0].iter_mut() {
                *v /= s;
            }
            let apa = mul(&mul(&at, p), a);
            let correction = mul(&mul(&mul(&at, p), b), &k);
            let mut next = q.clone();
            for i in 0..next.len() {
                for j in 0..next.len() {
                    next[i][j] += apa[i][j] - correction[i][j];
                }
            }
            (next, k)
        }

        pub fn gains(x: &[f64], iterations: usize) -> Vec<f64> {
            let a = vec![vec![1.0, x[0]], vec![-x[1] * x[0], 1.0 - x[2] * x[0]]];
            let b = vec![vec![0.0], vec![x[0]]];
            let q = vec![vec![x[3], 0.0], vec![0.0, 0.1]];
            let mut p = q.clone();
            let mut k = vec![vec![0.0, 0.0]];
            for _ in 0..iterations {
                let (np, nk) = riccati_step(&p, &a, &b, &q, 0.3);
                p = np;
                k = nk;
            }
            k[0].clone()
        }
    }

    #[test]
    fn riccati() {
        vector!(system::gains, (12), &[0.2, 1.0, 0.3, 1.5]);
    }
}

/// Lead-lag compensator discretised by Tustin, sensitivity peak surrogate on a frequency grid.
mod loop_shaping {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::ops::{Add, Div, Mul};

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct C {
        re: f64,
        im: f64,
    }

    #[differentiable]
    impl Add for C {
        type Output = C;
        fn add(self, o: C) -> C {
            C {
                re: self.re + o.re,
                im: self.im + o.im,
            }
        }
    }

    #[differentiable]
    impl Mul for C {
        type Output = C;
        fn mul(self, o: C) -> C {
            C {
                re: self.re * o.re - self.im * o.im,
                im: self.re * o.im + self.im * o.re,
            }
        }
    }

    #[differentiable]
    impl Div for C {
        type Output = C;
        fn div(self, o: C) -> C {
            let d = o.re * o.re + o.im * o.im;
            C {
                re: (self.re * o.re + self.im * o.im) / d,
                im: (self.im * o.re - self.re * o.im) / d,
            }
        }
    }

    #[differentiable]
    impl C {
        fn real(re: f64) -> C {
            C { re, im: 0.0 }
        }
        fn norm_sqr(self) -> f64 {
            self.re * self.re + self.im * self.im
        }
    }

    #[differentiable]
    fn open_loop(x: &[f64], #[constant] w: f64) -> C {
        let s = C { re: 0.0, im: w };
        let one = C::real(1.0);
        let lead = (one + C::real(x[1]) * s) / (one + C::real(x[2]) * s);
        let plant = one / (s * (one + C::real(0.5) * s));
        C::real(x[0]) * lead * plant
    }

    #[differentiable]
    pub fn sensitivity(x: &[f64], #[constant] freqs: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &w in freqs {
            let s = C::real(1.0) / (C::real(1.0) + open_loop(x, w));
            sum += s.norm_sqr().powi(4);
        }
        sum.powf(0.125)
    }

    #[test]
    fn loop_shaping() {
        scalar!(sensitivity, (&[0.3, 0.8, 1.5, 2.5, 4.0]), &[1.5, 0.7, 0.1]);
    }
}

/// Iterative linear quadratic backward pass for a scalar system.
mod ilqr_scalar {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        #[derive(Clone, Copy, Debug)]
        struct Gain {
            k: f64,
            ff: f64,
        }

        fn f(x: f64, u: f64) -> f64 {
            x + 0.1 * (x.sin() + u)
        }

        fn backward(xs: &[f64], us: &[f64], r: f64) -> Vec<Gain> {
            let n = us.len();
            let mut gains = vec![Gain { k: 0.0, ff: 0.0 }; n];
            let mut vx = 2.0 * xs[n];
            let mut vxx = 2.0;
            for t in (0..n).rev() {
                let a = 1.0 + 0.1 * xs[t].cos();
                let b = 0.1;
                let qx = 2.0 * 0.1 * xs[t] + a * vx;
                let qu = 2.0 * r * us[t] + b * vx;
                let qxx = 0.2 + a * a * vxx;
                let quu = 2.0 * r + b * b * vxx;
                let qux = b * a * vxx;
                gains[t] = Gain {
                    k: -qux / quu,
                    ff: -qu / quu,
                };
                vx = qx + gains[t].k * qu;
                vxx = qxx + gains[t].k * qux;
            }
            gains
        }

        pub fn improved_cost(x: &[f64], #[constant] r: f64) -> f64 {
            let us = &x[1..];
            let mut xs = vec![x[0]];
            for (t, u) in us.iter().enumerate() {
                let next = f(xs[t], *u);
                xs.push(next);
            }
            let gains = backward(&xs, us, r);
            let mut state = x[0];
            let mut cost = 0.0;
            for (t, g) in gains.iter().enumerate() {
                let u = us[t] + 0.5 * g.ff + g.k * (state - xs[t]);
                cost += 0.1 * state * state + r * u * u;
                state = f(state, u);
            }
            cost + state * state
        }
    }

    #[test]
    fn ilqr_scalar() {
        scalar!(compute::improved_cost, (0.3), &[1.2, -0.1, 0.2, -0.4, 0.1]);
    }
}

/// Lyapunov function candidate and its decrease along trajectories.
mod lyapunov_candidate {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn field(s: [f64; 2]) -> [f64; 2] {
        let [x, y] = s;
        [y, -x + 0.3 * x.powi(3) - y]
    }

    #[differentiable]
    fn v(p: &[f64], s: [f64; 2]) -> f64 {
        p[0] * p[0] * s[0] * s[0] + 2.0 * p[1] * s[0] * s[1] + p[2] * p[2] * s[1] * s[1]
    }

    #[differentiable]
    fn v_dot(p: &[f64], s: [f64; 2]) -> f64 {
        let d = field(s);
        let gx = 2.0 * p[0] * p[0] * s[0] + 2.0 * p[1] * s[1];
        let gy = 2.0 * p[1] * s[0] + 2.0 * p[2] * p[2] * s[1];
        gx * d[0] + gy * d[1]
    }

    #[differentiable]
    fn softplus(z: f64) -> f64 {
        if z > 30.0 { z } else { z.exp().ln_1p() }
    }

    #[differentiable]
    pub fn violation(p: &[f64], grid: i32) -> f64 {
        let mut total = 0.0;
        for i in -grid..=grid {
            for j in -grid..=grid {
                if i == 0 && j == 0 {
                    continue;
                }
                let s = [i as f64 * 0.4, j as f64 * 0.4];
                total += softplus(0.1 + v_dot(p, s)) + softplus(0.05 - v(p, s));
            }
        }
        total / ((2 * grid + 1) * (2 * grid + 1) - 1) as f64
    }

    #[test]
    fn lyapunov_candidate() {
        scalar!(violation, (2), &[1.2, 0.3, 0.9]);
    }
}

/// PID controller as a struct with state, tuning cost of a second order plant.
mod pid_tuning {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Pid {
        kp: f64,
        ki: f64,
        kd: f64,
        integral: f64,
        last: Option<f64>,
    }

    #[differentiable]
    impl Pid {
        fn new(gains: &[f64]) -> Pid {
            Pid {
                kp: gains[0],
                ki: gains[1],
                kd: gains[2],
                integral: 0.0,
                last: None,
            }
        }

        fn update(&mut self, error: f64, dt: f64) -> f64 {
            self.integral += error * dt;
            let derivative = match self.last {
                Some(e) => (error - e) / dt,
                None => 0.0,
            };
            self.last = Some(error);
            self.kp * error + self.ki * self.integral + self.kd * derivative
        }
    }

    #[differentiable]
    pub fn itae(gains: &[f64], steps: usize) -> f64 {
        let dt = 0.1;
        let mut pid = Pid::new(gains);
        let (mut y, mut v) = (0.0, 0.0);
        let mut cost = 0.0;
        for i in 0..steps {
            let t = i as f64 * dt;
            let e = 1.0 - y;
            let u = pid.update(e, dt);
            v += dt * (u - 0.8 * v - y);
            y += dt * v;
            cost += t * e * e * dt;
        }
        cost
    }

    #[test]
    fn pid_tuning() {
        scalar!(itae, (25), &[1.5, 0.6, 0.4]);
    }
}
