//! A list that a function without an attribute returns was made again for each of its elements: slow, and wrong where
//! the order differs from call to call, as that of a `HashSet` does.

use di::prelude::*;
use std::cell::Cell;
use std::collections::HashSet;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn places(n: usize) -> Vec<usize> {
    CALLS.set(CALLS.get() + 1);
    let all: HashSet<usize> = (0..n).collect();
    all.into_iter().collect()
}

#[differentiable]
fn chained(x: &[f64], n: usize) -> f64 {
    places(n).iter().map(|&i| x[0] * (i * i) as f64).sum()
}

#[differentiable]
fn sorted(x: &[f64], n: usize) -> f64 {
    let mut order: Vec<usize> = places(n);
    order.sort();
    let ranks = order.iter().enumerate();
    ranks.map(|(k, &i)| x[0] * x[0] * (k * i) as f64).sum()
}

#[differentiable]
fn collected(x: &[f64], n: usize) -> f64 {
    let terms: Vec<f64> = places(n).iter().map(|&i| i as f64 * x[0]).collect();
    terms.iter().map(|t| t * t).sum()
}

/// Value and gradient at 1.5, each with a list of its own.
macro_rules! check {
    ($f:ident, $expected:expr) => {
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let (f, x) = ($f::AD.with(40), vec![1.5]);
            let prep = prepare_gradient(f, &backend, &x)?;
            CALLS.set(0);
            let (y, g) = value_and_gradient(f, &prep, &backend, &x)?;
            assert_eq!((y, g[0]), $expected);
            assert_eq!(CALLS.get(), 1);
        }
    };
}

#[test]
fn lists_are_made_once() -> Result<(), di::Error> {
    // the sum of the squares below 40 is 20540
    check!(chained, (30810.0, 20540.0));
    check!(sorted, (46215.0, 61620.0));
    check!(collected, (46215.0, 61620.0));
    Ok(())
}
