//! What is differentiated.

#![expect(
    clippy::needless_range_loop,
    reason = "the functions are written as numerical programs are, with indices"
)]

use di::prelude::*;

pub(crate) use di_benches::cases::brusselator::{brusselator, initial};
pub(crate) use di_benches::cases::listing2::listing2 as differences;

/// `sum of (x[i] - x[i - 1])^4`
#[differentiable]
pub(crate) fn fourth(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        let square = d * d;
        sum += square * square;
    }
    sum
}

/// The chained Rosenbrock function.
#[differentiable]
pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        sum += 100.0 * a * a + b * b;
    }
    sum
}

/// Two layers of a network, all inputs to all outputs; the weights are passive.
#[differentiable]
pub(crate) fn layers(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let mut hidden = vec![0.0; n];
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += x[j] / (1 + i + j) as f64;
        }
        hidden[i] = sum.tanh();
    }
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += hidden[j] / (2 + i + j) as f64;
        }
        y[i] = sum.tanh();
    }
}

/// The loss of a layer of a network: all inputs in each term.
#[differentiable]
pub(crate) fn loss(x: &[f64]) -> f64 {
    let n = x.len();
    let mut loss = 0.0;
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += x[j] / (1 + i + j) as f64;
        }
        let miss = sum.tanh() - 0.5;
        loss += miss * miss;
    }
    loss
}
