//! Residuals and solutions of partial differential equations. Refused: each with what the compiler says.


// 411 E0080 [DI0110] a parameter of type `Cell` is not supported
/// Gray-Scott reaction-diffusion on a ring, total energy after some steps.
mod gray_scott {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Default, Differentiable)]
    struct Cell {
        u: f64,
        v: f64,
    }

    #[differentiable]
    fn react(c: &Cell, feed: f64, kill: f64) -> (f64, f64) {
        let uvv = c.u * c.v * c.v;
        (-uvv + feed * (1.0 - c.u), uvv - (feed + kill) * c.v)
    }

    #[differentiable]
    pub fn pattern_energy(x: &[f64], cells: usize, steps: usize) -> f64 {
        let (feed, kill, du, dv) = (x[0], x[1], x[2], x[3]);
        let mut grid = vec![Cell { u: 1.0, v: 0.0 }; cells];
        grid[cells / 2] = Cell { u: 0.5, v: 0.6 };
        for _ in 0..steps {
            let old = grid.clone();
            for i in 0..cells {
                let l = old[(i + cells - 1) % cells];
                let r = old[(i + 1) % cells];
                let c = old[i];
                let (ru, rv) = react(&c, feed, kill);
                grid[i].u = c.u + du * (l.u - 2.0 * c.u + r.u) + ru;
                grid[i].v = c.v + dv * (l.v - 2.0 * c.v + r.v) + rv;
            }
        }
        grid.iter().map(|c| c.u * c.u + c.v * c.v).sum()
    }

    #[test]
    fn gray_scott() {
        scalar!(pattern_energy, (7, 6), &[0.1, 0.15, 0.2, 0.1]);
    }
}

// 474 E0080 [DI0406] a differentiated value goes to a parameter that is marked `#[constant]`: argument 1 of `apply`
// 474 E0080 index out of bounds: the length is 2 but the index is 2
// 475 E0080 [DI0406] a differentiated value goes to a parameter that is marked `#[constant]`: argument 1 of `apply`
/// Spectral collocation with a Chebyshev differentiation matrix built in the program.
mod chebyshev {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const N: usize = 4;

    fn nodes() -> [f64; N + 1] {
        std::array::from_fn(|j| (std::f64::consts::PI * j as f64 / N as f64).cos())
    }

    fn diff_matrix() -> Vec<Vec<f64>> {
        let x = nodes();
        let c = |i: usize| (if i == 0 || i == N { 2.0 } else { 1.0 }) * if i % 2 == 0 { 1.0 } else { -1.0 };
        let mut d = vec![vec![0.0; N + 1]; N + 1];
        for i in 0..=N {
            for j in 0..=N {
                if i != j {
                    d[i][j] = c(i) / c(j) / (x[i] - x[j]);
                }
            }
            d[i][i] = -(0..=N).filter(|&j| j != i).map(|j| d[i][j]).sum::<f64>();
        }
        d
    }

    #[differentiable]
    fn apply(#[constant] d: &[Vec<f64>], u: &[f64]) -> Vec<f64> {
        d.iter().map(|row| row.iter().zip(u).map(|(a, b)| a * b).sum()).collect()
    }

    #[differentiable]
    pub fn residual(u: &[f64], #[constant] d: &[Vec<f64>]) -> Vec<f64> {
        let ux = apply(d, u);
        let uxx = apply(d, &ux);
        let mut r: Vec<f64> = uxx.iter().zip(&ux).zip(u).map(|((a, b), c)| 0.1 * a - c * b + c).collect();
        r[0] = u[0] - 0.2;
        r[N] = u[N] + 0.1;
        r
    }

    #[test]
    fn chebyshev() {
        let d = diff_matrix();
        vector!(residual, (&d), &[0.3, 0.6, 0.9, 0.5, -0.1]);
    }
}

// E0446 private type `Survey` in public interface
/// Wave equation by leapfrog, misfit to a seismogram as a function of velocities.
mod wave_misfit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Survey {
        receiver: usize,
        record: Vec<f64>,
    }

    fn ricker(t: f64) -> f64 {
        let a = (t - 0.3) * 8.0;
        (1.0 - 2.0 * a * a) * (-a * a).exp()
    }

    #[differentiable]
    pub fn misfit(velocity: &[f64], #[constant] survey: &Survey) -> f64 {
        let n = velocity.len();
        let (dt, dx) = (0.08, 0.2);
        let mut prev = vec![0.0; n];
        let mut cur = vec![0.0; n];
        let mut j = 0.0;
        for (k, obs) in survey.record.iter().enumerate() {
            let mut next = vec![0.0; n];
            for i in 1..n - 1 {
                let c2 = (velocity[i] * dt / dx).powi(2);
                next[i] = 2.0 * cur[i] - prev[i] + c2 * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]);
            }
            next[1] += dt * ricker(k as f64 * dt);
            prev = cur;
            cur = next;
            j += (cur[survey.receiver] - obs).powi(2);
        }
        10.0 * j
    }

    #[test]
    fn wave_misfit() {
        let survey = Survey {
            receiver: 4,
            record: vec![0.0, 0.0, 0.1, 0.0, 0.2, -0.1, 0.1, 0.2, 0.0, -0.2],
        };
        scalar!(misfit, (&survey), &[1.0, 1.1, 1.3, 0.9, 1.2, 1.0]);
    }
}
