//! The default scenarios on functions that take a constant, and on functions that work in a cache.

use di::sparse::AutoSparse;
use di::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForwardFromPrimitive,
    AutoReverseFromPrimitive, AutoSource, AutoSymbolic, AutoTape, AutoTaylor, SecondOrder,
};
use di_test::families::{CacheScenarios, ConstantScenarios, cache_scenarios, constant_scenarios};
use di_test::{Backends, test_differentiation};

fn pass<B: Backends<ConstantScenarios> + Backends<CacheScenarios>>(backends: B) {
    {
        let _rows = di_test::parity::rows(&[22, 27, 29]);
        test_differentiation(&backends, &constant_scenarios());
    }
    let _rows = di_test::parity::rows(&[24, 27, 29]);
    test_differentiation(&backends, &cache_scenarios());
}

#[test]
fn scalar_engines() {
    pass((AutoSource::new(), AutoDual::new()));
}

#[test]
fn recording_engines() {
    pass((AutoTape::new(), AutoSymbolic::new()));
}

#[test]
fn differences_and_wrappers() {
    pass((
        AutoFiniteDiff::new(),
        AutoReverseFromPrimitive(AutoSource::new()),
    ));
}

#[test]
fn series_and_steps() {
    pass((
        AutoTaylor::new(),
        AutoComplexStep::new(),
        AutoFiniteDifferences::central(5),
        AutoForwardFromPrimitive(AutoDual::new()),
    ));
}

#[test]
fn second_order() {
    pass((SecondOrder::new(AutoDual::new(), AutoSource::new()),));
}

#[test]
fn sparse() {
    let _row = di_test::parity::row(91);
    pass((AutoSparse::new(AutoSource::new()),));
}

#[test]
fn claims_are_what_the_tests_show() {
    di_test::parity::check();
}
