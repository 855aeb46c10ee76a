//! Logistic regression on observations that are spread over MPI processes, by basin's L-BFGS.
//!
//! ```text
//! adapters/mpi/run
//! ```
//! runs it with 1, 2 and 4 processes. By hand, with an MPI library installed:
//!
//! ```text
//! cargo build --release --manifest-path adapters/mpi/Cargo.toml
//! mpiexec -n 4 adapters/mpi/target/release/differentiation-interface-mpi [observations] [coefficients] [threads]
//! ```
//! Prints the minimum and the time of an evaluation. The program is right if value and gradient are those of one process
//! that has all observations, if the slope along a direction is that of differences, and if the gradient vanishes at the
//! minimum. A few seconds.

mod model;
mod spread;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use basin::{Executor, Gradient, Lbfgs};
use di::prelude::*;
use model::{Data, loss, share};
use mpi::environment::Threading;
use mpi::traits::{Communicator, CommunicatorCollectives};
use spread::{Objective, Part};

/// Of the square of the coefficients.
const PENALTY: f64 = 1.0;

fn main() -> ExitCode {
    // only the thread that starts the others calls MPI
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI is initialized already");
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    match run(&world) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("FAILED");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error in process {}: {error}", world.rank());
            // the others wait for this one
            world.abort(1)
        }
    }
}

fn run(world: &mpi::topology::SimpleCommunicator) -> Result<bool, Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|a| a.parse())
        .collect::<Result<_, _>>()?;
    let (observations, n, threads) = match numbers[..] {
        [] => (40_000, 100, 1),
        [observations, n, threads] if threads > 0 && n > 0 => (observations, n, threads),
        _ => {
            return Err(
                "the arguments are numbers of observations, of coefficients and of threads".into(),
            );
        }
    };
    let (rank, count) = (world.rank() as usize, world.size() as usize);
    let data = Data::make(share(observations, rank, count), n);
    let start = vec![0.0; n];
    let mut part = Part::new(world, data, threads, &start)?;
    world.barrier();
    if rank > 0 {
        part.serve()?;
        return Ok(true);
    }

    let owner = Objective::new(&mut part, PENALTY);
    let objective = &owner;
    let is_right = check(objective, observations, n)?;
    // the gradient is a sum over observations
    let tolerance = 1e-9 * observations as f64;
    let solver = Lbfgs::new()
        .unbounded()
        .with_absolute_gradient_tolerance(tolerance);
    let result = Executor::from_start(objective, solver, start)
        .max_iter(500)
        .run()?;
    let (value, g) = objective.cost_and_gradient(result.param())?;
    let slope = g.iter().fold(0.0_f64, |s, g| s.max(g.abs()));

    let evaluations = 50;
    let began = Instant::now();
    for _ in 0..evaluations {
        objective.cost_and_gradient(result.param())?;
    }
    let time = began.elapsed().as_secs_f64() / f64::from(evaluations);
    owner.stop();

    println!(
        "{count} processes, {threads} threads each: {:.3} ms for value and gradient",
        1e3 * time
    );
    // what must not depend on the number of processes, but for rounding
    println!(
        "minimum {value:.12e} at {:.9} {:.9} ..",
        result.param()[0],
        result.param()[1]
    );
    println!("largest slope there {slope:.1e}");
    Ok(is_right && slope < tolerance)
}

/// Compares value and gradient with those of this process alone, and with a difference of the function.
fn check(
    objective: &Objective<'_, '_>,
    observations: usize,
    n: usize,
) -> Result<bool, Box<dyn Error>> {
    let all = Data::make(0..observations, n);
    let w: Vec<f64> = (0..n).map(|j| 0.3 * (j as f64).cos()).collect();
    let (value, g) = objective.cost_and_gradient(&w)?;

    let f = loss::AD.with(&all.rows, &all.labels);
    let (alone, mut alone_g) = value_and_gradient(f, NoPrep, &AutoSource::new(), &w)?;
    let penalty: f64 = w.iter().map(|w| 0.5 * PENALTY * w * w).sum();
    alone_g
        .iter_mut()
        .zip(&w)
        .for_each(|(g, w)| *g += PENALTY * w);
    let size = alone_g.iter().fold(1.0_f64, |s, g| s.max(g.abs()));
    let off = g
        .iter()
        .zip(&alone_g)
        .fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()))
        / size;
    let off = off.max((value / (alone + penalty) - 1.0).abs());

    // along the ones, by central differences of the plain function
    let at = |h: f64| {
        let w: Vec<f64> = w.iter().map(|w| w + h).collect();
        loss(&w, &all.rows, &all.labels) + w.iter().map(|w| 0.5 * PENALTY * w * w).sum::<f64>()
    };
    let h = 1e-5;
    let slope = (at(h) - at(-h)) / (2.0 * h);
    let apart = (g.iter().sum::<f64>() - slope).abs() / size;
    println!("against one process {off:.1e}, against differences {apart:.1e}");
    Ok(off < 1e-11 && apart < 1e-6)
}
