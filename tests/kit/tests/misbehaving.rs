//! Backends with one fault each: the kit finds it and says where.

use std::cell::Cell;
use std::rc::Rc;

use di::AutoSource;
use di::Matrix;
use di::differentiable;
use di::extend::{
    Backend, Call, Container, ContainerMut, Family, NumberValued, Plan, Primal, Slice, Slot,
    Source, Space, XLanes, XLanesMut, XRef, YLanes, YLanesMut,
};
use di::{Capabilities, Error, Mode};
use di_runtime::primitive::Workspace;
use di_test::allocations::Counting;
use di_test::{
    Allocations, Options, Report, Scenario, Sparsity, check_calls, check_differentiation, returns,
    test_differentiation,
};
#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// One entry is off by a millionth.
    Wrong,
    /// The value is off.
    WrongValue,
    /// Each call allocates.
    Leaky,
    /// The second call with one prep differs from the first.
    CorruptsPrep,
    /// Results are those at the point of the preparation.
    Stale,
    /// Results are those of the first call with the prep.
    Remembers,
    /// The same, as long as the point is the same.
    RemembersPoint,
    /// A small entry beside large ones is off.
    Drowned,
    /// The second result of a batch is the negative of the first.
    OneLane,
    /// Memory is taken whenever the point is another one than before.
    LeaksAtNewPoints,
    /// The function is run once more in each call than in the one before.
    Restless,
    /// The function is run for each input.
    Wasteful,
    /// The last entry is not written.
    Lazy,
    /// It panics.
    Panics,
}

/// Generated adjoint code, with a fault.
#[derive(Clone, Debug)]
struct Faulty {
    fault: Fault,
    /// An `x` that is changed by each call.
    x: Option<Rc<Vec<Cell<f64>>>>,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Faulty { fault, x: None }
    }
}

impl PartialEq for Faulty {
    fn eq(&self, other: &Self) -> bool {
        self.fault == other.fault
    }
}

impl Capabilities for Faulty {
    fn name(&self) -> &'static str {
        "Faulty"
    }
    fn mode(&self) -> Mode {
        Mode::Reverse
    }
}

struct Scratch<K: Source> {
    inner: Space<K, AutoSource>,
    calls: usize,
    x: Vec<K::Real>,
    first: Vec<K::Real>,
    at: Vec<K::Real>,
}

impl<K: Source> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            inner: self.inner.clone(),
            calls: self.calls,
            x: self.x.clone(),
            first: self.first.clone(),
            at: self.at.clone(),
        }
    }
}

impl<K: Source<Real = f64>> Backend<K> for Faulty {
    type Scratch = Scratch<K>;
    type Matrix = Matrix;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, f64>,
    ) -> Result<Self::Scratch, Error> {
        let plan = Plan {
            operator: di::Operator::Pullback,
            batch: plan.batch.max(8),
            ..*plan
        };
        let mut first = Vec::new();
        K::X::values(x, &mut |v| first.push(v));
        Ok(Scratch {
            inner: Workspace::new(AutoSource::new().scratch(&plan, call, x)?, plan.x, plan.y),
            calls: 0,
            x: first,
            first: Vec::new(),
            at: Vec::new(),
        })
    }

    fn matrix(&self, _: &Self::Scratch, rows: usize, columns: usize) -> Matrix {
        Matrix::zeros((rows, columns))
    }

    fn pullback(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, f64>,
        dy: &[YLanes<'_, K, f64>],
        y: Slot<'_, K, f64>,
        dx: &mut [XLanesMut<'_, K, f64>],
    ) -> Result<(), Error> {
        let scratch = &mut space.scratch;
        let (inner, source) = (&mut scratch.inner, AutoSource::new());
        if self.fault == Fault::Panics {
            panic!("no more paper on the tape");
        }
        let mut before = [0.0; 8];
        for (dx, before) in dx.iter_mut().zip(&mut before) {
            let n = K::X::count(dx);
            *before = *K::X::entry(K::X::reborrow_lanes(dx), n - 1);
        }
        let mut elsewhere = false;
        let mut first = scratch.x.iter();
        K::X::values(x, &mut |v: f64| elsewhere |= first.next() != Some(&v));
        source.pullback(inner, call, x, dy, y, dx)?;
        scratch.calls += 1;
        let mut home = true;
        if self.fault == Fault::RemembersPoint {
            let mut at = Vec::new();
            K::X::values(x, &mut |v| at.push(v));
            home = std::mem::replace(&mut scratch.at, at.clone()) == at;
        }
        if self.fault == Fault::OneLane
            && let [first, second, ..] = dx
        {
            let mut entries = Vec::new();
            K::X::each_mut(K::X::reborrow_lanes(first), &mut |v: &mut f64| {
                entries.push(-*v)
            });
            let mut entries = entries.into_iter();
            K::X::each_mut(K::X::reborrow_lanes(second), &mut |v: &mut f64| {
                *v = entries.next().unwrap_or(f64::NAN);
            });
        }
        if self.fault == Fault::LeaksAtNewPoints {
            let mut last = scratch.at.iter();
            let mut moved = scratch.at.is_empty();
            K::X::values(x, &mut |v| moved |= last.next() != Some(&v));
            if moved {
                scratch.at = Vec::new();
                K::X::values(x, &mut |v| scratch.at.push(v));
            }
        }
        let remembers = matches!(self.fault, Fault::Remembers | Fault::RemembersPoint);
        if remembers && (scratch.calls == 1 || !home) {
            scratch.first.clear();
            for dx in dx.iter_mut() {
                K::X::each_mut(K::X::reborrow_lanes(dx), &mut |v: &mut f64| {
                    scratch.first.push(*v);
                });
            }
        }
        if remembers {
            let mut first = scratch.first.iter();
            for dx in dx.iter_mut() {
                K::X::each_mut(K::X::reborrow_lanes(dx), &mut |v: &mut f64| {
                    *v = first.next().copied().unwrap_or(f64::NAN);
                });
            }
        }
        for (dx, before) in dx.iter_mut().zip(before) {
            let n = K::X::count(dx);
            let last = K::X::entry(K::X::reborrow_lanes(dx), n - 1);
            match self.fault {
                Fault::Wrong => *last *= 1.0 + 1e-6,
                Fault::CorruptsPrep if scratch.calls.is_multiple_of(2) => *last += 1.0,
                Fault::Stale if elsewhere => *last += 1.0,
                Fault::Lazy => *last = before,
                Fault::Drowned if last.abs() < 1e-6 => *last *= 2.0,
                Fault::Leaky => drop(std::hint::black_box(vec![0.0; n])),
                Fault::None
                | Fault::WrongValue
                | Fault::CorruptsPrep
                | Fault::Stale
                | Fault::Remembers
                | Fault::RemembersPoint
                | Fault::Drowned
                | Fault::OneLane
                | Fault::LeaksAtNewPoints
                | Fault::Restless
                | Fault::Wasteful
                | Fault::Panics => {}
            }
        }
        if let Some(x) = &self.x {
            x[0].set(x[0].get() + 1e-12);
        }
        Ok(())
    }

    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, f64>,
        g: XLanesMut<'_, K, f64>,
    ) -> Result<f64, Error>
    where
        K: NumberValued,
    {
        let mut y = 0.0;
        let runs = match self.fault {
            Fault::Restless => space.scratch.calls + 1,
            Fault::Wasteful => space.scratch.x.len(),
            _ => 1,
        };
        let mut g = g;
        for _ in 0..runs {
            let g = K::X::reborrow_lanes(&mut g);
            self.pullback(space, call, x, &[&1.0], &mut y, &mut [g])?;
        }
        Ok(if self.fault == Fault::WrongValue {
            y + 1.0
        } else {
            y
        })
    }
}

#[differentiable]
fn product(x: &[f64]) -> f64 {
    x[0] * x[1] * x[2].sin()
}

fn check(backend: Faulty, options: &Options) -> Report {
    let x = vec![2.0, 3.0, 0.5_f64];
    let (sin, cos) = x[2].sin_cos();
    let expected = [3.0 * sin, 2.0 * sin, 6.0 * cos];
    let f = returns(product::AD);
    let scenario = Scenario::gradient("product", f, x, 6.0 * sin, &expected).into_buffer();
    check_differentiation(&(backend,), &scenario, options)
}

#[track_caller]
fn is_caught(report: &Report, said: &[&str]) {
    assert!(!report.passed());
    let failures = report.failures();
    for words in said {
        assert!(failures.contains(words), "`{words}` is not in\n{failures}");
    }
}

fn strict() -> Options {
    Options::new().allocations(Allocations::NonePrepared)
}

#[test]
fn backend_without_a_fault_passes() {
    check(Faulty::new(Fault::None), &strict()).assert();
}

#[test]
fn wrong_derivative_is_shown_with_operator_index_and_both_values() {
    let report = check(Faulty::new(Fault::Wrong), &strict());
    is_caught(
        &report,
        &[
            "gradient_into of product (3 -> 1) by Faulty",
            "result: entry 2 is 5.2655",
            "expected 5.2654",
            "without a prep",
            "0 others differ",
        ],
    );
}

#[test]
fn wrong_value_is_caught() {
    is_caught(
        &check(Faulty::new(Fault::WrongValue), &strict()),
        &["value: entry 0"],
    );
}

#[test]
fn leak_is_caught() {
    let leaky = Faulty::new(Fault::Leaky);
    is_caught(&check(leaky.clone(), &strict()), &["allocated 1 times"]);
    check(leaky, &Options::new()).assert();
}

#[test]
fn call_without_a_prep_that_allocates_is_caught_if_it_must_not() {
    let options = || Options::new().allocations(Allocations::None);
    let report = check(Faulty::new(Fault::None), &options());
    is_caught(&report, &["a call without a prep into a buffer allocated"]);
    let f = returns(square::AD);
    let scenario = Scenario::derivative("square", f, 3.0, 9.0, &[6.0]).into_buffer();
    let lean = (di::AutoDual::new(), di::AutoFiniteDiff::new());
    check_differentiation(&lean, &scenario, &options()).assert();
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn memory_that_is_taken_at_other_points_is_caught() {
    let report = check(Faulty::new(Fault::LeaksAtNewPoints), &strict());
    is_caught(&report, &["a prepared call into a buffer allocated"]);
}

#[test]
fn lane_that_follows_another_is_caught() {
    let (x, y) = (vec![2.0, 3.0, 0.5_f64], 6.0 * 0.5_f64.sin());
    let (sin, cos) = x[2].sin_cos();
    let expected = [3.0 * sin, 2.0 * sin, 6.0 * cos];
    let scenario = Scenario::pullback("product", returns(product::AD), x, y, 1.0, &expected);
    let both = scenario.batchify();
    check_differentiation(&(Faulty::new(Fault::None),), &both, &Options::new()).assert();
    let report = check_differentiation(&(Faulty::new(Fault::OneLane),), &both, &Options::new());
    is_caught(&report, &["result: entry 3"]);
}

#[test]
fn first_derivative_without_a_reference_is_a_failure() {
    let x = vec![2.0, 3.0, 0.0];
    let expected = [0.0, 0.0, 3.0, 0.0, 0.0, 2.0, 3.0, 2.0, 0.0];
    let scenario = Scenario::hessian("product", returns(product::AD), x, 0.0, &expected);
    let report = check_differentiation(&(AutoSource::new(),), &scenario, &Options::new());
    is_caught(&report, &["no reference for the first derivative"]);
    assert!(format!("{report:#}").contains("hessian of product (3 -> 1) by AutoSource: failed"));
}

#[test]
fn corrupted_prep_is_caught_at_the_second_call() {
    let report = check(Faulty::new(Fault::CorruptsPrep), &strict());
    is_caught(
        &report,
        &["prepared elsewhere, with value, second call: result"],
    );
    assert!(!report.failures().contains("first call"));
}

#[test]
fn prep_that_belongs_to_another_point_is_caught() {
    is_caught(
        &check(Faulty::new(Fault::Stale), &strict()),
        &["prepared elsewhere"],
    );
}

#[test]
fn prep_that_remembers_its_first_result_is_caught_at_another_point() {
    let report = check(Faulty::new(Fault::Remembers), &strict());
    is_caught(&report, &["at another point: prepared result: entry 0"]);
    assert!(!report.failures().contains("first call"));
    check(Faulty::new(Fault::Remembers), &strict().visits(false)).assert();
}

#[test]
fn prep_that_remembers_its_point_is_caught_with_other_tangents() {
    let (x, y) = (vec![2.0, 3.0, 0.5_f64], 6.0 * 0.5_f64.sin());
    let (sin, cos) = x[2].sin_cos();
    let expected = [6.0 * sin, 4.0 * sin, 12.0 * cos];
    let scenario = Scenario::pullback("product", returns(product::AD), x, y, 2.0, &expected);
    let backend = Faulty::new(Fault::RemembersPoint);
    let report = check_differentiation(&(backend,), &scenario, &Options::new());
    is_caught(&report, &["with other tangents: prepared result: entry 0"]);
}

#[differentiable]
fn weighed(x: &[f64], #[constant] k: f64) -> f64 {
    k * x[0] * x[1] * x[2].sin()
}

#[test]
fn prep_that_knows_its_point_alone_is_caught_with_other_constants() {
    let (x, y) = (vec![2.0, 3.0, 0.5_f64], 12.0 * 0.5_f64.sin());
    let (sin, cos) = x[2].sin_cos();
    let expected = [6.0 * sin, 4.0 * sin, 12.0 * cos];
    let f = |k: f64| returns(weighed::AD.with(k));
    let scenario = Scenario::gradient("weighed", f(2.0), x, y, &expected).prepared_with(f(-3.0));
    check_differentiation(&(AutoSource::new(),), &scenario, &Options::new()).assert();
    let backend = Faulty::new(Fault::RemembersPoint);
    let report = check_differentiation(&(backend,), &scenario, &Options::new());
    is_caught(&report, &["with other constants: prepared result: entry 0"]);
}

#[differentiable]
fn unlike(x: &[f64]) -> f64 {
    1e4 * x[0] * x[1] + 1e-8 * x[2]
}

#[test]
fn wrong_small_entry_beside_large_ones_is_caught() {
    let (x, y) = (vec![2.0, 3.0, 0.5], 6e4 + 0.5e-8);
    let expected = [3e4, 2e4, 1e-8];
    let scenario = Scenario::gradient("unlike", returns(unlike::AD), x, y, &expected);
    check_differentiation(&(AutoSource::new(),), &scenario, &strict()).assert();
    let drowned = Faulty::new(Fault::Drowned);
    let report = check_differentiation(&(drowned,), &scenario, &Options::new());
    is_caught(&report, &["result: entry 2 is 2e-8"]);
    // What is as strict as the engine itself is no looser in small entries.
    let strict = Options::new().relative(1e-10);
    let report = check_differentiation(&(Faulty::new(Fault::Drowned),), &scenario, &strict);
    is_caught(&report, &["result: entry 2 is 2e-8"]);
}

#[test]
fn dense_matrix_of_a_sparse_backend_is_caught() {
    let f = returns(product::AD);
    let x = vec![2.0, 3.0, 0.0];
    let expected = [0.0, 0.0, 3.0, 0.0, 0.0, 2.0, 3.0, 2.0, 0.0];
    let scenario = Scenario::hessian("product", f, x, 0.0, &expected)
        .expect_first(&[0.0, 0.0, 6.0])
        .expect_stored(7);
    let second = di::SecondOrder::new(di::AutoDual::new(), AutoSource::new());
    let options = |sparsity| Options::new().sparsity(sparsity);
    for sparsity in [Sparsity::Any, Sparsity::OfSparse] {
        check_differentiation(&(second,), &scenario, &options(sparsity)).assert();
    }
    let report = check_differentiation(&(second,), &scenario, &options(Sparsity::Required));
    is_caught(
        &report,
        &["expected 7 stored entries, found a dense matrix"],
    );
}

fn calls(fault: Fault) -> Report {
    let x = vec![2.0, 3.0, 0.5_f64];
    let (sin, cos) = x[2].sin_cos();
    let expected = [3.0 * sin, 2.0 * sin, 6.0 * cos];
    let f = returns(product::AD);
    let gradient = Scenario::gradient("product", f, x, 6.0 * sin, &expected);
    check_calls(&(Faulty::new(fault),), &gradient)
}

#[test]
fn function_that_is_run_too_often_is_caught() {
    calls(Fault::None).assert();
    let restless = calls(Fault::Restless);
    is_caught(&restless, &["runs the function 2 times, the next 4 times"]);
    let wasteful = calls(Fault::Wasteful);
    is_caught(
        &wasteful,
        &["promises at most 2 runs of the function, found 3"],
    );
}

#[test]
fn result_that_is_not_written_is_caught() {
    is_caught(
        &check(Faulty::new(Fault::Lazy), &strict()),
        &["entry 2 is NaN"],
    );
}

#[test]
fn panic_is_a_failure_of_its_scenario() {
    is_caught(
        &check(Faulty::new(Fault::Panics), &strict()),
        &["panicked: no more paper on the tape"],
    );
}

#[test]
#[should_panic(expected = "1 of 1 scenarios failed")]
fn report_panics_in_a_test() {
    check(Faulty::new(Fault::Wrong), &strict()).assert();
}

/// An `x` that can be changed behind a shared reference: the types alone do not forbid it.
#[derive(Clone, Debug)]
struct Shared(Rc<Vec<Cell<f64>>>);

impl Container<Slice, f64> for Shared {
    type Result = Vec<f64>;
    fn shape(&self) -> usize {
        self.0.len()
    }
    fn view<'a>(&'a self, spare: &'a mut Option<Vec<f64>>) -> &'a [f64] {
        spare.insert(self.0.iter().map(Cell::get).collect())
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<Vec<f64>>) -> &'a [f64] {
        Container::view(self, spare)
    }
    fn blank(&self) -> Vec<f64> {
        vec![0.0; self.0.len()]
    }
}

#[test]
fn changed_x_is_caught() {
    let cells = Rc::new([2.0, 3.0, 0.5].map(Cell::new).to_vec());
    let sin = 0.5_f64.sin();
    let expected = [3.0 * sin, 2.0 * sin, 6.0 * 0.5_f64.cos()];
    let f = returns(product::AD);
    let scenario = Scenario::gradient("product", f, Shared(cells.clone()), 6.0 * sin, &expected);
    test_differentiation(&(Faulty::new(Fault::None), AutoSource::new()), &scenario);
    let meddling = Faulty {
        fault: Fault::None,
        x: Some(cells),
    };
    let report = check_differentiation(&(meddling,), &scenario, &Options::new());
    is_caught(&report, &["`x` or the tangents were changed"]);
}

#[test]
#[should_panic(expected = "nothing was checked")]
fn report_of_nothing_does_not_pass() {
    let none: Vec<Scenario<di::Gradient, di_test::Returns<product>, Vec<f64>, f64>> = Vec::new();
    test_differentiation(&(AutoSource::new(),), &none);
}

#[test]
fn pushforward_of_lanes_is_used_by_all() {
    // Each fault is in the pullback; what is derived from it has it too.
    let f = returns(product::AD);
    let x = vec![2.0, 3.0, 0.5_f64];
    let sin = 0.5_f64.sin();
    let scenario = Scenario::pushforward(
        "product",
        f,
        x,
        6.0 * sin,
        vec![0.0, 0.0, 1.0],
        &[6.0 * 0.5_f64.cos()],
    );
    let report = check_differentiation(&(Faulty::new(Fault::Wrong),), &scenario, &Options::new());
    is_caught(&report, &["pushforward of product (3 -> 1) by Faulty"]);
}

/// Names that only the signatures above need.
#[allow(
    dead_code,
    reason = "the imports are those of a backend with both primitives"
)]
fn signatures<K: Primal>(_: XLanes<'_, K, K::Real>, _: YLanesMut<'_, K, K::Real>)
where
    Vec<f64>: ContainerMut<Slice, f64>,
{
}
