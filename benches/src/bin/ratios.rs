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

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    println!("case\tmetric\tvalue");
    let mut found = false;
    for n in [10, 100, 1000, 10_000] {
        let name = format!("sumsq n={n}");
        if name.contains(&options.case) {
            found = true;
            time_sumsq(&name, n, options.batches)?;
        }
    }
    for n in [10, 100, 1000, 10_000] {
        let name = format!("rosenbrock n={n}");
        if name.contains(&options.case) {
            found = true;
            time_rosenbrock(&name, n, options.batches)?;
        }
    }
    if found {
        Ok(())
    } else {
        Err(format!("no case contains `{}`", options.case).into())
    }
}

fn time_sumsq(case: &str, n: usize, batches: usize) -> Result<(), di::Error> {
    let x = &input(n)[..];
    let (mut g, mut g0) = (vec![0.0; n], vec![0.0; n]);
    let (source, dual) = (AutoSource::new(), AutoDual::new());
    let (mut g1, mut g2, mut g3) = (g.clone(), g.clone(), g.clone());
    let prep = prepare_gradient(sumsq::sumsq::AD, &source, x)?;
    let prep_dual = prepare_gradient(sumsq::sumsq::AD, &dual, x)?;
    let mut pieces = vec![
        timed("primal", || sumsq::primal(black_box(x))),
        timed("hand", || {
            sumsq::value_and_gradient(black_box(x), black_box(&mut g))
        }),
        timed("hand gradient", || {
            sumsq::gradient(black_box(x), black_box(&mut g0))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(
                sumsq::sumsq::AD,
                black_box(&mut g1),
                &prep,
                &source,
                black_box(x),
            )
        }),
        timed("gradient", || {
            gradient_into(
                sumsq::sumsq::AD,
                black_box(&mut g2),
                &prep,
                &source,
                black_box(x),
            )
        }),
    ];
    // Forward mode needs n / chunk sweeps: beyond a thousand inputs its time is known and long.
    if n <= 1000 {
        pieces.push(timed("AutoDual value_and_gradient", || {
            value_and_gradient_into(
                sumsq::sumsq::AD,
                black_box(&mut g3),
                &prep_dual,
                &dual,
                black_box(x),
            )
        }));
    }
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "hand"),
            ("gradient", "hand gradient"),
            ("value_and_gradient", "primal"),
            ("hand", "primal"),
            ("AutoDual value_and_gradient", "primal"),
        ],
    );
    Ok(())
}

fn time_rosenbrock(case: &str, n: usize, batches: usize) -> Result<(), di::Error> {
    let f = rosenbrock::rosenbrock::AD;
    let (x, v) = (&input(n)[..], &direction(n)[..]);
    let (mut g, mut g0, mut h) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let (mut g1, mut g2, mut g3, mut h1) = (g.clone(), g.clone(), g.clone(), g.clone());
    let (source, dual) = (AutoSource::new(), AutoDual::new());
    let prep = prepare_gradient(f, &source, x)?;
    let prep_dual = prepare_gradient(f, &dual, x)?;
    let prep_hvp = prepare_hvp(f, &source, x, v)?;
    let mut pieces = vec![
        timed("primal", || rosenbrock::primal(black_box(x))),
        timed("hand", || {
            rosenbrock::value_and_gradient(black_box(x), black_box(&mut g))
        }),
        timed("hand gradient", || {
            rosenbrock::gradient(black_box(x), black_box(&mut g0))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g1), &prep, &source, black_box(x))
        }),
        timed("gradient", || {
            gradient_into(f, black_box(&mut g2), &prep, &source, black_box(x))
        }),
    ];
    if n <= 1000 {
        pieces.push(timed("AutoDual value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut g3), &prep_dual, &dual, black_box(x))
        }));
    }
    if n == 1000 {
        pieces.push(timed("hvp", || {
            hvp_into(
                f,
                black_box(&mut h1),
                &prep_hvp,
                &source,
                black_box(x),
                black_box(v),
            )
        }));
        pieces.push(timed("hand hvp", || {
            rosenbrock::hvp(black_box(x), black_box(v), black_box(&mut h))
        }));
    }
    print_ratios(
        case,
        pieces,
        batches,
        &[
            ("value_and_gradient", "primal"),
            ("gradient", "hand gradient"),
            ("value_and_gradient", "hand"),
            ("hand", "primal"),
            ("AutoDual value_and_gradient", "primal"),
            ("hvp", "primal"),
            ("hand hvp", "primal"),
        ],
    );
    Ok(())
}

/// Times the pieces and prints those of the ratios whose pieces there are.
fn print_ratios(case: &str, pieces: Vec<Timed<'_>>, batches: usize, ratios: &[(&str, &str)]) {
    let medians: Medians = measure(pieces, batches);
    for (numerator, denominator) in ratios {
        if let Some(value) = medians.ratio(numerator, denominator) {
            // "gradient/hand" is by convention against the hand form that computes the same: without the value.
            let denominator = denominator.split(' ').next().unwrap_or(denominator);
            println!("{case}\t{numerator}/{denominator}\t{value:.3}");
        }
    }
}
