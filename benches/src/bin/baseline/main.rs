//! Compares the speed of two checkouts, and records that of this one: `cargo run --release -p
//! differentiation-interface-benches --bin baseline -- --against DIR` or `-- --write`.
//!
//! The programs that are timed are the `ratios` of this checkout, once with the library of this checkout and once with
//! that of the other one. A library without the operators that `ratios` uses cannot be compared.
//!
//! - `--against DIR`: a line for each piece of code: case, piece, the time with this library divided by that with the
//!   other one, by how much it may differ for no reason, and `slower` or `faster` if it differs by more. The two run in
//!   turns, case by case, and minima over all turns are compared. Fails if anything is slower.
//! - `--against DIR --instructions`: the same with counted instructions of the main kernels, which other work on the
//!   machine does not change. Needs valgrind.
//! - `--write`: `benches/baseline.tsv`, with times as multiples of the first piece of each case, mostly the function, and
//!   counted instructions.
//!
//! Programs are built in `target/baseline`; flags for rustc are taken from `RUSTFLAGS`, as by cargo.

mod instructions;
mod program;
mod record;
mod turns;

use program::Program;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
usage: baseline (--against DIR [--instructions] | --write) [--case SUBSTRING] [--rounds COUNT] [--batches COUNT]
  --against DIR     compares this checkout with the one in DIR, in turns
  --instructions    by counted instructions instead of times
  --write           writes benches/baseline.tsv
  --case SUBSTRING  only the cases whose name contains SUBSTRING
  --rounds COUNT    how often each case is run with each library, 6 by default
  --batches COUNT   batches of each piece in each round, 11 by default";

/// How long to measure.
#[derive(Clone, Copy)]
struct Effort {
    rounds: usize,
    batches: usize,
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(slower) => {
            eprintln!("error: {slower} pieces are slower than before");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns how many pieces are slower.
fn run() -> Result<usize, Box<dyn Error>> {
    use lexopt::{Arg, ValueExt};
    let (mut against, mut write, mut counted, mut case) = (None, false, false, String::new());
    let mut effort = Effort {
        rounds: 6,
        batches: 11,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Long("against") => against = Some(PathBuf::from(parser.value()?).canonicalize()?),
            Arg::Long("instructions") => counted = true,
            Arg::Long("write") => write = true,
            Arg::Long("case") => case = parser.value()?.string()?,
            Arg::Long("rounds") => effort.rounds = parser.value()?.parse()?,
            Arg::Long("batches") => effort.batches = parser.value()?.parse()?,
            Arg::Long("help") | Arg::Short('h') => {
                println!("{HELP}");
                return Ok(0);
            }
            other => return Err(format!("{}\n{HELP}", other.unexpected()).into()),
        }
    }
    if effort.rounds < 2 || effort.batches == 0 {
        return Err(
            "expected at least two rounds and one batch: noise is how much rounds differ".into(),
        );
    }
    let this = || Program::build("this", program::root());
    match against {
        Some(_) if write => Err("--write records this checkout alone".into()),
        None if write && !case.is_empty() => Err("--write records all cases".into()),
        Some(dir) => {
            let programs = [this()?, Program::build("other", &dir)?];
            if counted {
                instructions::compare(&programs, &case)
            } else {
                turns::compare(&programs, &case, effort)
            }
        }
        None if write => record::write(&this()?, effort).map(|()| 0),
        None => Err(HELP.into()),
    }
}
