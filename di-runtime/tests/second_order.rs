//! `second_derivative`, `hvp`, `hessian`: by one engine and by two.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{
    Curve, assert_close, points, rosenbrock, rosenbrock_gradient, rosenbrock_hvp, weighted,
};
use di_runtime::backend::Backend;
use di_runtime::backends::{AutoDual, AutoFiniteDiff, AutoSource};
use di_runtime::bound::Key;
use di_runtime::capability::{Capabilities, HvpMode};
use di_runtime::closure::generic;
use di_runtime::error::Error;
use di_runtime::matrix::Matrix;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::second_order::SecondOrder;

fn agree<B: Backend<Key<rosenbrock>, Matrix = Matrix<f64>>>(backend: &B, tolerance: f64) {
    let f = rosenbrock::AD;
    for x in points(2, 13) {
        let n = x.len();
        let name = format!("{backend:?}, n = {n}");
        let (value, g_expected) = (rosenbrock(&x), rosenbrock_gradient(&x));
        let prep = prepare_hessian(f, backend, &vec![0.5; n]).unwrap();
        for _ in 0..2 {
            let (y, g, h) = value_gradient_and_hessian(f, &prep, backend, &x).unwrap();
            assert_close(&name, &[y], &[value], 1e-14);
            assert_close(&name, &g, &g_expected, tolerance);
            let turned = Matrix::from_fn((n, n), |i, j| h[[j, i]]);
            assert_eq!(h, turned, "{name}");
            for i in 0..n {
                let mut unit = vec![0.0; n];
                unit[i] = 1.0;
                assert_close(&name, h.row(i), &rosenbrock_hvp(&x, &unit), tolerance);
            }
        }
        let mut h = Matrix::filled((n, n), f64::NAN);
        hessian_into(f, &mut h, &prep, backend, &x).unwrap();
        assert_eq!(h, hessian(f, NoPrep, backend, &x).unwrap(), "{name}");
        let v: Vec<f64> = (0..n).map(|i| 0.5 - i as f64).collect();
        let product = hvp(f, NoPrep, backend, &x, &v).unwrap();
        assert_close(&name, &product, &rosenbrock_hvp(&x, &v), tolerance);
        let seeds = [v.clone(), x.clone()];
        let prep = prepare_hvp(f, backend, &x, &seeds).unwrap();
        let (g, [a, b]) = gradient_and_hvp(f, &prep, backend, &x, &seeds).unwrap();
        assert_close(&name, &g, &g_expected, tolerance);
        assert_close(&name, &a, &rosenbrock_hvp(&x, &v), tolerance);
        assert_close(&name, &b, &rosenbrock_hvp(&x, &x), tolerance);
        let (mut g, mut product) = (vec![0.0; n], vec![0.0; n]);
        let y =
            value_gradient_and_hvp_into(f, &mut g, &mut product, NoPrep, backend, &x, &v).unwrap();
        assert_close(&name, &[y], &[value], 1e-14);
        assert_close(&name, &g, &g_expected, tolerance);
        assert_close(&name, &product, &rosenbrock_hvp(&x, &v), tolerance);
    }
}

#[test]
fn hessians_and_products_agree_with_the_closed_form() {
    agree(&AutoSource::new(), 1e-13);
    agree(&AutoDual::new(), 1e-13);
    agree(&AutoDual::new().chunk(1), 1e-13);
    agree(&AutoFiniteDiff::new(), 1e-5);
}

#[test]
fn two_engines_agree_with_the_closed_form() {
    agree(&SecondOrder::new(AutoDual::new(), AutoSource::new()), 1e-13);
    agree(&SecondOrder::new(AutoDual::new(), AutoDual::new()), 1e-13);
    agree(
        &SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
        1e-8,
    );
    agree(
        &SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new()),
        1e-8,
    );
    agree(
        &SecondOrder::new(AutoFiniteDiff::new(), AutoFiniteDiff::new()),
        1e-3,
    );
}

#[test]
fn two_engines_refuse_first_order() {
    let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let refused = gradient(rosenbrock::AD, NoPrep, &backend, &[1.0, 2.0]).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { .. }), "{refused}");
    assert_eq!(backend.outer(), &AutoDual::new());
    assert_eq!(backend.inner(), &AutoSource::new());
    assert_eq!(backend.hvp_mode(), HvpMode::ForwardOverReverse);
}

#[test]
fn hessian_of_a_tuple_is_one_matrix() {
    // a^2 (b0^2 + b1^2) at (3, [1, -2])
    let expected = [[10.0, 12.0, -24.0], [12.0, 18.0, 0.0], [-24.0, 0.0, 18.0]];
    let x = (3.0, [1.0, -2.0]);
    assert_eq!(
        hessian(weighted::AD, NoPrep, &AutoSource::new(), &x).unwrap(),
        expected
    );
    assert_eq!(
        hessian(weighted::AD, NoPrep, &AutoDual::new(), &x).unwrap(),
        expected
    );
    let by_b = hessian(weighted::AD.fix_a(&3.0), NoPrep, &AutoSource::new(), &x.1).unwrap();
    assert_eq!(by_b, [[18.0, 0.0], [0.0, 18.0]]);
    let (da, db) = hvp(
        weighted::AD,
        NoPrep,
        &AutoSource::new(),
        &x,
        &(1.0, [0.0, 1.0]),
    )
    .unwrap();
    assert_eq!((da, db), (-14.0, [12.0, -6.0]));
}

#[test]
fn second_derivatives_of_curves() {
    let t = 0.4_f64;
    let (value, first, second) = (
        [t.sin(), t * t, 1.0],
        [t.cos(), 2.0 * t, 0.0],
        [-t.sin(), 2.0, 0.0],
    );
    let f = generic(Curve);
    let dual = AutoDual::new();
    let prep = prepare_second_derivative(f, &dual, &0.0).unwrap();
    assert_eq!(second_derivative(f, &prep, &dual, &t).unwrap(), second);
    let all = value_derivative_and_second_derivative(f, &prep, &dual, &t).unwrap();
    assert_eq!(all, (value, first, second));
    let (mut dy, mut ddy) = ([f64::NAN; 3], [f64::NAN; 3]);
    second_derivative_into(f, &mut ddy, &prep, &dual, &t).unwrap();
    assert_eq!(ddy, second);
    let y = value_derivative_and_second_derivative_into(f, &mut dy, &mut ddy, NoPrep, &dual, &t)
        .unwrap();
    assert_eq!((y, dy, ddy), (value, first, second));
    for (name, ddy) in [
        (
            "differences",
            second_derivative(f, NoPrep, &AutoFiniteDiff::new(), &t).unwrap(),
        ),
        (
            "differences of duals",
            second_derivative(
                f,
                NoPrep,
                &SecondOrder::new(AutoFiniteDiff::new(), dual),
                &t,
            )
            .unwrap(),
        ),
    ] {
        assert_close(name, &ddy, &second, 1e-6);
    }
}
