//! `try_fold` whose closure ends with a call: which of `Option` and `Result` it gives is known by what that returns.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.2, -0.4], &[-0.5, 0.8]];

#[differentiable]
fn bounded(r: f64, c: &f64) -> Option<f64> {
    if *c < -5.0 { None } else { Some(r * c) }
}

#[derive(Clone, Copy, Differentiable)]
struct Ray {
    y: f64,
    u: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Surface {
    c: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Lost {
    Out(usize),
}

#[differentiable]
impl Surface {
    fn refract(&self, r: Ray, n: f64) -> Option<Ray> {
        if r.y.abs() > 50.0 {
            return None;
        }
        Some(Ray {
            y: r.y + r.u,
            u: r.u * n - r.y * self.c,
        })
    }

    fn step(&self, r: f64, k: usize) -> Result<f64, Lost> {
        if r > 1.0e3 {
            Err(Lost::Out(k))
        } else {
            Ok(r * self.c + r * r)
        }
    }

    fn all(&self, x: &[f64]) -> f64 {
        let mut steps = x.iter().enumerate();
        match steps.try_fold(0.5, |r, (k, v)| self.step(r + v, k)) {
            Ok(v) => v,
            Err(_) => -1.0,
        }
    }
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    let one = x.iter().try_fold(1.0, |r, c| bounded(r, c));
    let other = x.iter().try_fold(2.0, bounded);
    one.unwrap_or(0.0) + other.unwrap_or(1.0) * x[0]
}

const GLASS: [f64; 3] = [1.0, 1.5, 1.2];

#[differentiable]
fn traced(x: &[f64], #[constant] n: &[f64]) -> f64 {
    let system = [Surface { c: x[0] }, Surface { c: x[1] }];
    let mut sum = 0.0;
    for h in 0..3 {
        let start = Ray {
            y: h as f64,
            u: 0.1,
        };
        let ray = system
            .iter()
            .zip(n.windows(2))
            .try_fold(start, |r, (s, w)| s.refract(r, w[0] / w[1]));
        if let Some(r) = ray {
            sum += r.y * r.u;
        }
    }
    sum + system[0].all(x)
}

#[test]
fn folds_that_end_with_calls() {
    scalar!(folded).row(467).check(&POINTS);
    scalar!(traced::AD.with(&GLASS), |x: &[f64]| traced(x, &GLASS))
        .row(467)
        .check(&POINTS);
}
