//! Sparse Hessians by an engine that is chosen at run time: one of two or three colors was a panic, since the engine
//! had prepared sums of columns and was asked for products.

use di::prelude::*;
use di::sparse::AutoSparse;
use di::{Error, auto};
use di_test::compare::{ROUNDING, assert_close};

#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += x[i] * x[i] * x[i - 1];
    }
    sum
}

#[differentiable]
fn differences(x: &[f64], y: &mut [f64]) {
    for i in 1..x.len() {
        y[i] = x[i] * x[i - 1];
    }
}

#[test]
fn matrices_of_few_colors() -> Result<(), Error> {
    let x = [1.0, 2.0, 3.0, 4.0];
    for name in ["source", "forward", "reverse", "dual", "tape"] {
        let backend = AutoSparse::new(auto(name)?);
        let prep = prepare_hessian(chain::AD, &backend, &x)?;
        let mut g = [0.0; 4];
        let mut h = hessian(chain::AD, &prep, &backend, &x)?;
        let expected = [4.0, 4.0, 2.0, 6.0, 6.0, 4.0, 8.0, 8.0, 6.0];
        let stored: Vec<f64> = h.data().iter().copied().filter(|v| *v != 0.0).collect();
        assert_close(name, &stored, &expected, ROUNDING);
        let y = value_gradient_and_hessian_into(chain::AD, &mut g, &mut h, &prep, &backend, &x)?;
        assert_close(name, &[y], &[4.0 + 18.0 + 48.0], ROUNDING);
        assert_close(name, &g, &[4.0, 13.0, 28.0, 24.0], ROUNDING);

        let mut y = [0.0; 4];
        let prep = prepare_jacobian(differences::AD.output(&mut y), &backend, &x)?;
        let j = jacobian(differences::AD.output(&mut y), &prep, &backend, &x)?;
        assert_close(name, j.data(), &[2.0, 1.0, 3.0, 2.0, 4.0, 3.0], ROUNDING);
    }
    Ok(())
}
