//! What the solver sees: residuals and Jacobian of one evaluation, and errors.

use std::error::Error;
use std::fmt;

use di::Scalar;
use di::prelude::*;
use di_levenberg_marquardt::LeastSquares;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::{DMatrix, DVector};

#[differentiable]
fn decay(p: &[f64], #[constant] t: &[f64], r: &mut [f64]) {
    for i in 0..t.len() {
        r[i] = p[0] * (-p[1] * t[i]).exp();
    }
}

#[differentiable]
fn line(p: &[f64], #[constant] t: &[f64]) -> Vec<f64> {
    t.iter().map(|t| p[0] + p[1] * t - 1.0).collect()
}

#[derive(Debug)]
struct Negative;

impl fmt::Display for Negative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a negative rate")
    }
}

impl Error for Negative {}

/// Its zero lies where it is not defined.
#[generic]
fn guarded<S: Scalar<Real = f64>>(p: &[S], r: &mut [S]) -> Result<(), Negative> {
    if p[0].lt(S::default()) {
        return Err(Negative);
    }
    r[0] = p[0] + S::from_real(1.0);
    r[1] = r[0] + r[0];
    Ok(())
}

#[test]
fn residuals_and_jacobian_come_from_one_evaluation() -> Result<(), di::Error> {
    let mut room = [0.0; 2];
    let f = decay::AD.with(&[0.0, 2.0]).output(&mut room);
    let mut problem = LeastSquares::new(f, AutoSource::new(), &[3.0, 0.5])?;
    let e = (-1.0_f64).exp();
    assert_eq!(
        problem.residuals(),
        Some(DVector::from_vec(vec![3.0, 3.0 * e]))
    );
    let j = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, e, -6.0 * e]);
    assert_eq!(problem.jacobian(), Some(j.clone()));
    assert_eq!(problem.jacobian(), Some(j));
    assert_eq!(problem.counts(), (1, 1));
    problem.set_params(&DVector::from_vec(vec![1.0, 0.0]));
    let j = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 1.0, -2.0]);
    assert_eq!(problem.jacobian(), Some(j));
    assert_eq!(problem.residuals(), Some(DVector::from_vec(vec![1.0, 1.0])));
    assert_eq!(problem.counts(), (2, 2));
    assert_eq!(problem.params(), DVector::from_vec(vec![1.0, 0.0]));
    Ok(())
}

#[test]
fn tried_steps_have_no_jacobian_if_it_is_separate() -> Result<(), di::Error> {
    let mut room = [0.0; 2];
    let f = decay::AD.with(&[0.0, 2.0]).output(&mut room);
    let mut problem = LeastSquares::new(f, AutoSource::new(), &[3.0, 0.5])?.separately();
    assert!(problem.residuals().is_some());
    assert_eq!(problem.counts(), (1, 0));
    assert!(problem.jacobian().is_some() && problem.residuals().is_some());
    assert_eq!(problem.counts(), (2, 1));
    problem.set_params(&DVector::from_vec(vec![1.0, 0.0]));
    assert_eq!(problem.residuals(), Some(DVector::from_vec(vec![1.0, 1.0])));
    assert_eq!(problem.counts(), (3, 1));
    Ok(())
}

#[test]
fn a_function_that_returns_its_residuals_is_fitted() -> Result<(), di::Error> {
    let t = [0.0, 1.0, 2.0];
    let problem = LeastSquares::new(line::AD.with(&t), AutoDual::new(), &[5.0, 5.0])?;
    let (problem, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(report.termination.was_successful());
    let p = problem.solution()?;
    assert!((p[0] - 1.0).abs() < 1e-12 && p[1].abs() < 1e-12);
    Ok(())
}

#[test]
fn data_may_be_owned() -> Result<(), di::Error> {
    let f = di::owning(vec![0.0, 2.0], |t| decay::AD.with(t)).output(&[0.0; 2]);
    let problem = LeastSquares::new(f, AutoSource::new(), &[3.0, 0.0])?;
    assert_eq!(problem.residuals(), Some(DVector::from_vec(vec![3.0, 3.0])));

    let f = di::owning(vec![0.0, 1.0, 2.0], |t| line::AD.with(t));
    let problem = LeastSquares::new(f, AutoSource::new(), &[5.0, 5.0])?;
    assert_eq!(
        problem.residuals(),
        Some(DVector::from_vec(vec![4.0, 9.0, 14.0]))
    );
    let jacobian = DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
    assert_eq!(problem.jacobian(), Some(jacobian));
    let (problem, _) = LevenbergMarquardt::new().minimize(problem);
    let p = problem.solution()?;
    assert!((p[0] - 1.0).abs() < 1e-12 && p[1].abs() < 1e-12);
    Ok(())
}

#[test]
fn an_error_of_the_function_ends_the_solver_and_is_kept() -> Result<(), di::Error> {
    let mut room = [0.0; 2];
    let f = guarded::AD.output(&mut room);
    let problem = LeastSquares::new(f, AutoDual::new(), &[2.0])?;
    let (problem, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(matches!(report.termination, TerminationReason::User(_)));
    let error = problem.solution().expect_err("the function failed");
    assert_eq!(error.to_string(), "a negative rate");
    Ok(())
}
