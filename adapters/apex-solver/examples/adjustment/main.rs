//! Bundle adjustment by apex-solver: 40 cameras and 5000 points, with noise, outliers and a robust loss.
//!
//! ```text
//! cargo run --manifest-path adapters/apex-solver/Cargo.toml --example adjustment
//! ```
//! The scene is that of the program `bundle`, seeded, and so is what is checked: the errors that are left are those of the
//! noise, and cameras and points are where they are. The 2 by 12 Jacobian of an observation comes from one annotated
//! function, prepared once. apex-solver eliminates the points and weights the observations. Half a minute in a debug
//! build.

// written for a program, where all is public
#[allow(unreachable_pub)]
#[path = "../../../bundle/src/alignment.rs"]
mod alignment;
#[allow(unreachable_pub)]
#[path = "../../../bundle/src/camera.rs"]
mod camera;
#[allow(unreachable_pub)]
#[path = "../../../bundle/src/scene.rs"]
mod scene;

use std::error::Error;
use std::process::ExitCode;

use apex_solver::core::loss_functions::CauchyLoss;
use apex_solver::core::problem::Problem;
use apex_solver::optimizer::levenberg_marquardt::LevenbergMarquardtConfig;
use apex_solver::{JacobianMode, LevenbergMarquardt, LinearSolverType, ManifoldType};
use camera::{Camera, Pixel, Point, error};
use di::prelude::*;
use di_apex_solver::Factors;
use scene::{NOISE, Observation, Scene};

/// Where Cauchy's loss turns from square to logarithm, in pixels.
const SCALE: f64 = 2.0;

/// The error of one observation, of camera and point in one slice.
#[differentiable]
fn residuals(x: &[f64], #[constant] measured: &Pixel) -> [f64; 2] {
    let (mut camera, mut point) = ([0.0; 9], [0.0; 3]);
    camera.copy_from_slice(&x[..9]);
    point.copy_from_slice(&x[9..]);
    error(&camera, &point, measured)
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
    let (truth, observations, guess) = scene::make(40, 5000);
    let mut problem = Problem::new(JacobianMode::Sparse);
    let mut add = |x: &[f64]| problem.add_variable(ManifoldType::RN, x.to_vec().into());
    let cameras: Vec<_> = guess.cameras.iter().map(|camera| add(camera)).collect();
    let points: Vec<_> = guess.points.iter().map(|point| add(point)).collect();
    for point in &points {
        problem.mark_for_elimination(*point);
    }
    let typical: [&[f64]; 2] = [&guess.cameras[0], &guess.points[0]];
    let factors = Factors::new(residuals::AD.with(&[0.0; 2]), AutoSource::new(), &typical)?;
    for o in &observations {
        let factor = factors.factor(di::owning(o.measured, |seen| residuals::AD.with(seen)))?;
        let loss = Box::new(CauchyLoss::new(SCALE)?);
        let variables = [cameras[o.camera], points[o.point]];
        problem.add_residual_block(&variables, Box::new(factor), Some(loss));
    }
    println!("{} observations", observations.len());

    let settings = LevenbergMarquardtConfig::new()
        .with_linear_solver_type(LinearSolverType::ExplicitSparseSchur)
        .with_cost_tolerance(1e-9)
        .with_max_iterations(50);
    let result = LevenbergMarquardt::with_config(settings).optimize(&mut problem)?;
    factors.check()?;
    println!("{}: {} iterations", result.status, result.iterations);
    println!(
        "cost from {:.0} to {:.0}",
        result.initial_cost, result.final_cost
    );

    let mut found = guess.clone();
    for (camera, key) in found.cameras.iter_mut().zip(&cameras) {
        camera.copy_from_slice(result.parameters[*key].as_param_slice());
    }
    for (point, key) in found.points.iter_mut().zip(&points) {
        point.copy_from_slice(result.parameters[*key].as_param_slice());
    }
    check(&observations, &found, &guess, &truth)
}

/// Is what is left the noise, and is everything where it is?
fn check(
    observations: &[Observation],
    found: &Scene,
    guess: &Scene,
    truth: &Scene,
) -> Result<bool, Box<dyn Error>> {
    let at = |scene: &Scene, o: &Observation| -> (Camera, Point) {
        (scene.cameras[o.camera], scene.points[o.point])
    };
    // of right observations, squares of as many normal numbers as there are coordinates more than parameters; seven
    // parameters are free
    let right = observations.iter().filter(|o| !o.is_outlier);
    let squares: Vec<f64> = right
        .map(|o| {
            let (camera, point) = at(found, o);
            let [u, v] = error(&camera, &point, &o.measured);
            u * u + v * v
        })
        .collect();
    let parameters = 9 * truth.cameras.len() + 3 * truth.points.len() - 7;
    let freedom = (2 * squares.len() - parameters) as f64;
    let noise = (squares.iter().sum::<f64>() / freedom).sqrt();
    let before = alignment::errors(guess, truth)?;
    let after = alignment::errors(found, truth)?;
    println!("noise {noise:.4} pixels, {NOISE} is true");
    println!(
        "cameras off by {:.5}, before {:.5}; turned by {:.4} degrees, before {:.4}",
        after.centres, before.centres, after.angle, before.angle
    );
    println!(
        "points off by {:.5}, before {:.5}",
        after.points, before.points
    );
    Ok((noise / NOISE - 1.0).abs() < 0.02
        && after.centres < 0.02
        && after.angle < 0.1
        && after.points < 0.01)
}
