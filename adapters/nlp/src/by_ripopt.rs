//! The programs of `by_pounce` by [ripopt](https://docs.rs/ripopt), an older solver of the same author.
//!
//! ```text
//! cargo run --manifest-path adapters/nlp/Cargo.toml --bin by-ripopt
//! ```
//! Checks the same, and prints it in the same way. A few seconds in a debug build.

mod brachistochrone;
mod differences;
mod hs071;
mod program;
mod report;

use std::process::ExitCode;
use std::rc::Rc;

use program::{Entries, Program};
use report::{Found, TOLERANCE, accept, accept_number};
use ripopt::{NlpProblem, SolveStatus, SolverOptions};

/// A program for ripopt.
struct Ripopt<'p, P>(&'p P);

impl<P: Program> NlpProblem for Ripopt<'_, P> {
    fn num_variables(&self) -> usize {
        self.0.frame().start.len()
    }

    fn num_constraints(&self) -> usize {
        self.0.frame().g.0.len()
    }

    fn bounds(&self, lower: &mut [f64], upper: &mut [f64]) {
        lower.copy_from_slice(&self.0.frame().x.0);
        upper.copy_from_slice(&self.0.frame().x.1);
    }

    fn constraint_bounds(&self, lower: &mut [f64], upper: &mut [f64]) {
        lower.copy_from_slice(&self.0.frame().g.0);
        upper.copy_from_slice(&self.0.frame().g.1);
    }

    fn initial_point(&self, x: &mut [f64]) {
        x.copy_from_slice(&self.0.frame().start);
    }

    fn objective(&self, x: &[f64], _new_x: bool, value: &mut f64) -> bool {
        let found = accept_number(self.0.objective(x));
        *value = found.unwrap_or(f64::NAN);
        found.is_some()
    }

    fn gradient(&self, x: &[f64], _new_x: bool, gradient: &mut [f64]) -> bool {
        accept(self.0.gradient(x, gradient), gradient)
    }

    fn constraints(&self, x: &[f64], _new_x: bool, g: &mut [f64]) -> bool {
        accept(self.0.constraints(x, g), g)
    }

    fn jacobian_structure(&self) -> (Vec<usize>, Vec<usize>) {
        let Entries { rows, columns, .. } = self.0.jacobian();
        (rows.clone(), columns.clone())
    }

    fn jacobian_values(&self, x: &[f64], _new_x: bool, values: &mut [f64]) -> bool {
        accept(self.0.jacobian_values(x, values), values)
    }

    fn hessian_structure(&self) -> (Vec<usize>, Vec<usize>) {
        let Entries { rows, columns, .. } = self.0.hessian();
        (rows.clone(), columns.clone())
    }

    fn hessian_values(
        &self,
        x: &[f64],
        _new_x: bool,
        factor: f64,
        multipliers: &[f64],
        values: &mut [f64],
    ) -> bool {
        accept(
            self.0.hessian_values(x, factor, multipliers, values),
            values,
        )
    }
}

/// Ripopt.
struct Solver;

impl report::Solver for Solver {
    const NAME: &'static str = "ripopt 0.8";

    fn minimize<P: Program + 'static>(&self, program: &Rc<P>) -> Result<Found, String> {
        let options = SolverOptions {
            tol: TOLERANCE,
            bound_relax_factor: 0.0,
            print_level: 0,
            ..SolverOptions::default()
        };
        let result = ripopt::solve(&Ripopt(&**program), &options);
        let is_solved = matches!(result.status, SolveStatus::Optimal);
        Ok(Found {
            x: result.x,
            objective: result.objective,
            steps: result.iterations,
            complaint: (!is_solved).then(|| format!("{:?}", result.status)),
        })
    }
}

fn main() -> ExitCode {
    report::main(&Solver)
}
