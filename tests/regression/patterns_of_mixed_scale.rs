//! A pattern that misses an entry was believed where another entry is large, or infinite: the matrix was wrong.

use di::prelude::*;
use di::sparse::{AutoSparse, Error as Sparsity, Greedy, Partition, Tracing, Verify};
use di::{
    AutoComplexStep, AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSymbolic, AutoTaylor,
    Error,
};

/// Another row is large.
#[differentiable]
fn other_row(x: &[f64], y: &mut [f64]) {
    y[0] = 1e9 * x[0];
    y[1] = if x[1] > 0.0 { x[1] } else { x[1] + 5.0 * x[2] };
}

/// Another entry of the row is.
#[differentiable]
fn same_row(x: &[f64], y: &mut [f64]) {
    y[0] = 1e5 * x[0] + if x[1] > 0.0 { 0.0 } else { x[1] };
    y[1] = 2.0 * x[1];
}

/// The same by eleven orders of magnitude.
#[differentiable]
fn far_apart(x: &[f64], y: &mut [f64]) {
    y[0] = 1e11 * x[0] + if x[1] > 0.0 { 0.0 } else { x[1] };
    y[1] = 1e-11 * x[1];
}

/// A row that is missing, beside a large one.
#[differentiable]
fn missing_row(x: &[f64], y: &mut [f64]) {
    y[0] = 1e9 * x[0];
    y[1] = if x[1] > 0.0 { 0.0 } else { 1e-5 * x[0] };
}

/// Beside one that is far smaller.
#[differentiable]
fn missing_beside_small(x: &[f64], y: &mut [f64]) {
    y[0] = 1e-250 * x[0];
    y[1] = if x[1] > 0.0 { 0.0 } else { 1e-270 * x[0] };
}

/// Beside one that is pure rounding of what it is summed from.
#[differentiable]
fn missing_beside_rounding(x: &[f64], y: &mut [f64]) {
    y[0] = (1e9 * x[0] + 1e-9 * x[2]) - 1e9 * x[0];
    y[1] = x[1] + if x[1] > 0.0 { 0.0 } else { 1e-3 * x[0] };
}

/// Another row of the Hessian is large.
#[differentiable]
fn curved(x: &[f64]) -> f64 {
    let bend = if x[1] > 0.0 { 0.0 } else { 5.0 * x[2] };
    1e9 * x[0] * x[0] + x[1] * (x[1] + bend)
}

/// Another entry of the row is.
#[differentiable]
fn curved_row(x: &[f64]) -> f64 {
    let bend = if x[1] > 0.0 { 0.0 } else { x[1] };
    1e5 * x[0] * x[0] + bend * x[0] + x[1] * x[1]
}

/// Another entry is infinite at 0.
#[differentiable]
fn root(x: &[f64], y: &mut [f64]) {
    y[0] = x[0].sqrt() + if x[1] > 0.0 { x[1] } else { x[1] + 5.0 * x[2] };
    y[1] = 3.0 * x[1];
}

#[differentiable]
fn curved_root(x: &[f64]) -> f64 {
    let bend = if x[1] > 0.0 { 0.0 } else { 5.0 * x[2] };
    x[0].powf(1.5) * x[1] + x[1] * (x[1] + bend)
}

fn is_refused<T: core::fmt::Debug>(result: Result<T, Error>) {
    match result {
        Err(Error::Sparsity(error)) => {
            assert!(matches!(*error, Sparsity::Verification { .. }), "{error}");
        }
        other => panic!("a pattern that misses an entry was believed: {other:?}"),
    }
}

/// Prepared where `x[1]` is positive, called where it is and where it is not.
macro_rules! jacobians {
    ($dense:expr; $($f:ident)*) => {$(
        for partition in [None, Some(Partition::Columns), Some(Partition::Rows), Some(Partition::Bidirectional)] {
            for coloring in [Greedy::new(), Greedy::new().substitution()] {
                let backend = AutoSparse::new($dense).detector(Tracing::local()).coloring(coloring);
                let backend = match partition {
                    Some(partition) => backend.partition(partition),
                    None => backend,
                };
                let mut y = [0.0; 2];
                let prep = prepare_jacobian($f::AD.output(&mut y), &backend, &[1.0; 3]).unwrap();
                let right = jacobian($f::AD.output(&mut y), &prep, &backend, &[2.0, 1.0, 1.0]);
                assert!(right.is_ok(), "{right:?}");
                is_refused(jacobian($f::AD.output(&mut y), &prep, &backend, &[1.0, -1.0, 1.0]));
            }
        }
    )*};
}

#[test]
fn jacobians_of_mixed_scale_are_verified() {
    macro_rules! engines {
        ($($dense:expr),*) => {$(
            jacobians!($dense; other_row same_row far_apart missing_row missing_beside_small missing_beside_rounding);
        )*};
    }
    engines!(
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
        AutoDual::new(),
        AutoTape::new(),
        AutoTaylor::new(),
        AutoSymbolic::new(),
        AutoComplexStep::new(),
        AutoReverseFromPrimitive(AutoSource::new()),
        AutoForwardFromPrimitive(AutoSource::new())
    );
}

macro_rules! hessians {
    ($dense:expr; $($f:ident)*) => {$(
        for coloring in [Greedy::new(), Greedy::new().substitution()] {
            let backend = AutoSparse::new($dense).detector(Tracing::local()).coloring(coloring);
            let prep = prepare_hessian($f::AD, &backend, &[1.0; 3]).unwrap();
            let right = hessian($f::AD, &prep, &backend, &[2.0, 1.0, 1.0]);
            assert!(right.is_ok(), "{right:?}");
            is_refused(hessian($f::AD, &prep, &backend, &[1.0, -1.0, 1.0]));
        }
    )*};
}

#[test]
fn hessians_of_mixed_scale_are_verified() {
    macro_rules! engines {
        ($($dense:expr),*) => {$(
            hessians!($dense; curved curved_row);
        )*};
    }
    engines!(
        AutoSource::new(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        SecondOrder::new(AutoDual::new(), AutoSource::new())
    );
}

/// What is finite beside an infinite entry is compared where that can be computed; where it cannot, that is an error.
#[test]
fn infinite_entries_hide_nothing() {
    macro_rules! engines {
        ($($dense:expr),*) => {$(
            for partition in [Partition::Columns, Partition::Rows, Partition::Bidirectional] {
                let backend = AutoSparse::new($dense)
                    .detector(Tracing::local())
                    .partition(partition);
                let mut y = [0.0; 2];
                let prep = prepare_jacobian(root::AD.output(&mut y), &backend, &[1.0; 3]).unwrap();
                let wrong = jacobian(root::AD.output(&mut y), &prep, &backend, &[0.0, -1.0, 1.0]);
                assert!(matches!(wrong, Err(Error::Sparsity(_))), "{partition:?} {wrong:?}");
            }
            let backend = AutoSparse::new($dense).detector(Tracing::local());
            let prep = prepare_hessian(curved_root::AD, &backend, &[1.0; 3]).unwrap();
            let wrong = hessian(curved_root::AD, &prep, &backend, &[0.0, -1.0, 1.0]);
            assert!(matches!(wrong, Err(Error::Sparsity(_))), "{wrong:?}");
        )*};
    }
    engines!(
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
        AutoDual::new(),
        AutoTape::new()
    );
}

/// An infinite entry that is missing itself leaves nothing to compare: that is said, unless the pattern is trusted.
#[test]
fn what_cannot_be_verified_is_an_error() {
    #[differentiable]
    fn hidden(x: &[f64], y: &mut [f64]) {
        y[0] = x[0] + if x[1] > 0.0 { x[1] } else { x[2].sqrt() };
        y[1] = 3.0 * x[1];
    }
    let (base, x) = ([1.0; 3], [1.0, -1.0, 0.0]);
    for verify in [Verify::Auto, Verify::Never] {
        let backend = AutoSparse::new(AutoDual::new())
            .detector(Tracing::local())
            .verify(verify);
        let mut y = [0.0; 2];
        let prep = prepare_jacobian(hidden::AD.output(&mut y), &backend, &base).unwrap();
        match (
            verify,
            jacobian(hidden::AD.output(&mut y), &prep, &backend, &x),
        ) {
            (Verify::Never, Ok(_)) => {}
            (Verify::Auto, Err(Error::Sparsity(error))) => {
                assert_eq!(*error, Sparsity::Unverified { line: 0 });
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The other entries of a row with an infinite one are compared: the right pattern is verified.
#[test]
fn rows_with_infinite_entries_are_verified() {
    for partition in [Partition::Rows, Partition::Columns] {
        let backend = AutoSparse::new(AutoSource::new())
            .detector(Tracing::local())
            .partition(partition);
        let mut y = [0.0; 2];
        let prep = prepare_jacobian(root::AD.output(&mut y), &backend, &[1.0; 3]).unwrap();
        let j = jacobian(root::AD.output(&mut y), &prep, &backend, &[0.0, 1.0, 1.0]).unwrap();
        assert_eq!(j.get(0, 0), Some(&f64::INFINITY), "{partition:?}");
        if partition == Partition::Rows {
            assert_eq!(j.data(), [f64::INFINITY, 1.0, 3.0]);
        }
    }
    // a pattern that holds everywhere is not asked about
    let backend = AutoSparse::new(AutoDual::new());
    let mut y = [0.0; 2];
    let j = jacobian(root::AD.output(&mut y), NoPrep, &backend, &[0.0, 1.0, 1.0]).unwrap();
    assert_eq!(j.get(0, 0), Some(&f64::INFINITY));
}
