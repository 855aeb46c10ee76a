//! Sparse least squares by basin with matrices of faer: a network of 400 places from 1482 distances between neighbours.
//!
//! ```text
//! cargo run --manifest-path adapters/Cargo.toml -p differentiation-interface-basin --example network
//! ```
//! The Jacobian is a `SparseColMat` of four entries a row, whose pattern is made once; `LevenbergMarquardt` factorizes
//! its normal equations. Distances are measured with a seeded noise of a thousandth, and the corners are known. The
//! answer is right where the gradient by hand is zero, if what is left is the noise, and if the places are where they
//! are. A second in a debug build.

use std::error::Error;
use std::process::ExitCode;

use basin::{Executor, Jacobian, LevenbergMarquardt};
use di::prelude::*;
use di::sparse::AutoSparse;
use di_basin::Residuals;
use faer::Col;

/// Places along a side.
const SIDE: usize = 20;
/// Standard deviation of a distance, and of a known coordinate.
const NOISE: f64 = 1e-3;

/// What is measured.
struct Survey {
    /// Pairs of places, and their distance.
    lines: Vec<(usize, usize)>,
    lengths: Vec<f64>,
    /// Places that are known, and where they are.
    corners: [usize; 4],
    known: [[f64; 2]; 4],
}

/// Errors of distances and of corners, as multiples of the noise; `p` has two coordinates a place.
#[differentiable]
fn errors(
    p: &[f64],
    #[constant] lines: &[(usize, usize)],
    #[constant] lengths: &[f64],
    #[constant] corners: &[usize; 4],
    #[constant] known: &[[f64; 2]; 4],
    r: &mut [f64],
) {
    for k in 0..lines.len() {
        let (i, j) = lines[k];
        let (x, y) = (p[2 * i] - p[2 * j], p[2 * i + 1] - p[2 * j + 1]);
        r[k] = (x.hypot(y) - lengths[k]) / NOISE;
    }
    for c in 0..4 {
        for d in 0..2 {
            r[lines.len() + 2 * c + d] = (p[2 * corners[c] + d] - known[c][d]) / NOISE;
        }
    }
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
    let (truth, survey, guess) = survey();
    let mut r = vec![0.0; survey.lines.len() + 8];
    let Survey {
        lines,
        lengths,
        corners,
        known,
    } = &survey;
    let f = errors::AD.with(lines, lengths, corners, known);
    let p = Col::from_fn(guess.len(), |i| guess[i]);

    let backend = AutoSparse::new(AutoSource::new());
    let problem = Residuals::new(f.output(&mut r), backend, &p)?;
    let entries = problem.jacobian(&p)?.compute_nnz();
    println!(
        "{} residuals, {} unknowns, {entries} entries",
        r.len(),
        guess.len()
    );
    let solver = LevenbergMarquardt::new().with_absolute_gradient_tolerance(1e-6);
    let result = Executor::from_start(problem, solver, p)
        .max_iter(50)
        .run()?;

    let found: Vec<f64> = result.param().iter().copied().collect();
    let (slope, squares) = slope(&found, &survey);
    let noise = NOISE * (squares / (r.len() - found.len()) as f64).sqrt();
    println!(
        "{} evaluations, {} Jacobians",
        result.counts.residual_evals, result.counts.jacobian_evals
    );
    println!("largest entry of the gradient {slope:.1e}");
    println!("noise {noise:.6}, {NOISE} is true");
    println!(
        "places off by {:.5}, before {:.5}",
        off(&found, &truth),
        off(&guess, &truth)
    );
    Ok(slope < 1e-5
        && (noise / NOISE - 1.0).abs() < 0.1
        && off(&found, &truth) < 2.0 * NOISE
        && entries == 4 * lines.len() + 8)
}

/// Root mean square of the distances between two networks.
fn off(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    (squares.sum::<f64>() / (a.len() / 2) as f64).sqrt()
}

/// Largest entry of the gradient of half the sum of squares, by hand, and that sum.
fn slope(p: &[f64], survey: &Survey) -> (f64, f64) {
    let (mut g, mut sum) = (vec![0.0; p.len()], 0.0);
    for ((i, j), length) in survey.lines.iter().zip(&survey.lengths) {
        let d = [0, 1].map(|k| p[2 * i + k] - p[2 * j + k]);
        let distance = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let r = (distance - length) / NOISE;
        sum += r * r;
        for (k, d) in d.iter().enumerate() {
            g[2 * i + k] += r * d / distance / NOISE;
            g[2 * j + k] -= r * d / distance / NOISE;
        }
    }
    for (i, known) in survey.corners.iter().zip(&survey.known) {
        for (k, known) in known.iter().enumerate() {
            let r = (p[2 * i + k] - known) / NOISE;
            sum += r * r;
            g[2 * i + k] += r / NOISE;
        }
    }
    (g.iter().fold(0.0, |most, g| g.abs().max(most)), sum)
}

/// The true places, what is measured, and a rough guess: the same in each run.
fn survey() -> (Vec<f64>, Survey, Vec<f64>) {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let (mut truth, mut lines) = (Vec::new(), Vec::new());
    for a in 0..SIDE {
        for b in 0..SIDE {
            truth.extend([a as f64 + 0.2 * random(), b as f64 + 0.2 * random()]);
            // to the right, down, and both diagonals
            for (right, down) in [(0, 1), (1, 0), (1, 1), (1, usize::MAX)] {
                let (c, d) = (a + right, b.wrapping_add(down));
                if c < SIDE && d < SIDE {
                    lines.push((a * SIDE + b, c * SIDE + d));
                }
            }
        }
    }
    // the sum of three uniform numbers has variance 1
    let mut noise = || NOISE * (random() + random() + random());
    let length = |(i, j): &(usize, usize)| {
        let [x, y] = [0, 1].map(|k| truth[2 * i + k] - truth[2 * j + k]);
        x.hypot(y) + noise()
    };
    let lengths = lines.iter().map(length).collect();
    let corners = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1];
    let known = corners.map(|i| [truth[2 * i] + noise(), truth[2 * i + 1] + noise()]);
    let guess = truth.iter().map(|x| x + 0.1 * random()).collect();
    (
        truth,
        Survey {
            lines,
            lengths,
            corners,
            known,
        },
        guess,
    )
}
