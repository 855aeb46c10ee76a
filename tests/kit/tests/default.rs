//! All backends on the default scenarios.

use di::{
    AutoDual, AutoFiniteDiff, AutoForwardFromPrimitive, AutoReverseFromPrimitive, AutoSource,
    SecondOrder,
};
use di_test::families::default_scenarios;
use di_test::{Backends, Options, Suite, Trials, check_differentiation};

#[test]
fn scenarios_are_106_and_64_with_two_tangents() {
    let scenarios = default_scenarios();
    let backend = AutoSource::new();
    let mut trials = Trials::new();
    scenarios.trials(&backend, &mut trials);
    let count = |two| {
        trials
            .iter()
            .filter(|t| (t.about().tangents > 1) == two)
            .count()
    };
    assert_eq!((count(false), count(true)), (106, 64));
}

fn pass<B: Backends<di_test::families::DefaultScenarios>>(backends: B) {
    let report = check_differentiation(&backends, &default_scenarios(), &Options::new());
    println!("{report}");
    report.assert();
}

#[test]
fn generated_code() {
    pass((
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
    ));
}

#[test]
fn dual_numbers() {
    pass((AutoDual::new(), AutoDual::new().chunk(1)));
}

#[test]
fn differences() {
    pass((AutoFiniteDiff::new(), AutoFiniteDiff::new().forward()));
}

#[test]
fn derived_from_one_primitive() {
    pass((
        AutoForwardFromPrimitive(AutoSource::new()),
        AutoForwardFromPrimitive(AutoDual::new()),
        AutoReverseFromPrimitive(AutoSource::new()),
    ));
}

#[test]
fn one_engine_over_another() {
    pass((
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
        SecondOrder::new(AutoDual::new(), AutoSource::new().forward()),
        SecondOrder::new(AutoDual::new(), AutoDual::new()),
        SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
        SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new()),
    ));
}
