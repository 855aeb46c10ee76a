//! `test_calls`: how often is the function run?

use std::collections::BTreeSet;

use di_runtime::capability::{Mode, Operator};
use di_runtime::error::Error;

use crate::calls::{Countable, count};
use crate::report::{Entry, Report};
use crate::suite::{Backends, Label};
use crate::trial::{At, Form, Trial};

/// Checks how often all backends run the functions of all scenarios, see [`check_calls`].
///
/// # Panics
/// If anything does not hold.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::{Scenario, returns, test_calls};
///
/// #[differentiable]
/// fn squared_norm(x: &[f64]) -> f64 {
///     x.iter().map(|x| x * x).sum()
/// }
///
/// let x = vec![1.0; 20];
/// let scenario = Scenario::gradient("norm", returns(squared_norm::AD), x, 20.0, &[2.0; 20]);
/// test_calls(&(AutoSource::new(), AutoDual::new(), AutoFiniteDiff::new()), &scenario);
/// ```
#[track_caller]
pub fn test_calls<S, B>(backends: &B, scenarios: &S)
where
    S: Countable + ?Sized,
    B: Backends<S::Counted>,
{
    check_calls(backends, scenarios).assert();
}

/// Checks how often all backends run the functions of all scenarios, and reports the outcome.
///
/// For each scenario and backend: a prepared call runs the function as often the second time as the first, and no
/// more often than a call without a prep; the value costs at most one run where it comes with a first derivative; and
/// a backend whose [mode](di_runtime::capability::Capabilities::mode) promises cheap pullbacks needs, whatever the
/// number of inputs, two runs for a gradient, and one more than there are tangents or rows for a pullback or a
/// Jacobian. Runs are [`crate::calls::Calls::runs`]. A counted function has a type of its own, so all code is
/// compiled once more; this is why [`crate::test_differentiation`] does not count.
pub fn check_calls<S, B>(backends: &B, scenarios: &S) -> Report
where
    S: Countable + ?Sized,
    B: Backends<S::Counted>,
{
    let mut report = Report::default();
    backends.each(&scenarios.counted(), &mut |label, trials| {
        for mut trial in trials {
            report.entries.push(check_trial(label, &mut trial));
        }
    });
    report
}

fn check_trial(label: &Label, trial: &mut Trial<'_>) -> Entry {
    let about = trial.about().clone();
    let skipped = !trial.supported();
    let (mut checks, mut failures) = (0, Vec::new());
    if !skipped {
        match Runs::of(trial) {
            Ok(runs) => {
                for (holds, failure) in runs.checks(trial) {
                    checks += 1;
                    if !holds {
                        failures.push(failure);
                    }
                }
            }
            Err(error) => failures.push(error.to_string()),
        }
    }
    Entry {
        backend: label.name.clone(),
        about,
        checks,
        steps: BTreeSet::new(),
        failures,
        skipped,
    }
}

/// Runs of the function in one call.
struct Runs {
    alone: usize,
    prepared: usize,
    again: usize,
    with_value: usize,
}

impl Runs {
    fn of(trial: &mut Trial<'_>) -> Result<Runs, Error> {
        trial.prepare(At::Elsewhere)?;
        let place = trial.about().place;
        let mut runs = |prepared, value| {
            let form = Form {
                value,
                place,
                prepared,
            };
            let (result, calls) = count(|| trial.run(form, 1, None));
            result.map(|()| calls.runs())
        };
        // The first call has to make buffers.
        runs(true, true)?;
        Ok(Runs {
            prepared: runs(true, false)?,
            again: runs(true, false)?,
            with_value: runs(true, true)?,
            alone: runs(false, false)?,
        })
    }

    fn checks(&self, trial: &Trial<'_>) -> Vec<(bool, String)> {
        let Runs {
            alone,
            prepared,
            again,
            with_value,
        } = *self;
        let about = trial.about();
        let mut checks = vec![
            (
                prepared == again,
                format!(
                    "a prepared call runs the function {prepared} times, the next {again} times"
                ),
            ),
            (
                prepared <= alone,
                format!(
                    "a prepared call runs the function {prepared} times, one without a prep {alone} times"
                ),
            ),
        ];
        if !about.operator.is_second_order() {
            checks.push((
                with_value <= prepared + 1,
                format!(
                    "with the value the function runs {with_value} times, without {prepared} times"
                ),
            ));
        }
        if let Some(promised) = promised(trial) {
            let mode = trial.mode();
            checks.push((
                prepared <= promised,
                format!("the mode {mode:?} promises at most {promised} runs of the function, found {prepared}"),
            ));
        }
        checks
    }
}

/// Runs that the mode of the backend allows.
fn promised(trial: &Trial<'_>) -> Option<usize> {
    let about = trial.about();
    if !Mode::pullback_is_fast(trial.mode()) {
        return None;
    }
    match about.operator {
        Operator::Gradient => Some(2),
        Operator::Pullback => Some(about.tangents + 1),
        Operator::Jacobian => Some(about.outputs + 1),
        _ => None,
    }
}
