//! Test kit: checks derivatives of annotated functions against differences, each other, and closed forms.
//!
//! Everything in it is slow and obvious, for tests.

pub mod allocations;
mod benchmark;
pub mod calls;
mod check;
pub mod compare;
pub mod complex_step;
mod counts;
pub mod differences;
pub mod families;
mod flat;
pub mod forms;
pub mod language;
mod options;
pub mod parity;
mod report;
pub mod rows;
mod scenario;
mod subject;
mod suite;
pub mod sweeps;
mod trial;

pub use benchmark::{
    Benchmark, BenchmarkOptions, Fastest, Measurement, Variants, benchmark_differentiation,
    fastest_backend,
};
pub use check::{check_differentiation, test_differentiation};
pub use counts::{check_calls, test_calls};
pub use flat::ReadMatrix;
pub use options::{Allocations, Options, Sparsity};
pub use report::{Entry, Report};
pub use scenario::{About, Place, Reference, Scale, Scenario};
pub use subject::{Returns, Subject, Writes, returns, writes};
pub use suite::{Backends, Label, Suite, Trials};
pub use trial::{Act, At, Form, Misuse, Outcome, Run, To, Trial, Visit};

/// What to check of an annotated function of a slice that returns a number, see [`language::Scalar`].
///
/// `scalar!(f)`, or with a bound handle and the plain function `scalar!(f::AD.with(&data), |x| f(x, &data))`.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::scalar;
///
/// #[differentiable]
/// fn product(x: &[f64]) -> f64 {
///     x[0] * x[1].sin()
/// }
///
/// scalar!(product).check(&[&[0.5, 2.0], &[-1.0, 0.3]]);
/// ```
#[macro_export]
macro_rules! scalar {
    ($f:ident) => {
        $crate::scalar!($f::AD, $f)
    };
    ($handle:expr, $plain:expr) => {
        $crate::language::Scalar::new(stringify!($handle), $handle, $plain)
    };
}

/// What to check of an annotated function of a slice that writes to a slice, see [`language::InPlace`].
///
/// `inplace!(f, m)` for `m` outputs, or with a bound handle and the plain function
/// `inplace!(f::AD.with(&data), |x, y| f(x, &data, y), m)`.
#[macro_export]
macro_rules! inplace {
    ($f:ident, $m:expr) => {
        $crate::inplace!($f::AD, $f, $m)
    };
    ($handle:expr, $plain:expr, $m:expr) => {
        $crate::language::InPlace::new(|x: &[f64], step: f64| {
            let m = $m;
            let plain = $crate::language::returning($plain, m);
            let mut y = ::std::vec![0.0; m];
            let name = ::std::format!("{} at {x:?}", ::std::stringify!($handle));
            $crate::forms::check_forms(&name, $handle.output(&mut y), &plain, x, step);
            let backend = ::di::AutoSource::new();
            let prep = ::di::prepare_jacobian($handle.output(&mut y), &backend, x).expect("prepare_jacobian");
            let into = &mut |j: &mut _| ::di::jacobian_into($handle.output(&mut y), j, &prep, &backend, x);
            $crate::language::check_jacobians(&name, m, into, &plain, x, step);
        })
    };
}

/// The examples of the page on testing.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/testing.md")]
pub struct Testing;
