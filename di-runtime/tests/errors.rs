//! What is refused, and what the refusal says.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{rosenbrock, springs, weighted};
use di_runtime::backends::{AutoDual, AutoFiniteDiff, AutoSource};
use di_runtime::closure::closure;
use di_runtime::error::Error;
use di_runtime::matrix::Matrix;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use std::cell::{Cell, RefCell};

/// The message has all these parts.
fn says(error: &Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

#[test]
fn other_length_than_prepared() {
    let (f, b) = (rosenbrock::AD, AutoSource::new());
    let prep = prepare_gradient(f, &b, &[1.0, 2.0]).unwrap();
    let error = gradient(f, &prep, &b, &[1.0, 2.0, 3.0]).unwrap_err();
    assert!(matches!(error, Error::Preparation(_)));
    says(
        &error,
        &[
            "`gradient`",
            "x: expected [2], found [3]",
            "backend: AutoSource",
        ],
    );
    // what `main` and `unwrap` print
    let printed = format!("{error:?}");
    assert!(printed.contains("x: expected [2], found [3]"), "{printed}");
}

#[test]
fn other_backend_than_prepared() {
    let f = rosenbrock::AD;
    let prep = prepare_gradient(f, &AutoDual::new(), &[1.0, 2.0]).unwrap();
    let error = gradient(f, &prep, &AutoDual::new().chunk(2), &[1.0, 2.0]).unwrap_err();
    assert!(matches!(error, Error::Preparation(_)));
    says(
        &error,
        &[
            "backend: expected AutoDual",
            "chunk: Some(2)",
            "x: [2], as expected",
        ],
    );
}

#[test]
fn other_contexts_than_prepared() {
    let b = AutoSource::new();
    let (mut y, force) = (vec![0.0; 3], vec![0.0; 2]);
    let f = springs::AD.with(1.0, &force);
    let prep = prepare_jacobian(f.output(&mut y), &b, &[1.0, 2.0, 3.0]).unwrap();
    let longer = springs::AD.with(1.0, &[0.0; 3]);
    let error = jacobian(longer.output(&mut y), &prep, &b, &[1.0, 2.0, 3.0]).unwrap_err();
    says(&error, &["caches: expected [2], found [3]"]);
    let mut more = vec![0.0; 4];
    let error = jacobian(f.output(&mut more), &prep, &b, &[1.0, 2.0, 3.0]).unwrap_err();
    says(&error, &["output: expected [3], found [4]"]);
    // Constants may change.
    let j = jacobian(
        springs::AD.with(2.0, &force).output(&mut y),
        &prep,
        &b,
        &[1.0, 2.0, 3.0],
    );
    assert_eq!(j.unwrap()[[0, 1]], 6.0);
    let prep = prepare_gradient(weighted::AD.fix_b(&[1.0, 2.0]), &b, &1.0).unwrap();
    let error = gradient(weighted::AD.fix_b(&[1.0]), &prep, &b, &1.0).unwrap_err();
    says(&error, &["fixed parameters: expected [2], found [1]"]);
}

#[test]
fn buffers_of_another_length() {
    let (f, b, x) = (rosenbrock::AD, AutoSource::new(), [1.0, 2.0]);
    let error = gradient_into(f, &mut [0.0; 3], NoPrep, &b, &x).unwrap_err();
    assert!(matches!(error, Error::Shape(_)));
    says(&error, &["result: expected [2], found [3]"]);
    let error = hessian_into(f, &mut Matrix::zeros((2, 3)), NoPrep, &b, &x).unwrap_err();
    says(&error, &["result: expected (2, 2), found (2, 3)"]);
    let mut wrong = vec![0.0; 1];
    let error =
        value_gradient_and_hessian_into(f, &mut wrong, &mut Matrix::zeros((2, 2)), NoPrep, &b, &x);
    says(&error.unwrap_err(), &["gradient: expected [2], found [1]"]);
    let mut y = vec![0.0; 2];
    let error = jacobian_into(
        springs::AD.with(1.0, &[0.0]).output(&mut y),
        &mut Matrix::zeros((2, 1)),
        NoPrep,
        &b,
        &x,
    );
    says(
        &error.unwrap_err(),
        &["result: expected (2, 2), found (2, 1)"],
    );
}

#[test]
fn tangents_of_another_length_or_number() {
    let (f, b, x) = (rosenbrock::AD, AutoSource::new(), [1.0, 2.0]);
    let error = pushforward(f, NoPrep, &b, &x, &vec![1.0]).unwrap_err();
    says(
        &error,
        &["`pushforward`", "tangent: expected [2], found [1]"],
    );
    let error = hvp(f, NoPrep, &b, &x, &[vec![1.0, 2.0], vec![1.0]]).unwrap_err();
    says(&error, &["tangent: expected [2], found [1]"]);
    let two = [[1.0, 0.0], [0.0, 1.0]];
    let prep = prepare_hvp(f, &b, &x, &two).unwrap();
    let error = hvp(f, &prep, &b, &x, &[[1.0, 0.0]]).unwrap_err();
    says(&error, &["number of tangents: expected 2, found 1"]);
    let mut one = [[0.0; 2]];
    let error = hvp_into(f, &mut one, &prep, &b, &x, &two).unwrap_err();
    says(&error, &["number of results: expected 2, found 1"]);
    let mut y = vec![0.0; 2];
    let f = springs::AD.with(1.0, &[0.0]);
    let error = pullback(f.output(&mut y), NoPrep, &b, &x, &[1.0]).unwrap_err();
    says(&error, &["adjoint: expected [2], found [1]"]);
}

#[test]
fn result_of_another_length_than_prepared() {
    let f = closure(|x: &[f64]| vec![1.0; if x[0] > 0.0 { 3 } else { 2 }]);
    let b = AutoFiniteDiff::new();
    let prep = prepare_jacobian(f, &b, &[-1.0]).unwrap();
    let error = jacobian(f, &prep, &b, &[1.0]).unwrap_err();
    says(&error, &["value: expected [2], found [3]"]);
}

#[test]
fn chunk_larger_than_the_input() {
    let error =
        prepare_gradient(rosenbrock::AD, &AutoDual::new().chunk(3), &[1.0, 2.0]).unwrap_err();
    assert_eq!(
        error,
        Error::Chunk {
            chunk: 3,
            largest: 2
        }
    );
    says(&error, &["expected 1 to 2", "found 3"]);
    let smaller = AutoDual::new().chunk(3).threshold_batchsize(2);
    assert!(prepare_gradient(rosenbrock::AD, &smaller, &[1.0, 2.0]).is_ok());
}

#[test]
fn prep_that_is_in_use() {
    // The function asks for a gradient of its own, with the prep that is at work.
    type Inner<'a> = &'a dyn Fn() -> Result<(), Error>;
    let inner: RefCell<Option<Inner<'_>>> = RefCell::new(None);
    let seen: Cell<Option<Error>> = Cell::new(None);
    let b = AutoFiniteDiff::new();
    let f = closure(|x: &[f64]| {
        if let Some(inner) = inner.borrow_mut().take() {
            seen.set(inner().err());
        }
        x[0]
    });
    let prep = prepare_gradient(&f, &b, &[1.0]).unwrap();
    let again = || gradient(&f, &prep, &b, &[1.0]).map(drop);
    *inner.borrow_mut() = Some(&again);
    gradient(&f, &prep, &b, &[1.0]).unwrap();
    let error = seen.take().expect("the function was run");
    assert!(matches!(error, Error::InUse { .. }));
    says(&error, &["`gradient`", "clone it"]);
}
