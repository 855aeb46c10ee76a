//! `benchmark_differentiation`: what derivatives cost, backend by backend.

mod chart;
mod measure;
mod page;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::calls::{Countable, count};
use crate::check::check_trial;
use crate::options::Options;
use crate::scenario::{About, Place};
use crate::suite::{Backends, Label};
use crate::trial::{At, Form, Trial};
use measure::Cost;

/// What one variant of an operator costs with one backend on one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// The backend.
    pub backend: String,
    /// The function, and its shape.
    pub scenario: String,
    /// The variant, as it is called: `value_and_gradient_into`, `prepare_gradient`.
    pub operator: String,
    /// Numbers in `x`.
    pub inputs: usize,
    /// Numbers in the result of the function.
    pub outputs: usize,
    /// With a prep, without one, or the preparation itself.
    pub prepared: Option<bool>,
    /// Runs of the function in one call, by any engine: [`crate::calls::Calls::runs`].
    pub calls: usize,
    /// How often a batch of evaluations was timed.
    pub samples: usize,
    /// Calls in one batch.
    pub evaluations: usize,
    /// Seconds of one call, in the fastest batch.
    pub time: f64,
    /// Seconds of one call, in the median batch.
    pub median: f64,
    /// Allocations of one call; none are known unless [`crate::allocations::Counting`] is the global allocator.
    pub allocations: Option<usize>,
    /// Bytes that one call allocates.
    pub bytes: Option<usize>,
}

/// Which variants are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variants {
    /// Prepared calls, with and without the value.
    #[default]
    Prepared,
    /// Also the preparation, and calls without a prep.
    Full,
}

/// How [`benchmark_differentiation`] measures.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkOptions {
    variants: Variants,
    time: Duration,
    progress: bool,
}

impl Default for BenchmarkOptions {
    fn default() -> Self {
        BenchmarkOptions {
            variants: Variants::Prepared,
            time: Duration::from_millis(200),
            progress: true,
        }
    }
}

impl BenchmarkOptions {
    /// Prepared calls, a fifth of a second each, with a progress bar if there is a terminal.
    pub fn new() -> Self {
        BenchmarkOptions::default()
    }

    /// Which variants.
    pub fn variants(mut self, variants: Variants) -> Self {
        self.variants = variants;
        self
    }

    /// How long each is measured.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Shows a progress bar on a terminal.
    pub fn progress(mut self, progress: bool) -> Self {
        self.progress = progress;
        self
    }
}

/// What was measured; written as a table ([`std::fmt::Display`]), Markdown, CSV, JSON, or a page of plots.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Benchmark {
    /// One row for each variant, scenario and backend.
    pub rows: Vec<Measurement>,
    /// What could not be measured, and why.
    pub refused: Vec<String>,
}

impl Benchmark {
    /// Adds what was measured for other backends or scenarios.
    pub fn extend(&mut self, other: Benchmark) {
        self.rows.extend(other.rows);
        self.refused.extend(other.refused);
    }
}

/// Measures all backends on all scenarios.
///
/// Time is that of the fastest of many batches, as noise only adds to it. Calls are counted on a copy of the
/// scenarios, so that what is timed is the function itself. Nothing is checked: that is what
/// [`crate::test_differentiation`] is for.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use di::prelude::*;
/// use di_test::{BenchmarkOptions, Scenario, benchmark_differentiation, returns};
///
/// #[differentiable]
/// fn squared_norm(x: &[f64]) -> f64 {
///     x.iter().map(|x| x * x).sum()
/// }
///
/// let scenario = |n: usize| {
///     let x = vec![1.0; n];
///     Scenario::gradient("squared norm", returns(squared_norm::AD), x, n as f64, &vec![2.0; n])
/// };
/// let options = BenchmarkOptions::new().time(Duration::from_millis(1));
/// let backends = (AutoSource::new(), AutoDual::new());
/// let found = benchmark_differentiation(&backends, &[10, 100].map(scenario), options);
/// // Two backends, two sizes, with and without the value.
/// assert_eq!(found.rows.len(), 8);
/// println!("{found}");
/// ```
pub fn benchmark_differentiation<S, B>(
    backends: &B,
    scenarios: &S,
    options: BenchmarkOptions,
) -> Benchmark
where
    S: Countable + ?Sized,
    B: Backends<S> + Backends<S::Counted>,
{
    let calls = count_calls(backends, &scenarios.counted(), options.variants);
    let bar = progress(backends, scenarios, options);
    let mut found = Benchmark::default();
    backends.each(scenarios, &mut |label, trials| {
        // The counted scenarios come in the same order.
        for (index, mut trial) in trials.into_iter().enumerate() {
            bar.set_message(format!("{} by {}", trial.about(), label.name));
            if trial.supported() {
                let calls = |kind| {
                    let key = (label.name.clone(), index, kind);
                    calls.get(&key).copied().unwrap_or_default()
                };
                measure_trial(label, &mut trial, options, calls, &mut found);
            }
            bar.inc(1);
        }
    });
    bar.finish_and_clear();
    number_what_is_the_same(&mut found.rows);
    found
}

/// A number distinguishes scenarios of one name and size, at other points or with other results.
fn number_what_is_the_same(rows: &mut [Measurement]) {
    let mut met = BTreeMap::new();
    for row in rows {
        let key = (
            row.backend.clone(),
            row.scenario.clone(),
            row.operator.clone(),
            row.inputs,
            row.prepared,
        );
        let times = met.entry(key).or_insert(0);
        *times += 1;
        if *times > 1 {
            row.scenario = format!("{} #{times}", row.scenario);
        }
    }
}

/// A backend, and what a prepared call costs with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fastest {
    /// Its name.
    pub backend: String,
    /// Seconds of one call.
    pub time: f64,
    /// The others that are right, from the fastest to the slowest.
    pub others: Vec<(String, f64)>,
    /// Those that are wrong on this scenario or cannot do it, with the first failure.
    pub refused: Vec<(String, String)>,
}

/// The fastest of the backends that pass [`crate::test_differentiation`] on a scenario, by its prepared call.
///
/// `None` if none does.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::{Scenario, fastest_backend, returns};
///
/// #[differentiable]
/// fn squared_norm(x: &[f64]) -> f64 {
///     x.iter().map(|x| x * x).sum()
/// }
///
/// let (x, expected) = (vec![1.0; 100], vec![2.0; 100]);
/// let f = returns(squared_norm::AD);
/// let scenario = Scenario::gradient("squared norm", f, x, 100.0, &expected);
/// let backends = (AutoSource::new(), AutoFiniteDiff::new());
/// assert_eq!(fastest_backend(&backends, &scenario).map(|f| f.backend).as_deref(), Some("AutoSource"));
/// ```
pub fn fastest_backend<S: ?Sized, B: Backends<S>>(backends: &B, scenario: &S) -> Option<Fastest> {
    let mut times = Vec::new();
    let mut refused = Vec::new();
    let options = Options::default();
    backends.each(scenario, &mut |label, trials| {
        let mut total = 0.0;
        for mut trial in trials {
            let entry = check_trial(label, &mut trial, &options);
            let failure = entry.failures.into_iter().next();
            let skipped = entry
                .skipped
                .then(|| "it does not have this operator".to_owned());
            if let Some(failure) = failure.or(skipped) {
                refused.push((label.name.clone(), failure));
                return;
            }
            let form = Form {
                value: false,
                place: entry.about.place,
                prepared: true,
            };
            let prepared = trial.prepare(At::Elsewhere);
            let cost = prepared.and_then(|_| {
                measure::cost(Duration::from_millis(50), |times| {
                    trial.run(form, times, None)
                })
            });
            match cost {
                Ok(cost) => total += cost.time,
                Err(error) => {
                    refused.push((label.name.clone(), error.to_string()));
                    return;
                }
            }
        }
        times.push((label.name.clone(), total));
    });
    times.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut times = times.into_iter();
    times.next().map(|(backend, time)| Fastest {
        backend,
        time,
        others: times.collect(),
        refused,
    })
}

/// What is measured in a trial: prepared or not, or the preparation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Call { value: bool, prepared: bool },
    Preparation,
}

fn kinds(variants: Variants) -> Vec<Kind> {
    let call = |value, prepared| Kind::Call { value, prepared };
    let mut kinds = vec![call(true, true), call(false, true)];
    if variants == Variants::Full {
        kinds.extend([Kind::Preparation, call(true, false), call(false, false)]);
    }
    kinds
}

fn run(trial: &mut Trial<'_>, kind: Kind, times: usize) -> Result<(), di_runtime::error::Error> {
    let place = trial.about().place;
    match kind {
        Kind::Call { value, prepared } => {
            let form = Form {
                value,
                place,
                prepared,
            };
            trial.run(form, times, None)
        }
        Kind::Preparation => (0..times).try_for_each(|_| trial.prepare(At::Here).map(|_| ())),
    }
}

/// Evaluations by backend, scenario number and kind.
type CallCounts = BTreeMap<(String, usize, Kind), usize>;

fn count_calls<S: ?Sized, B: Backends<S>>(
    backends: &B,
    counted: &S,
    variants: Variants,
) -> CallCounts {
    let mut found = CallCounts::new();
    backends.each(counted, &mut |label, trials| {
        for (index, mut trial) in trials.into_iter().enumerate() {
            if !trial.supported() || trial.prepare(At::Elsewhere).is_err() {
                continue;
            }
            for kind in kinds(variants) {
                // The first call may have to make buffers.
                if run(&mut trial, kind, 1).is_ok() {
                    let (_, calls) = count(|| run(&mut trial, kind, 1));
                    found.insert((label.name.clone(), index, kind), calls.runs());
                }
            }
        }
    });
    found
}

fn progress<S: ?Sized, B: Backends<S>>(
    backends: &B,
    scenarios: &S,
    options: BenchmarkOptions,
) -> ProgressBar {
    if !options.progress {
        return ProgressBar::hidden();
    }
    let mut total = 0;
    backends.each(scenarios, &mut |_, trials| total += trials.len() as u64);
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta:>4} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

fn measure_trial(
    label: &Label,
    trial: &mut Trial<'_>,
    options: BenchmarkOptions,
    calls: impl Fn(Kind) -> usize,
    found: &mut Benchmark,
) {
    let about = trial.about().clone();
    if let Err(error) = trial.prepare(At::Elsewhere) {
        found
            .refused
            .push(format!("{about} by {}: {error}", label.name));
        return;
    }
    for kind in kinds(options.variants) {
        match measure::cost(options.time, |times| run(trial, kind, times)) {
            Ok(cost) => {
                found.rows.push(row(label, &about, kind, calls(kind), cost));
            }
            Err(error) => found
                .refused
                .push(format!("{about} by {}: {error}", label.name)),
        }
    }
}

fn row(label: &Label, about: &About, kind: Kind, calls: usize, cost: Cost) -> Measurement {
    let bang = if about.function == Place::In { "!" } else { "" };
    let tangents = match about.tangents {
        0 | 1 => String::new(),
        several => format!(", {several} tangents"),
    };
    Measurement {
        backend: label.name.clone(),
        scenario: format!("{}{bang}{tangents}", about.name),
        operator: variant(about, kind),
        inputs: about.inputs,
        outputs: about.outputs,
        prepared: match kind {
            Kind::Call { prepared, .. } => Some(prepared),
            Kind::Preparation => None,
        },
        calls,
        samples: cost.samples,
        evaluations: cost.evaluations,
        time: cost.time,
        median: cost.median,
        allocations: cost.allocations,
        bytes: cost.bytes,
    }
}

/// The name of a variant.
fn variant(about: &About, kind: Kind) -> String {
    use di_runtime::capability::Operator;
    let operator = about.operator;
    let into = match about.place {
        Place::In => "_into",
        Place::Out => "",
    };
    match kind {
        Kind::Preparation => format!("prepare_{operator}"),
        Kind::Call { value: false, .. } => format!("{operator}{into}"),
        Kind::Call { value: true, .. } => {
            let beside = match operator {
                Operator::SecondDerivative => "value_derivative_and",
                Operator::Hvp | Operator::Hessian => "value_gradient_and",
                // those of first order
                _ => "value_and",
            };
            format!("{beside}_{operator}{into}")
        }
    }
}
