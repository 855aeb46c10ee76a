//! Residuals and solutions of partial differential equations.

/// Shallow water with Rusanov fluxes, states as arrays in a vector.
mod shallow_water {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        const G: f64 = 1.0;

        type State = [f64; 2];

        fn physical_flux(u: &State) -> State {
            let [h, q] = *u;
            [q, q * q / h + 0.5 * G * h * h]
        }

        fn wave_speed(u: &State) -> f64 {
            (u[1] / u[0]).abs() + (G * u[0]).sqrt()
        }

        fn rusanov(l: &State, r: &State) -> State {
            let (fl, fr) = (physical_flux(l), physical_flux(r));
            let s = wave_speed(l).max(wave_speed(r));
            let mut f = [0.0; 2];
            for k in 0..2 {
                f[k] = 0.5 * (fl[k] + fr[k]) - 0.5 * s * (r[k] - l[k]);
            }
            f
        }

        pub fn heights(x: &[f64], steps: usize) -> Vec<f64> {
            let n = x.len() / 2;
            let lambda = 0.2;
            let mut cells: Vec<State> = (0..n).map(|i| [x[i], x[n + i]]).collect();
            for _ in 0..steps {
                let fluxes: Vec<State> = cells.windows(2).map(|w| rusanov(&w[0], &w[1])).collect();
                for i in 1..n - 1 {
                    for k in 0..2 {
                        cells[i][k] -= lambda * (fluxes[i][k] - fluxes[i - 1][k]);
                    }
                }
            }
            cells.iter().map(|c| c[0]).collect()
        }
    }

    #[test]
    fn shallow_water() {
        vector!(
            model::heights,
            (3),
            &[1.5, 1.3, 1.0, 0.8, 0.7, 0.1, 0.15, 0.2, 0.25, 0.05]
        );
    }
}

/// Allen-Cahn energy of a field in two dimensions, nested vectors.
mod allen_cahn_energy {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod energy {
        type Grid = Vec<Vec<f64>>;

        fn to_grid(x: &[f64], cols: usize) -> Grid {
            x.chunks(cols).map(|row| row.to_vec()).collect()
        }

        fn double_well(u: f64) -> f64 {
            0.25 * (u * u - 1.0).powi(2)
        }

        fn gradient_energy(g: &Grid) -> f64 {
            let mut e = 0.0;
            for row in g {
                for pair in row.windows(2) {
                    e += (pair[1] - pair[0]).powi(2);
                }
            }
            for rows in g.windows(2) {
                for (a, b) in rows[0].iter().zip(&rows[1]) {
                    e += (b - a).powi(2);
                }
            }
            0.5 * e
        }

        pub fn total(x: &[f64], cols: usize, #[constant] eps: f64) -> f64 {
            let g = to_grid(x, cols);
            let bulk: f64 = g.iter().flatten().map(|u| double_well(*u)).sum();
            eps * eps * gradient_energy(&g) + bulk
        }
    }

    #[test]
    fn allen_cahn_energy() {
        scalar!(
            energy::total,
            (3, 0.7),
            &[0.9, 0.2, -0.8, 0.5, 0.1, -0.4, 1.2, 0.6, -0.3]
        );
    }
}

/// Method of lines with an explicit strong-stability-preserving scheme; closure captures.
mod ssp_convection {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    pub fn final_profile(x: &[f64], n: usize) -> Vec<f64> {
        let (speed, nu, amp) = (x[0], x[1], x[2]);
        let h = 1.0 / n as f64;
        let dt = 0.02;
        let rhs = |u: &[f64]| -> Vec<f64> {
            (0..n)
                .map(|i| {
                    let (l, r) = (u[(i + n - 1) % n], u[(i + 1) % n]);
                    -speed * (u[i] - l) / h + nu * (l - 2.0 * u[i] + r) / (h * h)
                })
                .collect()
        };
        let mut u: Vec<f64> = (0..n)
            .map(|i| amp * (2.0 * std::f64::consts::PI * i as f64 * h).sin())
            .collect();
        for _ in 0..4 {
            let k = rhs(&u);
            let u1: Vec<f64> = u.iter().zip(&k).map(|(a, b)| a + dt * b).collect();
            let k1 = rhs(&u1);
            for i in 0..n {
                u[i] = 0.5 * u[i] + 0.5 * (u1[i] + dt * k1[i]);
            }
        }
        u
    }

    #[test]
    fn ssp_convection() {
        vector!(final_profile, (6), &[1.0, 0.1, 0.8]);
    }
}

/// Bratu problem in two dimensions with a Grid struct that knows its indices.
mod bratu_grid {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Field {
        n: usize,
        values: Vec<f64>,
    }

    #[differentiable]
    impl Field {
        fn get(&self, i: isize, j: isize) -> f64 {
            let n = self.n as isize;
            if i < 0 || j < 0 || i >= n || j >= n {
                return 0.0;
            }
            self.values[(i * n + j) as usize]
        }

        fn laplacian(&self, i: isize, j: isize) -> f64 {
            self.get(i - 1, j) + self.get(i + 1, j) + self.get(i, j - 1) + self.get(i, j + 1)
                - 4.0 * self.get(i, j)
        }
    }

    #[differentiable]
    pub fn bratu(x: &[f64], n: usize) -> Vec<f64> {
        let lambda = x[n * n];
        let u = Field {
            n,
            values: x[..n * n].to_vec(),
        };
        let h = 1.0 / (n + 1) as f64;
        let mut r = Vec::new();
        for i in 0..n as isize {
            for j in 0..n as isize {
                r.push(u.laplacian(i, j) + h * h * lambda * u.get(i, j).exp());
            }
        }
        r
    }

    #[test]
    fn bratu_grid() {
        vector!(
            bratu,
            (3),
            &[0.2, 0.4, 0.1, 0.5, 0.8, 0.3, 0.2, 0.6, 0.4, 1.5]
        );
    }
}

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
        let c = |i: usize| {
            (if i == 0 || i == N { 2.0 } else { 1.0 }) * if i % 2 == 0 { 1.0 } else { -1.0 }
        };
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
        d.iter()
            .map(|row| row.iter().zip(u).map(|(a, b)| a * b).sum())
            .collect()
    }

    #[differentiable]
    pub fn residual(u: &[f64], #[constant] d: &[Vec<f64>]) -> Vec<f64> {
        let ux = apply(d, u);
        let uxx = apply(d, &ux);
        let mut r: Vec<f64> = uxx
            .iter()
            .zip(&ux)
            .zip(u)
            .map(|((a, b), c)| 0.1 * a - c * b + c)
            .collect();
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
