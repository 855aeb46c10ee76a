//! Fits the 13 nonlinear regression models of the NIST StRD collection, both starts, and compares with certified values.
//!
//! ```text
//! cargo run --release --example quickstart [-- DIRECTORY_OF_DAT_FILES]
//! ```
//! The models are ordinary functions with one attribute (`models.rs`). `fit.rs` uses their derivatives: Jacobians in
//! Levenberg-Marquardt, Hessians in Newton's method. `agree.rs` compares three engines with each other.
//! Ends with the worst accuracy from the second start, and fails if any fit or any derivative is wrong. Less than a
//! second.

mod agree;
mod fit;
mod models;
mod nist;

use agree::disagreement;
use nist::{DATASETS, Dataset, worst_lre};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// A fit with fewer agreeing digits than this is wrong.
const ENOUGH: f64 = 7.0;

fn main() -> ExitCode {
    let dir = std::env::args_os().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/nist")),
        PathBuf::from,
    );
    let mut failures = 0;
    let mut worst = f64::INFINITY;
    for (name, model) in DATASETS {
        let set = match nist::read(&dir, name, model) {
            Ok(set) => set,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        for start in 0..2 {
            match report(&set, start) {
                Ok((lre, good)) => {
                    failures += usize::from(!good);
                    if start == 1 {
                        worst = worst.min(lre);
                    }
                }
                Err(error) => {
                    failures += 1;
                    println!("{name}, start {}: FAILED, {error}\n", start + 1);
                }
            }
        }
    }
    if failures > 0 {
        println!("{failures} of {} fits failed", 2 * DATASETS.len());
        return ExitCode::FAILURE;
    }
    println!("worst LRE {worst:.1} over {} datasets", DATASETS.len());
    ExitCode::SUCCESS
}

/// Fits, prints the result, and returns how many digits are right and whether all is well.
fn report(set: &Dataset, start: usize) -> Result<(f64, bool), Box<dyn Error>> {
    let fit = fit::fit(set, &set.starts[start])?;
    let before = worst_lre(&fit.rough, &set.certified);
    let after = worst_lre(&fit.polished, &set.certified);
    // Derivatives are compared where the fit began and where it ended.
    let at_start = disagreement(set, &set.starts[start])?;
    let at_end = disagreement(set, &fit.polished)?;
    println!(
        "{}, start {}: {} evaluations, {} Jacobians, {} Newton steps",
        set.name,
        start + 1,
        fit.evaluations,
        fit.jacobians,
        fit.newton_steps
    );
    println!("        fitted                 certified");
    for (k, (fitted, certified)) in fit.polished.iter().zip(&set.certified).enumerate() {
        println!("  b{}  {fitted:>21.13e}  {certified:>19.10e}", k + 1);
    }
    let sum = 2.0 * models::loss(&fit.polished, set.model, &set.x, &set.y);
    println!(
        "  sum of squares {sum:.10e}, certified {:.10e}",
        set.sum_of_squares
    );
    println!("  worst LRE {before:.1} before the polish, {after:.1} after");
    println!(
        "  disagreement with AutoSource: AutoDual {:.1e}, AutoFiniteDiff {:.1e}",
        at_start.dual.max(at_end.dual),
        at_start.differences.max(at_end.differences)
    );
    let good = after >= ENOUGH && at_start.is_small() && at_end.is_small();
    if !good {
        println!("  FAILED");
    }
    println!();
    Ok((after, good))
}
