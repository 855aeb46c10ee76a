//! All families of scenarios on all backends. A new backend is one line below, and a new family one line in the kit's
//! `families/everything.rs`. Engines over engines and sparse backends are in `wrapped.rs`; which claims the families
//! show is in `shown.rs`.

use di::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoSource, AutoSymbolic,
    AutoTape, AutoTaylor,
};
use di_test::families::{
    allocation_free_scenarios, default_scenarios, empty_scenarios, sparse_scenarios,
    static_scenarios, test_everything,
};
use di_test::{Suite, Trials};

macro_rules! backends {
    ($($(#[rows($($row:literal),+)])? $test:ident: $($backend:expr),+;)+) => {
        $(
            #[test]
            fn $test() {
                $(let _rows = di_test::parity::rows(&[$($row),+]);)?
                test_everything(&($($backend,)+));
            }
        )+
    };
}

backends! {
    generated_code: AutoSource::new(), AutoSource::new().forward(), AutoSource::new().reverse();
    dual_numbers: AutoDual::new(), AutoDual::new().chunk(1);
    #[rows(59)]
    differences: AutoFiniteDiff::new(), AutoFiniteDiff::new().forward();
    differences_of_high_order: AutoFiniteDifferences::central(5);
    tape: AutoTape::new(), AutoTape::eager();
    complex_steps: AutoComplexStep::new();
    series: AutoTaylor::new();
    expressions: AutoSymbolic::new(), AutoSymbolic::new().factored();
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
