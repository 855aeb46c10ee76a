//! What annotations cost at compile time: `cargo run --release -p differentiation-interface-compile-time [-- --runs COUNT] [--expand] [--gmm]
//! [--against DIR]`.
//!
//! A header, then one line for each figure: what, metric, value, separated by tabs. The functions are those of
//! the benches and of `tests/programs`, with the types and constants that they use.
//!
//! - `expansion`: the compiler alone, without rustc, in release; median and largest time of a function, and of
//!   those with 30 lines or more the time for 60. Target: 20 ms for 60 lines with loops and calls.
//! - `lines`: generated lines for each line of source, median of all functions and of all together.
//! - `check`, `debug` and `release`: seconds of processor time that cargo takes for a crate with these functions, as
//!   they are and without annotations, their ratio, and the milliseconds for each annotated function. No derivative
//!   is taken, so nothing of generic code is instantiated. To be reported; no target.
//! - `gmm debug` and `gmm release`: the same for one program, which takes gradient, product with the Hessian and
//!   Hessian, against the plain function with its gradient by hand; and how many functions rustc makes of both.
//! - `first build`: a program with one small function and everything that it depends on, debug, by one core, and the
//!   lines of `cargo tree -e normal`.
//!
//! Where the system does not count processor time (Linux does), seconds are those of a clock.
//!
//! Figures are in docs/compile-time.md.
//!
//! Crates are built in `target/compile-bench`; the first run builds what they depend on.

mod crates;
mod source;

use source::{Module, modules};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const HELP: &str = "\
usage: differentiation-interface-compile-time [--runs COUNT] [--expand] [--gmm] [--macros LEVEL] [--against DIR]
  --runs COUNT   how often each crate is built, 5 by default
  --expand       only the expansion, without rustc
  --gmm          of the crates only that of one program
  --macros LEVEL how far macros are optimised in debug builds, 0 by default, as cargo has it
  --against DIR  the same for another checkout, in turn, as ratios";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    use lexopt::{Arg, ValueExt};
    let (mut runs, mut expand_only, mut gmm, mut against) = (5, false, false, None);
    let mut macros: u8 = 0;
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("runs") => runs = parser.value()?.parse()?,
            Arg::Long("expand") => expand_only = true,
            Arg::Long("gmm") => gmm = true,
            Arg::Long("macros") => macros = parser.value()?.parse()?,
            Arg::Long("against") => against = Some(PathBuf::from(parser.value()?).canonicalize()?),
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(());
            }
            other => return Err(format!("{}\n{HELP}", other.unexpected()).into()),
        }
    }
    if runs == 0 {
        return Err("expected at least one run, found 0".into());
    }
    let modules = modules()?;
    println!("what\tmetric\tvalue");
    expansion(&modules)?;
    if !expand_only {
        let options = crates::Options {
            runs,
            gmm,
            macros,
            against,
        };
        crates::measure(&modules, &options)?;
    }
    Ok(())
}

/// Time and size of one function's expansion.
struct Expansion {
    name: String,
    seconds: f64,
    lines: usize,
    generated: usize,
}

fn expansion(modules: &[Module]) -> Result<(), Box<dyn Error>> {
    let mut all = Vec::new();
    let functions = modules
        .iter()
        .flat_map(|module| module.annotated().map(move |f| (module, f)));
    for (module, function) in functions {
        let expanded =
            |item| di_compiler::differentiable_among(Default::default(), item, module.items());
        let times: Vec<f64> = (0..11)
            .map(|_| {
                let item = function.tokens();
                let start = Instant::now();
                std::hint::black_box(expanded(item));
                start.elapsed().as_secs_f64()
            })
            .collect();
        let expansion = expanded(function.tokens());
        let file = syn::parse2(expansion);
        let file = file.map_err(|error| format!("{}: {error}", function.name()))?;
        let lines = function.lines();
        all.push(Expansion {
            name: function.name(),
            seconds: median(times),
            lines,
            generated: prettyplease::unparse(&file).lines().count() - lines,
        });
    }
    let slowest = all.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let slowest = slowest.ok_or("no annotated function was found")?;
    let long = all.iter().filter(|e| e.lines >= 30);
    let of_60 = long.map(|e| e.seconds * 60.0 / e.lines as f64).collect();
    let (lines, generated) = all.iter().fold((0, 0), |(lines, generated), e| {
        (lines + e.lines, generated + e.generated)
    });
    let ratio = |e: &Expansion| e.generated as f64 / e.lines as f64;
    println!("expansion\tfunctions\t{}", all.len());
    let milliseconds = all.iter().map(|e| e.seconds * 1e3);
    println!(
        "expansion\tmedian ms\t{:.2}",
        median(milliseconds.collect())
    );
    println!(
        "expansion\tlargest ms, of {} ({} lines)\t{:.2}",
        slowest.name,
        slowest.lines,
        slowest.seconds * 1e3
    );
    println!("expansion\tms for 60 lines\t{:.2}", median(of_60) * 1e3);
    println!(
        "lines\tgenerated/source, median\t{:.1}",
        median(all.iter().map(ratio).collect())
    );
    println!(
        "lines\tgenerated/source, all\t{:.1}",
        generated as f64 / lines as f64
    );
    Ok(())
}

/// Zero of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
