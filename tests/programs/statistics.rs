//! Likelihoods of time series: Kalman's filter, the forward algorithm of hidden Markov chains, a recurrent network.

use di::prelude::*;
use di_test::program;

/// Minus the log likelihood of a local linear trend; `x` is (level noise, slope noise, observation noise).
#[differentiable]
fn kalman(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let (q1, q2, r) = (x[0].exp(), x[1].exp(), x[2].exp());
    let mut m = [data[0], 0.0];
    let mut p = [[1.0, 0.0], [0.0, 1.0]];
    let mut loss = 0.0;
    for k in 1..data.len() {
        // m <- F m, P <- F P F' + Q with F = [[1, 1], [0, 1]]
        m = [m[0] + m[1], m[1]];
        let p00 = p[0][0] + p[0][1] + p[1][0] + p[1][1] + q1;
        let p01 = p[0][1] + p[1][1];
        let p10 = p[1][0] + p[1][1];
        let p11 = p[1][1] + q2;
        let s = p00 + r;
        let v = data[k] - m[0];
        loss += 0.5 * (s.ln() + v * v / s);
        let gain = [p00 / s, p10 / s];
        for i in 0..2 {
            m[i] += gain[i] * v;
        }
        p = [
            [p00 - gain[0] * p00, p01 - gain[0] * p01],
            [p10 - gain[1] * p00, p11 - gain[1] * p01],
        ];
    }
    loss
}

const SERIES: [f64; 9] = [1.0, 1.3, 1.9, 2.2, 2.1, 2.9, 3.6, 3.3, 4.1];

#[test]
fn kalman_filter() {
    program!(
        kalman::AD.with(&SERIES),
        [&[-1.0, -2.0, -1.5], &[0.3, 0.1, 0.2]]
    );
}

/// `ln sum exp`, shifted by the largest.
#[differentiable]
fn log_sum_exp(v: &[f64]) -> f64 {
    let largest = v.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    let sum: f64 = v.iter().map(|v| (v - largest).exp()).sum();
    largest + sum.ln()
}

/// Minus the log likelihood of symbols; `x` holds unnormalised logarithms: of the start (n), of
/// transitions (n rows of n), of emissions (n rows of m).
#[differentiable]
fn hidden_markov(x: &[f64], #[constant] symbols: &[usize], n: usize, m: usize) -> f64 {
    let start = &x[..n];
    let transitions = &x[n..n + n * n];
    let emissions = &x[n + n * n..];
    let start_sum: f64 = log_sum_exp(start);
    let mut alpha = vec![0.0; n];
    for i in 0..n {
        let row = &emissions[i * m..(i + 1) * m];
        alpha[i] = start[i] - start_sum + row[symbols[0]] - log_sum_exp(row);
    }
    let mut terms = vec![0.0; n];
    for t in 1..symbols.len() {
        let before = alpha.clone();
        for j in 0..n {
            for i in 0..n {
                let row = &transitions[i * n..(i + 1) * n];
                terms[i] = before[i] + row[j] - log_sum_exp(row);
            }
            let row = &emissions[j * m..(j + 1) * m];
            let emitted = row[symbols[t]] - log_sum_exp(row);
            alpha[j] = emitted + log_sum_exp(&terms);
        }
    }
    -log_sum_exp(&alpha)
}

#[test]
fn forward_algorithm() {
    let symbols = [0, 2, 1, 1, 0, 2, 2, 0];
    let x: Vec<f64> = (0..3 + 9 + 9).map(|i| (1.7 * i as f64).sin()).collect();
    program!(hidden_markov::AD.with(&symbols, 3, 3), [&x]);
}

/// A recurrent network whose states are rows of one matrix, written in the loop over time. `x` holds the
/// weights of the state (h rows of h), of the input (h), and of the output (h).
#[differentiable]
fn recurrent(x: &[f64], #[constant] inputs: &[f64], h: usize) -> f64 {
    let (w, rest) = x.split_at(h * h);
    let (u, out) = rest.split_at(h);
    let steps = inputs.len();
    let mut states = vec![0.0; (steps + 1) * h];
    let mut loss = 0.0;
    for t in 0..steps {
        for i in 0..h {
            let mut sum = u[i] * inputs[t];
            for j in 0..h {
                sum += w[i * h + j] * states[t * h + j];
            }
            states[(t + 1) * h + i] = sum.tanh();
        }
        if t + 1 < steps {
            let state = &states[(t + 1) * h..(t + 2) * h];
            let mut predicted = 0.0;
            for i in 0..h {
                predicted += out[i] * state[i];
            }
            let d = predicted - inputs[t + 1];
            loss += d * d;
        }
    }
    loss / steps as f64
}

#[test]
fn recurrent_network() {
    let x: Vec<f64> = (0..9 + 3 + 3)
        .map(|i| 0.6 * (2.3 * i as f64).cos())
        .collect();
    program!(recurrent::AD.with(&SERIES, 3), [&x]);
}
