//! Compares the derivatives of three engines at one point.

use crate::models::{loss, residuals};
use crate::nist::Dataset;
use di::Matrix;
use di::prelude::*;
use std::error::Error;

/// Generated code and dual numbers differentiate exactly: only rounding may differ.
const EXACT_TOLERANCE: f64 = 1e-12;
/// Differences lose a third of the digits in a Jacobian, and half of them in a Hessian.
const DIFFERENCES_TOLERANCE: f64 = 1e-4;

/// The largest relative disagreement with `AutoSource`, over the Jacobian of the residuals and the Hessian of the loss.
#[derive(Clone, Copy)]
pub(crate) struct Disagreement {
    pub(crate) dual: f64,
    pub(crate) differences: f64,
}

impl Disagreement {
    /// Whether both engines agree with the generated code as well as they should.
    pub(crate) fn is_small(self) -> bool {
        self.dual <= EXACT_TOLERANCE && self.differences <= DIFFERENCES_TOLERANCE
    }
}

/// Jacobian and Hessian by three engines at `b`.
pub(crate) fn disagreement(set: &Dataset, b: &[f64]) -> Result<Disagreement, Box<dyn Error>> {
    let f = residuals::AD.with(set.model, &set.x, &set.y);
    let l = loss::AD.with(set.model, &set.x, &set.y);
    let mut r = vec![0.0; set.y.len()];
    // Some parameters are small by nature: steps are relative to them, however small.
    let differences = AutoFiniteDiff::new().absolute_step(1e-12);
    let (source, dual) = (AutoSource::new(), AutoDual::new());
    // `NoPrep`: prepared on the fly, since each is called once.
    let j = jacobian(f.output(&mut r), NoPrep, &source, b)?;
    let j_dual = jacobian(f.output(&mut r), NoPrep, &dual, b)?;
    let j_differences = jacobian(f.output(&mut r), NoPrep, &differences, b)?;
    let h = hessian(l, NoPrep, &source, b)?;
    let h_dual = hessian(l, NoPrep, &dual, b)?;
    let h_differences = hessian(l, NoPrep, &differences, b)?;
    let ones = vec![1.0; set.y.len()];
    let column = |m, n, unit| worst(m, n, unit, Per::Column);
    // Differences resolve what is large beside the value of the function, not each column.
    let matrix = |m, n, unit| worst(m, n, unit, Per::Matrix(b));
    Ok(Disagreement {
        dual: column(&j, &j_dual, &ones).max(column(&h, &h_dual, b)),
        differences: matrix(&j, &j_differences, &ones).max(matrix(&h, &h_differences, b)),
    })
}

/// What a difference is relative to.
enum Per<'a> {
    /// The largest entry of the same column.
    Column,
    /// The largest entry of the matrix, with these units of the columns.
    Matrix(&'a [f64]),
}

/// Largest difference between two matrices, relative to the largest entry of the column or of the matrix.
///
/// `unit[i]` is the unit of row `i`: rows and columns of a Hessian belong to parameters of very different size.
fn worst(a: &Matrix, b: &Matrix, unit: &[f64], per: Per<'_>) -> f64 {
    let mut columns = Vec::new();
    for k in 0..a.ncols() {
        let unit_of_column = match per {
            Per::Column => 1.0,
            Per::Matrix(units) => units[k],
        };
        let mut size = 0.0_f64;
        let mut difference = 0.0_f64;
        for ((a, b), unit) in a.column(k).zip(b.column(k)).zip(unit) {
            let scale = (unit * unit_of_column).abs();
            size = size.max(a.abs() * scale);
            difference = larger(difference, (a - b).abs() * scale);
        }
        columns.push((size, difference));
    }
    let relative = |(size, difference)| {
        if difference == 0.0 {
            0.0
        } else {
            difference / size
        }
    };
    match per {
        Per::Column => columns.into_iter().map(relative).fold(0.0, larger),
        Per::Matrix(_) => relative(columns.into_iter().fold((0.0, 0.0), |all, column| {
            (larger(all.0, column.0), larger(all.1, column.1))
        })),
    }
}

/// The larger of two; NaN, which `max` would lose, is larger than any.
fn larger(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}
