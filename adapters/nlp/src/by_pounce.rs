//! Nonlinear programs by [pounce](https://docs.rs/pounce-rs), an interior point method after Ipopt: HS071, and the
//! brachistochrone as an optimal control problem of 405 and of 4005 variables.
//!
//! ```text
//! cargo run --manifest-path adapters/nlp/Cargo.toml --bin by-pounce
//! cargo run --manifest-path adapters/nlp/Cargo.toml --bin by-ripopt
//! ```
//! The second program does the same by ripopt. The solver asks for the sparse structure of the constraints' Jacobian and
//! of the Lagrangian's Hessian once, and for values in each iteration; the Hessian is exact. `program` says how these
//! callbacks are answered, and is what to copy for another solver. Derivatives are first compared with differences, and
//! must allocate nothing. HS071 is right where its published minimum is; the slide is right if it approaches the cycloid
//! with the order of its discretisation. A few seconds in a debug build.
//!
//! Pounce is in the package `pounce-rs`. Its builder for a `Problem` has dense Jacobians and no Hessians, so this program
//! implements `TNLP`. Both solvers are under the EPL, and no published package depends on them. They build on stable Rust
//! without C, but not into one program: they use different versions of the factorization `feral`, which exports symbols
//! for C.

mod brachistochrone;
mod differences;
mod hs071;
mod program;
mod report;

use std::cell::RefCell;
use std::process::ExitCode;
use std::rc::Rc;

use pounce_rs::prelude::*;
use pounce_rs::{IndexStyle, IpoptCq, IpoptData};
use program::{Entries, Program};
use report::{Found, TOLERANCE, accept, accept_number};

/// A program for pounce, which keeps what it solves and hands the solution over.
struct Pounce<P> {
    program: Rc<P>,
    x: Vec<f64>,
    objective: f64,
}

/// Numbers of entries are `i32` there.
fn index(i: usize) -> Index {
    Index::try_from(i).expect("programs that are solved here are small")
}

/// Writes the structure or calls for the values.
fn answer(
    entries: &Entries,
    request: SparsityRequest<'_>,
    fill: impl FnOnce(&mut [f64]) -> Result<(), di::Error>,
) -> bool {
    match request {
        SparsityRequest::Structure { irow, jcol } => {
            let places = entries.rows.iter().zip(&entries.columns);
            for ((row, column), (i, j)) in irow.iter_mut().zip(jcol).zip(places) {
                (*row, *column) = (index(*i), index(*j));
            }
            true
        }
        SparsityRequest::Values { values } => accept(fill(values), values),
    }
}

impl<P: Program> TNLP for Pounce<P> {
    fn get_nlp_info(&mut self) -> Option<NlpInfo> {
        Some(NlpInfo {
            n: index(self.program.frame().start.len()),
            m: index(self.program.frame().g.0.len()),
            nnz_jac_g: index(self.program.jacobian().count()),
            nnz_h_lag: index(self.program.hessian().count()),
            index_style: IndexStyle::C,
        })
    }

    fn get_bounds_info(&mut self, bounds: BoundsInfo<'_>) -> bool {
        let frame = self.program.frame();
        bounds.x_l.copy_from_slice(&frame.x.0);
        bounds.x_u.copy_from_slice(&frame.x.1);
        bounds.g_l.copy_from_slice(&frame.g.0);
        bounds.g_u.copy_from_slice(&frame.g.1);
        true
    }

    fn get_starting_point(&mut self, point: StartingPoint<'_>) -> bool {
        point.x.copy_from_slice(&self.program.frame().start);
        true
    }

    fn eval_f(&mut self, x: &[f64], _new_x: bool) -> Option<f64> {
        accept_number(self.program.objective(x))
    }

    fn eval_grad_f(&mut self, x: &[f64], _new_x: bool, gradient: &mut [f64]) -> bool {
        accept(self.program.gradient(x, gradient), gradient)
    }

    fn eval_g(&mut self, x: &[f64], _new_x: bool, g: &mut [f64]) -> bool {
        accept(self.program.constraints(x, g), g)
    }

    fn eval_jac_g(
        &mut self,
        x: Option<&[f64]>,
        _new_x: bool,
        request: SparsityRequest<'_>,
    ) -> bool {
        let x = x.unwrap_or_default();
        answer(self.program.jacobian(), request, |values| {
            self.program.jacobian_values(x, values)
        })
    }

    fn eval_h(
        &mut self,
        x: Option<&[f64]>,
        _new_x: bool,
        factor: f64,
        multipliers: Option<&[f64]>,
        _new_multipliers: bool,
        request: SparsityRequest<'_>,
    ) -> bool {
        let (x, multipliers) = (x.unwrap_or_default(), multipliers.unwrap_or_default());
        answer(self.program.hessian(), request, |values| {
            self.program.hessian_values(x, factor, multipliers, values)
        })
    }

    fn finalize_solution(&mut self, solution: Solution<'_>, _: &IpoptData, _: &IpoptCq) {
        self.x = solution.x.to_vec();
        self.objective = solution.obj_value;
    }
}

/// Pounce.
struct Solver;

impl report::Solver for Solver {
    const NAME: &'static str = "pounce 0.14";

    fn minimize<P: Program + 'static>(&self, program: &Rc<P>) -> Result<Found, String> {
        let mut solver = IpoptApplication::new();
        solver.initialize().map_err(|error| error.message)?;
        let options = solver.options_mut();
        options
            .set_numeric_value("tol", TOLERANCE, true, true)
            .and_then(|_| options.set_numeric_value("bound_relax_factor", 0.0, true, true))
            .and_then(|_| options.set_integer_value("print_level", 0, true, true))
            .and_then(|_| options.set_string_value("sb", "yes", true, true))
            .map_err(|error| error.message)?;
        let problem = Rc::new(RefCell::new(Pounce {
            program: Rc::clone(program),
            x: Vec::new(),
            objective: f64::NAN,
        }));
        let status = solver.optimize_tnlp(Rc::clone(&problem) as Rc<RefCell<dyn TNLP>>);
        let is_solved = status == ApplicationReturnStatus::SolveSucceeded;
        let found = problem.borrow();
        Ok(Found {
            x: found.x.clone(),
            objective: found.objective,
            steps: usize::try_from(solver.statistics().iteration_count).unwrap_or(0),
            complaint: (!is_solved).then(|| format!("{status:?}")),
        })
    }
}

fn main() -> ExitCode {
    report::main(&Solver)
}
