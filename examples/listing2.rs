//! Listing 2 of Dalle and Hill, "A Common Interface for Automatic Differentiation": one function, three backends.
//!
//! ```text
//! cargo run --release --example listing2
//! ```
//! The Hessian of `f(x) = sum(diff(x)^2)`: shown for 5 inputs, timed for 1000. A few seconds.

use di::prelude::*;
use di::sparse::{AutoSparse, Greedy, SparsePrep, Spy, Tracing};
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
    let time1 = median(3, || hessian(f::AD, &prep1, &back1, &big).map(drop))?;
    println!("n = 1000: {time1:.1?}\n");

    // Forward over reverse: the generated reverse code, run on dual numbers.
    let back2 = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let prep2 = prepare_hessian(f::AD, &back2, &zeros)?;
    println!(
        "forward over reverse\n{}",
        hessian(f::AD, NoPrep, &back2, &small)?
    );
    let time2 = median(15, || hessian(f::AD, &prep2, &back2, &big).map(drop))?;
    println!("n = 1000: {time2:.1?}\n");

    // Sparse: forward over reverse, for the columns of one color at once.
    let back3 = AutoSparse::new(back2)
        .detector(Tracing::global())
        .coloring(Greedy::new());
    let prep = prepare_hessian(f::AD, &back3, &small)?;
    let structure = prep.structure()?;
    println!("sparse: {} colors", structure.coloring().ncolors());
    print!("{}", Spy::of(structure.coloring()).text(80));
    let h = hessian(f::AD, &prep, &back3, &small)?;
    println!("{:?}\n", h.data());
    assert_eq!(hessian(f::AD, NoPrep, &back2, &small)?, dense(&h));

    // The quadratic's Hessian is the same everywhere, which is recognised: one copy, unless `reuse` is off.
    let prep3 = prepare_hessian(f::AD, &back3, &zeros)?;
    let copied = median(101, || hessian(f::AD, &prep3, &back3, &big).map(drop))?;
    let back4 = back3.reuse(false);
    let prep4 = prepare_hessian(f::AD, &back4, &zeros)?;
    let computed = median(101, || hessian(f::AD, &prep4, &back4, &big).map(drop))?;
    println!("n = 1000: {computed:.1?} computed, {copied:.1?} copied\n");

    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!("                                this   paper");
    let (forward, sparse) = (ratio(time1, time2), ratio(time2, computed));
    println!("forward / forward over reverse  {forward:5.1}   {PAPER_FORWARD:5.1}");
    println!("forward over reverse / sparse   {sparse:5.1}   {PAPER_SPARSE:5.1}");
    Ok(())
}

/// Of the times that the paper shows: 5.463 s, 91.667 ms and 116.417 us.
const PAPER_FORWARD: f64 = 5.463 / 91.667e-3;
const PAPER_SPARSE: f64 = 91.667e-3 / 116.417e-6;

fn dense(matrix: &sprs::CsMat<f64>) -> di::Matrix {
    let mut dense = di::Matrix::zeros(matrix.shape());
    for (value, (i, j)) in matrix.iter() {
        dense[[i, j]] = *value;
    }
    dense
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
