//! Engineer: 1D heat equation, explicit, two buffers with mem::swap, boundary enum.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    Fixed,
    Insulated,
}

pub struct Grid {
    pub n: usize,
    pub dx: f64,
    pub dt: f64,
    pub steps: usize,
    pub left: Boundary,
    pub right: Boundary,
}

#[differentiable]
fn run(u0: &[f64], alpha: f64, #[constant] g: &Grid) -> Vec<f64> {
    let mut u = u0.to_vec();
    let mut next = vec![0.0; g.n];
    let c = alpha * g.dt / (g.dx * g.dx);
    for _ in 0..g.steps {
        for i in 1..g.n - 1 {
            next[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        next[0] = match g.left {
            Boundary::Fixed => u[0],
            Boundary::Insulated => next[1],
        };
        next[g.n - 1] = match g.right {
            Boundary::Fixed => u[g.n - 1],
            Boundary::Insulated => next[g.n - 2],
        };
        std::mem::swap(&mut u, &mut next);
    }
    u
}

#[differentiable]
fn misfit(u0: &[f64], alpha: f64, #[constant] g: &Grid) -> f64 {
    run(u0, alpha, g).iter().enumerate().map(|(i, u)| (u - (i as f64 * g.dx).sin()).powi(2)).sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let grid = Grid { n: 8, dx: 0.2, dt: 0.01, steps: 15, left: Boundary::Fixed, right: Boundary::Insulated };
    let x = [0.2, 1.0, 0.4, 0.9, 0.0, -0.3, 0.5, 0.8, 0.7];
    let (gu, ga) = gradient(misfit::AD.with(&grid), NoPrep, &AutoSource::new(), &(x[..8].to_vec(), x[8]))?;
    let mut got = gu;
    got.push(ga);
    check("18", &got, &fd(|x| misfit(&x[..8], x[8], &grid), &x));
    Ok(())
}
