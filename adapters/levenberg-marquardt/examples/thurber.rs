//! The NIST problem Thurber by Levenberg-Marquardt: 37 observations, 7 parameters, a rational function.
//!
//! ```text
//! cargo run --manifest-path adapters/Cargo.toml -p differentiation-interface-levenberg-marquardt --example thurber
//! ```
//! From both starting points of the collection, with generated code and with dual numbers, and with and without Jacobians
//! where a step is only tried. Prints digits that agree with the certified values; fails below six. Less than a second.

use std::error::Error;
use std::process::ExitCode;

use di::Matrix;
use di::extend::{Backend, ReusableVector, Signature, Slice};
use di::prelude::*;
use di_levenberg_marquardt::LeastSquares;
use levenberg_marquardt::LevenbergMarquardt;

/// Logarithm of density.
const X: [f64; 37] = [
    -3.067, -2.981, -2.921, -2.912, -2.840, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322,
    -1.501, -1.460, -1.274, -1.212, -1.100, -1.046, -0.915, -0.714, -0.566, -0.545, -0.400, -0.309,
    -0.109, -0.103, 0.010, 0.119, 0.377, 0.790, 0.963, 1.006, 1.115, 1.572, 1.841, 2.047, 2.200,
];
/// Electron mobility.
const Y: [f64; 37] = [
    80.574, 84.248, 87.264, 87.195, 89.076, 89.608, 89.868, 90.101, 92.405, 95.854, 100.696,
    101.060, 401.672, 390.724, 567.534, 635.316, 733.054, 759.087, 894.206, 990.785, 1090.109,
    1080.914, 1122.643, 1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509,
    1425.208, 1421.384, 1442.962, 1464.350, 1468.705, 1447.894, 1457.628,
];
const STARTS: [[f64; 7]; 2] = [
    [1000.0, 1000.0, 400.0, 40.0, 0.7, 0.3, 0.03],
    [1300.0, 1500.0, 500.0, 75.0, 1.0, 0.4, 0.05],
];
const CERTIFIED: [f64; 7] = [
    1.2881396800e+03,
    1.4910792535e+03,
    5.8323836877e+02,
    7.5416644291e+01,
    9.6629502864e-01,
    3.9797285797e-01,
    4.9727297349e-02,
];

/// A cubic over a cubic, less the observation.
#[differentiable]
fn residuals(b: &[f64], #[constant] x: &[f64], #[constant] y: &[f64], r: &mut [f64]) {
    for i in 0..x.len() {
        let t = x[i];
        let above = b[0] + t * (b[1] + t * (b[2] + t * b[3]));
        let below = 1.0 + t * (b[4] + t * (b[5] + t * b[6]));
        r[i] = above / below - y[i];
    }
}

fn main() -> ExitCode {
    println!(
        "{:<24} {:>5} {:>11} {:>9} {:>6}",
        "", "start", "evaluations", "Jacobians", "digits"
    );
    let mut good = true;
    for (k, start) in STARTS.iter().enumerate() {
        let f = || residuals::AD.with(&X, &Y);
        let mut r = [0.0; 37];
        let source = LeastSquares::new(f().output(&mut r), AutoSource::new(), start);
        let separate = LeastSquares::new(f().output(&mut r), AutoSource::new(), start);
        let dual = LeastSquares::new(f().output(&mut r), AutoDual::new(), start);
        good &= report("AutoSource", k, source);
        good &= report(
            "AutoSource, separately",
            k,
            separate.map(LeastSquares::separately),
        );
        good &= report("AutoDual", k, dual);
    }
    match good {
        true => ExitCode::SUCCESS,
        false => {
            println!("FAILED");
            ExitCode::FAILURE
        }
    }
}

/// A row of the table, and whether it is right.
fn report<F, B>(name: &str, start: usize, problem: Result<LeastSquares<F, B>, di::Error>) -> bool
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
{
    match problem.map_err(Into::into).and_then(fit) {
        Ok((digits, (evaluations, jacobians))) => {
            println!(
                "{name:<24} {:>5} {evaluations:>11} {jacobians:>9} {digits:>6.1}",
                start + 1
            );
            digits >= 6.0
        }
        Err(error) => {
            println!("{name:<24} {:>5} {error}", start + 1);
            false
        }
    }
}

/// Digits that agree with the certified values, and the counts of evaluations and Jacobians.
fn fit<F, B>(problem: LeastSquares<F, B>) -> Result<(f64, (usize, usize)), Box<dyn Error>>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
{
    let (problem, report) = LevenbergMarquardt::new()
        .with_patience(1000)
        .minimize(problem);
    let b = problem.solution()?;
    let digits = b
        .iter()
        .zip(&CERTIFIED)
        .map(|(b, c)| -((b - c) / c).abs().log10());
    let worst = digits.fold(15.0, f64::min);
    if report.objective_function.is_nan() {
        return Err("the sum of squares is no number".into());
    }
    Ok((worst, problem.counts()))
}
