//! `test_differentiation`: are derivatives right, and everything around them too?

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use di_runtime::error::Error;

use crate::allocations;
use crate::compare::{Tolerance, difference};
use crate::options::{Allocations, Options, Sparsity};
use crate::report::{Entry, Report};
use crate::scenario::Place;
use crate::suite::{Backends, Label};
use crate::trial::{At, Form, Outcome, To, Trial, Visit};

/// Tries all backends on all scenarios, with the default [`Options`].
///
/// `backends` is a tuple, `scenarios` one scenario, a `Vec`, or a tuple of these. Cost: about twenty calls of
/// the operator for each scenario and backend.
///
/// # Panics
/// If anything does not hold: shows each failure with operator, function, index and both values.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::{Scenario, returns, test_differentiation};
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// let (f, x) = (returns(f::AD), vec![3.0, 2.0]);
/// let gradient = Scenario::gradient("f", f, x.clone(), 18.0, &[12.0, 9.0]);
/// let hvp = Scenario::hvp("f", f, x, 18.0, vec![1.0, 0.0], &[4.0, 6.0]).expect_first(&[12.0, 9.0]);
/// test_differentiation(
///     &(AutoSource::new(), AutoDual::new(), AutoFiniteDiff::new()),
///     &(gradient, hvp),
/// );
/// ```
#[track_caller]
pub fn test_differentiation<S: ?Sized, B: Backends<S>>(backends: &B, scenarios: &S) {
    check_differentiation(backends, scenarios, &Options::default()).assert();
}

/// Tries all backends on all scenarios and reports the outcome.
///
/// For each scenario, the operator is called without a prep, with a prep made elsewhere, and with one made at the
/// same point, with and without the value, each twice. Results, values and buffers are compared with the
/// references, arguments with what they were before. Each prep is also used at a point close by, or with other
/// tangents if it is for one point, where it must agree with a call without it, and then once more for the
/// scenario. Preps made on smaller arguments are resized. Calls that do not fit their prep must return an error. A
/// panic of a backend is a failure.
///
/// An entry may differ from its reference by the [accuracy](di_runtime::capability::Capabilities::accuracy) that the
/// backend promises, relative to the entry; also by 1024 units in the last place of the largest entry or, for a
/// backend that promises less than 1e-10 and so does more than round, by that fraction of the largest entry.
pub fn check_differentiation<S: ?Sized, B: Backends<S>>(
    backends: &B,
    scenarios: &S,
    options: &Options,
) -> Report {
    check_some(backends, scenarios, options, usize::MAX)
}

/// The same with so many scenarios for each backend at most.
pub(crate) fn check_some<S: ?Sized, B: Backends<S>>(
    backends: &B,
    scenarios: &S,
    options: &Options,
    most: usize,
) -> Report {
    let mut report = Report::default();
    backends.each(scenarios, &mut |label, trials| {
        let mut count = 0;
        for mut trial in trials {
            if count < most && !options.excluded.contains(&trial.about().operator) {
                let entry = check_trial(label, &mut trial, options);
                count += usize::from(!entry.skipped);
                report.entries.push(entry);
            }
        }
    });
    report
}

/// One scenario with one backend.
pub(crate) fn check_trial(label: &Label, trial: &mut Trial<'_>, options: &Options) -> Entry {
    let about = trial.about().clone();
    if options.logging {
        eprintln!("{about} by {}", label.name);
    }
    let skipped = !trial.supported();
    let mut checks = Checks::new(options, trial);
    if !skipped {
        let run = AssertUnwindSafe(|| checks.all(trial));
        if let Err(payload) = catch_unwind(run) {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            let text = text.unwrap_or("a value that is no text");
            checks.fail(format!("{}: panicked: {text}", checks.step));
        }
    }
    Entry {
        backend: label.name.clone(),
        about,
        checks: checks.count,
        steps: checks.steps,
        failures: checks.failures,
        skipped,
    }
}

/// An engine that is as accurate as this does not truncate.
const ROUNDS: f64 = 1e-10;

/// Checks of one scenario.
struct Checks<'o> {
    options: &'o Options,
    tolerance: f64,
    value_tolerance: f64,
    epsilon: f64,
    rounds: bool,
    inputs: Vec<f64>,
    step: String,
    count: usize,
    steps: BTreeSet<String>,
    failures: Vec<String>,
}

impl<'o> Checks<'o> {
    fn new(options: &'o Options, trial: &Trial<'_>) -> Self {
        let (promised, epsilon) = trial.accuracy();
        // What is promised in double precision, in a float of fewer digits: the same share of them.
        let digits = epsilon.ln() / f64::EPSILON.ln();
        Checks {
            options,
            tolerance: options.relative.unwrap_or_else(|| promised.powf(digits)),
            value_tolerance: 16.0 * epsilon,
            epsilon,
            rounds: promised <= ROUNDS && options.relative.is_none_or(|r| r <= ROUNDS),
            inputs: trial.inputs(),
            step: String::new(),
            count: 0,
            steps: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    fn fail(&mut self, failure: String) {
        // The same failure at each of twenty calls says no more than at one for each kind of prep.
        let kind = |text: &str| text.split([',', ':']).next().unwrap_or_default().to_owned();
        let same = self.failures.iter().filter(|f| kind(f) == kind(&failure));
        if same.count() < 2 {
            self.failures.push(failure);
        }
    }

    fn all(&mut self, trial: &mut Trial<'_>) {
        self.calls(trial, false, "without a prep");
        if self.made(trial, At::Elsewhere, "prepared elsewhere") {
            self.calls(trial, true, "prepared elsewhere");
            self.visit(trial, To::Point, "at another point");
            self.visit(trial, To::Constants, "with other constants");
            self.misuses(trial);
            self.allocations(trial, To::Point);
        }
        if self.made(trial, At::SamePoint, "prepared at the point") {
            self.calls(trial, true, "prepared at the point");
            self.visit(trial, To::Tangents, "with other tangents");
            self.allocations(trial, To::Tangents);
        }
        if self.options.reprepare && self.made(trial, At::Smaller, "prepared on less") {
            self.step = "resized".to_owned();
            match trial.resize() {
                Ok(()) => {
                    self.calls(trial, true, "resized");
                    self.allocations(trial, To::Point);
                }
                Err(error) => self.fail(format!("prep cannot be resized: {error}")),
            }
        }
    }

    /// Is there a prep of this kind?
    fn made(&mut self, trial: &mut Trial<'_>, at: At, step: &str) -> bool {
        step.clone_into(&mut self.step);
        match trial.prepare(at) {
            Ok(made) => made,
            Err(error) => {
                self.fail(format!("{step}: {error}"));
                false
            }
        }
    }

    /// With and without the value, each twice, and once more with it: after a call that had none to keep.
    fn calls(&mut self, trial: &mut Trial<'_>, prepared: bool, step: &str) {
        let times = [
            (true, "first call"),
            (true, "second call"),
            (false, "first call"),
            (false, "second call"),
            (true, "third call"),
        ];
        for (value, time) in times {
            let with = if value { "with" } else { "without" };
            self.step = format!("{step}, {with} value, {time}");
            if let Err(error) = self.call(trial, value, prepared) {
                self.fail(format!("{}: {error}", self.step));
                return;
            }
        }
    }

    /// Is the prep good for other arguments, and afterwards for the first ones?
    fn visit(&mut self, trial: &mut Trial<'_>, to: To, step: &str) {
        if !self.options.visits {
            return;
        }
        for value in [true, false] {
            step.clone_into(&mut self.step);
            let form = Form {
                value,
                place: trial.about().place,
                prepared: true,
            };
            match trial.visit(to, form) {
                Ok(Some(visit)) => self.compare_visit(&visit),
                Ok(None) => return,
                Err(error) => self.fail(format!("{step}: {error}")),
            }
            self.step = format!("{step}, and back");
            if let Err(error) = self.call(trial, value, true) {
                self.fail(format!("{}: {error}", self.step));
            }
        }
    }

    /// A prep must not change what comes out.
    fn compare_visit(&mut self, visit: &Visit) {
        let Visit { prepared, alone } = visit;
        // Both may be as far off as is promised.
        let tolerance = 2.0 * self.tolerance;
        let pairs = [
            ("value", &prepared.value, &alone.value, self.value_tolerance),
            ("first derivative", &prepared.first, &alone.first, tolerance),
        ];
        for (what, prepared, alone, tolerance) in pairs {
            if let (Some(prepared), Some(alone)) = (prepared, alone) {
                self.compare(&format!("prepared {what}"), prepared, alone, tolerance);
            }
        }
        self.compare(
            "prepared result",
            &prepared.result,
            &alone.result,
            tolerance,
        );
    }

    fn call(&mut self, trial: &mut Trial<'_>, value: bool, prepared: bool) -> Result<(), Error> {
        trial.spoil()?;
        let form = Form {
            value,
            place: trial.about().place,
            prepared,
        };
        let mut outcome = Outcome::default();
        trial.run(form, 1, Some(&mut outcome))?;
        if self.options.intact {
            let inputs = trial.inputs();
            let same = self.inputs.iter().map(|v| v.to_bits());
            let same = same.eq(inputs.iter().map(|v| v.to_bits()));
            self.check(same, || "`x` or the tangents were changed".to_owned());
            // Else every later call of a wrong point fails as well.
            self.inputs = inputs;
        }
        if self.options.correctness {
            self.compare_outcome(trial, &outcome, value);
        }
        self.sparsity(trial, outcome.stored);
        Ok(())
    }

    fn sparsity(&mut self, trial: &Trial<'_>, found: Option<usize>) {
        let Some(stored) = trial.reference().stored else {
            return;
        };
        match (self.options.sparsity, found) {
            (Sparsity::Any, _) | (Sparsity::OfSparse, None) => {}
            (Sparsity::OfSparse | Sparsity::Required, Some(found)) => {
                self.check(found == stored, || {
                    format!("expected {stored} stored entries, found {found}")
                });
            }
            (Sparsity::Required, None) => self.check(false, || {
                format!("expected {stored} stored entries, found a dense matrix")
            }),
        }
    }

    fn compare_outcome(&mut self, trial: &Trial<'_>, outcome: &Outcome, value: bool) {
        let reference = trial.reference();
        if let Some(found) = &outcome.value {
            self.compare("value", found, &reference.value, self.value_tolerance);
        }
        self.check(!outcome.moved, || {
            "the value is not in the output that was passed".to_owned()
        });
        let tolerance = self.tolerance;
        let expected = reference.result.as_deref();
        self.check(expected.is_some(), || {
            "the scenario has no reference: `expect` or `compute_results`".to_owned()
        });
        let Some(expected) = expected else { return };
        self.compare("result", &outcome.result, expected, tolerance);
        if !value {
            return;
        }
        if let Some(found) = &outcome.first {
            self.check(reference.first.is_some(), || {
                "the scenario has no reference for the first derivative: `expect_first` or `compute_results`"
                    .to_owned()
            });
            if let Some(first) = &reference.first {
                self.compare("first derivative", found, first, tolerance);
            }
        }
        if let Some((first, result)) = &outcome.pair {
            self.compare(
                "result beside the gradient alone",
                result,
                expected,
                tolerance,
            );
            if let Some(expected) = &reference.first {
                self.compare("gradient beside the result", first, expected, tolerance);
            }
        }
    }

    fn compare(&mut self, what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
        let finite = expected.iter().filter(|v| v.is_finite());
        let largest = finite.fold(0.0_f64, |largest, v| largest.max(v.abs()));
        // Differences lose of small entries what large ones lose.
        let share = if self.rounds {
            tolerance.min(1024.0 * self.epsilon)
        } else {
            tolerance
        };
        let tolerance = Tolerance {
            relative: tolerance,
            absolute: self.options.absolute + share * largest,
        };
        crate::rows::compared();
        let differs = difference(found, expected, tolerance);
        self.check(differs.is_none(), || {
            format!("{what}: {}", differs.unwrap_or_default())
        });
    }

    fn check(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        self.count += 1;
        if !self.steps.contains(&self.step) {
            self.steps.insert(self.step.clone());
        }
        if !holds {
            let failure = format!("{}: {}", self.step, failure());
            self.fail(failure);
        }
    }

    fn misuses(&mut self, trial: &mut Trial<'_>) {
        if !self.options.misuse {
            return;
        }
        self.step = "with arguments that do not fit the prep".to_owned();
        for misuse in trial.misuses() {
            let refused = matches!(misuse.error, Some(Error::Preparation(_) | Error::Shape(_)));
            self.check(refused, || match misuse.error {
                Some(error) => format!("{}: expected a mismatch, found {error}", misuse.what),
                None => format!("{}: expected an error, found a result", misuse.what),
            });
        }
    }

    /// After a call with other arguments as well: what is kept of the last ones is no use then.
    fn allocations(&mut self, trial: &mut Trial<'_>, to: To) {
        let preparations: &[bool] = match self.options.allocations {
            Allocations::Any => return,
            Allocations::NonePrepared => &[true],
            Allocations::None => &[true, false],
        };
        if trial.about().place == Place::Out {
            return;
        }
        "allocations".clone_into(&mut self.step);
        self.check(allocations::counts(), || {
            "they are not counted: let `di_test::allocations::Counting` be the global allocator"
                .to_owned()
        });
        for &prepared in preparations {
            for value in [true, false] {
                let form = Form {
                    value,
                    place: Place::In,
                    prepared,
                };
                let call = if prepared {
                    "a prepared call"
                } else {
                    "a call without a prep"
                };
                if self.options.visits
                    && let Err(error) = trial.visit(to, form)
                {
                    self.fail(format!("{call} at another point: {error}"));
                }
                let (result, count) = allocations::count(|| trial.run(form, 1, None));
                self.check(result.is_ok() && count == 0, || {
                    format!("{call} into a buffer allocated {count} times")
                });
            }
        }
    }
}
