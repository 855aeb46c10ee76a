//! An element of a list in a struct was borrowed by a callee that needs none of its values, and had not been kept: the reverse
//! sweep panicked.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Differentiable)]
struct Part {
    data: Vec<f64>,
}

#[derive(Clone, Differentiable)]
struct Whole {
    left: Vec<Part>,
    right: Vec<Part>,
}

#[differentiable]
fn ends(v: &[f64]) -> f64 {
    v[0] + v[1]
}

#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut whole = Whole {
        left: Vec::new(),
        right: Vec::new(),
    };
    whole.left.push(Part {
        data: vec![x[0], x[1]],
    });
    whole.right.push(Part {
        data: vec![x[1], x[1]],
    });
    ends(&whole.left[0].data) * ends(&whole.right[0].data[..])
}

#[differentiable]
fn in_loop(x: &[f64]) -> f64 {
    let mut parts: Vec<Part> = Vec::new();
    for i in 0..x.len() {
        parts.push(Part {
            data: vec![x[i], x[i] * x[0]],
        });
    }
    let mut product = 1.0;
    for part in &parts {
        product *= ends(&part.data);
    }
    product
}

#[differentiable]
fn ranges(x: &[f64]) -> f64 {
    let mut part = Part {
        data: vec![x[0], x[1], x[0] * x[1]],
    };
    part.data[0] *= x[1];
    ends(&part.data[..2]) * ends(&part.data[1..])
}

#[test]
fn elements_that_nobody_asks_for() {
    let points: [&[f64]; 2] = [&[0.3, 0.7], &[1.4, -0.6]];
    scalar!(grown).takes_memory().check(&points);
    scalar!(ranges).takes_memory().check(&points);
    scalar!(in_loop).takes_memory().check(&points);
}
