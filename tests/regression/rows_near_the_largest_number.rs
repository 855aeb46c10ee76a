//! A row whose product overflowed while its rounding was measured, or whose sizes overflowed when they were
//! summed, had an infinite bound: a missing entry was accepted.

use di::prelude::*;
use di::sparse::{AutoSparse, Error as Sparsity, Tracing};
use di::{AutoSymbolic, Error};

#[differentiable]
fn large(x: &[f64], y: &mut [f64]) {
    y[0] = 1e308 * x[1] + if x[0] > 0.0 { 0.0 } else { 1e307 * x[2] };
    y[1] = x[2];
}

#[test]
fn missing_entries_of_large_rows_are_noticed() {
    macro_rules! check {
        ($($dense:expr),*) => {$(
            let backend = AutoSparse::new($dense).detector(Tracing::local());
            let mut y = [0.0; 2];
            let prep = prepare_jacobian(large::AD.output(&mut y), &backend, &[1.0, 0.5, 1.0]).unwrap();
            let j = jacobian(large::AD.output(&mut y), &prep, &backend, &[2.0, 0.25, 1.0]).unwrap();
            assert_eq!(j.data(), [1e308, 1.0]);
            let wrong = jacobian(large::AD.output(&mut y), &prep, &backend, &[-1.0, 0.5, 1.0]);
            let Err(Error::Sparsity(error)) = wrong else {
                panic!("{}: {wrong:?}", stringify!($dense))
            };
            assert_eq!(*error, Sparsity::Verification { line: 0 });
        )*};
    }
    check!(
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new()
    );
}
