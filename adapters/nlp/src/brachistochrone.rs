//! The fastest slide from one place to another, as an optimal control problem with a free end time.
//!
//! The state is place and speed, the control is the angle of the slide from the vertical. From each point in time to
//! the next one the dynamics hold by the trapezoidal rule. The answer is known: an arc of a cycloid. The end time is in
//! every equation of the dynamics, so the Jacobian has a dense column and the Hessian a dense row: an arrow.

use di::prelude::*;
use di::sparse::{AutoSparse, Part, SparsePrep};

use crate::program::{Frame, program};

/// Gravity.
const G: f64 = 9.81;
/// No bound.
const FREE: f64 = f64::INFINITY;
/// Where the slide ends: to the right, and down.
const END: [f64; 2] = [2.0, 1.0];

/// The time that it takes is the first variable. Place, speed and angle at each point in time follow.
#[differentiable]
fn objective(x: &[f64]) -> f64 {
    x[0]
}

/// Velocity and acceleration at a point.
#[differentiable]
fn rates(speed: f64, angle: f64) -> [f64; 3] {
    [speed * angle.sin(), speed * angle.cos(), G * angle.cos()]
}

/// What is left of the dynamics in each step, then place and speed at the beginning and what is left of the way at the
/// end.
#[differentiable]
fn constraints(x: &[f64], g: &mut [f64]) {
    let steps = x.len() / 4 - 1;
    let half = 0.5 * x[0] / steps as f64;
    for k in 0..steps {
        let (a, b) = (1 + 4 * k, 5 + 4 * k);
        let before = rates(x[a + 2], x[a + 3]);
        let after = rates(x[b + 2], x[b + 3]);
        for i in 0..3 {
            g[3 * k + i] = x[b + i] - x[a + i] - half * (before[i] + after[i]);
        }
    }
    let (ends, last) = (3 * steps, 1 + 4 * steps);
    g[ends..ends + 3].copy_from_slice(&x[1..4]);
    for i in 0..2 {
        g[ends + 3 + i] = x[last + i] - END[i];
    }
}

#[differentiable]
fn lagrangian(x: &[f64], #[constant] factor: f64, #[constant] multipliers: &[f64]) -> f64 {
    let mut g = vec![0.0; multipliers.len()];
    constraints(x, &mut g);
    let mut sum = factor * objective(x);
    for (l, g) in multipliers.iter().zip(&g) {
        sum += l * g;
    }
    sum
}

program!(Brachistochrone: objective, constraints, lagrangian);

impl Brachistochrone {
    /// Begins with a straight slide. The bounds on the angle keep it from full turns, and are reached nowhere: the angle
    /// is 0 at first, and a bound of 0 would be active without a multiplier, which slows interior point methods down.
    pub(crate) fn new(steps: usize) -> Result<Self, di::Error> {
        let (mut lower, mut upper, mut start) = (vec![0.01], vec![FREE], vec![1.0]);
        for k in 0..=steps {
            let part = k as f64 / steps as f64;
            let speed = (2.0 * G * END[1]).sqrt() * part;
            let [right, down] = END.map(|end| end * part * part);
            start.extend([right, down, speed, END[0].atan2(END[1])]);
            lower.extend([-FREE, -FREE, -FREE, -1.0]);
            upper.extend([FREE, FREE, FREE, 3.0]);
        }
        let zeros = vec![0.0; 3 * steps + 5];
        Brachistochrone::of(Frame {
            x: (lower, upper),
            g: (zeros.clone(), zeros),
            start,
        })
    }
}

/// The variables on the cycloid: `r (a - sin a)` to the right and `r (1 - cos a)` down, where `a` grows evenly with
/// time.
///
/// The last angle belongs to one step alone, so the best one is that of the middle of this step, not of its end.
pub(crate) fn cycloid(steps: usize) -> Vec<f64> {
    let (mut low, mut high) = (1e-3, std::f64::consts::TAU - 1e-3);
    for _ in 0..100 {
        let a: f64 = 0.5 * (low + high);
        if (a - a.sin()) / (1.0 - a.cos()) < END[0] / END[1] {
            low = a;
        } else {
            high = a;
        }
    }
    let r = END[1] / (1.0 - low.cos());
    let mut x = vec![low * (r / G).sqrt()];
    for k in 0..=steps {
        let a = low * k as f64 / steps as f64;
        let down = r * (1.0 - a.cos());
        let angle = 0.5 * low * (k as f64).min(steps as f64 - 0.5) / steps as f64;
        x.extend([r * (a - a.sin()), down, (2.0 * G * down).sqrt(), angle]);
    }
    x
}
