//! Linearization: value and linear map at one point, without running the function again.

use core::cell::Cell;

use di::prelude::*;
use di::{Scalar, closure};
use di_test::compare::assert_empty;
use di_test::parity::rows;

use crate::near;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Calls since the last time.
fn calls() -> usize {
    CALLS.with(|calls| calls.replace(0))
}

fn counted() -> f64 {
    CALLS.with(|calls| calls.set(calls.get() + 1));
    0.0
}

#[differentiable]
fn wave(x: &[f64], #[constant] k: f64, y: &mut [f64]) {
    let zero = passive(counted());
    for i in 0..y.len() {
        y[i] = (k * x[i % x.len()]).sin() * x[(i + 1) % x.len()] + zero;
    }
}

/// Rows of the Jacobian, by hand.
fn wave_jacobian(x: &[f64], k: f64, m: usize) -> Vec<Vec<f64>> {
    let n = x.len();
    let row = |i: usize| {
        let (a, b) = (i % n, (i + 1) % n);
        let mut row = vec![0.0; n];
        row[a] += k * (k * x[a]).cos() * x[b];
        row[b] += (k * x[a]).sin();
        row
    };
    (0..m).map(row).collect()
}

fn products(j: &[Vec<f64>], dx: &[f64], yb: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let dy = j
        .iter()
        .map(|row| row.iter().zip(dx).map(|(a, b)| a * b).sum());
    let column = |k: usize| j.iter().zip(yb).map(|(row, b)| row[k] * b).sum();
    (dy.collect(), (0..dx.len()).map(column).collect())
}

const X: [f64; 3] = [0.3, -1.2, 0.8];

#[test]
fn record_of_generated_code_is_used_again() {
    let _row = rows(&[37, 38, 39, 113]);
    for m in [3, 12] {
        let (dx, yb): (Vec<f64>, Vec<f64>) =
            (vec![1.0, -2.0, 0.5], (1..=m).map(|i| i as f64).collect());
        let j = wave_jacobian(&X, 0.7, m);
        let (dy, xb) = products(&j, &dx, &yb);
        calls();
        let mut y = vec![9.0; m];
        let f = wave::AD.with(0.7).output(&mut y);
        let (y, df) = linearize(f, &AutoSource::new(), &X).unwrap();
        assert_eq!(calls(), 1);
        assert_eq!(y[0], (0.7 * X[0]).sin() * X[1]);
        for _ in 0..3 {
            near(&df.pushforward(&dx).unwrap(), &dy, 1e-14);
            near(&df.pullback(&yb).unwrap(), &xb, 1e-14);
        }
        assert_eq!(calls(), 0, "the primal ran again");
        assert_eq!(df.dim(), (m, 3));
        assert!(df.pullback(&[1.0]).is_err() && df.pushforward(&[1.0]).is_err());
    }
}

#[test]
fn matrix_serves_every_engine() {
    let _row = rows(&[38, 39, 113]);
    let m = 20;
    let (dx, yb): (Vec<f64>, Vec<f64>) =
        (vec![1.0, -2.0, 0.5], (1..=m).map(|i| i as f64).collect());
    let j = wave_jacobian(&X, 0.7, m);
    let (dy, xb) = products(&j, &dx, &yb);
    macro_rules! check {
        ($backend:expr, $tolerance:expr) => {
            let mut y = vec![0.0; m];
            let (_, df) = linearize(wave::AD.with(0.7).output(&mut y), &$backend, &X).unwrap();
            // as it is: an evaluation for each
            near(&df.pushforward(&dx).unwrap(), &dy, $tolerance);
            near(&df.pullback(&yb).unwrap(), &xb, $tolerance);
            let df = df.with_matrix().unwrap();
            calls();
            near(&df.pushforward(&dx).unwrap(), &dy, $tolerance);
            near(&df.pullback(&yb).unwrap(), &xb, $tolerance);
            assert_eq!(calls(), 0, "the primal ran again");
        };
    }
    check!(AutoSource::new(), 1e-13);
    check!(AutoDual::new(), 1e-13);
    check!(AutoFiniteDiff::new(), 1e-6);
}

#[test]
fn pullbacks_at_one_point_do_not_run_the_function() {
    let _row = rows(&[37, 38]);
    let backend = AutoSource::new();
    let (yb, mut y) = ([1.0, 2.0, 3.0], [0.0; 3]);
    let f = || wave::AD.with(0.7);
    let prep = prepare_pullback_same_point(f().output(&mut y), &backend, &X, &yb).unwrap();
    calls();
    for scale in [1.0, -3.0] {
        let yb = yb.map(|v| v * scale);
        let xb = pullback(f().output(&mut y), &prep, &backend, &X, &yb).unwrap();
        near(&xb, &products(&wave_jacobian(&X, 0.7, 3), &X, &yb).1, 1e-14);
    }
    assert_eq!(calls(), 0);
}

#[generic]
fn nothing<S: Scalar<Real = f64>>(x: &[S]) -> Vec<S> {
    x.to_vec()
}

#[test]
fn empty_functions_are_linear_too() {
    let x: [f64; 0] = [];
    let (y, df) = linearize(nothing::AD, &AutoDual::new(), &x).unwrap();
    assert!(y.is_empty());
    assert!(df.pushforward(&x).unwrap().is_empty());
    let df = df.with_matrix().unwrap();
    assert_empty("pullback", &df.pullback(&x).unwrap());
}

#[derive(Debug, PartialEq)]
struct Outside(f64);

impl core::fmt::Display for Outside {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} is outside of the table", self.0)
    }
}

impl std::error::Error for Outside {}

#[generic]
fn root<S: Scalar<Real = f64>>(x: &[S]) -> Result<S, Outside> {
    if x[0].lt(S::default()) {
        return Err(Outside(x[0].primal()));
    }
    Ok(x[0].sqrt())
}

#[generic]
fn roots<S: Scalar<Real = f64>>(
    x: &[S],
    y: &mut [S],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    for (y, x) in y.iter_mut().zip(x) {
        if x.lt(S::default()) {
            return Err("a negative number".into());
        }
        *y = x.sqrt();
    }
    Ok(())
}

/// The error of a function comes back as it is, and the next call begins clean.
#[test]
fn functions_that_fail() {
    let backend = AutoDual::new();
    let prep = prepare_gradient(root::AD, &backend, &[4.0]).unwrap();
    let failed = |error: di::Error| match error {
        di::Error::Function(failure) => failure,
        other => panic!("expected the function's error, found {other}"),
    };
    let error = gradient(root::AD, &prep, &backend, &[-1.0]).unwrap_err();
    assert_eq!(error.to_string(), "-1 is outside of the table");
    assert_eq!(failed(error).downcast_ref(), Some(&Outside(-1.0)));
    assert_eq!(gradient(root::AD, &prep, &backend, &[4.0]), Ok([0.25]));
    let mut y = [0.0; 2];
    let error = jacobian(roots::AD.output(&mut y), NoPrep, &backend, &[1.0, -1.0]).unwrap_err();
    assert_eq!(error.to_string(), "a negative number");
    assert!(hessian(root::AD, NoPrep, &backend, &[-1.0]).is_err());
    assert!(linearize(root::AD, &backend, &[-1.0]).is_err());

    let f = closure(|x: &[f64]| {
        if x[0] < 0.0 {
            Err(Outside(x[0]))
        } else {
            Ok(vec![x[0]])
        }
    });
    // the length of the result is not known without it
    let error = prepare_jacobian(f, &AutoFiniteDiff::new(), &[-2.0])
        .map(|_| ())
        .unwrap_err();
    assert_eq!(failed(error).downcast_ref(), Some(&Outside(-2.0)));
    let j = jacobian(f, NoPrep, &AutoFiniteDiff::new(), &[2.0]).unwrap();
    near(&j, &[1.0], 1e-8);
}

/// A recording of a failed run is not replayed: the next call at such a point fails too.
#[test]
fn failures_are_not_replayed() {
    let backend = AutoTape::new();
    for prep in [
        prepare_gradient(root::AD, &backend, &[4.0]).unwrap(),
        prepare_gradient(root::AD, &backend, &[1.0]).unwrap(),
    ] {
        for _ in 0..2 {
            for x in [-1.0, -2.0, -1.0] {
                let error = gradient(root::AD, &prep, &backend, &[x]).unwrap_err();
                assert_eq!(error.to_string(), Outside(x).to_string());
            }
            near(
                &gradient(root::AD, &prep, &backend, &[4.0]).unwrap(),
                &[0.25],
                1e-15,
            );
        }
    }
    assert!(prepare_hessian(root::AD, &backend, &[-1.0]).is_err());
    for x in [-1.0, -2.0] {
        assert!(hessian(root::AD, NoPrep, &backend, &[x]).is_err());
    }
}

/// A failure is not forgotten when the function goes on with operators of its own.
#[test]
fn failure_outlives_inner_operators() {
    let inner = closure(|x: &[f64]| x[0] * x[0]);
    let f = closure(|x: &[f64]| -> Result<f64, Outside> {
        let g = gradient(inner, NoPrep, &AutoFiniteDiff::new(), x).unwrap_or_default();
        // fails behind the first evaluation, so that others follow
        if x[0] > 1.0 {
            Err(Outside(x[0]))
        } else {
            Ok(g[0])
        }
    });
    let found = gradient(f, NoPrep, &AutoFiniteDiff::new(), &[1.0]);
    assert!(matches!(found, Err(di::Error::Function(_))), "{found:?}");
}
