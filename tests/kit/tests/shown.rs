//! Claims that the families of scenarios show, one test for each: which scenarios there are, and what was checked of
//! them. All scenarios are tried once, by generated code and by dual numbers.

use std::sync::OnceLock;

use di::Operator::{
    Derivative, Gradient, Hessian, Hvp, Jacobian, Pullback, Pushforward, SecondDerivative,
};
use di::{AutoDual, AutoSource, Operator};
use di_test::compare::assert_same;
use di_test::families::{
    default_scenarios, empty_scenarios, single_precision_scenarios, struct_scenarios,
};
use di_test::{Backends, Entry, Options, Place, Report, check_differentiation};

const ALL: [Operator; 8] = [
    Pushforward,
    Pullback,
    Derivative,
    Gradient,
    Jacobian,
    SecondDerivative,
    Hvp,
    Hessian,
];

/// Those of first order, that functions which write can have.
const OF_WRITERS: [Operator; 4] = [Pushforward, Pullback, Derivative, Jacobian];

/// Those that have `prepare_.._same_point`.
const AT_ONE_POINT: [Operator; 3] = [Pushforward, Pullback, Hvp];

fn tried<S>(scenarios: &S) -> Report
where
    (AutoSource, AutoDual): Backends<S>,
{
    let backends = (AutoSource::new(), AutoDual::new());
    check_differentiation(&backends, scenarios, &Options::new())
}

/// The default scenarios, tried once for all tests.
fn default() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| tried(&default_scenarios()))
}

/// Asserts that everything passed, and that both backends were checked on a scenario of each operator that `of` picks,
/// in each of these steps. A step is meant by how it begins.
#[track_caller]
fn shows(
    row: u32,
    report: &Report,
    operators: &[Operator],
    steps: &[&str],
    of: impl Fn(&Entry) -> bool,
) {
    let _row = di_test::parity::row(row);
    report.assert();
    for backend in ["AutoSource", "AutoDual"] {
        for operator in operators {
            let mut picked = report.entries.iter().filter(|entry| {
                entry.backend == backend && entry.about.operator == *operator && of(entry)
            });
            let done =
                |entry: &Entry, step: &&str| entry.steps.iter().any(|done| done.starts_with(step));
            let shown = picked.any(|entry| steps.iter().all(|step| done(entry, step)));
            assert_same(&format!("{operator} by {backend}: {steps:?}"), shown, true);
        }
    }
}

const WITH_VALUE: &str = "prepared elsewhere, with value";
const ALONE: &str = "prepared elsewhere, without value";

fn any(_: &Entry) -> bool {
    true
}

fn into_a_buffer(entry: &Entry) -> bool {
    entry.about.place == Place::In
}

fn of_a_writer(entry: &Entry) -> bool {
    entry.about.function == Place::In
}

macro_rules! shown {
    ($($test:ident($row:literal): $report:expr, $operators:expr, $steps:expr, $of:expr;)+) => {
        $(
            #[test]
            fn $test() {
                shows($row, &$report, &$operators, &$steps, $of);
            }
        )+
    };
}

shown! {
    gradients_are_those_by_hand(1): default(), [Gradient], [ALONE], |e: &Entry| !into_a_buffer(e);
    gradients_are_written_to_buffers(2): default(), [Gradient], [ALONE], into_a_buffer;
    operators_are_eight(4): default(), ALL, [ALONE], any;
    operators_have_variants_that_return(5): default(), ALL, [WITH_VALUE, ALONE], |e: &Entry| !into_a_buffer(e);
    operators_have_variants_into_buffers(5): default(), ALL, [WITH_VALUE, ALONE], into_a_buffer;
    operators_need_no_prep(6): default(), ALL, ["without a prep, with value", "without a prep, without value", WITH_VALUE, ALONE], any;
    functions_may_write(7): default(), OF_WRITERS, [WITH_VALUE, ALONE], of_a_writer;
    outputs_hold_values(8): default(), OF_WRITERS, ["without a prep, with value", WITH_VALUE], of_a_writer;
    second_derivatives_come_with_the_first(10): default(), [SecondDerivative], [WITH_VALUE], any;
    hessians_come_with_gradients(11): default(), [Hessian], [WITH_VALUE], any;
    products_come_with_gradients(12): default(), [Hvp], [WITH_VALUE], any;
    tangents_may_be_several(14): default(), AT_ONE_POINT, [WITH_VALUE, ALONE], |e: &Entry| e.about.tangents > 1;
    jacobians_of_matrices_are_flat(17): default(), [Jacobian], [ALONE], |e: &Entry| e.about.name == "mat_to_mat";
    doubles_are_differentiated(18): default(), ALL, [ALONE], any;
    singles_are_differentiated(18): tried(&single_precision_scenarios()), [Pushforward, Pullback, Jacobian], [ALONE], any;
    nothing_has_empty_derivatives(20): tried(&empty_scenarios()), [Derivative, Gradient, Jacobian], [ALONE], any;
    structs_have_gradients_of_their_type(32): tried(&struct_scenarios()), [Gradient], [ALONE], any;
    operators_have_preparations(33): default(), ALL, [ALONE], any;
    writers_have_preparations(33): default(), OF_WRITERS, [ALONE], of_a_writer;
    tangents_have_preparations(33): default(), AT_ONE_POINT, [ALONE], |e: &Entry| e.about.tangents > 0;
    preps_were_made_elsewhere(35): default(), ALL, [ALONE], any;
    preps_keep_nothing_of_a_call(36): default(), ALL, ["at another point, and back"], any;
    preps_for_one_point_take_other_tangents(37): default(), AT_ONE_POINT, ["prepared at the point", "with other tangents"], any;
    preps_are_resized(40): default(), [Pushforward, Pullback, Gradient, Jacobian, Hvp, Hessian], ["resized, with value"], any;
    arguments_that_do_not_fit_are_refused(43): default(), [Pushforward, Pullback, Gradient, Jacobian, Hvp, Hessian], ["with arguments that do not fit the prep"], any;
}

#[test]
fn numbers_vectors_and_matrices_go_to_each_other() {
    let _row = di_test::parity::row(16);
    let report = default();
    report.assert();
    for from in ["num", "vec", "mat"] {
        for to in ["num", "vec", "mat"] {
            let name = format!("{from}_to_{to}");
            let shown = |backend: &str| {
                let mut entries = report.entries.iter();
                entries.any(|e| e.backend == backend && e.about.name == name && e.checks > 0)
            };
            assert_same(&name, ["AutoSource", "AutoDual"].map(shown), [true; 2]);
        }
    }
}

#[test]
fn claims_are_what_the_tests_show() {
    di_test::parity::check();
}
