//! One program that uses each construct of the language at least once.

use di::prelude::*;
use di_test::scalar;

const LIMIT: f64 = 4.0;

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
    anchors: [f64; 2],
    active: bool,
}

/// Force of the spring on a mass at `x`.
#[differentiable]
fn force(spring: &Spring, x: f64, nonlinear: bool) -> f64 {
    if !spring.active {
        return 0.0;
    }
    let mid = 0.5 * (spring.anchors[0] + spring.anchors[1]);
    let d = x - mid;
    if nonlinear {
        -spring.stiffness * d.powi(3)
    } else {
        -spring.stiffness * d
    }
}

/// Smooths neighbours in place, from right to left.
#[differentiable]
fn smooth(values: &mut [f64], weight: f64) {
    for i in (1..values.len()).rev() {
        let old = values[i];
        values[i] = weight * old + (1.0 - weight) * values[i - 1];
        values[i - 1] -= 0.25 * old * weight;
    }
}

#[differentiable]
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mut mean = 0.0;
    for v in values {
        mean += v / n;
    }
    let mut variance = 0.0;
    for v in values.iter() {
        variance += (v - mean) * (v - mean) / n;
    }
    (mean, variance)
}

#[differentiable]
fn everything(
    x: &[f64],
    spring: &Spring,
    #[constant] data: &[f64],
    rounds: usize,
    #[cache] history: &mut [f64],
) -> f64 {
    let n = x.len();
    let mut state = vec![0.0; n];
    let mut table = [[0.0; 2]; 2];
    for i in 0..n {
        history[i] = 0.0;
    }
    for i in 0..n {
        state[i] = if i % 2 == 0 { x[i].sin() } else { x[i] * x[0] };
    }
    let mut round = 0;
    let mut total = 0.0;
    while round < rounds {
        round += 1;
        smooth(&mut state[..n - 1], 0.5 + 0.1 * x[n - 1]);
        for i in 0..n {
            if data[i] < 0.0 {
                continue;
            }
            let pull = force(spring, state[i], round % 2 == 0);
            state[i] += 0.1 * pull;
            history[i] += state[i] * state[i];
            for j in 0..i {
                total += history[j] * data[j].abs() * state[i];
                if total.abs() > LIMIT {
                    break;
                }
            }
        }
        table[round % 2][0] += state[0];
        table[0][1] *= table[1][0];
        table[0][1] += total;
        if total > 3.0 * LIMIT {
            return total.ln();
        }
    }
    let (mean, variance) = moments(&state[1..]);
    let (low, high) = (mean.min(variance), mean.max(variance));
    let total = total.tanh() + low.mul_add(2.0, high.hypot(1.0));
    total + table[0][0] * table[1][0] - table[0][1].atan2(2.0)
}

#[test]
fn program_that_combines_all_constructs() {
    let data = [0.5, -1.0, 2.0, 0.25];
    let history = [0.0; 4];
    for rounds in [0, 1, 3] {
        for active in [true, false] {
            let spring = Spring {
                stiffness: 0.8,
                anchors: [0.2, 0.6],
                active,
            };
            let f = everything::AD
                .with(&data, rounds, &history)
                .fix_spring(&spring);
            let plain = |x: &[f64]| everything(x, &spring, &data, rounds, &mut [0.0; 4]);
            scalar!(f, plain)
                .step(0.01)
                .check(&[&[0.7, 1.1, -0.4, 0.9], &[-1.3, 0.6, 2.0, 0.1]]);
        }
    }
}
