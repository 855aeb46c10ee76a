//! A function that panicked took the results of differences with it: later calls with the prep gave zeros.

use std::panic::{AssertUnwindSafe, catch_unwind};

use di::Error;
use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};

#[differentiable]
fn roots(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        assert!(x[i] > 0.0, "no root");
        y[i] = x[i].sqrt();
    }
}

#[differentiable]
fn root(x: f64, y: &mut [f64]) {
    for v in y.iter_mut() {
        assert!(x > 0.0, "no root");
        *v = x.sqrt();
    }
}

#[test]
fn prep_serves_after_a_panic() -> Result<(), Error> {
    let backend = AutoFiniteDiff::new();
    let tolerance = Tolerance {
        relative: 1e-5,
        absolute: 1e-5,
    };
    let mut y = vec![0.0; 2];
    let prep = prepare_jacobian(roots::AD.output(&mut y), &backend, &vec![1.0; 2])?;
    let mut at = |x: [f64; 2]| jacobian(roots::AD.output(&mut y), &prep, &backend, &x.to_vec());
    let panicked = catch_unwind(AssertUnwindSafe(|| at([1.0, -1.0])));
    assert!(panicked.is_err());
    let found: Vec<f64> = at([1.0, 4.0])?.iter().copied().collect();
    assert_close("Jacobian", &found, &[0.5, 0.0, 0.0, 0.25], tolerance);

    let mut y = vec![0.0; 1];
    let prep = prepare_second_derivative(root::AD.output(&mut y), &backend, &1.0)?;
    let mut at = |x: f64| second_derivative(root::AD.output(&mut y), &prep, &backend, &x);
    let panicked = catch_unwind(AssertUnwindSafe(|| at(1e-5)));
    assert!(panicked.is_err());
    assert_close("second derivative", &at(1.0)?, &[-0.25], tolerance);
    Ok(())
}
