//! Functions that call each other in turn.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn even(x: &[f64], n: usize) -> f64 {
    if n == 0 {
        x[0] * x[1]
    } else {
        odd(x, n - 1) * x[n % x.len()].cos()
    }
}

#[differentiable]
fn odd(x: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    for t in x {
        s += (t * s).sin();
    }
    if n == 0 { s } else { even(x, n - 1) + s * s }
}

#[differentiable]
fn in_turn(x: &[f64]) -> f64 {
    even(x, 5) * odd(&x[1..], 2) + even(x, 0)
}

// expression, term, factor: three in a circle, and one that calls itself too
#[differentiable]
fn expression(x: &[f64], depth: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..2 {
        s += term(x, depth) * x[k];
    }
    s
}

#[differentiable]
fn term(x: &[f64], depth: usize) -> f64 {
    let a: f64 = factor(x, depth);
    if depth > 2 {
        return a;
    }
    let b: f64 = term(&x[1..], depth + 1);
    a * b + a / (b * b + 1.0)
}

#[differentiable]
fn factor(x: &[f64], depth: usize) -> f64 {
    if depth >= 2 {
        let y = x.to_vec();
        return leaf(&y);
    }
    expression(x, depth + 2).tanh() * x[0]
}

#[differentiable]
fn leaf(x: &[f64]) -> f64 {
    x.iter().map(|t| t.exp()).sum()
}

#[differentiable]
fn grammar(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for d in 0..3 {
        total += expression(x, d) * leaf(&x[d..]);
    }
    total
}

#[differentiable]
fn swing(state: &mut [f64], n: usize) {
    if n > 0 {
        state[0] += 0.1 * state[1] * state[0];
        back(state, n - 1);
        state[1] *= state[0];
    }
}

#[differentiable]
fn back(state: &mut [f64], n: usize) {
    let kept = state[0];
    swing(state, n);
    state[1] = state[1].sin() + kept * state[2];
}

#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut state = x.to_vec();
    swing(&mut state, 3);
    back(&mut state, 2);
    state[0] * state[1] + state[3]
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Spring {
    k: f64,
    at: f64,
}

#[differentiable]
impl Spring {
    fn pull(&self, x: f64, n: usize) -> f64 {
        let k: f64 = self.k;
        if n == 0 {
            return k * x;
        }
        let y: f64 = self.push(x * k, n - 1);
        y.sin() * k
    }

    fn push(&self, x: f64, n: usize) -> f64 {
        let y: f64 = self.pull(x - self.at, n);
        y * x
    }
}

#[differentiable]
fn methods(x: &[f64]) -> f64 {
    let s = Spring { k: x[0], at: x[1] };
    let a: f64 = s.pull(x[2], 3);
    let b: f64 = s.push(x[3], 1);
    a * b
}

#[differentiable]
fn stepping(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    #[ad(checkpoint = 2)]
    for k in 0..5 {
        s = s.sin() + substep(x, n) * x[k % 4] * 0.2;
    }
    s
}

#[differentiable]
fn substep(x: &[f64], n: usize) -> f64 {
    if n == 0 {
        x[1] * x[2]
    } else {
        stepping(&x[..], n - 1) * x[3]
    }
}

#[differentiable]
fn of_stepping(x: &[f64]) -> f64 {
    stepping(x, 2)
}

#[test]
fn two_functions_and_three() {
    scalar!(in_turn).row(113).check(&POINTS);
    scalar!(grammar).row(113).step(0.02).check(&POINTS);
}

#[test]
fn functions_that_write_and_methods() {
    scalar!(in_place).row(113).check(&POINTS);
    scalar!(methods).row(113).check(&POINTS);
}

#[test]
fn cycles_through_loops_that_are_not_recorded() {
    scalar!(of_stepping).row(113).check(&POINTS);
}
