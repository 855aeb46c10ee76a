//! How the cost of reverse mode grows: with the number of inputs, and with the trips of a loop.
//!
//! `cargo run --release -p differentiation-interface-growth [-- --batches COUNT] [--upto SIZE] [--write]`
//!
//! A header, then one line for each figure: what, size, metric, value, separated by tabs. Times are the fastest of
//! several batches, and pieces of one size are timed in turn, since the machine may have other work. Derivatives are
//! compared with those by hand first. `--write` draws the pictures in `docs`.

mod inputs;
mod pendulum;
mod picture;
mod trips;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

/// For the peaks of memory.
#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

const HELP: &str = "\
usage: differentiation-interface-growth [--batches COUNT] [--upto SIZE] [--write]
  --batches COUNT  batches of each piece of code, 11 by default
  --upto SIZE      no more inputs, and no more trips, than this
  --write          draws docs/growth-inputs.svg and docs/growth-trips.svg";

/// What was asked for on the command line.
struct Options {
    batches: usize,
    upto: usize,
    write: bool,
}

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
    let mut options = Options {
        batches: 11,
        upto: usize::MAX,
        write: false,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("batches") => options.batches = parser.value()?.parse()?,
            Arg::Long("upto") => options.upto = parser.value()?.parse()?,
            Arg::Long("write") => options.write = true,
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(());
            }
            other => return Err(format!("{}\n{HELP}", other.unexpected()).into()),
        }
    }
    if options.batches == 0 || options.upto < 10 {
        return Err("expected at least one batch, and sizes up to 10 at least".into());
    }
    println!("what\tsize\tmetric\tvalue");
    let pictures = [
        ("growth-inputs.svg", inputs::measure(&options)?),
        ("growth-trips.svg", trips::measure(&options)?),
    ];
    if options.write {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let docs = here.ancestors().nth(2).unwrap_or(here).join("docs");
        for (name, panels) in pictures {
            picture::draw(&docs.join(name), &panels)?;
            println!("wrote docs/{name}");
        }
    }
    Ok(())
}

/// 10, 30, 100, .. up to `last`, or to what was asked for.
fn sizes(last: usize, options: &Options) -> impl Iterator<Item = usize> {
    let last = last.min(options.upto);
    let tens = (1..).map(|power| 10_usize.pow(power));
    let all = tens.flat_map(|ten| [ten, 3 * ten]);
    all.take_while(move |size| *size <= last)
}

/// An error unless derivatives are those by hand, up to rounding.
fn must_agree(what: &str, found: &[f64], by_hand: &[f64]) -> Result<(), Box<dyn Error>> {
    let scale = by_hand.iter().fold(1.0, |m: f64, b| m.max(b.abs()));
    let right = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * scale;
    if found.len() == by_hand.len() && found.iter().zip(by_hand).all(right) {
        Ok(())
    } else {
        Err(format!("{what}: the derivative is not the one by hand").into())
    }
}
