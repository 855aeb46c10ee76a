//! Benchmarks: rows, their formats, and the fastest backend.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

use std::time::Duration;

use di::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForwardFromPrimitive,
    AutoSource, AutoSymbolic, AutoTape, AutoTaylor, AutoZero, SecondOrder, differentiable,
};
use di_test::allocations::Counting;
use di_test::{
    Benchmark, BenchmarkOptions, Scenario, Variants, benchmark_differentiation, fastest_backend,
    parity, returns, test_calls, writes,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[differentiable]
fn squared_norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

type SquaredNorm = Scenario<di::Gradient, di_test::Returns<squared_norm>, Vec<f64>, f64>;

fn scenario(n: usize) -> SquaredNorm {
    let f = returns(squared_norm::AD);
    let expected = vec![2.0; n];
    Scenario::gradient("squared norm", f, vec![1.0; n], n as f64, &expected).into_buffer()
}

fn measured() -> Benchmark {
    let options = BenchmarkOptions::new()
        .variants(Variants::Full)
        .time(Duration::from_micros(100))
        .progress(false);
    let backends = (
        AutoSource::new(),
        AutoDual::new(),
        AutoFiniteDiff::new(),
        AutoSource::new().forward(),
    );
    benchmark_differentiation(&backends, &[10, 100].map(scenario), options)
}

#[test]
fn rows_say_what_was_called_and_what_it_cost() {
    let found = measured();
    assert!(found.refused.is_empty());
    // Four backends, two sizes, five variants.
    assert_eq!(found.rows.len(), 40);
    let row = |backend: &str, operator: &str, n, prepared| {
        let mut rows = found.rows.iter();
        let of = |r: &&di_test::Measurement| {
            (&*r.backend, &*r.operator, r.inputs, r.prepared) == (backend, operator, n, prepared)
        };
        rows.find(of).unwrap()
    };
    let gradient = row("AutoSource", "gradient_into", 100, Some(true));
    assert_eq!(
        (gradient.calls, gradient.allocations, gradient.bytes),
        (1, Some(0), Some(0))
    );
    assert!(gradient.time > 0.0 && gradient.time <= gradient.median && gradient.samples >= 5);
    // Lanes of eight.
    let dual = row("AutoDual", "value_and_gradient_into", 100, Some(true));
    assert_eq!((dual.calls, dual.allocations), (13, Some(0)));
    // Two evaluations for each input; nobody asks for the value.
    let differences = row("AutoFiniteDiff", "gradient_into", 10, Some(true));
    assert_eq!(differences.calls, 20);
    let forward = row(
        "AutoSource { only: Forward }",
        "gradient_into",
        10,
        Some(true),
    );
    assert_eq!(forward.calls, 2);
    let unprepared = row("AutoDual", "gradient_into", 100, Some(false));
    assert!(unprepared.allocations > Some(0) && unprepared.bytes >= Some(800));
    assert_eq!(row("AutoDual", "prepare_gradient", 10, None).prepared, None);
    let _row = parity::row(102);
    let counts = [gradient.calls, dual.calls].map(|c| c as f64);
    di_test::compare::assert_bitwise("evaluations", &counts, &[1.0, 13.0]);
}

/// What a backend cannot do has no row, and takes nothing from those that follow.
#[test]
fn calls_are_those_of_the_row() {
    let x = || vec![1.0; 6];
    let f = || returns(squared_norm::AD);
    let hessian: Vec<f64> = (0..36)
        .map(|k| f64::from(u8::from(k % 7 == 0)) * 2.0)
        .collect();
    let scenarios = (
        Scenario::hessian("squared norm", f(), x(), 6.0, &hessian),
        scenario(6),
    );
    let options = BenchmarkOptions::new()
        .time(Duration::from_micros(100))
        .progress(false);
    let backends = (AutoForwardFromPrimitive(AutoFiniteDiff::new()),);
    let found = benchmark_differentiation(&backends, &scenarios, options);
    // Each pushforward is two evaluations and one for the value.
    let calls: Vec<_> = found.rows.iter().map(|r| (&*r.operator, r.calls)).collect();
    assert_eq!(
        calls,
        [("value_and_gradient_into", 18), ("gradient_into", 18)]
    );
}

#[differentiable]
fn products(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i] * x[(i + 1) % n].sin();
    }
}

#[test]
fn no_backend_runs_a_function_more_often_than_it_promises() {
    let x: Vec<f64> = (0..7).map(|i| 0.3 + 0.2 * f64::from(i)).collect();
    let mut y = vec![0.0; 7];
    products(&x, &mut y);
    let norm: f64 = x.iter().map(|v| v * v).sum();
    let v = vec![1.0; 7];
    let f = || returns(squared_norm::AD);
    let g = || writes(|y: &mut Vec<f64>| products::AD.output(y));
    // What comes out is of no interest here.
    let scenarios = (
        Scenario::gradient("squared norm", f(), x.clone(), norm, &[]).into_buffer(),
        Scenario::hvp("squared norm", f(), x.clone(), norm, v.clone(), &[]),
        Scenario::hessian("squared norm", f(), x.clone(), norm, &[]).into_buffer(),
        Scenario::pushforward("products", g(), x.clone(), y.clone(), v.clone(), &[]).batchify(),
        Scenario::pullback("products", g(), x.clone(), y.clone(), v, &[]).into_buffer(),
        Scenario::jacobian("products", g(), x, y, &[]).into_buffer(),
    );
    let ours = (
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoDual::new(),
        AutoTape::new(),
        AutoTape::eager(),
        AutoSymbolic::new(),
        AutoTaylor::new(),
        AutoComplexStep::new(),
        AutoFiniteDiff::new(),
        AutoFiniteDifferences::central(5),
        SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
    );
    test_calls(&ours, &scenarios);
}

#[test]
fn formats_hold_every_row() {
    let found = measured();
    let markdown = found.markdown();
    assert_eq!(markdown.lines().count(), 42);
    let cells = markdown.lines().map(|line| line.matches(" | ").count());
    assert!(cells.skip(2).all(|count| count == 11));
    let mut csv = Vec::new();
    found.write_csv(&mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 41);
    assert!(csv.starts_with("backend,scenario,operator,inputs,outputs,prepared,calls,"));
    let mut json = Vec::new();
    found.write_json(&mut json).unwrap();
    let json = String::from_utf8(json).unwrap();
    assert_eq!(json.matches("\"backend\"").count(), 40);
    assert_eq!(found.to_string().matches("squared norm").count(), 40);
}

#[test]
fn scenarios_of_one_name_keep_their_rows() {
    let options = BenchmarkOptions::new()
        .variants(Variants::Full)
        .time(Duration::from_micros(100))
        .progress(false);
    let backends = (AutoZero::reverse(),);
    let found = benchmark_differentiation(&backends, &[0, 10, 10].map(scenario), options);
    let names: Vec<&str> = found.rows.iter().map(|row| row.scenario.as_str()).collect();
    let first = ["squared norm"; 10].into_iter();
    assert_eq!(
        names,
        first.chain(["squared norm #2"; 5]).collect::<Vec<_>>()
    );
    // What is measured of a preparation is the preparation.
    let preparation = found.rows.iter().find(|row| row.prepared.is_none());
    assert_eq!(preparation.map(|row| row.allocations), Some(Some(0)));
    // Zero has no logarithm.
    let page = found.html("sizes");
    assert!(!page.contains("inf") && !page.contains("NaN"), "{page}");
}

#[test]
fn page_stands_alone() {
    let found = measured();
    let page = found.html("A < B & \"C\"");
    for wanted in [
        "A &lt; B &amp; &quot;C&quot;",
        "prefers-color-scheme: dark",
        "name=\"viewport\"",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for foreign in ["http://", "https://", "<script", "@import", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // Two variants, each prepared beside not prepared; a mark for each backend and size, and in the legend.
    assert_eq!(
        page.matches("aria-label=\"Time of one call against n")
            .count(),
        4
    );
    assert_eq!(page.matches("class=\"mark ").count(), 2 * (2 * 4 * 2 + 4));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    // One size: a mark prepared and one not, for each backend.
    let one = Benchmark {
        rows: found
            .rows
            .into_iter()
            .filter(|row| row.inputs == 10)
            .collect(),
        refused: vec!["that".to_owned()],
    };
    let page = one.html("one size");
    assert_eq!(page.matches("class=\"mark ").count(), 2 * 2 * 4);
    assert!(page.contains("<li>that</li>"));
}

#[test]
fn fastest_backend_is_right_and_has_a_time() {
    let backends = (
        AutoZero::reverse(),
        AutoFiniteDiff::new(),
        AutoSource::new(),
        AutoDual::new(),
    );
    let found = fastest_backend(&backends, &scenario(200)).unwrap();
    assert_eq!(found.backend, "AutoSource");
    assert!(found.time > 0.0 && found.time < 1e-3);
    let mut others: Vec<&str> = found.others.iter().map(|(name, _)| name.as_str()).collect();
    assert!(found.others.is_sorted_by(|a, b| a.1 <= b.1));
    others.sort_unstable();
    assert_eq!(others, ["AutoDual", "AutoFiniteDiff"]);
    // Zeros come fast, and are wrong.
    assert_eq!(found.refused.len(), 1);
    assert!(found.refused[0].1.contains("expected 2e0"));
    let _row = parity::row(105);
    di_test::compare::assert_bitwise("refused", &[found.refused.len() as f64], &[1.0]);
}

#[test]
fn nothing_is_fastest_where_nothing_is_right() {
    assert_eq!(fastest_backend(&(AutoZero::forward(),), &scenario(3)), None);
}

#[test]
fn parity_is_what_the_tests_show() {
    parity::check();
}
