//! Residuals and solutions of partial differential equations.

/// Steady heat equation with conductivity per cell, residual in place.
mod heat_residual {
    use crate::check::inplace;
    use di::prelude::*;

    #[differentiable]
    fn conductivity(u: f64, k0: f64) -> f64 {
        k0 * (1.0 + 0.3 * u * u)
    }

    #[differentiable]
    fn flux(left: f64, right: f64, k0: f64, h: f64) -> f64 {
        let k = 0.5 * (conductivity(left, k0) + conductivity(right, k0));
        k * (right - left) / h
    }

    #[differentiable]
    pub fn residual(u: &[f64], #[constant] source: &[f64], out: &mut [f64]) {
        let n = u.len();
        let h = 1.0 / (n + 1) as f64;
        for i in 0..n {
            let left = if i == 0 { 0.0 } else { u[i - 1] };
            let right = if i + 1 == n { 1.0 } else { u[i + 1] };
            out[i] = (flux(u[i], right, 1.2, h) - flux(left, u[i], 1.2, h)) / h + source[i];
        }
    }

    #[test]
    fn heat_residual() {
        inplace!(residual, (&[0.5, 1.0, 1.0, 0.3]), &[0.2, 0.5, 0.7, 0.9], 4);
    }
}

/// Burgers' equation, one implicit residual over a periodic grid with Lax-Friedrichs flux.
mod burgers_periodic {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        fn wrap(i: i64, n: usize) -> usize {
            i.rem_euclid(n as i64) as usize
        }

        fn lf_flux(ul: f64, ur: f64, speed: f64) -> f64 {
            0.5 * (0.5 * ul * ul + 0.5 * ur * ur) - 0.5 * speed * (ur - ul)
        }

        pub fn residual(u: &[f64], #[constant] u_old: &[f64], #[constant] nu: f64) -> Vec<f64> {
            let n = u.len();
            let h = 1.0 / n as f64;
            let dt = 0.1;
            (0..n)
                .map(|i| {
                    let l = u[wrap(i as i64 - 1, n)];
                    let c = u[i];
                    let r = u[wrap(i as i64 + 1, n)];
                    let conv = (lf_flux(c, r, 1.5) - lf_flux(l, c, 1.5)) / h;
                    let diff = nu * (l - 2.0 * c + r) / (h * h);
                    (c - u_old[i]) / dt + conv - diff
                })
                .collect()
        }
    }

    #[test]
    fn burgers_periodic() {
        vector!(
            system::residual,
            (&[0.1, 0.5, 0.9, 0.6, 0.2], 0.05),
            &[0.15, 0.45, 0.8, 0.7, 0.3]
        );
    }
}

/// Poisson on a square: Jacobi sweeps, functional of the solution with respect to the source.
mod poisson_jacobi {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const N: usize = 4;

    fn at(i: usize, j: usize) -> usize {
        i * (N + 2) + j
    }

    #[differentiable]
    fn sweep(u: &[f64], f: &[f64], h: f64) -> Vec<f64> {
        let mut v = u.to_vec();
        for i in 1..=N {
            for j in 1..=N {
                let s = u[at(i - 1, j)] + u[at(i + 1, j)] + u[at(i, j - 1)] + u[at(i, j + 1)];
                v[at(i, j)] = 0.25 * (s + h * h * f[at(i, j)]);
            }
        }
        v
    }

    #[differentiable]
    fn source(p: &[f64]) -> Vec<f64> {
        let h = 1.0 / (N + 1) as f64;
        let mut f = vec![0.0; (N + 2) * (N + 2)];
        for i in 1..=N {
            for j in 1..=N {
                let (x, y) = (i as f64 * h, j as f64 * h);
                f[at(i, j)] = p[0] * (-((x - p[1]).powi(2) + (y - p[2]).powi(2)) / p[3]).exp();
            }
        }
        f
    }

    #[differentiable]
    pub fn mean_temperature(p: &[f64], sweeps: usize) -> f64 {
        let f = source(p);
        let h = 1.0 / (N + 1) as f64;
        let mut u = vec![0.0; f.len()];
        for _ in 0..sweeps {
            u = sweep(&u, &f, h);
        }
        10.0 * u.iter().sum::<f64>() / (N * N) as f64
    }

    #[test]
    fn poisson_jacobi() {
        scalar!(mean_temperature, (15), &[2.0, 0.4, 0.6, 0.3]);
    }
}

/// Thomas algorithm for implicit diffusion, tuple of diagonals.
mod implicit_diffusion {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn thomas(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Vec<f64> {
        let n = d.len();
        let mut cp = vec![0.0; n];
        let mut dp = vec![0.0; n];
        cp[0] = c[0] / b[0];
        dp[0] = d[0] / b[0];
        for i in 1..n {
            let m = b[i] - a[i] * cp[i - 1];
            cp[i] = c[i] / m;
            dp[i] = (d[i] - a[i] * dp[i - 1]) / m;
        }
        let mut x = dp.clone();
        for i in (0..n - 1).rev() {
            x[i] = dp[i] - cp[i] * x[i + 1];
        }
        x
    }

    #[differentiable]
    fn diagonals(d: &[f64], r: f64) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let n = d.len() - 1;
        let mut lower = vec![0.0; n];
        let mut diag = vec![0.0; n];
        let mut upper = vec![0.0; n];
        for i in 0..n {
            lower[i] = -r * d[i];
            upper[i] = -r * d[i + 1];
            diag[i] = 1.0 + r * (d[i] + d[i + 1]);
        }
        (lower, diag, upper)
    }

    #[differentiable]
    pub fn profile(x: &[f64], #[constant] initial: &[f64], steps: usize) -> Vec<f64> {
        let (a, b, c) = diagonals(x, 0.8);
        let mut u = initial.to_vec();
        for _ in 0..steps {
            u = thomas(&a, &b, &c, &u);
        }
        u
    }

    #[test]
    fn implicit_diffusion() {
        vector!(
            profile,
            (&[0.0, 1.0, 0.5, 0.2], 3),
            &[0.5, 1.2, 0.8, 1.5, 0.4]
        );
    }
}

/// Advection with limiters: enum of schemes in an inline module.
mod advection_limiters {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod fv {
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub enum Limiter {
            None,
            VanLeer,
            Minmod,
        }

        pub struct Settings {
            pub limiter: Limiter,
            pub cfl: f64,
            pub steps: usize,
            pub verbose: bool,
        }

        fn slope(a: f64, b: f64, limiter: Limiter) -> f64 {
            match limiter {
                Limiter::None => 0.0,
                Limiter::VanLeer => {
                    if a * b <= 0.0 {
                        0.0
                    } else {
                        2.0 * a * b / (a + b)
                    }
                }
                Limiter::Minmod => {
                    if a * b <= 0.0 {
                        0.0
                    } else if a.abs() < b.abs() {
                        a
                    } else {
                        b
                    }
                }
            }
        }

        fn edge_values(u: &[f64], limiter: Limiter, cfl: f64) -> Vec<f64> {
            let n = u.len();
            let mut f = Vec::with_capacity(n);
            for i in 0..n {
                let left = u[(i + n - 1) % n];
                let right = u[(i + 1) % n];
                f.push(u[i] + 0.5 * (1.0 - cfl) * slope(u[i] - left, right - u[i], limiter));
            }
            f
        }

        pub fn advect(u0: &[f64], #[constant] s: &Settings) -> Vec<f64> {
            let mut u = u0.to_vec();
            for _ in 0..s.steps {
                let f = edge_values(&u, s.limiter, s.cfl);
                let n = u.len();
                for i in 0..n {
                    u[i] -= s.cfl * (f[i] - f[(i + n - 1) % n]);
                }
            }
            u
        }
    }

    #[test]
    fn advection_limiters() {
        let u0 = [0.1, 0.4, 1.0, 0.8, 0.35, 0.2];
        for limiter in [fv::Limiter::None, fv::Limiter::VanLeer, fv::Limiter::Minmod] {
            let s = fv::Settings {
                limiter,
                cfl: 0.4,
                steps: 3,
                verbose: false,
            };
            vector!(fv::advect, (&s), &u0);
        }
    }
}
