//! All families at once, for authors of backends.

use super::{
    AllocationFreeScenarios, DefaultScenarios, EmptyScenarios, SingleScenarios, SparseScenarios,
    StaticScenarios, StructScenarios, allocation_free_scenarios, default_scenarios,
    empty_scenarios, single_precision_scenarios, sparse_scenarios, static_scenarios,
    struct_scenarios,
};
use crate::check::check_some;
use crate::rows::is_idle;
use crate::{Backends, Options, Report, Sparsity};

/// Every family for `f64`.
pub type Doubles = (
    DefaultScenarios,
    StaticScenarios,
    SparseScenarios,
    EmptyScenarios,
    AllocationFreeScenarios,
    StructScenarios,
);

/// Tries all backends on every family that the kit has, for `f64` and for `f32`.
///
/// Backends that store sparse matrices are expected to store the entries of the scenario and no others.
///
/// # Panics
/// If anything does not hold, or if a backend has none of the operators.
///
/// # Examples
/// ```no_run
/// use di::AutoDual;
///
/// di_test::families::test_everything(&(AutoDual::new(), AutoDual::new().chunk(1)));
/// ```
#[track_caller]
pub fn test_everything<B: Backends<Doubles> + Backends<SingleScenarios>>(backends: &B) {
    check_everything(backends, &Options::new().sparsity(Sparsity::OfSparse));
}

/// [`test_everything`] with options.
///
/// # Panics
/// As [`test_everything`].
#[track_caller]
pub fn check_everything<B: Backends<Doubles> + Backends<SingleScenarios>>(
    backends: &B,
    options: &Options,
) {
    check_doubles(backends, options);
    let report = check_some(backends, &single_precision_scenarios(), options, most());
    println!("{report}");
    // It has no second order, so one engine over another has nothing to do.
    if tried(&report) {
        report.assert();
    }
}

/// [`test_everything`] without the families for `f32`, for engines that are made for `f64` alone.
///
/// # Panics
/// As [`test_everything`].
#[track_caller]
pub fn test_doubles<B: Backends<Doubles>>(backends: &B) {
    check_doubles(backends, &Options::new().sparsity(Sparsity::OfSparse));
}

/// The families of [`check_wrapped`].
pub type Wrapped = (
    DefaultScenarios,
    SparseScenarios,
    EmptyScenarios,
    StructScenarios,
);

/// [`check_everything`] for one engine over another: without the families for `f32` and for arrays of fixed length,
/// which go through the code of both engines as slices of `f64` do.
///
/// # Panics
/// As [`test_everything`].
#[track_caller]
pub fn check_wrapped<B: Backends<Wrapped>>(backends: &B, options: &Options) {
    let wrapped = (
        default_scenarios(),
        sparse_scenarios(),
        empty_scenarios(),
        struct_scenarios(),
    );
    let report = check_some(backends, &wrapped, options, most());
    println!("{report}");
    report.assert();
}

#[track_caller]
fn check_doubles<B: Backends<Doubles>>(backends: &B, options: &Options) {
    let doubles = (
        default_scenarios(),
        static_scenarios(),
        sparse_scenarios(),
        empty_scenarios(),
        allocation_free_scenarios(),
        struct_scenarios(),
    );
    let report = check_some(backends, &doubles, options, most());
    println!("{report}");
    report.assert();
}

/// Scenarios for each backend: all. While it is written down which tests register what, one is enough for those that
/// register nothing: all are tried by the run that this is a part of.
fn most() -> usize {
    if is_idle() { 1 } else { usize::MAX }
}

/// Was there anything to do?
fn tried(report: &Report) -> bool {
    report.entries.iter().any(|entry| !entry.skipped)
}
