//! Times of detection, coloring, decompression and sparse evaluation, beside their targets.
//!
//! `cargo run --release -p differentiation-interface-benches --bin sparse`, with parts of names to run some rows only.

mod functions;
mod patterns;

use std::hint::black_box;
use std::time::Instant;

use di::prelude::*;
use di::sparse::{
    AutoSparse, ByColor, ColoringAlgorithm, Decompressor, Greedy, Notation, Order, Part, Pattern,
    SparsePrep, Storage, Structure, Sums, Tracing, Verify, hessian_pattern, jacobian_pattern,
};
use functions::{brusselator, differences, fourth, initial, layers, loss, rosenbrock};

/// One line of the table.
struct Line {
    name: String,
    target: String,
    seconds: f64,
    note: String,
}

/// Lines whose names contain one of the words.
struct Table {
    words: Vec<String>,
    lines: Vec<Line>,
}

impl Table {
    fn wants(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }

    /// Times `work`.
    fn time<R>(&mut self, name: &str, target: &str, mut work: impl FnMut() -> R) -> f64 {
        let seconds = if self.wants(name) {
            least(&mut work)
        } else {
            return f64::NAN;
        };
        self.note(name, target, seconds, String::new());
        seconds
    }

    fn note(&mut self, name: &str, target: &str, seconds: f64, note: String) {
        println!(
            "{name:<44} {:>12}   target {target:<22} {note}",
            show(seconds)
        );
        self.lines.push(Line {
            name: name.to_owned(),
            target: target.to_owned(),
            seconds,
            note,
        });
    }
}

fn show(seconds: f64) -> String {
    match seconds {
        s if s.is_nan() => "-".to_owned(),
        s if s < 1e-3 => format!("{:.3} us", s * 1e6),
        s => format!("{:.3} ms", s * 1e3),
    }
}

/// Seconds that this thread has spent on a processor, where the system tells; else those that went by.
///
/// The system tells in ticks of up to 4 ms: for batches that are much longer.
fn clock(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// The least mean of a batch: other work on the machine makes batches slower, never faster.
///
/// Batches are so short that some are not interrupted, and timed by the clock on the wall. Work of more than 5 ms is
/// timed by the processor, in batches of 0.1 s.
fn least<R>(work: &mut impl FnMut() -> R) -> f64 {
    let mut wall = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(work());
        }
        start.elapsed().as_secs_f64()
    };
    let mut calls = 1u32;
    while wall(calls) < 2e-4 && calls < 1 << 24 {
        calls *= 2;
    }
    let (begin, mut least) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < 0.4 {
        least = wall(calls).min(least);
    }
    if calls > 1 || least < 5e-3 {
        return least / f64::from(calls);
    }
    let (calls, mut least) = ((0.1 / least).ceil(), f64::INFINITY);
    for _ in 0..8 {
        let start = clock(begin);
        for _ in 0..calls as u32 {
            black_box(work());
        }
        least = (clock(begin) - start).min(least);
    }
    least / calls
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = Table {
        words: std::env::args().skip(1).collect(),
        lines: Vec::new(),
    };
    detection(&mut table)?;
    colorings(&mut table)?;
    decompression(&mut table)?;
    hessians(&mut table)?;
    jacobians(&mut table)?;
    println!("\n| what | target | reached | note |\n|---|---|---|---|");
    for Line {
        name,
        target,
        seconds,
        note,
    } in &table.lines
    {
        println!("| {name} | {target} | {} | {note} |", show(*seconds));
    }
    Ok(())
}

fn detection(table: &mut Table) -> Result<(), Box<dyn std::error::Error>> {
    for (n, target) in [(10_000, ""), (100_000, "8 ms"), (1_000_000, "200 ms")] {
        let x = vec![0.5; n];
        let name = format!("detect Hessian of diff^2, n = {n}");
        table.time(&name, target, || {
            hessian_pattern(differences::AD, &Tracing::global(), &x)
        });
    }
    for (n, target) in [(32, "0.3 ms"), (64, "1.2 ms"), (128, "10 ms")] {
        let x = initial(n);
        let mut dx = vec![0.0; x.len()];
        let name = format!("detect Jacobian of Brusselator {n}");
        table.time(&name, target, || {
            jacobian_pattern(brusselator::AD.output(&mut dx), &Tracing::global(), &x)
        });
    }
    for n in [32, 128, 512] {
        let x = vec![0.5; n];
        table.time(&format!("detect Hessian of a loss, {n} inputs"), "", || {
            hessian_pattern(loss::AD, &Tracing::global(), &x)
        });
    }
    // by sets, and by bits: the one to be chosen is the faster one
    macro_rules! notations {
        ($what:literal, $f:ident, $x:expr) => {
            let x = $x;
            let mut y = vec![0.0; x.len()];
            for (how, notation) in [("sets", Notation::Sets), ("bits", Notation::Bits)] {
                let name = format!("detect {}, {} inputs, by {how}", $what, x.len());
                let detector = Tracing::global().notation(notation);
                table.time(&name, "", || {
                    jacobian_pattern($f::AD.output(&mut y), &detector, &x)
                });
            }
        };
    }
    for n in [2, 4, 8, 13, 16, 32] {
        notations!("Brusselator", brusselator, initial(n));
    }
    for n in [8, 32, 128, 256, 512, 1024] {
        notations!("layers", layers, vec![0.5; n]);
    }
    Ok(())
}

fn colorings(table: &mut Table) -> Result<(), Box<dyn std::error::Error>> {
    let natural = Greedy::new().orders([Order::Natural]);
    // name, pattern, ColPack's D2 in ms, target of star in ms
    let cases: [(&str, &dyn Fn() -> Pattern, f64, &str); 9] = [
        (
            "tridiagonal 333333",
            &|| patterns::banded(333_333),
            27.0,
            "10 ms",
        ),
        (
            "2D5 447",
            &|| patterns::grid(&[447, 447], false),
            25.4,
            "10 ms",
        ),
        (
            "2D9 333",
            &|| patterns::grid(&[333, 333], true),
            30.9,
            "20 ms",
        ),
        (
            "3D7 52",
            &|| patterns::grid(&[52, 52, 52], false),
            25.3,
            "10 ms",
        ),
        (
            "arrow 333333",
            &|| patterns::arrow(333_333),
            f64::NAN,
            "15 ms",
        ),
        (
            "random 1e5",
            &|| patterns::random(100_000, 5),
            107.0,
            "130 ms",
        ),
        ("brusselator 128", &|| patterns::brusselator(128), 2.59, ""),
        (
            "brusselator 256",
            &|| patterns::brusselator(256),
            22.4,
            "10 ms",
        ),
        (
            "power law 9e4",
            &|| patterns::power_law(90_000, 5),
            168.0,
            "170 ms",
        ),
    ];
    for (name, make, colpack, star_target) in cases {
        if !["transpose", "columns", "star", "acyclic"]
            .iter()
            .any(|what| table.wants(&format!("{what} {name}")))
        {
            continue;
        }
        let pattern = make();
        table.time(&format!("transpose {name}"), "15 ms", || {
            pattern.transpose()
        });
        let target = if colpack.is_nan() {
            "near-linear".to_owned()
        } else {
            format!("{:.2} ms", colpack / 3.0)
        };
        let count = |coloring: Result<di::sparse::Coloring, _>| {
            coloring.map_or(0, |coloring: di::sparse::Coloring| coloring.ncolors())
        };
        table.time(&format!("columns {name}"), &target, || {
            natural.columns(&pattern)
        });
        println!("    {} colors", count(natural.columns(&pattern)));
        let star = natural.clone().only_stars();
        table.time(&format!("star {name}"), star_target, || {
            star.symmetric(&pattern)
        });
        println!("    {} colors", count(star.symmetric(&pattern)));
        let target = match name {
            "2D5 447" => "60 ms",
            "3D7 52" => "100 ms",
            "arrow 333333" => "50 ms",
            _ => "",
        };
        let acyclic = star.substitution();
        table.time(&format!("acyclic {name}"), target, || {
            acyclic.symmetric(&pattern)
        });
        println!("    {} colors", count(acyclic.symmetric(&pattern)));
    }
    let small = patterns::arrow(1000);
    let acyclic = natural.only_stars().substitution();
    table.time("acyclic arrow 1000", "0.1 ms", || acyclic.symmetric(&small));
    if table.wants("best of all orders") {
        let best = Greedy::new().orders(Order::ALL);
        for (name, pattern) in [
            ("2D9 333", patterns::grid(&[333, 333], true)),
            ("power law 9e4", patterns::power_law(90_000, 5)),
            ("brusselator 128", patterns::brusselator(128)),
        ] {
            let start = Instant::now();
            let symmetric = best.symmetric(&pattern)?.ncolors();
            let columns = best.columns(&pattern)?.ncolors();
            let note = format!("{symmetric} symmetric, {columns} by columns");
            let name = format!("best of all orders {name}");
            table.note(&name, "", start.elapsed().as_secs_f64(), note);
        }
    }
    Ok(())
}

fn decompression(table: &mut Table) -> Result<(), Box<dyn std::error::Error>> {
    if !table.wants("decompress") {
        return Ok(());
    }
    let pattern = patterns::grid(&[447, 447], false);
    let coloring = Greedy::new().orders([Order::Natural]).columns(&pattern)?;
    let compressed = coloring.compress(&vec![1.0; pattern.len()])?;
    let mut values = vec![0.0; pattern.len()];
    for (what, storage) in [("CSR", Storage::Rows), ("CSC", Storage::Columns)] {
        let decompressor = Decompressor::new(&coloring, storage, Part::Full)?;
        let mut sums = Sums::new(&coloring);
        table.time(&format!("decompress 2D5 447 into {what}"), "0.8 ms", || {
            decompressor.decompress(&compressed, &mut values, &mut sums)
        });
        let by_color = ByColor::new(&coloring, &decompressor);
        let m = pattern.shape().0;
        table.time(
            &format!("decompress one color of 7 into {what}"),
            "",
            || {
                by_color
                    .as_ref()
                    .map(|by| by.decompress(0, &compressed[..m], &mut values))
            },
        );
    }
    Ok(())
}

macro_rules! hessian_case {
    ($table:ident, $f:ident, $name:literal, $targets:expr, $primal:expr) => {
        for (n, target) in $targets {
            let name = format!("Hessian values of {}, n = {n}", $name);
            if !$table.wants(&name) {
                continue;
            }
            let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin()).collect();
            let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
            let prep = prepare_hessian($f::AD, &backend, &x)?;
            let mut values = vec![0.0; prep.structure()?.layout().len()];
            let primal = least(&mut || $f(black_box(&x)));
            let seconds = least(&mut || {
                hessian_values_into($f::AD, &mut values, &prep, &backend, black_box(&x))
            });
            let note = format!("{:.1} x primal", seconds / primal);
            $table.note(&name, target, seconds, note);
        }
    };
}

fn hessians(table: &mut Table) -> Result<(), Box<dyn std::error::Error>> {
    hessian_case!(
        table,
        differences,
        "diff^2, constant",
        [(1_000, "0.25 us"), (10_000, "")],
        0
    );
    if table.wants("Hessian values of diff^2, not reused") {
        let x: Vec<f64> = (0..1000).map(|i| (i as f64 * 0.37).sin()).collect();
        let backend = AutoSparse::new(AutoSource::new())
            .verify(Verify::Never)
            .reuse(false);
        let f = differences::AD;
        let prep = prepare_hessian(f, &backend, &x)?;
        let mut values = vec![0.0; prep.structure()?.layout().len()];
        table.time(
            "Hessian values of diff^2, not reused, n = 1000",
            "2.5 us",
            || hessian_values_into(f, &mut values, &prep, &backend, black_box(&x)),
        );
    }
    hessian_case!(
        table,
        fourth,
        "diff^4",
        [(1_000, "6 us"), (10_000, "60 us")],
        0
    );
    hessian_case!(
        table,
        rosenbrock,
        "Rosenbrock",
        [(1_000, "8 us"), (10_000, "80 us")],
        0
    );
    Ok(())
}

/// The same in three passes of four lanes, each with seeds and results made anew, as a caller would write it.
fn narrow(
    table: &mut Table,
    n: usize,
    x: &[f64],
    dx: &mut [f64],
    structure: &Structure,
    wide: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let (coloring, m) = (structure.coloring(), dx.len());
    let (colors, count) = (coloring.column_colors(), coloring.ncolors());
    let decompressor = Decompressor::new(coloring, Storage::Rows, Part::Full)?;
    let mut sums = Sums::new(coloring);
    let mut values = vec![0.0; structure.layout().len()];
    let dense = AutoSource::new().forward();
    let zeros = vec![vec![0.0; x.len()]; 4];
    let lanes: &[Vec<f64>; 4] = zeros.as_slice().try_into()?;
    let prep = prepare_pushforward(brusselator::AD.output(dx), &dense, x, lanes)?;
    let mut pass = |first: usize, compressed: &mut Vec<f64>| {
        let seeds: [Vec<f64>; 4] = std::array::from_fn(|lane| {
            let one = |color: &u32| f64::from(u8::from(*color as usize == first + lane));
            colors.iter().map(one).collect()
        });
        let f = brusselator::AD.output(&mut *dx);
        let found = pushforward(f, &prep, &dense, x, &seeds);
        found.map(|found| found.iter().for_each(|dy| compressed.extend(dy)))
    };
    let seconds = least(&mut || {
        let mut compressed = Vec::with_capacity(count.next_multiple_of(4) * m);
        for first in (0..count).step_by(4) {
            pass(first, &mut compressed)?;
        }
        compressed.truncate(count * m);
        decompressor.decompress(&compressed, &mut values, &mut sums)?;
        Ok::<(), di::Error>(())
    });
    let name = format!("passes of 4 with seeds anew, Brusselator {n}");
    let note = format!("{:.1} x one wide pass", seconds / wide);
    table.note(&name, "2 x one wide pass", seconds, note);
    Ok(())
}

fn jacobians(table: &mut Table) -> Result<(), Box<dyn std::error::Error>> {
    for (n, target, all) in [
        (32, "20 us (13 native)", "0.6 ms"),
        (64, "85 us (58 native)", ""),
        (128, "350 us (250 native)", "15 ms"),
    ] {
        let name = format!("Jacobian values of Brusselator {n}");
        if !table.wants(&name) {
            continue;
        }
        let x = initial(n);
        let mut dx = vec![0.0; x.len()];
        let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
        let prep = prepare_jacobian(brusselator::AD.output(&mut dx), &backend, &x)?;
        let mut values = vec![0.0; prep.structure()?.layout().len()];
        let primal = least(&mut || brusselator(black_box(&x), &mut dx));
        let seconds = least(&mut || {
            let f = brusselator::AD.output(&mut dx);
            jacobian_values_into(f, &mut values, &prep, &backend, black_box(&x))
        });
        let structure = prep.structure()?;
        narrow(table, n, &x, &mut dx, &structure, seconds)?;
        let colors = structure.coloring().ncolors();
        let note = format!("{colors} colors, {:.1} x primal", seconds / primal);
        table.note(&name, target, seconds, note);
        let all_of_it = least(&mut || {
            let prep = prepare_jacobian(brusselator::AD.output(&mut dx), &backend, &x)?;
            let f = brusselator::AD.output(&mut dx);
            jacobian_values_into(f, &mut values, &prep, &backend, black_box(&x))
        });
        table.note(
            &format!("prepare and evaluate Brusselator {n}"),
            all,
            all_of_it,
            String::new(),
        );
    }
    for n in [4, 8, 16] {
        let name = format!("dense Jacobian, once, Brusselator {n}");
        if !table.wants(&name) {
            continue;
        }
        let x = initial(n);
        let mut dx = vec![0.0; x.len()];
        let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Never);
        let sparse = least(&mut || {
            let prep = prepare_jacobian(brusselator::AD.output(&mut dx), &backend, &x)?;
            jacobian(brusselator::AD.output(&mut dx), &prep, &backend, &x)
        });
        let dense = least(&mut || {
            let dense = AutoSource::new().forward();
            jacobian(brusselator::AD.output(&mut dx), NoPrep, &dense, &x)
        });
        table.note(
            &name,
            "more than sparse",
            dense,
            format!("sparse, once: {}", show(sparse)),
        );
    }
    Ok(())
}
