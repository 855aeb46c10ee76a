//! Functions that another backend differentiates, and rules, under every engine.

use core::cell::Cell;

use di::prelude::*;
use di::{AutoForwardFromPrimitive, AutoSymbolic, DifferentiateWith, Error, Scalar, custom_rule};
use di_test::parity::rows;
use ndarray::Array2;

use crate::near;

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// Code that the compiler does not look into: `(sin(k a) b_0, b_1^2 a)`.
#[custom_rule(with = AutoFiniteDiff::new())]
fn table(a: f64, b: &[f64], #[constant] k: &[f64], y: &mut [f64]) {
    RUNS.with(|runs| runs.set(runs.get() + 1));
    let scale: f64 = k.iter().sum();
    y[0] = (scale * a).sin() * b[0];
    y[1] = b.iter().skip(1).map(|b| b * b).next().unwrap_or(0.0) * a;
}

#[custom_rule(with = AutoFiniteDiff::new())]
fn pair(a: f64, b: f64) -> (f64, f64) {
    (a.exp() * b, a * b * b)
}

/// `(sin(k x_0) x_1)^2 + x_2^2 x_0 + exp(x_1) x_2 + 3 x_1 x_2^2`
#[differentiable]
fn uses(x: &[f64], #[constant] k: &[f64]) -> f64 {
    let mut y = [0.0; 2];
    table(x[0], &x[1..], k, &mut y);
    let (p, q) = pair(x[1], x[2]);
    y[0] * y[0] + y[1] + p + 3.0 * q
}

/// The same, written on any scalar.
#[generic]
fn generically<S: Scalar<Real = f64>>(x: &[S], #[constant] k: f64) -> S {
    let table = |x: &[f64], y: &mut [f64]| {
        y[0] = (k * x[0]).sin() * x[1];
        y[1] = x[2] * x[2] * x[0];
        y[2] = x[1].exp() * x[2];
    };
    let mut y = [S::default(); 3];
    DifferentiateWith::new(table, AutoFiniteDiff::new()).call(x, &mut y);
    y[0] * y[0] + y[1] + y[2] + (x[1] * x[2] * x[2]).mul_real(3.0)
}

fn derivatives(x: &[f64], k: f64) -> (f64, Vec<f64>, Array2<f64>) {
    let (s, c, e) = ((k * x[0]).sin(), (k * x[0]).cos(), x[1].exp());
    let (a, b, d) = (x[0], x[1], x[2]);
    let y = (s * b).powi(2) + d * d * a + e * d + 3.0 * b * d * d;
    let g = vec![
        2.0 * s * c * k * b * b + d * d,
        2.0 * s * s * b + e * d + 3.0 * d * d,
        2.0 * d * a + e + 6.0 * b * d,
    ];
    let h = ndarray::array![
        [
            2.0 * k * k * (c * c - s * s) * b * b,
            4.0 * s * c * k * b,
            2.0 * d
        ],
        [4.0 * s * c * k * b, 2.0 * s * s + e * d, e + 6.0 * d],
        [2.0 * d, e + 6.0 * d, 2.0 * a + 6.0 * b]
    ];
    (y, g, h)
}

#[test]
fn substitutes_under_every_engine() {
    let _row = rows(&[95, 96]);
    let (x, k) = ([0.4, 0.7, -1.1], vec![0.5, 0.8]);
    let (y, g, h) = derivatives(&x, 1.3);
    macro_rules! check {
        ($f:expr, $backend:expr) => {
            let (f, backend) = ($f, $backend);
            let (value, grad) = value_and_gradient(f, NoPrep, &backend, &x).unwrap();
            near(&[value], &[y], 1e-14);
            near(&grad, &g, 1e-7);
            let dy = pushforward(f, NoPrep, &backend, &x, &[1.0, -1.0, 2.0]).unwrap();
            near(&[dy], &[g[0] - g[1] + 2.0 * g[2]], 1e-7);
            near(
                &pullback(f, NoPrep, &backend, &x, &2.0).unwrap(),
                &g.iter().map(|g| 2.0 * g).collect::<Vec<_>>(),
                1e-7,
            );
        };
    }
    check!(uses::AD.with(&k), AutoSource::new());
    check!(uses::AD.with(&k), AutoSource::new().forward());
    check!(uses::AD.with(&k), AutoSource::new().reverse());
    check!(uses::AD.with(&k), AutoDual::new());
    check!(
        uses::AD.with(&k),
        AutoForwardFromPrimitive(AutoSource::new())
    );
    check!(uses::AD.with(&k), AutoFiniteDiff::new());
    check!(generically::AD.with(1.3), AutoDual::new());
    check!(generically::AD.with(1.3), AutoFiniteDiff::new());
    macro_rules! second {
        ($f:expr, $backend:expr) => {
            let (f, backend) = ($f, $backend);
            let (_, grad, found) = value_gradient_and_hessian(f, NoPrep, &backend, &x).unwrap();
            near(&grad, &g, 1e-7);
            near(&found, &h, 1e-5);
        };
    }
    second!(uses::AD.with(&k), AutoSource::new());
    second!(uses::AD.with(&k), AutoDual::new());
    second!(uses::AD.with(&k), AutoTape::new());
    second!(generically::AD.with(1.3), AutoTape::new());
    second!(
        uses::AD.with(&k),
        SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new())
    );
    second!(generically::AD.with(1.3), AutoDual::new());
    macro_rules! pairs {
        ($f:expr, $inner:expr) => {
            second!($f, SecondOrder::new(AutoDual::new(), $inner));
            second!($f, SecondOrder::new(AutoTape::new(), $inner));
            second!($f, SecondOrder::new(AutoSymbolic::new(), $inner));
            second!($f, SecondOrder::new(AutoSymbolic::new().factored(), $inner));
            second!($f, SecondOrder::new(AutoFiniteDiff::new(), $inner));
        };
    }
    second!(uses::AD.with(&k), AutoSymbolic::new());
    second!(generically::AD.with(1.3), AutoSymbolic::new().factored());
    pairs!(uses::AD.with(&k), AutoSource::new());
    pairs!(uses::AD.with(&k), AutoSource::new().forward());
    pairs!(uses::AD.with(&k), AutoTape::new());
    pairs!(generically::AD.with(1.3), AutoDual::new());
    pairs!(generically::AD.with(1.3), AutoTape::new());
}

#[generic]
fn third<S: Scalar<Real = f64>>(x: S) -> S {
    di::nested::derivative(
        |x| {
            let mut y = [Default::default()];
            DifferentiateWith::new(
                |x: &[f64], y: &mut [f64]| y[0] = x[0].powi(4),
                AutoFiniteDiff::new(),
            )
            .call(&[x], &mut y);
            y[0]
        },
        x,
    )
}

#[test]
fn third_order_through_a_substitute_is_an_error() {
    let _row = rows(&[96]);
    let second = derivative(third::AD, NoPrep, &AutoDual::new(), &2.0).unwrap();
    near(&[second], &[48.0], 1e-5);
    let error = second_derivative(third::AD, NoPrep, &AutoDual::new(), &2.0).unwrap_err();
    assert!(matches!(error, Error::Function(_)), "{error}");
    assert!(
        error.to_string().contains("up to the second order"),
        "{error}"
    );
}

#[differentiable]
fn twice(x: f64, #[constant] k: f64) -> f64 {
    2.0 * k * x.cos()
}

/// A rule that is not the derivative of the body, so that it is seen which of the two is used.
#[custom_rule(partials(twice))]
fn told(x: f64, #[constant] k: f64) -> f64 {
    k * x.sin()
}

#[differentiable]
fn asks(x: &[f64]) -> f64 {
    told(x[0], 3.0) * x[1]
}

#[test]
fn rules_are_used_and_not_bodies() {
    let _row = rows(&[97]);
    let x = [0.3, 2.0];
    let (s, c) = x[0].sin_cos();
    let g = [6.0 * c * x[1], 3.0 * s];
    macro_rules! check {
        ($($backend:expr),*) => {$(
            near(&gradient(asks::AD, NoPrep, &$backend, &x).unwrap(), &g, 1e-13);
        )*};
    }
    check!(
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoDual::new(),
        AutoTape::new(),
        AutoDual::new().chunk(1),
        AutoForwardFromPrimitive(AutoSource::new())
    );
    // the rule's own code at second order
    macro_rules! second {
        ($($backend:expr),*) => {$(
            let h = hessian(asks::AD, NoPrep, &$backend, &x).unwrap();
            near(&h, &[-6.0 * s * x[1], 6.0 * c, 6.0 * c, 0.0], 1e-13);
        )*};
    }
    second!(
        AutoSource::new(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
        SecondOrder::new(AutoTape::new(), AutoSource::new()),
        SecondOrder::new(AutoSymbolic::new(), AutoSource::new()),
        SecondOrder::new(AutoSymbolic::new().factored(), AutoDual::new())
    );
}
