//! Second order: one engine over another, and what it costs.

use core::cell::Cell;

use di::prelude::*;
use di::{Capabilities, Error, HvpMode, Mode, Operator, auto};
use di_test::compare::{assert_bitwise, assert_same};
use di_test::parity::rows;
use ndarray::Array2;

use crate::near;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn calls<T>(work: impl FnOnce() -> T) -> (T, usize) {
    CALLS.with(|calls| calls.set(0));
    (work(), CALLS.with(Cell::get))
}

fn counted() -> f64 {
    CALLS.with(|calls| calls.set(calls.get() + 1));
    0.0
}

/// `sum_i (k x_i x_{i+1})^3 + exp(x_i)`
#[differentiable]
fn energy(x: &[f64], #[constant] k: f64) -> f64 {
    let mut s = passive(counted());
    for v in x {
        s += v.exp();
    }
    for w in x.windows(2) {
        let p = k * w[0] * w[1];
        s += p * p * p;
    }
    s
}

fn derivatives(x: &[f64], k: f64) -> (Vec<f64>, Array2<f64>) {
    let n = x.len();
    let (mut g, mut h) = (vec![0.0; n], Array2::zeros((n, n)));
    for i in 0..n {
        g[i] += x[i].exp();
        h[[i, i]] += x[i].exp();
    }
    let c = k * k * k;
    for i in 1..n {
        let (a, b) = (x[i - 1], x[i]);
        g[i - 1] += 3.0 * c * a * a * b * b * b;
        g[i] += 3.0 * c * a * a * a * b * b;
        h[[i - 1, i - 1]] += 6.0 * c * a * b * b * b;
        h[[i, i]] += 6.0 * c * a * a * a * b;
        h[[i - 1, i]] += 9.0 * c * a * a * b * b;
        h[[i, i - 1]] += 9.0 * c * a * a * b * b;
    }
    (g, h)
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 1.7 + 0.4).sin()).collect()
}

#[differentiable]
fn orbit(t: f64, #[constant] k: f64) -> (f64, f64) {
    ((k * t).sin(), t * t * t)
}

macro_rules! pairs {
    ($run:ident) => {
        $run!(AutoSource::new(), 1e-12);
        $run!(AutoDual::new(), 1e-12);
        $run!(AutoDual::new().chunk(1), 1e-12);
        $run!(SecondOrder::new(AutoDual::new(), AutoSource::new()), 1e-12);
        $run!(SecondOrder::new(AutoDual::new(), AutoDual::new()), 1e-12);
        $run!(
            SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
            1e-5
        );
        $run!(
            SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new()),
            1e-5
        );
        $run!(
            SecondOrder::new(AutoFiniteDiff::new(), AutoFiniteDiff::new()),
            1e-3
        );
    };
}

#[test]
fn pairs_of_engines() {
    let _row = rows(&[10, 11, 12, 13, 60]);
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let backend = $backend;
            for n in [1, 3, 9] {
                let (x, k) = (point(n), 0.9);
                let (g, h) = derivatives(&x, k);
                let f = energy::AD.with(k);
                let prep = prepare_hessian(energy::AD.with(0.1), &backend, &vec![0.0; n]).unwrap();
                for _ in 0..2 {
                    let (y, grad, found) =
                        value_gradient_and_hessian(f, &prep, &backend, &x).unwrap();
                    near(&[y], &[energy(&x, k)], 1e-14);
                    near(&grad, &g, $tolerance);
                    near(&found, &h, $tolerance);
                    // exactly symmetric
                    let turned = di::Matrix::from_fn((n, n), |i, j| found[[j, i]]);
                    assert_bitwise("symmetry", found.as_slice(), turned.as_slice());
                }
                let v = [point(n), vec![1.0; n]];
                let prep = prepare_hvp(f, &backend, &vec![0.0; n], &v).unwrap();
                let (y, grad, hv) = value_gradient_and_hvp(f, &prep, &backend, &x, &v).unwrap();
                near(&[y], &[energy(&x, k)], 1e-14);
                near(&grad, &g, $tolerance);
                for (hv, v) in hv.iter().zip(&v) {
                    near(hv, &h.dot(&ndarray::aview1(v)), $tolerance);
                }
            }
            let (t, k) = (0.7_f64, 1.3);
            let f = orbit::AD.with(k);
            let prep = prepare_second_derivative(f, &backend, &0.0).unwrap();
            let (y, dy, ddy) =
                value_derivative_and_second_derivative(f, &prep, &backend, &t).unwrap();
            near(&[y.0, y.1], &[(k * t).sin(), t.powi(3)], 1e-14);
            near(&[dy.0, dy.1], &[k * (k * t).cos(), 3.0 * t * t], $tolerance);
            near(
                &[ddy.0, ddy.1],
                &[-k * k * (k * t).sin(), 6.0 * t],
                $tolerance,
            );
        };
    }
    pairs!(run);
}

#[test]
fn first_order_is_for_the_inner_engine() {
    let _row = rows(&[62, 63, 73]);
    let both = SecondOrder::new(AutoDual::new().chunk(2), AutoSource::new());
    let x = point(3);
    let refused = |error: Error| {
        let text = error.to_string();
        assert_same(&text, text.contains("use `backend.inner()`"), true);
    };
    let f = energy::AD.with(1.0);
    refused(gradient(f, NoPrep, &both, &x).unwrap_err());
    refused(jacobian(f, NoPrep, &both, &x).unwrap_err());
    refused(pushforward(f, NoPrep, &both, &x, &x).unwrap_err());
    refused(pullback(f, NoPrep, &both, &x, &1.0).unwrap_err());
    refused(derivative(orbit::AD.with(1.0), NoPrep, &both, &1.0).unwrap_err());
    near(
        &gradient(f, NoPrep, both.inner(), &x).unwrap(),
        &derivatives(&x, 1.0).0,
        1e-13,
    );
    assert_same("outer engine", *both.outer(), AutoDual::new().chunk(2));
    // engines that are one are both
    assert_same(
        "outer engine of one",
        AutoSource::new().outer().name(),
        "AutoSource",
    );
    assert_same(
        "inner engine of one",
        AutoFiniteDiff::new().inner().name(),
        "AutoFiniteDiff",
    );
    assert_same(
        "inner engine",
        Capabilities::inner(&both).name(),
        "AutoSource",
    );
    // counterparts keep what is set
    assert_same(
        "forward counterpart of a pair",
        both.forward_counterpart(),
        None,
    );
    assert_same(
        "forward counterpart",
        AutoDual::new().chunk(3).forward_counterpart(),
        Some(AutoDual::new().chunk(3)),
    );
    assert_same(
        "reverse counterpart of duals",
        AutoDual::new().reverse_counterpart(),
        None,
    );
    assert_same(
        "reverse counterpart",
        AutoSource::new().reverse_counterpart(),
        Some(AutoSource::new().reverse()),
    );
    assert_same(
        "forward counterpart of reverse code",
        AutoSource::new().reverse().forward_counterpart(),
        None,
    );
}

#[test]
fn modes_of_pairs() {
    let _row = rows(&[61]);
    use HvpMode::{ForwardOverForward, ForwardOverReverse, ReverseOverForward, ReverseOverReverse};
    let (f, r) = (Mode::Forward, Mode::Reverse);
    for (outer, inner, expected) in [
        (f, r, ForwardOverReverse),
        (r, f, ReverseOverForward),
        (r, r, ReverseOverReverse),
        (f, f, ForwardOverForward),
        (
            Mode::ForwardOrReverse,
            Mode::ForwardOrReverse,
            ForwardOverReverse,
        ),
        (Mode::Symbolic, Mode::Symbolic, ForwardOverReverse),
    ] {
        assert_same("mode", HvpMode::of(outer, inner), expected);
    }
    let pair = SecondOrder::new(AutoDual::new(), AutoSource::new());
    assert_same("mode of a pair", pair.hvp_mode(), ForwardOverReverse);
    assert_same(
        "mode of duals",
        AutoDual::new().hvp_mode(),
        ForwardOverForward,
    );
    assert_same(
        "mode of code",
        AutoSource::new().hvp_mode(),
        ForwardOverReverse,
    );
    assert_same(
        "mode of reverse code",
        AutoSource::new().reverse().hvp_mode(),
        ForwardOverReverse,
    );
    assert_same(
        "mode of duals over duals",
        SecondOrder::new(AutoDual::new(), AutoDual::new()).hvp_mode(),
        ForwardOverForward,
    );
}

#[test]
fn second_order_runs_no_more_than_it_needs() {
    let _row = rows(&[13, 64, 65, 66, 71]);
    let (n, k) = (16, 0.9);
    let (x, v, f) = (point(n), point(n), energy::AD.with(k));
    // forward over reverse: one pass gives value, gradient and product
    for pass in 0..2 {
        let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
        let prep = prepare_hvp(f, &backend, &x, &v).unwrap();
        let (_, alone) = calls(|| hvp(f, &prep, &backend, &x, &v).unwrap());
        let (_, all) = calls(|| value_gradient_and_hvp(f, &prep, &backend, &x, &v).unwrap());
        assert_eq!((alone, all), (1, 1), "{pass}");
    }
    // a tape over forward code: one recording for all tangents, and the gradient with it
    let backend = SecondOrder::new(AutoTape::eager(), AutoDual::new());
    assert_eq!(backend.hvp_mode(), HvpMode::ReverseOverForward);
    let tangents: [Vec<f64>; 6] =
        core::array::from_fn(|k| point(n).iter().map(|v| v + k as f64).collect());
    let prep = prepare_hvp(f, &backend, &x, &tangents).unwrap();
    let (_, one) = calls(|| hvp(f, NoPrep, &backend, &x, &v).unwrap());
    let (products, all) = calls(|| hvp(f, &prep, &backend, &x, &tangents).unwrap());
    let (_, both) = calls(|| gradient_and_hvp(f, &prep, &backend, &x, &tangents).unwrap());
    assert_eq!((one, all, both), (4, 4, 4));
    near(
        &products[5],
        &derivatives(&x, k).1.dot(&ndarray::aview1(&tangents[5])),
        1e-12,
    );
    // which is replayed while it holds: no evaluation
    let replayed = SecondOrder::new(AutoTape::new(), AutoDual::new());
    let prep = prepare_hvp(f, &replayed, &vec![0.1; n], &tangents).unwrap();
    let (again, none) = calls(|| hvp(f, &prep, &replayed, &x, &tangents).unwrap());
    assert_eq!(none, 0);
    near(&again[5], &products[5], 1e-12);
    // a tape over reverse code: one evaluation
    let backend = SecondOrder::new(AutoTape::eager(), AutoSource::new().reverse());
    assert_eq!(backend.hvp_mode(), HvpMode::ReverseOverReverse);
    let prep = prepare_hvp(f, &backend, &x, &tangents).unwrap();
    let (_, both) = calls(|| gradient_and_hvp(f, &prep, &backend, &x, &tangents).unwrap());
    assert_eq!(both, 1);
    // 16 columns, 8 at a time
    let prep = prepare_hessian(f, &AutoSource::new(), &x).unwrap();
    let (h, found) = calls(|| hessian(f, &prep, &AutoSource::new(), &x).unwrap());
    assert_eq!(found, 2);
    near(&h, &derivatives(&x, k).1, 1e-12);
    // forward over forward: of 2 by 4 blocks those above the diagonal are left out
    let prep = prepare_hessian(f, &AutoDual::new(), &x).unwrap();
    let (h, found) = calls(|| hessian(f, &prep, &AutoDual::new(), &x).unwrap());
    assert_eq!(found, 4 + 2);
    near(&h, &derivatives(&x, k).1, 1e-12);
}

#[differentiable]
fn path(t: f64, #[constant] c: f64, y: &mut [f64]) {
    y[0] = c * t * t * t;
    y[1] = (t * y[0]).sin();
}

#[test]
fn functions_that_write_have_second_derivatives() {
    let (t, c) = (0.7_f64, 2.0);
    let u = [c * t.powi(4), 4.0 * c * t.powi(3), 12.0 * c * t * t];
    let value = [c * t.powi(3), u[0].sin()];
    let first = [3.0 * c * t * t, u[0].cos() * u[1]];
    let second = [6.0 * c * t, u[0].cos() * u[2] - u[0].sin() * u[1] * u[1]];
    let names = ["forward", "reverse", "dual", "taylor", "tape"];
    for name in names
        .into_iter()
        .chain(["symbolic", "finite_diff", "complex_step"])
    {
        let backend = auto(name).unwrap();
        let accuracy = backend.accuracy(Operator::SecondDerivative);
        let mut y = [f64::NAN; 2];
        let f = path::AD.with(1.0).output(&mut y);
        let prep = prepare_second_derivative(f, &backend, &0.1).unwrap();
        let mut f = prep.bind(path::AD.with(c).output(&mut y));
        let (mut dy, mut ddy) = ([f64::NAN; 2], [f64::NAN; 2]);
        let into = f.value_derivative_and_second_derivative_into(&mut dy, &mut ddy, &t);
        near(into.unwrap().iter(), &value, 1e-12);
        near(&dy, &first, accuracy);
        near(&ddy, &second, accuracy);
        let (y, dy, ddy) = f.value_derivative_and_second_derivative(&t).unwrap();
        near(y.iter(), &value, 1e-12);
        near(&dy, &first, accuracy);
        near(&ddy, &second, accuracy);
        near(&f.second_derivative(&t).unwrap(), &second, accuracy);
    }
}
