//! Three problems by basin: logistic regression by L-BFGS and by Hessian products, the NIST problem MGH09 by
//! Levenberg-Marquardt.
//!
//! ```text
//! cargo run --manifest-path adapters/Cargo.toml -p differentiation-interface-basin --example regression
//! ```
//! The regression has 500 seeded observations and 8 weights, and is right where the gradient by hand is zero; the
//! NIST problem is right where its parameters are the certified ones. Prints what each solver called; fails if an answer is
//! wrong. Less than a second.

use std::error::Error;
use std::process::ExitCode;

use basin::{EvalCounts, Executor, Lbfgs, LevenbergMarquardt, TrustRegion};
use di::prelude::*;
use di_basin::{Objective, Residuals};

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

/// MGH09: Kowalik and Osborne's rational function.
#[differentiable]
fn residuals(b: &[f64], #[constant] x: &[f64], #[constant] y: &[f64], r: &mut [f64]) {
    for i in 0..x.len() {
        let t = x[i];
        r[i] = b[0] * (t * t + t * b[1]) / (t * t + t * b[2] + b[3]) - y[i];
    }
}

const X: [f64; 11] = [
    4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625,
];
const Y: [f64; 11] = [
    0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246,
];
const CERTIFIED: [f64; 4] = [
    1.9280693458e-01,
    1.9128232873e-01,
    1.2305650693e-01,
    1.3606233068e-01,
];

fn main() -> ExitCode {
    println!(
        "{:<28} {:>6} {:>10} {:>9} {:>10}",
        "", "values", "first", "second", "off by"
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
    let (f, w) = (loss::AD.with(&x, &labels), vec![0.0; N]);

    let problem = Objective::new(f, AutoSource::new(), &w)?;
    let solver = Lbfgs::new()
        .unbounded()
        .with_absolute_gradient_tolerance(1e-6);
    let result = Executor::from_start(problem, solver, w.clone())
        .max_iter(200)
        .run()?;
    let off = slope(result.param(), &x, &labels);
    let first = report("logistic, L-BFGS", &result.counts, off, 1e-6);

    let problem = Objective::new(f, AutoSource::new(), &w)?;
    let solver = TrustRegion::matrix_free().with_absolute_gradient_tolerance(1e-8);
    let result = Executor::from_start(problem, solver, w)
        .max_iter(100)
        .run()?;
    let off = slope(result.param(), &x, &labels);
    let second = report("logistic, trust region", &result.counts, off, 1e-6);

    let b = vec![0.25, 0.39, 0.415, 0.39];
    let f = residuals::AD.with(&X, &Y);
    let problem = Residuals::new(f.output(&mut [0.0; 11]), AutoSource::new(), &b)?;
    let solver = LevenbergMarquardt::new().with_absolute_gradient_tolerance(1e-14);
    let result = Executor::from_start(problem, solver, b)
        .max_iter(500)
        .run()?;
    let off = result
        .param()
        .iter()
        .zip(&CERTIFIED)
        .map(|(b, c)| ((b - c) / c).abs());
    let off = off.fold(0.0, f64::max);
    let third = report("MGH09, Levenberg-Marquardt", &result.counts, off, 1e-6);
    Ok(first && second && third)
}

/// A row of the table, and whether it is right.
fn report(name: &str, counts: &EvalCounts, off: f64, tolerance: f64) -> bool {
    println!(
        "{name:<28} {:>6} {:>10} {:>9} {off:>10.1e}",
        counts.cost_evals + counts.residual_evals,
        counts.gradient_evals + counts.jacobian_evals,
        counts.hessian_evals + counts.hessian_product_evals,
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
