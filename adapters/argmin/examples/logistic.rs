//! Three problems by argmin: logistic regression by L-BFGS and by Newton-CG, the NIST problem Misra1a by Gauss-Newton.
//!
//! ```text
//! cargo run --manifest-path adapters/Cargo.toml -p differentiation-interface-argmin --example logistic
//! ```
//! The regression has 500 seeded observations and 8 weights, and is right where the gradient by hand is zero; the
//! NIST problem is right where its parameters are the certified ones. Prints what each solver called; fails if an answer is
//! wrong. Less than a second.

use std::error::Error;
use std::process::ExitCode;

use argmin::core::{Executor, OptimizationResult, State};
use argmin::solver::gaussnewton::GaussNewton;
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use di::prelude::*;
use di_argmin::{Objective, Residuals};
use nalgebra::DVector;

const N: usize = 8;
const OBSERVATIONS: usize = 500;

/// Negative log likelihood of labels 0 and 1, and a ridge.
#[differentiable]
fn loss(w: &[f64], #[constant] x: &[f64], #[constant] labels: &[f64]) -> f64 {
    let n = w.len();
    let mut sum = 0.0;
    for i in 0..labels.len() {
        let mut z = 0.0;
        for j in 0..n {
            z += w[j] * x[i * n + j];
        }
        let far = if z > 0.0 { z } else { 0.0 };
        sum += far + (-z.abs()).exp().ln_1p() - labels[i] * z;
    }
    for w in w {
        sum += 0.5 * w * w;
    }
    sum
}

/// Misra1a: saturation.
#[differentiable]
fn residuals(b: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> Vec<f64> {
    let mut r = vec![0.0; x.len()];
    for i in 0..x.len() {
        r[i] = b[0] * (1.0 - (-b[1] * x[i]).exp()) - y[i];
    }
    r
}

const X: [f64; 14] = [
    77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0,
];
const Y: [f64; 14] = [
    10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47,
    81.78,
];
const CERTIFIED: [f64; 2] = [2.3894212918e+02, 5.5015643181e-04];

fn main() -> ExitCode {
    println!(
        "{:<28} {:>6} {:>10} {:>9} {:>10}",
        "", "costs", "gradients", "Hessians", "off by"
    );
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
    let (x, labels) = observations();
    let f = loss::AD.with(&x, &labels);
    let w = vec![0.0; N];

    let problem = Objective::new(f, AutoSource::new(), &w)?;
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_grad(1e-9)?;
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(w.clone()).max_iters(200).counting(true))
        .run()?;
    let slope = result.state.get_best_param().map(|w| slope(w, &x, &labels));
    // It stops where the cost no longer changes, which is flat there.
    let first = report("logistic, L-BFGS", &result, slope, 1e-5);

    let problem = Objective::new(f, AutoSource::new(), &w)?.by_products();
    let result = Executor::new(problem, TrustRegion::new(Steihaug::new()))
        .configure(|state| state.param(w).max_iters(50).counting(true))
        .run()?;
    let slope = result
        .state
        .get_best_param()
        .map(|w| self::slope(w, &x, &labels));
    let second = report("logistic, Steihaug", &result, slope, 1e-6);

    let b = DVector::from_vec(vec![250.0, 0.0005]);
    let problem = Residuals::new(residuals::AD.with(&X, &Y), AutoSource::new(), &b)?;
    let result = Executor::new(problem, GaussNewton::new().with_tolerance(1e-12)?)
        .configure(|state| state.param(b).max_iters(50).counting(true))
        .run()?;
    let off = result.state.get_best_param().map(|b| {
        let off = b.iter().zip(&CERTIFIED).map(|(b, c)| ((b - c) / c).abs());
        off.fold(0.0, f64::max)
    });
    let third = report("Misra1a, Gauss-Newton", &result, off, 1e-8);
    Ok(first && second && third)
}

/// A row of the table, and whether it is right.
fn report<O, S, I: State>(
    name: &str,
    result: &OptimizationResult<O, S, I>,
    off: Option<f64>,
    tolerance: f64,
) -> bool {
    let counts = result.state.get_func_counts();
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let off = off.unwrap_or(f64::NAN);
    println!(
        "{name:<28} {:>6} {:>10} {:>9} {off:>10.1e}",
        count("cost_count") + count("operator_count"),
        count("gradient_count"),
        count("hessian_count") + count("jacobian_count"),
    );
    off <= tolerance
}

/// Largest entry of the gradient, by hand.
fn slope(w: &[f64], x: &[f64], labels: &[f64]) -> f64 {
    let mut g = w.to_vec();
    for (x, label) in x.chunks_exact(N).zip(labels) {
        let z: f64 = w.iter().zip(x).map(|(w, x)| w * x).sum();
        let p = 1.0 / (1.0 + (-z).exp());
        g.iter_mut().zip(x).for_each(|(g, x)| *g += (p - label) * x);
    }
    g.iter().fold(0.0, |most, g| g.abs().max(most))
}

/// Observations and labels, the same in each run.
fn observations() -> (Vec<f64>, Vec<f64>) {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut x, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..OBSERVATIONS {
        let row: Vec<f64> = (0..N).map(|_| 4.0 * random() - 2.0).collect();
        let z: f64 = row
            .iter()
            .enumerate()
            .map(|(j, x)| x * (j as f64 - 3.5))
            .sum();
        labels.push(f64::from(random() < 1.0 / (1.0 + (-z).exp())));
        x.extend(row);
    }
    (x, labels)
}
