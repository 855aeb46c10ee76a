//! Robertson's reactions by diffsol: a stiff solver, forward sensitivities and an adjoint, all from annotated functions.
//!
//! ```text
//! cargo run --manifest-path adapters/Cargo.toml -p differentiation-interface-diffsol --example robertson
//! ```
//! Three reactants, three rates, and the amount at the beginning as a fourth parameter. The derivatives of the state at
//! time 4, and of the integral of the last reactant, are compared with differences of a Runge-Kutta method with steps
//! short enough for the stiffness, which shares nothing with the solver; the state also with what CVODE's example prints.
//! Fails if a derivative is off by more than 1e-4. Less than a second.

use std::error::Error;
use std::process::ExitCode;

use di::prelude::*;
use di_diffsol::{Equations, Initial};
use diffsol::{
    AdjointOdeSolverMethod, DenseMatrix, NalgebraLU, NalgebraMat, OdeBuilder, OdeSolverMethod,
    OdeSolverState, SensitivitiesOdeSolverMethod, Vector,
};

type M = NalgebraMat<f64>;
type Solver = NalgebraLU<f64>;

/// Rates, and the amount at the beginning.
const P: [f64; 4] = [0.04, 1e4, 3e7, 1.0];
/// Until when.
const END: f64 = 4.0;
/// The state then, as the example `cvRoberts_dns` of CVODE prints it, with a relative tolerance of 1e-4.
const CVODE: [f64; 3] = [9.055097e-1, 2.240338e-5, 9.446793e-2];
/// Off by this much is wrong.
const TOLERANCE: f64 = 1e-4;

#[differentiable]
fn reactions(x: &[f64], p: &[f64], _t: f64, dx: &mut [f64]) {
    let slow = p[0] * x[0];
    let back = p[1] * x[1] * x[2];
    let fast = p[2] * x[1] * x[1];
    dx[0] = back - slow;
    dx[1] = slow - back - fast;
    dx[2] = fast;
}

#[differentiable]
fn beginning(p: &[f64], _t: f64, x: &mut [f64]) {
    x[0] = p[3];
}

/// What is integrated.
#[differentiable]
fn product(x: &[f64], _p: &[f64], _t: f64, y: &mut [f64]) {
    y[0] = x[2];
}

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
    let backend = AutoSource::new();
    let mut x = [0.0; 3];
    beginning(&P, 0.0, &mut x);
    let f = Equations::new(reactions::AD.output(&mut [0.0; 3]), backend, &x, &P)?;
    let x0 = Initial::new(beginning::AD.output(&mut [0.0; 3]), backend, &P)?;
    let out = Equations::new(product::AD.output(&mut [0.0; 1]), backend, &x, &P)?;

    // forward: states and their derivatives by all parameters
    let problem = OdeBuilder::<M>::new()
        .p(P)
        .rtol(1e-9)
        .atol([1e-12, 1e-14, 1e-12])
        .rhs_sens_implicit(f.value(), f.jacobian(), f.sens())
        .init_sens(x0.value(), x0.sens(), x0.rows())
        .build()?;
    let (states, sens, _) = problem
        .bdf_sens::<Solver>()?
        .solve_dense_sensitivities(&[END])?;

    // backward: the integral of the output by all parameters
    let problem = OdeBuilder::<M>::new()
        .p(P)
        .rtol(1e-9)
        .atol([1e-12, 1e-14, 1e-12])
        .integrate_out(true)
        .rhs_adjoint_implicit(f.value(), f.jacobian(), f.adjoint(), f.sens_adjoint())
        .init_adjoint(x0.value(), x0.adjoint(), x0.rows())
        .out_adjoint_implicit(
            out.value(),
            out.jacobian(),
            out.adjoint(),
            out.sens_adjoint(),
            out.rows(),
        )
        .build()?;
    let mut solver = problem.bdf::<Solver>()?;
    let (path, _, _, _) = solver.solve_with_checkpointing(END, None)?;
    let integral = solver.state().g.get_index(0);
    let (state, _) = problem
        .bdf_solver_adjoint::<Solver, _>(path, Some(solver), None)?
        .solve_adjoint_backwards_pass(&[], &[])?;
    let gradient = state.into_common().sg;
    for failure in [f.failure(), x0.failure(), out.failure()] {
        failure.map_or(Ok(()), Err)?;
    }

    let known = runge_kutta(&P);
    let mut good = sens.len() == P.len();
    println!(
        "{:<26} {:>14} {:>14} {:>8}",
        "", "diffsol", "differences", "off by"
    );
    let mut row = |name: &str, found: f64, known: f64, size: f64, tolerance: f64| {
        let off = (found - known).abs() / size;
        println!("{name:<26} {found:>14.6e} {known:>14.6e} {off:>8.1e}");
        good &= off < tolerance;
    };
    for i in 0..3 {
        let x = states.get_index(i, 0);
        row(&format!("x[{i}]"), x, known[i], known[i], TOLERANCE);
        row(&format!("x[{i}], CVODE"), x, CVODE[i], CVODE[i], 5e-4);
    }
    row("integral of x[2]", integral, known[3], known[3], TOLERANCE);
    for (k, sens) in sens.iter().enumerate() {
        let slope = differences(k);
        let size = slope[..3].iter().fold(0.0_f64, |most, s| s.abs().max(most));
        for (i, slope) in slope[..3].iter().enumerate() {
            let name = format!("d x[{i}] / d p[{k}]");
            row(&name, sens.get_index(i, 0), *slope, size, TOLERANCE);
        }
        let (name, g) = (format!("d integral / d p[{k}]"), gradient.get_index(k));
        row(&name, g, slope[3], slope[3].abs(), TOLERANCE);
    }
    Ok(good)
}

/// The state at the end, and the integral of the last reactant.
fn runge_kutta(p: &[f64; 4]) -> [f64; 4] {
    const STEPS: usize = 16_000;
    let h = END / STEPS as f64;
    let slope = |x: [f64; 4]| {
        let mut dx = [0.0; 4];
        reactions(&x[..3], p, 0.0, &mut dx[..3]);
        dx[3] = x[2];
        dx
    };
    let moved = |x: [f64; 4], k: [f64; 4], by: f64| std::array::from_fn(|i| x[i] + by * k[i]);
    let mut x = [p[3], 0.0, 0.0, 0.0];
    for _ in 0..STEPS {
        let a = slope(x);
        let b = slope(moved(x, a, 0.5 * h));
        let c = slope(moved(x, b, 0.5 * h));
        let d = slope(moved(x, c, h));
        let mean = std::array::from_fn(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0);
        x = moved(x, mean, h);
    }
    x
}

/// Central differences by one parameter.
fn differences(k: usize) -> [f64; 4] {
    let step = 1e-4 * P[k];
    let at = |by: f64| {
        let mut p = P;
        p[k] += by;
        runge_kutta(&p)
    };
    let (above, below) = (at(step), at(-step));
    std::array::from_fn(|i| (above[i] - below[i]) / (2.0 * step))
}
