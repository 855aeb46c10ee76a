//! Problem 71 of Hock and Schittkowski: four variables, a product and a sum of squares.

use di::prelude::*;
use di::sparse::{AutoSparse, Part, SparsePrep};

use crate::program::{Frame, program};

/// Where the minimum is, as published. The second number is cut off, not rounded: the next digits are 7 and 3.
pub(crate) const X: [f64; 4] = [1.0, 4.742_999_63, 3.821_149_98, 1.379_408_29];
/// The minimum, as published.
pub(crate) const OBJECTIVE: f64 = 17.014_017_3;

#[differentiable]
fn objective(x: &[f64]) -> f64 {
    x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
}

/// At least 25, and equal to 40.
#[differentiable]
fn constraints(x: &[f64], g: &mut [f64]) {
    g[0] = x[0] * x[1] * x[2] * x[3];
    g[1] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
}

#[differentiable]
fn lagrangian(x: &[f64], #[constant] factor: f64, #[constant] multipliers: &[f64]) -> f64 {
    let mut g = [0.0; 2];
    constraints(x, &mut g);
    factor * objective(x) + multipliers[0] * g[0] + multipliers[1] * g[1]
}

program!(Hs071: objective, constraints, lagrangian);

impl Hs071 {
    /// As it is published.
    pub(crate) fn new() -> Result<Self, di::Error> {
        Hs071::of(Frame {
            x: (vec![1.0; 4], vec![5.0; 4]),
            g: (vec![25.0, 40.0], vec![f64::INFINITY, 40.0]),
            start: vec![1.0, 5.0, 5.0, 1.0],
        })
    }
}
