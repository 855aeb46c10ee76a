//! Functions that move a reference of their caller's, and take parts of a list one after the other.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [
    &[1.0, 0.2, 0.3, -0.2, 0.4, 0.5, 1.1, 0.2, 0.3, 0.4],
    &[-0.3, 0.7, 0.1, 0.9, -0.6, 0.2, 0.5, -1.1, 0.8, 0.3],
];

#[differentiable]
fn take<'a>(rest: &mut &'a [f64], n: usize) -> &'a [f64] {
    let (head, tail) = rest.split_at(n);
    *rest = tail;
    head
}

#[differentiable]
fn number(rest: &mut &[f64]) -> f64 {
    take(rest, 1)[0]
}

#[differentiable]
fn skip(rest: &mut &[f64]) {
    *rest = &rest[1..];
}

#[differentiable]
fn halves(x: &[f64]) -> (&[f64], &[f64]) {
    x.split_at(x.len() / 2)
}

#[differentiable]
fn unpacked(x: &[f64]) -> f64 {
    let mut rest = x;
    let w = take(&mut rest, 4);
    let b = take(&mut rest, 2);
    let scale = number(&mut rest);
    skip(&mut rest);
    let (first, second) = halves(rest);
    let mut hidden = [0.0; 2];
    for i in 0..2 {
        hidden[i] = (w[2 * i] * 0.3 + w[2 * i + 1] * 0.5 + b[i]).tanh();
    }
    let mut total = 0.0;
    for _ in 0..2 {
        let v = number(&mut rest);
        total += v * v * scale;
    }
    hidden[0] * hidden[1] * scale + first[0] * second[0].sin() + total
}

#[differentiable]
mod network {
    struct Layer<'a> {
        w: &'a [f64],
        b: &'a [f64],
    }

    fn take<'a>(rest: &mut &'a [f64], n: usize) -> &'a [f64] {
        let (head, tail) = rest.split_at(n);
        *rest = tail;
        head
    }

    fn pop(rest: &mut &[f64]) -> f64 {
        match rest.split_first() {
            Some((first, others)) => {
                *rest = others;
                *first
            }
            None => 0.0,
        }
    }

    fn layer<'a>(rest: &mut &'a [f64]) -> Layer<'a> {
        Layer {
            w: take(rest, 4),
            b: take(rest, 2),
        }
    }

    pub(super) fn output(x: &[f64]) -> f64 {
        let mut rest = x;
        let of = layer(&mut rest);
        let mut h = [0.2, 0.7];
        for i in 0..2 {
            h[i] = (of.w[2 * i] * h[0] + of.w[2 * i + 1] * h[1] + of.b[i]).tanh();
        }
        h[0] * h[1] * pop(&mut rest) + pop(&mut rest) * pop(&mut rest)
    }
}

#[test]
fn references_that_functions_move() {
    scalar!(unpacked).row(361).check(&POINTS);
    let output = |x: &[f64]| network::output(x);
    scalar!(network::output::AD, output).row(361).check(&POINTS);
}
