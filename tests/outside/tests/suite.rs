//! The backend of this package on the scenarios of the kit, and a scenario of this package on all backends.

use di::prelude::*;
use di_outside::AutoRichardson;
use di_test::families::default_scenarios;
use di_test::{Scenario, parity, returns, test_differentiation, writes};

#[test]
fn own_backend_passes_the_default_scenarios() {
    let _row = parity::row(104);
    test_differentiation(&(AutoRichardson::new(1e-2),), &default_scenarios());
}

/// Kepler's equation, `t = e - k sin e`, and its inverse by Newton's method.
#[differentiable]
fn kepler(t: f64, #[constant] k: f64) -> f64 {
    let mut e = t;
    for _ in 0..20 {
        e -= (e - k * e.sin() - t) / (1.0 - k * e.cos());
    }
    e
}

/// Position on the ellipse.
#[differentiable]
fn position(x: &[f64], #[constant] k: f64, y: &mut [f64]) {
    let e = x[0];
    y[0] = x[1] * (e.cos() - k);
    y[1] = x[1] * (1.0 - k * k).sqrt() * e.sin();
}

#[test]
fn own_scenarios_pass_on_all_backends() {
    let _row = parity::row(104);
    // By the theorem on implicit functions.
    let (k, e) = (0.3, 1.1_f64);
    let t = e - k * e.sin();
    let slope = 1.0 - k * e.cos();
    let derivative =
        Scenario::derivative("kepler", returns(kepler::AD.with(k)), t, e, &[1.0 / slope])
            .prepared_with(returns(kepler::AD.with(0.1)));

    let b = (1.0 - k * k).sqrt();
    let f = writes(move |y: &mut Vec<f64>| position::AD.with(k).output(y));
    let (x, y) = (vec![e, 2.0], vec![2.0 * (e.cos() - k), 2.0 * b * e.sin()]);
    let expected = [-2.0 * e.sin(), e.cos() - k, 2.0 * b * e.cos(), b * e.sin()];
    let jacobian = Scenario::jacobian("position", f, x, y, &expected).into_buffer();

    test_differentiation(
        &(
            AutoRichardson::new(1e-2),
            AutoSource::new(),
            AutoDual::new(),
            AutoFiniteDiff::new(),
        ),
        &(derivative, jacobian),
    );
}

#[test]
fn claims_are_what_the_tests_show() {
    parity::check();
}

/// Matrices to write to, without a dependency on what they are of.
#[test]
fn matrices_are_named_by_this_library_alone() {
    #[differentiable]
    fn bowl(x: &[f64]) -> f64 {
        x[0] * x[0] * x[1]
    }
    let x = [3.0, 2.0];
    let mut dense: di::Matrix = di::Matrix::zeros((2, 2));
    hessian_into(bowl::AD, &mut dense, NoPrep, &AutoSource::new(), &x).unwrap();
    assert_eq!(dense, [[4.0, 6.0], [6.0, 0.0]]);
    let backend = di::sparse::AutoSparse::new(AutoSource::new());
    let prep = prepare_hessian(bowl::AD, &backend, &x).unwrap();
    let mut sparse: di::sprs::CsMat<f64> = hessian(bowl::AD, &prep, &backend, &[1.0; 2]).unwrap();
    hessian_into(bowl::AD, &mut sparse, &prep, &backend, &x).unwrap();
    assert_eq!(
        sparse.to_dense().iter().copied().collect::<Vec<_>>(),
        dense.as_slice()
    );
}
