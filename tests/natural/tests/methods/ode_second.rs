//! ODE integrators.

/// Crank-Nicolson for a 2x2 linear system, solved with Cramer's rule; returns tuple state.
mod crank_nicolson_linear {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn solve2(m: [[f64; 2]; 2], r: [f64; 2]) -> Option<[f64; 2]> {
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        if det.abs() < 1e-14 {
            return None;
        }
        Some([
            (r[0] * m[1][1] - m[0][1] * r[1]) / det,
            (m[0][0] * r[1] - m[1][0] * r[0]) / det,
        ])
    }

    #[differentiable]
    fn cn_step(a: [[f64; 2]; 2], y: [f64; 2], h: f64) -> [f64; 2] {
        let mut lhs = [[0.0; 2]; 2];
        let mut rhs = [0.0; 2];
        for i in 0..2 {
            for j in 0..2 {
                let id = if i == j { 1.0 } else { 0.0 };
                lhs[i][j] = id - 0.5 * h * a[i][j];
                rhs[i] += (id + 0.5 * h * a[i][j]) * y[j];
            }
        }
        match solve2(lhs, rhs) {
            Some(z) => z,
            None => y,
        }
    }

    #[differentiable]
    pub fn propagate(x: &[f64], n: usize) -> [f64; 2] {
        let a = [[x[0], x[1]], [x[2], x[3]]];
        let mut y = [1.0, x[4]];
        for _ in 0..n {
            y = cn_step(a, y, 0.2);
        }
        y
    }

    #[test]
    fn crank_nicolson_linear() {
        vector!(propagate, (6), &[-0.5, 1.0, -1.2, -0.3, 0.4]);
    }
}

/// Neural-free SIR-like ODE in place: writes a whole trajectory to a buffer.
mod ab2_trajectory {
    use crate::check::inplace;
    use di::prelude::*;

    #[differentiable]
    fn decay_chain(y: &[f64; 3], k: &[f64; 2]) -> [f64; 3] {
        let r1 = k[0] * y[0];
        let r2 = k[1] * y[1];
        [-r1, r1 - r2, r2]
    }

    /// Adams-Bashforth of order two, first step by Euler.
    #[differentiable]
    pub fn trajectory(x: &[f64], dt: f64, out: &mut [f64]) {
        let k = [x[0], x[1]];
        let mut y = [x[2], 0.1, 0.0];
        let mut old = decay_chain(&y, &k);
        let n = out.len() / 3;
        for step in 0..n {
            let f = decay_chain(&y, &k);
            for i in 0..3 {
                y[i] += dt * (1.5 * f[i] - 0.5 * old[i]);
                out[3 * step + i] = y[i];
            }
            old = f;
        }
    }

    #[differentiable]
    pub fn coarse(x: &[f64], out: &mut [f64]) {
        trajectory(x, 0.15, out);
    }

    #[test]
    fn ab2_trajectory() {
        inplace!(coarse, (), &[1.3, 0.7, 1.0], 12);
    }
}

/// Butcher tableau in constants, generic explicit stages.
mod butcher_table {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const A: [[f64; 4]; 4] = [
        [0.0, 0.0, 0.0, 0.0],
        [1.0 / 3.0, 0.0, 0.0, 0.0],
        [-1.0 / 3.0, 1.0, 0.0, 0.0],
        [1.0, -1.0, 1.0, 0.0],
    ];
    const B: [f64; 4] = [0.125, 0.375, 0.375, 0.125];
    const C: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

    #[differentiable]
    fn duffing(t: f64, y: &[f64], p: &[f64]) -> Vec<f64> {
        let force = p[3] * (1.2 * t).cos();
        vec![
            y[1],
            force - p[0] * y[1] - p[1] * y[0] - p[2] * y[0].powi(3),
        ]
    }

    #[differentiable]
    fn step(t: f64, y: &mut Vec<f64>, p: &[f64], h: f64) {
        let mut k = Vec::new();
        for s in 0..4 {
            let mut ys = y.clone();
            for j in 0..s {
                let kj: &Vec<f64> = &k[j];
                for i in 0..ys.len() {
                    ys[i] += h * A[s][j] * kj[i];
                }
            }
            k.push(duffing(t + C[s] * h, &ys, p));
        }
        for (s, ks) in k.iter().enumerate() {
            for (yi, ki) in y.iter_mut().zip(ks) {
                *yi += h * B[s] * ki;
            }
        }
    }

    #[differentiable]
    pub fn displacement(x: &[f64], steps: usize) -> f64 {
        let mut y = vec![x[0], x[1]];
        let h = 2.0 / steps as f64;
        for n in 0..steps {
            step(n as f64 * h, &mut y, &x[2..], h);
        }
        y[0]
    }

    #[test]
    fn butcher_table() {
        scalar!(displacement, (16), &[0.5, 0.1, 0.3, 1.0, 0.7, 0.9]);
    }
}

/// Chemical oscillator (Brusselator) with shooting residual for periodicity, inline module.
mod brusselator_shooting {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        pub enum Method {
            Euler,
            Midpoint,
        }

        pub struct Setup {
            pub method: Method,
            pub steps: usize,
            pub name: String,
        }

        fn field((u, v): (f64, f64), a: f64, b: f64) -> (f64, f64) {
            (a + u * u * v - (b + 1.0) * u, b * u - u * u * v)
        }

        fn advance(s: (f64, f64), a: f64, b: f64, h: f64, method: &Method) -> (f64, f64) {
            let (du, dv) = field(s, a, b);
            match method {
                Method::Euler => (s.0 + h * du, s.1 + h * dv),
                Method::Midpoint => {
                    let mid = (s.0 + 0.5 * h * du, s.1 + 0.5 * h * dv);
                    let (du, dv) = field(mid, a, b);
                    (s.0 + h * du, s.1 + h * dv)
                }
            }
        }

        /// x = (u0, v0, period, a, b)
        pub fn residual(x: &[f64], #[constant] setup: &Setup) -> [f64; 2] {
            let h = x[2] / setup.steps as f64;
            let mut s = (x[0], x[1]);
            for _ in 0..setup.steps {
                s = advance(s, x[3], x[4], h, &setup.method);
            }
            [s.0 - x[0], s.1 - x[1]]
        }
    }

    #[test]
    fn brusselator_shooting() {
        let euler = model::Setup {
            method: model::Method::Euler,
            steps: 12,
            name: "euler".to_string(),
        };
        let mid = model::Setup {
            method: model::Method::Midpoint,
            steps: 10,
            name: "midpoint".into(),
        };
        let x = [1.0, 1.5, 1.4, 0.9, 1.6];
        vector!(model::residual, (&euler), &x);
        vector!(model::residual, (&mid), &x);
    }
}

// E0446 private type `adaptive_heun_euler::Options` in public interface
/// Adaptive step control with an embedded pair: accept or reject in a while loop.
mod adaptive_heun_euler {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Options {
        rtol: f64,
        h0: f64,
        t_end: f64,
        max_steps: usize,
    }

    impl Default for Options {
        fn default() -> Self {
            Options {
                rtol: 1e-2,
                h0: 0.25,
                t_end: 1.0,
                max_steps: 200,
            }
        }
    }

    #[differentiable]
    fn logistic(y: f64, r: f64, k: f64) -> f64 {
        r * y * (1.0 - y / k)
    }

    #[differentiable]
    fn embedded(y: f64, h: f64, r: f64, k: f64) -> (f64, f64) {
        let k1 = logistic(y, r, k);
        let k2 = logistic(y + h * k1, r, k);
        let high = y + 0.5 * h * (k1 + k2);
        let low = y + h * k1;
        (high, (high - low).abs())
    }

    #[differentiable]
    pub fn solve(x: &[f64], #[constant] opt: &Options) -> f64 {
        let (y0, r, k) = (x[0], x[1], x[2]);
        let mut y = y0;
        let mut t = 0.0;
        let mut h = opt.h0;
        let mut count = 0;
        while t < opt.t_end - 1e-12 && count < opt.max_steps {
            if t + h > opt.t_end {
                h = opt.t_end - t;
            }
            let (next, err) = embedded(y, h, r, k);
            if err < opt.rtol {
                y = next;
                t += h;
                h *= 1.5;
            } else {
                h *= 0.5;
            }
            count += 1;
        }
        y
    }

    #[test]
    fn adaptive_heun_euler() {
        scalar!(solve, (&Options::default()), &[0.4, 1.3, 2.0]);
    }
}
