//! All families of scenarios on all backends. A new backend is one line below, and a new family one line in
//! `everything`.

use di::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForwardFromPrimitive,
    AutoReverseFromPrimitive, AutoSource, AutoSymbolic, AutoTape, SecondOrder,
};
use di_test::families::{
    AllocationFreeScenarios, DefaultScenarios, EmptyScenarios, SingleScenarios, SparseScenarios,
    StaticScenarios, StructScenarios, allocation_free_scenarios, default_scenarios,
    empty_scenarios, single_precision_scenarios, sparse_scenarios, static_scenarios,
    struct_scenarios,
};
use di_test::{Backends, Options, Suite, Trials, check_differentiation};

/// Everything for `f64`.
type Doubles = (
    DefaultScenarios,
    StaticScenarios,
    SparseScenarios,
    EmptyScenarios,
    AllocationFreeScenarios,
    StructScenarios,
);

fn everything<B: Backends<Doubles> + Backends<SingleScenarios>>(backends: B) {
    let doubles = (
        default_scenarios(),
        static_scenarios(),
        sparse_scenarios(),
        empty_scenarios(),
        allocation_free_scenarios(),
        struct_scenarios(),
    );
    let report = check_differentiation(&backends, &doubles, &Options::new());
    println!("{report}");
    report.assert();
    let report = check_differentiation(&backends, &single_precision_scenarios(), &Options::new());
    println!("{report}");
    // It has no second order, so one engine over another has nothing to do.
    if report.entries.iter().any(|entry| !entry.skipped) {
        report.assert();
    }
}

macro_rules! backends {
    ($($(#[rows($($row:literal),+)])? $test:ident: $($backend:expr),+;)+) => {
        $(
            #[test]
            fn $test() {
                $(let _rows = di_test::parity::rows(&[$($row),+]);)?
                everything(($($backend,)+));
            }
        )+
    };
}

backends! {
    #[rows(1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 17, 18, 20, 32, 33, 34, 35, 36, 37, 40, 43, 99)]
    generated_code: AutoSource::new(), AutoSource::new().forward(), AutoSource::new().reverse();
    #[rows(1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 17, 18, 20, 32, 33, 34, 35, 36, 37, 40, 43, 99)]
    dual_numbers: AutoDual::new(), AutoDual::new().chunk(1);
    #[rows(59)]
    differences: AutoFiniteDiff::new(), AutoFiniteDiff::new().forward();
    differences_of_high_order: AutoFiniteDifferences::central(5);
    tape: AutoTape::new(), AutoTape::eager();
    complex_steps: AutoComplexStep::new();
    expressions: AutoSymbolic::new(), AutoSymbolic::new().factored();
    #[rows(56, 57)]
    from_a_pushforward: AutoForwardFromPrimitive(AutoSource::new()), AutoForwardFromPrimitive(AutoDual::new());
    #[rows(56, 57)]
    from_a_pullback: AutoReverseFromPrimitive(AutoSource::new());
    #[rows(60)]
    duals_over_generated_code: SecondOrder::new(AutoDual::new(), AutoSource::new()), SecondOrder::new(AutoDual::new(), AutoSource::new().forward());
    #[rows(60)]
    duals_over_tape: SecondOrder::new(AutoDual::new(), AutoTape::new());
    duals_over_duals: SecondOrder::new(AutoDual::new(), AutoDual::new());
    // Second order of a backend that has one primitive.
    #[rows(56)]
    differences_over_primitives: SecondOrder::new(AutoFiniteDiff::new(), AutoForwardFromPrimitive(AutoDual::new())), SecondOrder::new(AutoFiniteDiff::new(), AutoReverseFromPrimitive(AutoSource::new()));
    differences_over_others: SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()), SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new());
}

#[test]
fn claims_are_what_the_tests_show() {
    di_test::parity::check();
}

/// Scenarios without and with several tangents.
fn count<S: Suite<AutoSource>>(scenarios: &S) -> (usize, usize) {
    let backend = AutoSource::new();
    let mut trials = Trials::new();
    scenarios.trials(&backend, &mut trials);
    let several = trials
        .iter()
        .filter(|trial| trial.about().tangents > 1)
        .count();
    (trials.len() - several, several)
}

#[test]
fn scenarios_are_as_many_as_those_of_the_original() {
    let _row = di_test::parity::row(100);
    let counts = [
        (count(&default_scenarios()), (106, 64)),
        (count(&static_scenarios()), (106, 64)),
        (count(&sparse_scenarios()), (38, 0)),
        (count(&empty_scenarios()), (5, 0)),
        (count(&allocation_free_scenarios()), (9, 0)),
    ];
    for (found, expected) in counts {
        let [found, expected] =
            [found, expected].map(|(a, b): (usize, usize)| [a as f64, b as f64]);
        di_test::compare::assert_bitwise("scenarios", &found, &expected);
    }
}
