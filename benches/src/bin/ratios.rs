//! Prints how long derivatives take, as ratios: `cargo run --release -p di-benches --bin ratios [-- --case SUBSTRING]`.
//!
//! A header, then one line for each figure: case, metric, value, separated by tabs. Numerator and denominator are
//! timed in turn in the same run. All derivatives go through the public operators, prepared, in place.

use di::prelude::*;
use di_benches::cases::{direction, input, rosenbrock, sumsq};
use di_benches::timing::{Medians, Timed, measure, timed};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

const HELP: &str = "\
usage: ratios [--case SUBSTRING] [--batches COUNT]
  --case SUBSTRING   only the cases whose name contains SUBSTRING, for example `rosenbrock n=1000`
  --batches COUNT    batches of each piece of code, 101 unless told";

/// What was asked for on the command line.
struct Options {
    case: String,
    batches: usize,
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
        case: String::new(),
        batches: 101,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("case") => options.case = parser.value()?.string()?,
            Arg::Long("batches") => options.batches = parser.value()?.parse()?,
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(None);
            }
            other => return Err(format!("{}\n{HELP}", other.unexpected()).into()),
        }
    }
    if options.batches == 0 {
        return Err("expected at least one batch, found 0".into());
    }
    Ok(Some(options))
}

/// Sizes of the small cases.
const SIZES: [usize; 4] = [10, 100, 1000, 10_000];
/// Forward mode takes `n / chunk` sweeps for a gradient: beyond this its time is known, and long.
const DUAL_LIMIT: usize = 1000;

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    println!("case\tmetric\tvalue");
    let mut found = false;
    let mut time = |name: &str, n: usize, time: fn(&str, usize, usize) -> Outcome| {
        let case = format!("{name} n={n}");
        if case.contains(&options.case) {
            found = true;
            time(&case, n, options.batches)?;
        }
        Ok::<(), Box<dyn Error>>(())
    };
    for n in SIZES {
        time("sumsq", n, time_sumsq)?;
    }
    for n in SIZES {
        time("rosenbrock", n, time_rosenbrock)?;
    }
    if found {
        Ok(())
    } else {
        Err(format!("no case contains `{}`", options.case).into())
    }
}

type Outcome = Result<(), Box<dyn Error>>;

/// The pieces of a gradient: primal, by hand, by operators. A macro, since each handle is a type of its own.
macro_rules! gradient_pieces {
    ($case:expr, $module:ident, $x:expr, $pieces:ident) => {
        let (f, x) = ($module::$module::AD, $x);
        let (source, dual) = (AutoSource::new(), AutoDual::new());
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| vec![0.0; x.len()]);
        let prep = prepare_gradient(f, &source, x)?;
        let prep_dual = prepare_gradient(f, &dual, x)?;
        // What is timed must be right.
        $module::gradient(x, &mut a);
        $module::value_and_gradient(x, &mut b);
        must_agree($case, "hand value_and_gradient", &b, &a)?;
        must_agree($case, "AutoSource", &gradient(f, &prep, &source, x)?, &a)?;
        must_agree($case, "AutoDual", &gradient(f, &prep_dual, &dual, x)?, &a)?;
        let mut $pieces = vec![
            timed("primal", || $module::primal(black_box(x))),
            timed("hand", || {
                $module::value_and_gradient(black_box(x), black_box(&mut a))
            }),
            timed("hand gradient", || {
                $module::gradient(black_box(x), black_box(&mut b))
            }),
            timed("value_and_gradient", || {
                value_and_gradient_into(f, black_box(&mut c), &prep, &source, black_box(x))
            }),
            timed("gradient", || {
                gradient_into(f, black_box(&mut d), &prep, &source, black_box(x))
            }),
        ];
        if x.len() <= DUAL_LIMIT {
            $pieces.push(timed("AutoDual value_and_gradient", || {
                value_and_gradient_into(f, black_box(&mut e), &prep_dual, &dual, black_box(x))
            }));
        }
    };
}

fn time_sumsq(case: &str, n: usize, batches: usize) -> Outcome {
    let x = input(n);
    gradient_pieces!(case, sumsq, &x[..], pieces);
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "hand"),
            ("gradient", "hand gradient"),
            ("hand", "primal"),
            ("value_and_gradient", "primal"),
            ("AutoDual value_and_gradient", "primal"),
        ],
    );
    Ok(())
}

fn time_rosenbrock(case: &str, n: usize, batches: usize) -> Outcome {
    let f = rosenbrock::rosenbrock::AD;
    let (x, v) = (input(n), direction(n));
    let (x, v) = (&x[..], &v[..]);
    let (mut by_hand, mut product) = (vec![0.0; n], vec![0.0; n]);
    let source = AutoSource::new();
    let prep_hvp = prepare_hvp(f, &source, x, v)?;
    rosenbrock::hvp(x, v, &mut by_hand);
    let found = hvp(f, &prep_hvp, &source, x, v)?;
    must_agree(case, "hvp", &found, &by_hand)?;
    gradient_pieces!(case, rosenbrock, x, pieces);
    if n == 1000 {
        pieces.push(timed("hvp", || {
            hvp_into(
                f,
                black_box(&mut product),
                &prep_hvp,
                &source,
                black_box(x),
                black_box(v),
            )
        }));
        pieces.push(timed("hand hvp", || {
            rosenbrock::hvp(black_box(x), black_box(v), black_box(&mut by_hand))
        }));
    }
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "primal"),
            ("gradient", "hand gradient"),
            ("hand", "primal"),
            ("value_and_gradient", "hand"),
            ("AutoDual value_and_gradient", "primal"),
            ("hvp", "primal"),
            ("hand hvp", "primal"),
        ],
    );
    Ok(())
}

/// Compares a derivative with the one by hand.
fn must_agree(case: &str, what: &str, found: &[f64], by_hand: &[f64]) -> Outcome {
    for (i, (a, b)) in found.iter().zip(by_hand).enumerate() {
        if (a - b).abs() > 1e-11 * (1.0 + b.abs()) {
            let message = format!("{case}, {what}: entry {i} is {a:e}, by hand it is {b:e}");
            return Err(message.into());
        }
    }
    Ok(())
}

/// Times the pieces and prints those of the ratios whose pieces there are.
fn print_ratios(case: &str, pieces: Vec<Timed<'_>>, batches: usize, ratios: &[(&str, &str)]) {
    let medians: Medians = measure(pieces, batches);
    for (numerator, denominator) in ratios {
        if let Some(value) = medians.ratio(numerator, denominator) {
            // "/hand" is against the form by hand that computes the same, with or without the value.
            let denominator = denominator.split(' ').next().unwrap_or(denominator);
            println!("{case}\t{numerator}/{denominator}\t{value:.3}");
        }
    }
}
