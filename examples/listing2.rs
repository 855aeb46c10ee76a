//! Listing 2 of Dalle and Hill, "A Common Interface for Automatic Differentiation": one function, three backends.
//!
//! The Hessian of `f(x) = sum(diff(x)^2)`: shown for 5 inputs, timed for 1000.

use di::prelude::*;
use std::time::{Duration, Instant};

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += d * d;
    }
    sum
}

fn main() -> Result<(), di::Error> {
    let small: Vec<f64> = (1..=5).map(f64::from).collect();
    let big: Vec<f64> = (1..=1000).map(f64::from).collect();
    let zeros = vec![0.0; 1000];

    // Forward: dual numbers nested in dual numbers, a chunk of columns at a time.
    let back1 = AutoDual::new();
    let prep1 = prepare_hessian(f::AD, &back1, &zeros)?;
    println!("forward\n{}", hessian(f::AD, NoPrep, &back1, &small)?);
    let time = median(3, || hessian(f::AD, &prep1, &back1, &big).map(drop))?;
    println!("n = 1000: {time:.1?}\n");

    // Forward over reverse: the generated reverse code, run on dual numbers.
    let back2 = AutoSource::new();
    let prep2 = prepare_hessian(f::AD, &back2, &zeros)?;
    println!(
        "forward over reverse\n{}",
        hessian(f::AD, NoPrep, &back2, &small)?
    );
    let time = median(15, || hessian(f::AD, &prep2, &back2, &big).map(drop))?;
    println!("n = 1000: {time:.1?}\n");

    // Sparse, to come: let back3 = AutoSparse::new(AutoSource::new());
    Ok(())
}

/// Median time of `runs` calls.
fn median(
    runs: usize,
    mut call: impl FnMut() -> Result<(), di::Error>,
) -> Result<Duration, di::Error> {
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        let start = Instant::now();
        call()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times[runs / 2])
}
