//! What argmin's solvers see: values, derivatives, products and errors.

use std::error::Error;
use std::fmt;

use argmin::core::{CostFunction, Gradient, Hessian, Jacobian, Operator};
use argmin_math::ArgminDot;
use di::Scalar;
use di::prelude::*;
use di_argmin::{Objective, Residuals};
use nalgebra::{DMatrix, DVector};

#[differentiable]
fn bowl(x: &[f64], #[constant] depth: f64) -> f64 {
    depth * (x[0] * x[0] * x[1] + 3.0 * x[1])
}

#[differentiable]
fn polar(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
    y[1] = x[0] * x[0];
    y[2] = x[1];
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
fn guarded<S: Scalar<Real = f64>>(x: &[S]) -> Result<S, Negative> {
    if x[0].lt(S::default()) {
        return Err(Negative);
    }
    Ok(x[0] * x[0] * x[0])
}

type Done = Result<(), argmin::core::Error>;

#[test]
fn derivatives_of_an_objective_are_right_for_vectors_of_std() -> Done {
    let x = vec![3.0, 2.0];
    let f = Objective::new(bowl::AD.with(2.0), AutoSource::new(), &x)?;
    assert_eq!(f.cost(&x)?, 48.0);
    assert_eq!(f.gradient(&x)?, [24.0, 24.0]);
    assert_eq!(f.hessian(&x)?, [[8.0, 12.0], [12.0, 0.0]]);
    assert_eq!(f.hessian_product(&x, &vec![1.0, 1.0])?, [20.0, 12.0]);
    assert_eq!(f.gradient(&vec![1.0, 0.0])?, [0.0, 8.0]);
    Ok(())
}

#[test]
fn derivatives_of_an_objective_are_right_for_vectors_of_nalgebra() -> Done {
    let x = DVector::from_vec(vec![3.0, 2.0]);
    for backend in [di::auto("source")?, di::auto("dual")?, di::auto("tape")?] {
        let f = Objective::new(bowl::AD.with(2.0), backend, &x)?;
        assert_eq!(f.gradient(&x)?.as_slice(), [24.0, 24.0]);
        assert_eq!(
            f.hessian(&x)?,
            DMatrix::from_row_slice(2, 2, &[8.0, 12.0, 12.0, 0.0])
        );
    }
    Ok(())
}

#[test]
fn a_hessian_by_products_is_multiplied() -> Done {
    let x = vec![3.0, 2.0];
    let f = Objective::new(bowl::AD.with(2.0), AutoSource::new(), &x)?.by_products();
    assert_eq!(f.cost(&x)?, 48.0);
    assert_eq!(f.gradient(&x)?, [24.0, 24.0]);
    let h = f.hessian(&x)?;
    assert_eq!(h.dot(&vec![1.0, 1.0]), [20.0, 12.0]);
    assert_eq!(h.clone().dot(&vec![0.0, 1.0]), [12.0, 0.0]);
    Ok(())
}

#[test]
fn jacobians_of_residuals_are_right() -> Done {
    let x = DVector::from_vec(vec![3.0, 2.0]);
    let f = Residuals::new(polar::AD.output(&mut [0.0; 3]), AutoSource::new(), &x)?;
    assert_eq!(f.apply(&x)?.as_slice(), [6.0, 9.0, 2.0]);
    let expected = DMatrix::from_row_slice(3, 2, &[2.0, 3.0, 6.0, 0.0, 0.0, 1.0]);
    assert_eq!(f.jacobian(&x)?, expected);
    Ok(())
}

#[test]
fn an_error_of_the_function_is_an_error_of_argmin() -> Done {
    let f = Objective::new(guarded::AD, AutoDual::new(), &vec![2.0])?;
    let bad = vec![-1.0];
    for error in [
        f.cost(&bad).map(|_| ()),
        f.gradient(&bad).map(|_| ()),
        f.hessian(&bad).map(|_| ()),
    ] {
        let error = error.expect_err("the function failed");
        assert_eq!(error.to_string(), "a negative argument");
    }
    assert_eq!(f.gradient(&vec![2.0])?, [12.0]);
    assert!(f.gradient(&vec![2.0, 3.0]).is_err(), "another length");
    Ok(())
}

#[test]
fn an_error_of_a_product_is_nan_and_then_an_error() -> Done {
    let f = Objective::new(guarded::AD, AutoDual::new(), &vec![2.0])?.by_products();
    let h = f.hessian(&vec![-1.0])?;
    assert!(h.dot(&vec![1.0])[0].is_nan());
    let error = f.gradient(&vec![2.0]).expect_err("the product failed");
    assert_eq!(error.to_string(), "a negative argument");
    assert_eq!(f.gradient(&vec![2.0])?, [12.0]);
    Ok(())
}

#[test]
fn threads_share_a_problem() -> Done {
    let x = vec![3.0, 2.0];
    let f = Objective::new(bowl::AD.with(1.0), AutoSource::new(), &x)?;
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|k| {
                let f = &f;
                scope.spawn(move || f.gradient(&vec![f64::from(k), 1.0]))
            })
            .collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("no panic"))
            .collect()
    });
    for (k, g) in found.into_iter().enumerate() {
        let k = k as f64;
        assert_eq!(g?, [2.0 * k, k * k + 3.0]);
    }
    Ok(())
}
