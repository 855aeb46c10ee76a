//! Levenberg-Marquardt on the residuals, then Newton's method on the loss, both on generated derivatives.

use crate::models::{loss, residuals};
use crate::nist::Dataset;
use di::prelude::*;
use di_levenberg_marquardt::LeastSquares;
use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};
use nalgebra::{DMatrix, DVector};
use std::error::Error;

/// The largest number of Newton steps; two or three are usual.
const NEWTON_STEPS: usize = 10;

/// What a fit found, and what it cost.
pub(crate) struct Fit {
    /// Parameters after Levenberg-Marquardt.
    pub(crate) rough: Vec<f64>,
    /// Parameters after Newton's method.
    pub(crate) polished: Vec<f64>,
    pub(crate) evaluations: usize,
    pub(crate) jacobians: usize,
    pub(crate) newton_steps: usize,
}

/// Fits a dataset from one of its starting points.
pub(crate) fn fit(set: &Dataset, start: &[f64]) -> Result<Fit, Box<dyn Error>> {
    let backend = AutoSource::new();
    let (rough, evaluations, jacobians) = levenberg_marquardt(set, start, &backend)?;
    let (polished, newton_steps) = newton(set, &rough, &backend)?;
    Ok(Fit {
        rough,
        polished,
        evaluations,
        jacobians,
        newton_steps,
    })
}

/// Minimizes the squares of the residuals; returns parameters and the two counts.
fn levenberg_marquardt(
    set: &Dataset,
    start: &[f64],
    backend: &AutoSource,
) -> Result<(Vec<f64>, usize, usize), Box<dyn Error>> {
    let f = residuals::AD.with(set.model, &set.x, &set.y);
    let mut r = vec![0.0; set.y.len()];
    // Some of these fits refuse many steps, for which a Jacobian would be wasted.
    let problem = LeastSquares::new(f.output(&mut r), *backend, start)?.separately();
    // A first step as long as the starting point at most: some of the far starts lie beside a second valley.
    let solver = LevenbergMarquardt::new()
        .with_stepbound(1.0)
        .with_patience(1000);
    let (problem, report) = solver.minimize(problem);
    let b = problem.solution()?.to_vec();
    match report.termination {
        TerminationReason::ResidualsZero
        | TerminationReason::Orthogonal
        | TerminationReason::Converged { .. }
        | TerminationReason::NoImprovementPossible(_) => {}
        reason => return Err(format!("Levenberg-Marquardt gave up: {reason:?}").into()),
    }
    Ok((b, report.number_of_evaluations, problem.counts().1))
}

/// Steps to the zero of the loss's gradient until they no longer change the parameters; returns these and the number of
/// steps.
fn newton(
    set: &Dataset,
    start: &[f64],
    backend: &AutoSource,
) -> Result<(Vec<f64>, usize), Box<dyn Error>> {
    let f = loss::AD.with(set.model, &set.x, &set.y);
    let mut b = start.to_vec();
    let first = prepare_gradient(f, backend, &b)?;
    let second = prepare_hessian(f, backend, &b)?;
    let mut last = f64::INFINITY;
    for step in 0..NEWTON_STEPS {
        let g = gradient(f, &first, backend, &b)?;
        let h = hessian(f, &second, backend, &b)?;
        // Parameters differ by ten orders of magnitude: solve for the step in units that make the diagonal 1.
        let n = b.len();
        let unit = DVector::from_fn(n, |i, _| 1.0 / h[[i, i]].abs().sqrt());
        let scaled = DMatrix::from_fn(n, n, |i, j| h[[i, j]] * unit[i] * unit[j]);
        let right = DVector::from_fn(n, |i, _| -g[i] * unit[i]);
        let Some(factor) = scaled.cholesky() else {
            return Err(format!("the Hessian is not positive definite at step {step}").into());
        };
        let change = factor.solve(&right).component_mul(&unit);
        let mut largest = 0.0_f64;
        for (b, change) in b.iter_mut().zip(change.iter()) {
            largest = largest.max((change / *b).abs());
            *b += change;
        }
        // Once rounding is all that is left, steps no longer shrink.
        if largest < 4.0 * f64::EPSILON || (largest < 1e-10 && largest > 0.5 * last) {
            return Ok((b, step + 1));
        }
        last = largest;
    }
    Ok((b, NEWTON_STEPS))
}
