//! Scientist: KdV soliton with periodic domain: index helper closures, rem_euclid, leapfrog with three buffers rotated.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn rhs(u: &[f64], dx: f64) -> Vec<f64> {
    let n = u.len() as isize;
    let at = |i: isize| u[i.rem_euclid(n) as usize];
    (0..n)
        .map(|i| {
            let nonlinear = (at(i + 1) + at(i) + at(i - 1)) * (at(i + 1) - at(i - 1)) / dx;
            let dispersive = (at(i + 2) - 2.0 * at(i + 1) + 2.0 * at(i - 1) - at(i - 2)) / (2.0 * dx.powi(3));
            -nonlinear - dispersive
        })
        .collect()
}

#[differentiable]
fn evolve(speed: f64, centre: f64, steps: usize) -> Vec<f64> {
    let (n, dx, dt) = (24, 0.5, 0.01);
    let soliton = |x: f64| 0.5 * speed * (0.5 * speed.sqrt() * (x - centre)).cosh().powi(-2);
    let mut old: Vec<f64> = (0..n).map(|i| soliton(i as f64 * dx)).collect();
    let mut now: Vec<f64> = old.iter().zip(rhs(&old, dx)).map(|(u, r)| u + dt * r).collect();
    for _ in 0..steps {
        let r = rhs(&now, dx);
        let new: Vec<f64> = old.iter().zip(&r).map(|(u, r)| u + 2.0 * dt * r).collect();
        old = std::mem::replace(&mut now, new);
    }
    now
}

#[differentiable]
fn invariants(speed: f64, centre: f64) -> (f64, f64) {
    let u = evolve(speed, centre, 30);
    let mass = u.iter().sum::<f64>();
    let moment = u.iter().enumerate().map(|(i, u)| i as f64 * u * u).sum::<f64>();
    (mass, moment)
}

#[differentiable]
fn objective(speed: f64, centre: f64) -> f64 {
    let (mass, moment) = invariants(speed, centre);
    moment / mass
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b) = gradient(objective::AD, NoPrep, &AutoSource::new(), &(1.5, 5.0))?;
    check("63", &[a, b], &fd(|x| objective(x[0], x[1]), &[1.5, 5.0]));
    Ok(())
}
