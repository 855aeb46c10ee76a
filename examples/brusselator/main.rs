//! A stiff system: the Brusselator with diffusion on a periodic grid of N by N points, for N = 32, 64 and 128.
//!
//! ```text
//! cargo run --release --example brusselator
//! ```
//! Its Jacobian is sparse: detected, colored, computed in one sweep of 12 lanes, and passed by columns to the sparse
//! LU factorisation of a Rosenbrock method. The program prints the times of all of these, and writes a picture of the
//! pattern to `target/brusselator.svg` and `.png`. Half a minute.

mod rosenbrock;

use std::time::{Duration, Instant};

use di::prelude::*;
use di::sparse::{
    AutoSparse, ColoringAlgorithm, Greedy, SparsePrep, Spy, Storage, Structure, Tracing,
    jacobian_pattern,
};
use rosenbrock::{Rosenbrock, Times};

/// `u' = 1 + u^2 v - 4.4 u + a lap(u)`, `v' = 3.4 u - u^2 v + a lap(v)`: first all of `u`, then all of `v`.
#[differentiable]
fn brusselator(x: &[f64], dx: &mut [f64]) {
    let m = x.len() / 2;
    let n = (m as f64).sqrt() as usize;
    let a = 10.0 * (n * n) as f64 / 1024.0;
    for i in 0..n {
        let row = i * n;
        let up = if i == 0 { m - n } else { row - n };
        let down = if i + 1 == n { 0 } else { row + n };
        for j in 0..n {
            let left = if j == 0 { n - 1 } else { j - 1 };
            let right = if j + 1 == n { 0 } else { j + 1 };
            let u = x[row + j];
            let v = x[m + row + j];
            let uuv = u * u * v;
            let around_u = x[up + j] + x[down + j] + x[row + left] + x[row + right];
            let around_v = x[m + up + j] + x[m + down + j] + x[m + row + left] + x[m + row + right];
            dx[row + j] = 1.0 + uuv - 4.4 * u + a * (around_u - 4.0 * u);
            dx[m + row + j] = 3.4 * u - uuv + a * (around_v - 4.0 * v);
        }
    }
}

fn initial(n: usize) -> Vec<f64> {
    let hump = |k: usize| (k as f64 / n as f64 * (1.0 - k as f64 / n as f64)).powf(1.5);
    let u = (0..n * n).map(|k| 22.0 * hump(k / n));
    let v = (0..n * n).map(|k| 27.0 * hump(k % n));
    u.chain(v).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "   N  unknowns  entries  colors   detect    color   J evaluated      factorise     solve   steps"
    );
    for n in [32, 64, 128] {
        let y0 = initial(n);
        let mut dx = vec![0.0; y0.len()];

        // What preparation does, in parts, for the clock; the prep does it again.
        let start = Instant::now();
        let pattern = jacobian_pattern(brusselator::AD.output(&mut dx), &Tracing::global(), &y0)?;
        let detect = start.elapsed();
        let start = Instant::now();
        let coloring = Greedy::new().columns(&pattern)?;
        let color = start.elapsed();

        // By columns, as the solver takes it.
        let backend = AutoSparse::new(AutoSource::new()).storage(Storage::Columns);
        let prep = prepare_jacobian(brusselator::AD.output(&mut dx), &backend, &y0)?;
        let structure = prep.structure()?;
        let layout = structure.layout();
        let (mut evaluate, mut evaluations) = (Duration::ZERO, 0u32);
        let mut work = dx.clone();
        let jacobian = |y: &[f64], values: &mut [f64]| {
            let start = Instant::now();
            jacobian_values_into(
                brusselator::AD.output(&mut work),
                values,
                &prep,
                &backend,
                y,
            )?;
            evaluate += start.elapsed();
            evaluations += 1;
            Ok(())
        };
        let mut solver = Rosenbrock::new(layout.starts(), layout.indices());
        let y = solver.solve(brusselator, jacobian, &y0, END, 1e-2)?;
        let Times {
            factorise,
            solve,
            steps,
        } = solver.times();
        println!(
            "{n:>4} {:>9} {:>8} {:>7} {:>8} {:>8} {:>4} x {:>8} {:>14} {:>9} {steps:>7}",
            y0.len(),
            pattern.len(),
            coloring.ncolors(),
            show(detect),
            show(color),
            evaluations,
            show(evaluate / evaluations),
            show(factorise),
            show(solve),
        );

        if n == 32 {
            check(&structure, &y0, &y)?;
            let spy = Spy::of(structure.coloring());
            std::fs::create_dir_all("target")?;
            spy.write_svg("target/brusselator.svg", 800)?;
            spy.write_png("target/brusselator.png", 800)?;
            println!("{}", spy.text(64));
        }
    }
    println!("pictures: target/brusselator.svg and target/brusselator.png");
    Ok(())
}

/// How far the system is followed.
const END: f64 = 0.2;

/// The solution with a much smaller tolerance, and by another engine, is nearly the same.
fn check(structure: &Structure, y0: &[f64], y: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
    let layout = structure.layout();
    let mut work = vec![0.0; y0.len()];
    let backend = AutoSparse::new(AutoDual::new()).storage(Storage::Columns);
    let prep = prepare_jacobian(brusselator::AD.output(&mut work), &backend, y0)?;
    let jacobian = |y: &[f64], values: &mut [f64]| {
        jacobian_values_into(
            brusselator::AD.output(&mut work),
            values,
            &prep,
            &backend,
            y,
        )
    };
    let mut solver = Rosenbrock::new(layout.starts(), layout.indices());
    let fine = solver.solve(brusselator, jacobian, y0, END, 1e-4)?;
    let distance = y
        .iter()
        .zip(&fine)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(distance < 0.01, "{distance} from the fine solution");
    Ok(())
}

fn show(time: Duration) -> String {
    format!("{:.2}ms", time.as_secs_f64() * 1e3)
}
