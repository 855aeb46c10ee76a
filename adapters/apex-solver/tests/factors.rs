//! What apex-solver sees: residuals, Jacobians, errors, what it refuses, and no memory taken.

use std::error::Error;
use std::fmt;

use apex_solver::core::problem::Problem;
use apex_solver::{Factor, JacobianMode, LevenbergMarquardt, ManifoldType};
use di::Scalar;
use di::prelude::*;
use di_apex_solver::Factors;
use di_test::allocations::{Counting, count};
use faer::Mat;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two variables: three numbers and one.
#[differentiable]
fn returned(x: &[f64], #[constant] y: &[f64; 2]) -> [f64; 2] {
    [x[0] * x[3] - y[0], x[1] * x[1] + 2.0 * x[2] - y[1]]
}

#[differentiable]
fn written(x: &[f64], #[constant] y: &[f64; 2], r: &mut [f64]) {
    r[0] = x[0] * x[3] - y[0];
    r[1] = x[1] * x[1] + 2.0 * x[2] - y[1];
}

const A: [f64; 3] = [2.0, 3.0, 4.0];
const B: [f64; 1] = [5.0];

/// By hand.
fn expected() -> ([f64; 2], Mat<f64>) {
    let j = [[5.0, 0.0, 0.0, 2.0], [0.0, 6.0, 2.0, 0.0]];
    ([9.0, 15.0], Mat::from_fn(2, 4, |i, k| j[i][k]))
}

fn check(factor: &dyn Factor) {
    let (r, j) = expected();
    let (mut found, mut jacobian) = ([0.0; 2], Mat::zeros(2, 4));
    factor.linearize(&[&A, &B], &mut found, None);
    assert_eq!(found, r);
    found = [0.0; 2];
    factor.linearize(&[&A, &B], &mut found, Some(jacobian.as_mut()));
    assert_eq!((found, jacobian), (r, j));
    assert_eq!(
        (factor.residual_dim(), factor.jacobian_shape()),
        (2, (2, 4))
    );
}

#[test]
fn residuals_and_jacobians_are_right() -> Result<(), di::Error> {
    let factors = Factors::new(returned::AD.with(&[0.0; 2]), AutoSource::new(), &[&A, &B])?;
    let data = [1.0, 2.0];
    check(&factors.factor(di::owning(data, |y| returned::AD.with(y)))?);
    let mut r = [0.0; 2];
    let f = written::AD.with(&data).output(&mut r);
    let factors = Factors::new(f, AutoDual::new(), &[&A, &B])?;
    check(&factors.factor(di::owning(data, |y| written::AD.with(y)).output(&[0.0; 2]))?);
    factors.check()
}

#[test]
fn a_later_call_takes_no_memory() -> Result<(), di::Error> {
    let factors = Factors::new(returned::AD.with(&[0.0; 2]), AutoSource::new(), &[&A, &B])?;
    let factor = factors.factor(di::owning([1.0, 2.0], |y| returned::AD.with(y)))?;
    let (mut r, mut j) = ([0.0; 2], Mat::zeros(2, 4));
    // A thread's first call makes its clone.
    factor.linearize(&[&A, &B], &mut r, Some(j.as_mut()));
    let ((), taken) = count(|| factor.linearize(&[&A, &B], &mut r, Some(j.as_mut())));
    assert_eq!((r, j, taken), (expected().0, expected().1, 0));
    Ok(())
}

#[test]
fn variables_of_another_kind_are_refused() -> Result<(), Box<dyn Error>> {
    let factors = Factors::new(returned::AD.with(&[0.0; 2]), AutoSource::new(), &[&A, &B])?;
    let factor = || factors.factor(di::owning([1.0, 2.0], |y| returned::AD.with(y)));
    let mut problem = Problem::new(JacobianMode::Sparse);
    let a = problem.add_variable(ManifoldType::RN, A.to_vec().into());
    let b = problem.add_variable(ManifoldType::RN, B.to_vec().into());
    // three parameters and three degrees of freedom, but a step turns
    let pose = problem.add_variable(ManifoldType::SE2, A.to_vec().into());
    let mut add = |keys: &[_]| -> Result<String, di::Error> {
        let added = problem.try_add_residual_block(keys, Box::new(factor()?), None);
        Ok(added.map_or_else(|error| error.to_string(), |_| "added".to_owned()))
    };
    assert_eq!(add(&[a, b])?, "added");
    let message = add(&[pose, b])?;
    assert!(message.contains("found `SE2`"), "{message}");
    let message = add(&[b, a])?;
    assert!(
        message.contains("prepared for variables of [3, 1] parameters, found [1, 3]"),
        "{message}"
    );
    let message = add(&[a])?;
    assert!(message.contains("found [3]"), "{message}");
    let mut r = [0.0; 2];
    let factors = Factors::new(
        written::AD.with(&[0.0; 2]).output(&mut r),
        AutoSource::new(),
        &[&A, &B],
    )?;
    let long = di::owning([1.0, 2.0], |y| written::AD.with(y)).output(&[0.0; 3]);
    let added = problem.try_add_residual_block(&[a, b], Box::new(factors.factor(long)?), None);
    let message = added.expect_err("three residuals").to_string();
    assert!(
        message.contains("prepared for 2 residuals, found 3"),
        "{message}"
    );
    Ok(())
}

#[derive(Debug)]
struct Negative;

impl fmt::Display for Negative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a negative argument")
    }
}

impl Error for Negative {}

#[generic]
fn guarded<S: Scalar<Real = f64>>(x: &[S]) -> Result<[S; 1], Negative> {
    if x[0].lt(S::default()) {
        return Err(Negative);
    }
    Ok([x[0] * x[0]])
}

#[test]
fn an_error_of_the_function_is_kept_and_ends_the_solver() -> Result<(), Box<dyn Error>> {
    let factors = Factors::new(guarded::AD, AutoDual::new(), &[&[2.0]])?;
    let factor = factors.factor(guarded::AD)?;
    let (mut r, mut j) = ([0.0], Mat::zeros(1, 1));
    factor.linearize(&[&[2.0]], &mut r, Some(j.as_mut()));
    assert_eq!((r, j[(0, 0)]), ([4.0], 4.0));
    factors.check()?;
    factor.linearize(&[&[-1.0]], &mut r, Some(j.as_mut()));
    assert!(r[0].is_nan() && j[(0, 0)].is_nan());
    let error = factors.check().expect_err("the function failed");
    assert_eq!(error.to_string(), "a negative argument");

    let mut problem = Problem::new(JacobianMode::Sparse);
    let x = problem.add_variable(ManifoldType::RN, vec![-1.0].into());
    problem.add_residual_block(&[x], Box::new(factor), None);
    let is_right = match LevenbergMarquardt::new().optimize(&mut problem) {
        Ok(result) => !result.final_cost.is_finite(),
        Err(_) => true,
    };
    assert!(is_right);
    Ok(())
}
