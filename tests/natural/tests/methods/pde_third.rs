//! Pde: programs of a third collection.

/// Implicit step of a reaction-diffusion equation: the residual and its norm.
mod reaction_diffusion {
    use di::prelude::*;

    #[differentiable]
    fn residual(u: &[f64], #[constant] old: &[f64], #[constant] dt: f64, out: &mut [f64]) {
        let n = u.len();
        let h = 1.0 / (n as f64 - 1.0);
        for i in 0..n {
            let left = if i == 0 { u[1] } else { u[i - 1] };
            let right = if i == n - 1 { u[n - 2] } else { u[i + 1] };
            let lap = (left - 2.0 * u[i] + right) / (h * h);
            let kappa = 0.1 + 0.05 * u[i] * u[i];
            out[i] = (u[i] - old[i]) / dt - kappa * lap - u[i] * (1.0 - u[i]);
        }
    }

    #[differentiable]
    fn residual_norm(u: &[f64], #[constant] old: &[f64], #[constant] dt: f64) -> f64 {
        let mut r = vec![0.0; u.len()];
        residual(u, old, dt, &mut r);
        r.iter().map(|v| v.powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn reaction_diffusion() {
        let old = [0.1, 0.3, 0.7, 0.9, 1.0];
        let u = vec![0.15, 0.33, 0.68, 0.93, 0.97];
        crate::check::inplace!(residual, (&old, 0.1), &u, 5);
        crate::check::scalar!(residual_norm, (&old, 0.1), &u);
    }
}

/// Diffusion on a grid of two dimensions: a struct with an index method.
mod grid_with_an_index {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Grid {
        #[constant]
        nx: usize,
        #[constant]
        ny: usize,
        data: Vec<f64>,
    }

    #[differentiable]
    impl Grid {
        fn idx(&self, i: usize, j: usize) -> usize {
            i * self.ny + j
        }

        fn get(&self, i: usize, j: usize) -> f64 {
            self.data[self.idx(i, j)]
        }

        fn laplacian(&self, i: usize, j: usize) -> f64 {
            let c = self.get(i, j);
            let up = if i > 0 { self.get(i - 1, j) } else { c };
            let down = if i + 1 < self.nx {
                self.get(i + 1, j)
            } else {
                c
            };
            let left = if j > 0 { self.get(i, j - 1) } else { c };
            let right = if j + 1 < self.ny {
                self.get(i, j + 1)
            } else {
                c
            };
            up + down + left + right - 4.0 * c
        }

        fn step(&self, kappa: f64) -> Grid {
            let mut next = self.clone();
            for i in 0..self.nx {
                for j in 0..self.ny {
                    let k = self.idx(i, j);
                    next.data[k] += kappa * (1.0 + self.data[k].powi(2)) * self.laplacian(i, j);
                }
            }
            next
        }
    }

    #[differentiable]
    fn final_misfit(initial: &[f64], #[constant] observed: &[f64]) -> f64 {
        let mut grid = Grid {
            nx: 2,
            ny: 3,
            data: initial.to_vec(),
        };
        for _ in 0..3 {
            grid = grid.step(0.1);
        }
        grid.data
            .iter()
            .zip(observed)
            .map(|(a, b)| (a - b).powi(2))
            .sum()
    }

    #[test]
    fn grid_with_an_index() {
        let obs = [0.1, 0.4, 0.3, 0.2, 0.5, 0.6];
        crate::check::scalar!(final_misfit, (&obs), &vec![0.3, 0.1, 0.5, 0.9, 0.2, 0.4]);
    }
}

/// Burgers' equation with upwinding and a limiter.
mod burgers_with_limiter {
    use di::prelude::*;

    #[differentiable]
    mod burgers {
        fn minmod(a: f64, b: f64) -> f64 {
            if a * b <= 0.0 {
                0.0
            } else if a.abs() < b.abs() {
                a
            } else {
                b
            }
        }

        fn flux(ul: f64, ur: f64) -> f64 {
            let f = |u: f64| 0.5 * u * u;
            let speed = ul.abs().max(ur.abs());
            0.5 * (f(ul) + f(ur)) - 0.5 * speed * (ur - ul)
        }

        fn slopes(u: &[f64]) -> Vec<f64> {
            let n = u.len();
            (0..n)
                .map(|i| {
                    let left = u[i] - u[(i + n - 1) % n];
                    let right = u[(i + 1) % n] - u[i];
                    minmod(left, right)
                })
                .collect()
        }

        fn rhs(u: &[f64], dx: f64, nu: f64) -> Vec<f64> {
            let n = u.len();
            let s = slopes(u);
            let fluxes: Vec<f64> = (0..n)
                .map(|i| {
                    let j = (i + 1) % n;
                    flux(u[i] + 0.5 * s[i], u[j] - 0.5 * s[j]) - nu * (u[j] - u[i]) / dx
                })
                .collect();
            (0..n)
                .map(|i| -(fluxes[i] - fluxes[(i + n - 1) % n]) / dx)
                .collect()
        }

        /// The state after `steps` steps of Heun's method.
        pub fn advance(u0: &[f64], #[constant] dt: f64, #[constant] steps: usize) -> Vec<f64> {
            let dx = 1.0 / u0.len() as f64;
            let mut u = u0.to_vec();
            for _ in 0..steps {
                let k1 = rhs(&u, dx, 0.01);
                let mid: Vec<f64> = u.iter().zip(&k1).map(|(u, k)| u + dt * k).collect();
                let k2 = rhs(&mid, dx, 0.01);
                for ((u, a), b) in u.iter_mut().zip(&k1).zip(&k2) {
                    *u += 0.5 * dt * (a + b);
                }
            }
            u
        }

        pub fn energy(u0: &[f64], #[constant] dt: f64, #[constant] steps: usize) -> f64 {
            let u = advance(u0, dt, steps);
            u.iter().map(|v| v * v).sum::<f64>() / u.len() as f64
        }
    }

    #[test]
    fn burgers_with_limiter() {
        let u = vec![0.31, 0.72, 1.24, 0.88, 0.23, 0.41];
        crate::check::vector!(burgers::advance, (0.02, 3), &u);
        crate::check::scalar!(burgers::energy, (0.02, 3), &u);
    }
}
