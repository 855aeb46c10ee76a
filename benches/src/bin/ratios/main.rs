//! Prints how long derivatives take, as ratios: `cargo run --release -p differentiation-interface-benches --bin ratios [-- --case SUBSTRING]`.
//!
//! A header, then one line for each figure: case, metric, value, separated by tabs. Numerator and denominator are
//! timed in turn in the same run. All derivatives go through the public operators, prepared, in place.
//! `baseline` runs this program for seconds, and for single pieces whose instructions are counted.

mod adbench;
mod engines;
mod expressions;
mod fits;
mod interface;
mod networks;
mod small;
mod sparse;
mod zeros;

use di_benches::timing::{Timed, measure, run_alone};
use std::error::Error;
use std::process::ExitCode;

const HELP: &str = "\
usage: ratios [--case SUBSTRING] [--batches COUNT]
  --case SUBSTRING   only the cases whose name contains SUBSTRING, for example `rosenbrock n=1000`
  --only CASE        only the case of this name
  --except SUBSTRING no cases whose name contains SUBSTRING; can be repeated
  --batches COUNT    batches of each piece of code, 101 unless told
  --minimum          the fastest batch instead of the median, for machines with other work to do
  --seconds          seconds of one call of each piece of code, instead of ratios
  --calls COUNT      no times: runs each piece COUNT times
  --piece PIECE      with --calls: only the pieces of this name, for example `gradient`
  --list             the names of the cases
  --gmm FILE         this instance of ADBench too
  --lstm FILE        this one too";

/// Sizes of the small cases.
const SIZES: [usize; 4] = [10, 100, 1000, 10_000];

/// How often each piece is timed, and what is printed.
#[derive(Clone, Copy)]
struct Batches {
    count: usize,
    minimum: bool,
    print: Print,
}

#[derive(Clone, Copy)]
enum Print {
    Ratios,
    Seconds,
    /// Which pieces were run, without times.
    Calls {
        count: u64,
        piece: Option<&'static str>,
    },
    /// The name of the case.
    Name,
}

/// Which cases are run.
enum Cases {
    Containing(String),
    Only(String),
}

impl Cases {
    fn include(&self, case: &str) -> bool {
        match self {
            Cases::Containing(part) => case.contains(part),
            Cases::Only(name) => case == name,
        }
    }
}

impl std::fmt::Display for Cases {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cases::Containing(part) => write!(out, "no case contains `{part}`"),
            Cases::Only(name) => write!(out, "no case is called `{name}`"),
        }
    }
}

/// What was asked for on the command line.
struct Options {
    cases: Cases,
    except: Vec<String>,
    batches: Batches,
    instances: Vec<Instance>,
}

/// An instance of ADBench that was asked for.
struct Instance {
    kind: &'static str,
    file: String,
}

fn main() -> ExitCode {
    match options().and_then(|options| options.map_or(Ok(()), |options| run(&options))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The options, or `None` if only help was wanted.
fn options() -> Result<Option<Options>, Box<dyn Error>> {
    use lexopt::{Arg, ValueExt};
    let mut options = Options {
        cases: Cases::Containing(String::new()),
        except: Vec::new(),
        batches: Batches {
            count: 101,
            minimum: false,
            print: Print::Ratios,
        },
        instances: Vec::new(),
    };
    let (mut calls, mut wanted) = (None, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("case") => options.cases = Cases::Containing(parser.value()?.string()?),
            Arg::Long("only") => options.cases = Cases::Only(parser.value()?.string()?),
            Arg::Long("except") => options.except.push(parser.value()?.string()?),
            Arg::Long("list") => options.batches.print = Print::Name,
            Arg::Long("seconds") => options.batches.print = Print::Seconds,
            Arg::Long("calls") => calls = Some(parser.value()?.parse()?),
            // once, and as long as the program runs
            Arg::Long("piece") => wanted = Some(&*parser.value()?.string()?.leak()),
            Arg::Long("minimum") => options.batches.minimum = true,
            Arg::Long("batches") => options.batches.count = parser.value()?.parse()?,
            Arg::Long(kind @ ("gmm" | "lstm")) => {
                let kind = if kind == "gmm" { "gmm" } else { "lstm" };
                let file = parser.value()?.string()?;
                options.instances.push(Instance { kind, file });
            }
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(None);
            }
            other => return Err(format!("{}\n{HELP}", other.unexpected()).into()),
        }
    }
    if options.batches.count == 0 {
        return Err("expected at least one batch, found 0".into());
    }
    if let Some(count) = calls {
        options.batches.print = Print::Calls {
            count,
            piece: wanted,
        };
    } else if wanted.is_some() {
        return Err("--piece is for --calls".into());
    }
    Ok(Some(options))
}

/// Times one case and prints its ratios, or tells what is wrong with its derivatives.
type Outcome = Result<(), Box<dyn Error>>;

fn run(options: &Options) -> Outcome {
    match options.batches.print {
        Print::Ratios => println!("case\tmetric\tvalue"),
        Print::Seconds => println!("case\tpiece\tseconds"),
        Print::Calls { .. } => println!("case\tpiece\tcalls"),
        Print::Name => println!("case"),
    }
    let mut found = false;
    let mut time = |case: String, time: &dyn Fn(&str, Batches) -> Outcome| {
        let excepted = options.except.iter().any(|part| case.contains(part));
        if options.cases.include(&case) && !excepted {
            found = true;
            match options.batches.print {
                Print::Name => println!("{case}"),
                _ => time(&case, options.batches)?,
            }
        }
        Ok::<(), Box<dyn Error>>(())
    };
    for n in SIZES {
        time(format!("sumsq n={n}"), &|case, batches| {
            small::sumsq(case, n, batches)
        })?;
    }
    for n in SIZES {
        time(format!("rosenbrock n={n}"), &|case, batches| {
            small::rosenbrock(case, n, batches)
        })?;
    }
    for n in [10, 100, 1000] {
        time(format!("symbolic rosenbrock n={n}"), &|case, batches| {
            expressions::rosenbrock(case, n, batches)
        })?;
    }
    for n in [10, 100, 1000] {
        time(format!("interface rosenbrock n={n}"), &|case, batches| {
            interface::rosenbrock(case, n, batches)
        })?;
    }
    for n in [10, 1000, 100_000] {
        time(format!("fit n={n}"), &|case, batches| {
            fits::decay(case, n, batches)
        })?;
        time(format!("logistic n={n}"), &|case, batches| {
            fits::logistic(case, n, batches)
        })?;
    }
    time("roots n=1000".into(), &|case, batches| {
        zeros::roots(case, 1000, batches)
    })?;
    time("lotka_volterra".into(), &small::lotka_volterra)?;
    time("mlp".into(), &networks::mlp)?;
    time("fixed mlp".into(), &networks::mlp_fixed)?;
    time("mlp arrays".into(), &networks::mlp_arrays)?;
    time("lstm l2 c1024".into(), &networks::lstm)?;
    time("ba".into(), &adbench::ba)?;
    time("gmm d10 K25".into(), &adbench::gmm_d10)?;
    time("gmm d32 K25".into(), &adbench::gmm_d32)?;
    time("gmm 10k d10 K25".into(), &adbench::gmm_10k)?;
    for n in [32, 64, 128] {
        time(format!("brusselator N={n}"), &|case, batches| {
            sparse::brusselator(case, n, batches)
        })?;
    }
    time("listing2 n=1000".into(), &|case, batches| {
        sparse::listing2(case, 1000, batches)
    })?;
    for n in SIZES {
        time(format!("engines rosenbrock n={n}"), &|case, batches| {
            engines::rosenbrock(case, n, batches)
        })?;
    }
    for n in SIZES {
        time(format!("overloaded rosenbrock n={n}"), &|case, batches| {
            engines::overloaded(case, n, batches)
        })?;
    }
    time("engines lotka_volterra".into(), &engines::lotka_volterra)?;
    for path in &options.instances {
        time(format!("{} {}", path.kind, path.file), &|case, batches| {
            adbench::from_file(case, path, batches)
        })?;
    }
    if found {
        Ok(())
    } else {
        Err(options.cases.to_string().into())
    }
}

/// Compares a derivative with the one by hand.
fn must_agree(case: &str, what: &str, found: &[f64], by_hand: &[f64]) -> Outcome {
    if found.len() != by_hand.len() {
        let (found, by_hand) = (found.len(), by_hand.len());
        return Err(format!("{case}, {what}: {found} entries, by hand {by_hand}").into());
    }
    let scale = by_hand.iter().fold(1.0, |m: f64, b| m.max(b.abs()));
    for (i, (a, b)) in found.iter().zip(by_hand).enumerate() {
        // NaN is wrong too
        let right = (a - b).abs() <= 1e-11 * scale;
        if !right {
            let message = format!("{case}, {what}: entry {i} is {a:e}, by hand it is {b:e}");
            return Err(message.into());
        }
    }
    Ok(())
}

/// Times the pieces and prints those of the ratios whose pieces there are, or whatever else was asked for.
fn print_ratios(case: &str, pieces: Vec<Timed<'_>>, batches: Batches, ratios: &[(&str, &str)]) {
    match batches.print {
        Print::Ratios => {
            let times = measure(pieces, batches.count, batches.minimum);
            for (numerator, denominator) in ratios {
                if let Some(value) = times.ratio(numerator, denominator) {
                    // "/hand" is against the form by hand that computes the same, with or without the value.
                    let denominator = denominator.split(' ').next().unwrap_or(denominator);
                    println!("{case}\t{numerator}/{denominator}\t{value:.3}");
                }
            }
        }
        Print::Seconds => {
            for (piece, seconds) in measure(pieces, batches.count, batches.minimum).all() {
                println!("{case}\t{piece}\t{seconds:e}");
            }
        }
        Print::Calls { count, piece } => {
            for piece in run_alone(pieces, piece, count) {
                println!("{case}\t{piece}\t{count}");
            }
        }
        Print::Name => {}
    }
}
