//! Nonlinear programs by [ripopt](https://docs.rs/ripopt), an interior point method: HS071, and the brachistochrone as an
//! optimal control problem of 405 variables.
//!
//! ```text
//! cargo run --release --manifest-path adapters/nlp/Cargo.toml
//! ```
//! The solver asks for the sparse structure of the constraints' Jacobian and of the Lagrangian's Hessian once, and for
//! values in each iteration. Both come from `di::sparse`; the Hessian is exact, its multipliers are constants of an
//! annotated function. HS071 is right where its published minimum is; the control problem where its time is that of a
//! cycloid. A second at most.

mod brachistochrone;
mod hs071;
mod program;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use brachistochrone::Brachistochrone;
use hs071::Hs071;
use ripopt::{NlpProblem, SolveResult, SolveStatus, SolverOptions};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("FAILED");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    println!(
        "{:<16} {:>5} {:>5} {:>16} {:>16} {:>6} {:>8} {:>12} {:>9}",
        "", "n", "m", "Jacobian", "Hessian", "steps", "", "objective", "off by"
    );
    let problem = Hs071::new()?;
    let (result, time) = solve(&problem);
    let far = result
        .x
        .iter()
        .zip(hs071::SOLUTION)
        .map(|(x, s)| (x - s).abs());
    let off = far.fold(0.0, f64::max);
    report("HS071", &problem, problem.sizes()?, &result, time, off);
    let first = is_solved(&result) && off < 1e-6;

    let problem = Brachistochrone::new()?;
    let (result, time) = solve(&problem);
    let off = (result.objective / brachistochrone::fastest() - 1.0).abs();
    report(
        "brachistochrone",
        &problem,
        problem.sizes()?,
        &result,
        time,
        off,
    );
    // the trapezoidal rule is the rest
    let second = is_solved(&result) && off < 1e-3;
    Ok(first && second)
}

fn solve(problem: &impl NlpProblem) -> (SolveResult, f64) {
    let options = SolverOptions {
        print_level: 0,
        tol: 1e-9,
        ..SolverOptions::default()
    };
    let start = Instant::now();
    let result = ripopt::solve(problem, &options);
    (result, start.elapsed().as_secs_f64())
}

fn is_solved(result: &SolveResult) -> bool {
    matches!(result.status, SolveStatus::Optimal)
}

/// A row of the table.
fn report(
    name: &str,
    problem: &impl NlpProblem,
    [j, j_colors, h, h_colors]: [usize; 4],
    result: &SolveResult,
    time: f64,
    off: f64,
) {
    println!(
        "{name:<16} {:>5} {:>5} {:>16} {:>16} {:>6} {:>5.0} ms {:>12.7} {off:>9.1e}",
        problem.num_variables(),
        problem.num_constraints(),
        format!("{j} in {j_colors}"),
        format!("{h} in {h_colors}"),
        result.iterations,
        1e3 * time,
        result.objective,
    );
    if !is_solved(result) {
        println!("{:?}", result.status);
    }
}
