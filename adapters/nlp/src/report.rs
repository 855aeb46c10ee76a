//! Solves all programs by one solver, prints what it found, and checks it.
//!
//! HS071 has a published minimum, whose digits hold to one unit of the last one, `1e-8`. A solver that is asked for
//! [`TOLERANCE`] comes nearer than that, unless it relaxes bounds, by default by a factor of `1e-8`. The slide is an arc
//! of a cycloid; the trapezoidal rule has an error of second order, with ten times as many steps a hundredth.

use std::error::Error;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use di_test::allocations::{Counting, counts};

use crate::brachistochrone::{Brachistochrone, cycloid};
use crate::differences;
use crate::hs071::{self, Hs071};
use crate::program::Program;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What solvers are asked for.
pub(crate) const TOLERANCE: f64 = 1e-10;
/// How far differences may be from derivatives. Their own error is below `1e-9` here: third derivatives times the square
/// of the step, which is `4e-11`, and rounding divided by the step.
const DIFFERENCES: f64 = 1e-8;

/// A solver.
pub(crate) trait Solver {
    /// Its name.
    const NAME: &'static str;

    /// Minimizes to [`TOLERANCE`], without relaxing bounds.
    fn minimize<P: Program + 'static>(&self, program: &Rc<P>) -> Result<Found, String>;
}

/// What a solver found.
pub(crate) struct Found {
    /// Where.
    pub(crate) x: Vec<f64>,
    /// The objective there.
    pub(crate) objective: f64,
    /// Iterations.
    pub(crate) steps: usize,
    /// The solver's word for how it ended, if it was not satisfied.
    pub(crate) complaint: Option<String>,
}

/// Whether there was no error and everything is finite. Solvers do not ask which error it was, so it is printed.
pub(crate) fn accept(result: Result<(), di::Error>, values: &[f64]) -> bool {
    if let Err(error) = &result {
        eprintln!("{error}");
    }
    result.is_ok() && values.iter().all(|value| value.is_finite())
}

/// The objective, if there was no error and it is finite.
pub(crate) fn accept_number(result: Result<f64, di::Error>) -> Option<f64> {
    let value = *result.as_ref().unwrap_or(&f64::NAN);
    accept(result.map(|_| ()), &[value]).then_some(value)
}

/// Runs everything.
pub(crate) fn main(solver: &impl Solver) -> ExitCode {
    match run(solver) {
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

fn run<S: Solver>(solver: &S) -> Result<bool, Box<dyn Error>> {
    if !counts() {
        return Err("allocations are not counted".into());
    }
    let problem = Rc::new(Hs071::new()?);
    let coarse = Rc::new(Brachistochrone::new(100)?);
    let fine = Rc::new(Brachistochrone::new(1000)?);

    println!(
        "{:<27} {:>9} {:>11} {:>23} {:>23}",
        "", "variables", "constraints", "Jacobian", "Hessian, lower half"
    );
    describe("HS071", &*problem);
    describe("brachistochrone, 100 steps", &*coarse);
    describe("brachistochrone, 1000 steps", &*fine);
    println!();
    println!(
        "{:<27} {:>10} {:>10} {:>12}",
        "off from differences", "first", "second", "allocations"
    );
    let mut is_right = differ("HS071", &*problem)?;
    is_right &= differ("brachistochrone, 100 steps", &*coarse)?;
    println!();
    println!(
        "{:<27} {:>10} {:>10} {:>15} {:>10}",
        S::NAME,
        "iterations",
        "time",
        "objective",
        "off by"
    );
    let (found, off) = solve("HS071", solver, &problem, &hs071::X)?;
    is_right &= found.complaint.is_none();
    is_right &= off < 1e-8 && (found.objective - hs071::OBJECTIVE).abs() < 5e-8;

    let (found, off) = solve("brachistochrone, 100 steps", solver, &coarse, &cycloid(100))?;
    is_right &= found.complaint.is_none();
    let (found, finer) = solve("brachistochrone, 1000 steps", solver, &fine, &cycloid(1000))?;
    is_right &= found.complaint.is_none();
    let ratio = off / finer;
    println!("\nten times as many steps: {ratio:.1} times as near to the cycloid");
    is_right &= (90.0..110.0).contains(&ratio);
    Ok(is_right)
}

/// Prints a program's size and patterns.
fn describe(name: &str, program: &impl Program) {
    let [j, h] = [program.jacobian(), program.hessian()]
        .map(|entries| format!("{} in {} colors", entries.count(), entries.colors));
    let (n, m) = (program.frame().start.len(), program.frame().g.0.len());
    println!("{name:<27} {n:>9} {m:>11} {j:>23} {h:>23}");
}

/// Compares derivatives with differences. Are they right?
fn differ(name: &str, program: &impl Program) -> Result<bool, di::Error> {
    let found = differences::check(program)?;
    println!(
        "{name:<27} {:>10.0e} {:>10.0e} {:>12}",
        found.first, found.second, found.allocations
    );
    Ok(found.first < DIFFERENCES && found.second < DIFFERENCES && found.allocations == 0)
}

/// Minimizes; what was found, and its largest distance from the answer.
fn solve<P: Program + 'static>(
    name: &str,
    solver: &impl Solver,
    program: &Rc<P>,
    answer: &[f64],
) -> Result<(Found, f64), Box<dyn Error>> {
    let start = Instant::now();
    let found = solver.minimize(program)?;
    let time = 1e3 * start.elapsed().as_secs_f64();
    let mut off: f64 = if found.x.len() == answer.len() {
        0.0
    } else {
        f64::INFINITY
    };
    for (x, answer) in found.x.iter().zip(answer) {
        let gap = (x - answer).abs();
        // a NaN would be lost
        off = off.max(if gap.is_finite() { gap } else { f64::INFINITY });
    }
    println!(
        "{name:<27} {:>10} {time:>7.0} ms {:>15.10} {off:>10.1e}",
        found.steps, found.objective
    );
    if let Some(complaint) = &found.complaint {
        println!("{complaint}");
    }
    Ok((found, off))
}
