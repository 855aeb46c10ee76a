//! Prints the table of README's section "How it compares":
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [-- --batches COUNT]`.
//!
//! Generated code, our other engines, and other crates compute value and gradient of the same functions, in turns, in
//! one process. All gradients are compared with the one by hand before they are timed. The time of each is the fastest
//! of its batches.

mod bodies;
mod cases;
mod engines;
mod numbers;

use cases::Outcome;
use di_benches::timing::{Timed, measure};
use std::process::ExitCode;

/// What each case times first: what all others are divided by.
const PRIMAL: &str = "the function alone";

/// Seconds of each engine that was timed on a case.
struct Column {
    case: &'static str,
    seconds: Vec<(&'static str, f64)>,
}

impl Column {
    fn measure(case: &'static str, pieces: Vec<Timed<'_>>, batches: usize) -> Self {
        let seconds = measure(pieces, batches, true).all().collect();
        Column { case, seconds }
    }

    fn seconds(&self, engine: &str) -> Option<f64> {
        let mut all = self.seconds.iter();
        all.find(|(name, _)| *name == engine).map(|(_, time)| *time)
    }

    /// A multiple of the function's time; that itself in microseconds.
    fn cell(&self, engine: &str) -> String {
        let (Some(time), Some(primal)) = (self.seconds(engine), self.seconds(PRIMAL)) else {
            return "-".into();
        };
        if engine == PRIMAL {
            return format!("{} µs", digits(time * 1e6));
        }
        digits(time / primal)
    }
}

/// Three digits, or all before the point.
fn digits(x: f64) -> String {
    let decimals = if x < 10.0 { 2 } else { usize::from(x < 100.0) };
    format!("{x:.decimals$}")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let batches = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Some(101),
        ["--batches", count] => count.parse().ok().filter(|count| *count > 0),
        _ => None,
    };
    let Some(batches) = batches else {
        eprintln!("usage: peers [--batches COUNT]");
        return ExitCode::FAILURE;
    };
    match columns(batches) {
        Ok(columns) => {
            print(&columns);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn columns(batches: usize) -> Outcome<[Column; 4]> {
    Ok([
        cases::rosenbrock("`rosenbrock n=1000`", batches)?,
        cases::mlp("`mlp`", batches)?,
        cases::gmm("`gmm d10 K25`", batches)?,
        cases::lotka_volterra("`lotka_volterra`", batches)?,
    ])
}

fn print(columns: &[Column]) {
    let mut engines: Vec<&str> = Vec::new();
    for (engine, _) in columns.iter().flat_map(|column| &column.seconds) {
        if !engines.contains(engine) {
            engines.push(engine);
        }
    }
    let cases: Vec<&str> = columns.iter().map(|column| column.case).collect();
    println!("| value and gradient by | {} |", cases.join(" | "));
    println!("|---|{}", "---|".repeat(columns.len()));
    for engine in engines {
        let cells: Vec<String> = columns.iter().map(|column| column.cell(engine)).collect();
        println!("| {engine} | {} |", cells.join(" | "));
    }
}
