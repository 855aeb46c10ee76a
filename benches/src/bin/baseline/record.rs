//! Writes `benches/baseline.tsv`.

use super::Effort;
use super::instructions;
use super::program::{Program, root};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// Times as multiples of the first piece of each case, and instructions if there is anything that counts them.
pub(super) fn write(program: &Program, effort: Effort) -> Result<(), Box<dyn Error>> {
    let counts = instructions::available();
    if let Err(reason) = &counts {
        eprintln!("no instructions are recorded: {reason}");
    }
    let mut text = head(effort)?;
    for case in program.cases("")? {
        let times = fastest(program, &case, effort)?;
        let first = times.first().map_or(f64::NAN, |(_, first)| *first);
        let counted = counts.is_ok() && instructions::is_kernel(&case);
        for (piece, seconds) in &times {
            let count = if counted {
                instructions::of_one_call(program, &case, piece)?.to_string()
            } else {
                "-".to_owned()
            };
            writeln!(text, "{case}\t{piece}\t{:.3}\t{count}", seconds / first)?;
        }
        eprintln!("{case}");
    }
    let file = root().join("benches/baseline.tsv");
    fs::write(&file, text)?;
    println!("wrote benches/baseline.tsv");
    Ok(())
}

/// The fastest times of all rounds.
fn fastest(
    program: &Program,
    case: &str,
    effort: Effort,
) -> Result<Vec<(String, f64)>, Box<dyn Error>> {
    let mut times = program.seconds(case, effort.batches)?;
    for _ in 1..effort.rounds {
        for (least, (_, seconds)) in times.iter_mut().zip(program.seconds(case, effort.batches)?) {
            least.1 = least.1.min(seconds);
        }
    }
    Ok(times)
}

/// What the figures depend on. They are ratios and counts, since times of different machines do not compare.
fn head(effort: Effort) -> Result<String, Box<dyn Error>> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output()?.stdout;
    let version = String::from_utf8_lossy(&version);
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let flags = if flags.is_empty() { "none" } else { &flags };
    let threads = std::thread::available_parallelism()?;
    Ok(format!(
        "# Written by `cargo run --release -p differentiation-interface-benches --bin baseline -- --write`.\n\
         # time: that of a piece of code, divided by that of the first piece of its case, which is mostly the function \
         alone; the fastest of {} batches in each of {} rounds.\n\
         # instructions: of one call, counted by callgrind. They depend on the C library, which has exp and its like.\n\
         # {}, {}, RUSTFLAGS: {flags}; {threads} hardware threads of a shared machine.\n\
         case\tpiece\ttime\tinstructions\n",
        effort.batches,
        effort.rounds,
        version.trim(),
        std::env::consts::ARCH,
    ))
}
