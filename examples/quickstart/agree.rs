//! Compares the derivatives of three engines at one point.

use crate::models::{loss, residuals};
use crate::nist::Dataset;
use di::prelude::*;
use ndarray::Array2;
use std::error::Error;

/// Generated code and dual numbers differentiate exactly: only rounding may differ.
pub const EXACT_TOLERANCE: f64 = 1e-10;
/// Differences are as good as their step lets them be; second differences are worse than first ones.
pub const DIFFERENCES_TOLERANCE: f64 = 1e-3;

/// The largest relative disagreement with `AutoSource`, over Jacobian of the residuals and Hessian of the loss.
#[derive(Clone, Copy)]
pub struct Disagreement {
    pub dual: f64,
    pub differences: f64,
}

impl Disagreement {
    /// Whether both engines agree with the generated code as well as they should.
    pub fn is_small(self) -> bool {
        self.dual <= EXACT_TOLERANCE && self.differences <= DIFFERENCES_TOLERANCE
    }
}

/// Jacobian and Hessian by three engines at `b`.
pub fn disagreement(set: &Dataset, b: &[f64]) -> Result<Disagreement, Box<dyn Error>> {
    let f = residuals::AD.with(set.model, &set.x, &set.y);
    let l = loss::AD.with(set.model, &set.x, &set.y);
    let mut r = vec![0.0; set.y.len()];
    let (source, dual, differences) = (AutoSource::new(), AutoDual::new(), AutoFiniteDiff::new());
    // `NoPrep`: prepared on the fly, since each is called once.
    let j = jacobian(f.output(&mut r), &NoPrep, &source, b)?;
    let j_dual = jacobian(f.output(&mut r), &NoPrep, &dual, b)?;
    let j_differences = jacobian(f.output(&mut r), &NoPrep, &differences, b)?;
    let h = hessian(l, &NoPrep, &source, b)?;
    let h_dual = hessian(l, &NoPrep, &dual, b)?;
    let h_differences = hessian(l, &NoPrep, &differences, b)?;
    let rows = vec![1.0; set.y.len()];
    Ok(Disagreement {
        dual: worst(&j, &j_dual, &rows).max(worst(&h, &h_dual, b)),
        differences: worst(&j, &j_differences, &rows).max(worst(&h, &h_differences, b)),
    })
}

/// Largest difference between two matrices, each column relative to its largest entry.
///
/// `unit[i]` is the unit of row `i`: the rows of a Hessian belong to parameters of very different size.
fn worst(a: &Array2<f64>, b: &Array2<f64>, unit: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for (a, b) in a.columns().into_iter().zip(b.columns()) {
        let mut size = 0.0_f64;
        let mut difference = 0.0_f64;
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            size = size.max((a * unit[i]).abs());
            let d = ((a - b) * unit[i]).abs();
            // NaN must not be lost in `max`.
            difference = if d <= difference { difference } else { d };
        }
        let relative = if difference == 0.0 {
            0.0
        } else {
            difference / size
        };
        worst = if relative <= worst { worst } else { relative };
    }
    worst
}
