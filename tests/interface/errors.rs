//! What is refused, and how it is said.

use di::prelude::*;
use di::{Error, Scalar};
use di_test::compare::assert_same;
use di_test::parity::rows;

#[differentiable]
fn pair(a: &[f64], b: f64, c: &[f64]) -> f64 {
    a[0] * b + c[0]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    weights: Vec<f64>,
    bias: Vec<f64>,
    name: String,
}

#[differentiable]
fn layer(p: &Layer) -> f64 {
    p.weights[0] * p.bias[0]
}

#[track_caller]
fn says<T>(result: Result<T, Error>, parts: &[&str]) {
    let text = result.err().map(|e| e.to_string()).unwrap_or_default();
    for part in parts {
        let found = text.contains(part);
        assert_same(&format!("`{part}` is in `{text}`"), found, true);
    }
}

#[test]
fn parts_of_tuples_and_structs_are_named() {
    let _row = rows(&[43]);
    let backend = AutoSource::new();
    let x = ([1.0, 2.0].as_slice(), 3.0, [4.0].as_slice());
    let other = (x.0, x.1, [4.0, 5.0].as_slice());
    let prep = prepare_gradient(pair::AD, &backend, &x).unwrap();
    says(
        gradient(pair::AD, &prep, &backend, &other),
        &["x: expected ([2], number, [1]), found ([2], number, [2])"],
    );
    let p = Layer {
        weights: vec![1.0, 2.0],
        bias: vec![3.0],
        name: "first".to_owned(),
    };
    let other = Layer {
        bias: vec![],
        ..p.clone()
    };
    let prep = prepare_gradient(layer::AD, &backend, &p).unwrap();
    says(
        gradient(layer::AD, &prep, &backend, &other),
        &["x: expected (weights: [2], bias: [1]), found (weights: [2], bias: [0])"],
    );
}

#[test]
fn chunks_that_do_not_fit_say_what_fits() {
    let _row = rows(&[44, 54]);
    let x = vec![1.0; 20];
    for (chunk, n, text) in [
        (0, 20, "expected 1 to 8"),
        (9, 20, "expected 1 to 8"),
        (4, 3, "expected 1 to 3"),
    ] {
        let backend = AutoDual::new().chunk(chunk);
        let found = format!("found {chunk}");
        says(
            gradient(sum::AD, NoPrep, &backend, &x[..n]),
            &[text, &found],
        );
    }
    // other parameters of the backend than in the prep
    let prep = prepare_gradient(sum::AD, &AutoDual::new().chunk(2), &x).unwrap();
    says(
        gradient(sum::AD, &prep, &AutoDual::new().chunk(4), &x),
        &["backend: expected", "Some(2)", "Some(4)"],
    );
    let capped = AutoDual::new().chunk(8).threshold_batchsize(3);
    assert_eq!(capped.pick_batchsize(5), Ok(3));
}

#[generic]
fn sum<S: Scalar<Real = f64>>(x: &[S]) -> S {
    x.iter().fold(S::default(), |s, x| s + *x)
}

/// A prep for one point knows its point, also if that has no number, and tells zeros apart.
#[test]
fn point_of_a_prep_is_compared_bit_for_bit() {
    let _row = rows(&[37]);
    let (backend, v) = (AutoSource::new(), [1.0]);
    for x in [[f64::NAN], [-0.0], [f64::INFINITY]] {
        let prep = prepare_pushforward_same_point(reciprocal::AD, &backend, &x, &v).unwrap();
        assert!(pushforward(reciprocal::AD, &prep, &backend, &x, &v).is_ok());
        says(
            pushforward(reciprocal::AD, &prep, &backend, &[0.0], &v),
            &["another point"],
        );
    }
}

#[differentiable]
fn reciprocal(x: &[f64]) -> f64 {
    1.0 / x[0]
}

/// A constant that nobody can look into.
struct Hidden(f64);

#[differentiable]
fn waves(x: &[f64], #[constant] k: &[f64], shift: f64) -> f64 {
    (k[0] * x[0]).sin() * x[1] + k[1] * x[0] * x[1] * x[1] + shift * x[0]
}

#[differentiable]
fn hidden(x: &[f64], #[constant] k: &Hidden) -> f64 {
    (k.0 * x[0]).sin() * x[1]
}

/// What was recorded with other constants is not used, whoever recorded it.
#[test]
fn constants_of_a_prep_for_one_point_are_compared() {
    let _row = rows(&[37, 42]);
    let (x, v) = ([0.4, 1.5], [1.0, -2.0]);
    let (old, new) = ([2.0, 3.0], [2.0, 4.0]);
    let (zero, one) = (0.0, 1.0);
    macro_rules! each {
        ($($backend:expr),+) => {$({
            let backend = $backend;
            let with = |k| waves::AD.with(k).fix_shift(&zero);
            let others = ["constants: expected those that the prep was made with, found others"];
            let prep = prepare_pushforward_same_point(with(&old), &backend, &x, &v).unwrap();
            assert!(pushforward(with(&old), &prep, &backend, &x, &v).is_ok());
            says(pushforward(with(&new), &prep, &backend, &x, &v), &others);
            // what is fixed is a constant too
            let f = waves::AD.with(&old).fix_shift(&one);
            says(pushforward(f, &prep, &backend, &x, &v), &others);
            let prep = prepare_pullback_same_point(with(&old), &backend, &x, &1.0).unwrap();
            assert!(pullback(with(&old), &prep, &backend, &x, &1.0).is_ok());
            says(pullback(with(&new), &prep, &backend, &x, &1.0), &others);
            let prep = prepare_hvp_same_point(with(&old), &backend, &x, &v).unwrap();
            assert!(hvp(with(&old), &prep, &backend, &x, &v).is_ok());
            says(hvp(with(&new), &prep, &backend, &x, &v), &others);

            let prep =
                prepare_pullback_same_point(hidden::AD.with(&Hidden(2.0)), &backend, &x, &1.0);
            let prep = prep.unwrap();
            for k in [2.0, 5.0] {
                let g = pullback(hidden::AD.with(&Hidden(k)), &prep, &backend, &x, &1.0).unwrap();
                let expected = [k * (k * x[0]).cos() * x[1], (k * x[0]).sin()];
                crate::near(&g, &expected, 1e-12);
            }
        })+};
    }
    each!(
        AutoSource::new(),
        AutoSource::new().reverse(),
        AutoDual::new(),
        AutoTape::new()
    );
}
