//! Quadrature, with functions as parameters.

/// Double integral by nested rules: moment of inertia of a plate with variable density.
mod double_integral {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn midpoint(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
        let h = (b - a) / n as f64;
        (0..n).map(|i| f(a + (i as f64 + 0.5) * h)).sum::<f64>() * h
    }

    #[differentiable]
    pub fn inertia(x: &[f64]) -> f64 {
        let (w, h, slope) = (x[0], x[1], x[2]);
        midpoint(
            |u| {
                midpoint(
                    |v| (1.0 + slope * u * v) * (u * u + v * v),
                    0.0,
                    h * (1.0 - 0.3 * u / w),
                    6,
                )
            },
            0.0,
            w,
            8,
        )
    }

    #[test]
    fn double_integral() {
        scalar!(inertia, (), &[1.2, 0.8, 0.5]);
    }
}

/// Newton's method with function parameters, inverse of an integral.
mod newton_inverse {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn newton(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64, start: f64) -> Option<f64> {
        let mut x = start;
        for _ in 0..50 {
            let step = f(x) / df(x);
            x -= step;
            if step.abs() < 1e-13 {
                return Some(x);
            }
        }
        None
    }

    #[differentiable]
    fn hazard(t: f64, a: f64, b: f64) -> f64 {
        a + b * t * t
    }

    #[differentiable]
    pub fn median_life(x: &[f64]) -> f64 {
        let (a, b) = (x[0], x[1]);
        let cumulative = |t: f64| a * t + b * t.powi(3) / 3.0;
        let root = newton(|t| cumulative(t) - 2f64.ln(), |t| hazard(t, a, b), 1.0);
        root.unwrap_or(0.0)
    }

    #[test]
    fn newton_inverse() {
        scalar!(median_life, (), &[0.4, 0.7]);
    }
}

/// Line integral of a field along a curve: closures that return tuples.
mod line_integral {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn work<C, F>(curve: C, field: F, n: usize) -> f64
    where
        C: Fn(f64) -> (f64, f64),
        F: Fn(f64, f64) -> (f64, f64),
    {
        let mut total = 0.0;
        let (mut x0, mut y0) = curve(0.0);
        for i in 1..=n {
            let (x1, y1) = curve(i as f64 / n as f64);
            let (fx, fy) = field(0.5 * (x0 + x1), 0.5 * (y0 + y1));
            total += fx * (x1 - x0) + fy * (y1 - y0);
            (x0, y0) = (x1, y1);
        }
        total
    }

    #[differentiable]
    pub fn circulation(x: &[f64]) -> f64 {
        let (a, b, swirl) = (x[0], x[1], x[2]);
        work(
            |t| {
                let s = std::f64::consts::TAU * t;
                (a * s.cos(), b * s.sin())
            },
            |u, v| (-swirl * v + 0.1 * u * u, swirl * u - 0.3 * v),
            24,
        )
    }

    #[test]
    fn line_integral() {
        scalar!(circulation, (), &[1.1, 0.7, 0.9]);
    }
}

/// Fredholm equation by Nyström with a kernel as a parameter and a small solve.
mod fredholm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const N: usize = 4;

    #[differentiable]
    fn nystrom(kernel: impl Fn(f64, f64) -> f64, rhs: impl Fn(f64) -> f64) -> Vec<f64> {
        let h = 1.0 / N as f64;
        let t = |i: usize| (i as f64 + 0.5) * h;
        let mut a = vec![vec![0.0; N + 1]; N];
        for i in 0..N {
            for j in 0..N {
                a[i][j] = -h * kernel(t(i), t(j));
            }
            a[i][i] += 1.0;
            a[i][N] = rhs(t(i));
        }
        for k in 0..N {
            let pivot = a[k][k];
            for j in k..=N {
                a[k][j] /= pivot;
            }
            for i in 0..N {
                if i != k {
                    let f = a[i][k];
                    for j in k..=N {
                        a[i][j] -= f * a[k][j];
                    }
                }
            }
        }
        a.iter().map(|row| row[N]).collect()
    }

    #[differentiable]
    pub fn solution(x: &[f64]) -> Vec<f64> {
        let (lambda, rate) = (x[0], x[1]);
        nystrom(
            |s, t| lambda * (-rate * (s - t).powi(2)).exp(),
            |s| 1.0 + x[2] * s,
        )
    }

    #[test]
    fn fredholm() {
        vector!(solution, (), &[0.4, 1.3, 0.5]);
    }
}

// E0446 private type `Utility` in public interface
/// Gauss-Hermite expectations of a utility over normal returns.
mod gauss_hermite {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const GH: [(f64, f64); 3] = [
        (-1.224744871391589, 0.295408975150919),
        (0.0, 1.181635900603677),
        (1.224744871391589, 0.295408975150919),
    ];

    #[derive(Clone, Copy, Debug)]
    enum Utility {
        Log,
        Power(f64),
        Exponential(f64),
    }

    #[differentiable]
    fn utility(w: f64, #[constant] u: Utility) -> f64 {
        match u {
            Utility::Log => w.ln(),
            Utility::Power(g) => w.powf(1.0 - g) / (1.0 - g),
            Utility::Exponential(a) => -(-a * w).exp() / a,
        }
    }

    #[differentiable]
    fn expectation<G: Fn(f64) -> f64>(g: G, mean: f64, sd: f64) -> f64 {
        let mut s = 0.0;
        for (node, weight) in GH.iter() {
            s += weight * g(mean + 2f64.sqrt() * sd * node);
        }
        s / std::f64::consts::PI.sqrt()
    }

    #[differentiable]
    pub fn expected_utility(x: &[f64], #[constant] u: Utility) -> f64 {
        let share = x[0];
        expectation(
            |r| utility(1.02 * (1.0 - share) + share * r.exp(), u),
            x[1],
            x[2],
        )
    }

    #[test]
    fn gauss_hermite() {
        let x = [0.6, 0.1, 0.3];
        scalar!(expected_utility, (Utility::Log), &x);
        scalar!(expected_utility, (Utility::Power(3.0)), &x);
        scalar!(expected_utility, (Utility::Exponential(1.5)), &x);
    }
}
