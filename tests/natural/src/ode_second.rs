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
