//! The fastest slide between two places, as an optimal control problem with a free end time.
//!
//! State: place and speed; control: the angle of the slide. Between two of the points in time the dynamics hold by the
//! trapezoidal rule. The answer is known: an arc of a cycloid.

use di::prelude::*;
use di::sparse::{AutoSparse, Part, SparsePrep};
use ripopt::NlpProblem;

use crate::program::{Filled, Frame, Sparse, done, program};

/// Steps in time.
pub const STEPS: usize = 100;
/// Gravity.
const G: f64 = 9.81;
/// Where the slide ends: to the right, and down.
const END: [f64; 2] = [2.0, 1.0];

/// The time that it takes: the first variable. Place, speed and angle of each point follow.
#[differentiable]
pub fn objective(x: &[f64]) -> f64 {
    x[0]
}

/// Velocity and acceleration at a point.
#[differentiable]
fn rates(v: f64, angle: f64) -> [f64; 3] {
    [v * angle.sin(), v * angle.cos(), G * angle.cos()]
}

/// What is left of the dynamics in each step, then of the places at the ends.
#[differentiable]
pub fn constraints(x: &[f64], g: &mut [f64]) {
    let half = 0.5 * x[0] / STEPS as f64;
    for k in 0..STEPS {
        let (a, b) = (1 + 4 * k, 5 + 4 * k);
        let before = rates(x[a + 2], x[a + 3]);
        let after = rates(x[b + 2], x[b + 3]);
        for i in 0..3 {
            g[3 * k + i] = x[b + i] - x[a + i] - half * (before[i] + after[i]);
        }
    }
    let (ends, last) = (3 * STEPS, 1 + 4 * STEPS);
    for i in 0..3 {
        g[ends + i] = x[1 + i];
    }
    for i in 0..2 {
        g[ends + 3 + i] = x[last + i] - END[i];
    }
}

/// Objective and constraints with their multipliers.
#[differentiable]
pub fn lagrangian(x: &[f64], #[constant] factor: f64, #[constant] l: &[f64]) -> f64 {
    let mut g = vec![0.0; l.len()];
    constraints(x, &mut g);
    let mut sum = factor * objective(x);
    for (l, g) in l.iter().zip(&g) {
        sum += l * g;
    }
    sum
}

program!(Brachistochrone, objective, constraints, lagrangian);

impl Brachistochrone {
    /// Begins with the straight line.
    pub fn new() -> Result<Self, di::Error> {
        let angle = END[0].atan2(END[1]);
        let mut x = (vec![0.05], vec![5.0]);
        let mut start = vec![1.0];
        for k in 0..=STEPS {
            let part = k as f64 / STEPS as f64;
            x.0.extend([-10.0, -10.0, 0.0, 0.0]);
            x.1.extend([10.0, 10.0, 50.0, 3.1]);
            let speed = (2.0 * G * END[1]).sqrt() * part;
            start.extend([END[0] * part * part, END[1] * part * part, speed, angle]);
        }
        let equal = vec![0.0; 3 * STEPS + 5];
        Brachistochrone::of(Frame {
            x,
            g: (equal.clone(), equal),
            start,
        })
    }
}

/// The time on the cycloid, `x = r (a - sin a)`, `y = r (1 - cos a)`: `a sqrt(r / G)` at its end.
pub fn fastest() -> f64 {
    let (mut low, mut high) = (1e-3, std::f64::consts::TAU - 1e-3);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if (a - a.sin()) / (1.0 - a.cos()) < END[0] / END[1] {
            low = a;
        } else {
            high = a;
        }
    }
    low * (END[1] / (1.0 - low.cos()) / G).sqrt()
}
