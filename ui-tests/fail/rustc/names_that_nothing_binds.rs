//! Mistyped and out of scope, in expressions that are carried as they are written.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Point {
    a: f64,
    #[constant]
    n: usize,
}

#[differentiable]
fn index(x: &[f64]) -> f64 {
    let count = 3;
    x[cont - 1] + count as f64
}

#[differentiable]
fn stored(x: &[f64], y: &mut [f64]) {
    for index in 0..x.len() {
        y[indx + 1] = x[index];
    }
}

#[differentiable]
fn bound_of_a_loop(x: &[f64]) -> f64 {
    let count = x.len();
    let mut s = 0.0;
    for i in 0..cont - 1 {
        s += x[i];
    }
    s
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let count = x.len();
    if cont > 3 { x[0] } else { 0.0 }
}

#[differentiable]
fn field(point: &Point) -> f64 {
    pont.a * 2.0
}

#[differentiable]
fn field_of_a_constant(point: &Point) -> f64 {
    let mut s = point.a;
    for _ in 0..pont.n {
        s *= 2.0;
    }
    s
}

#[differentiable]
fn length(values: &[f64]) -> f64 {
    values[0] / vales.len() as f64
}

#[differentiable]
fn element(x: &[f64]) -> f64 {
    let matrix = [[x[0]; 2]; 2];
    matirx[0][1] + matrix[0][0]
}

#[differentiable]
fn asserted(x: &[f64]) -> f64 {
    let count = x.len();
    assert!(cont > 2);
    x[0]
}

#[differentiable]
fn in_a_string(x: &[f64]) -> f64 {
    let total = x[0];
    println!("{totl:.3}");
    total
}

#[differentiable]
fn in_a_panic(x: &[f64]) -> f64 {
    let total = x[0];
    if total < 0.0 {
        panic!("{totl} is negative");
    }
    total
}

#[differentiable]
fn of_an_inner_block(x: f64) -> f64 {
    {
        let inner = x * 2.0;
    }
    inner
}

#[differentiable]
fn of_a_branch(x: f64) -> f64 {
    if x > 0.0 {
        let chosen = x * 2.0;
    } else {
        let chosen = x;
    }
    chosen * 2.0
}

#[differentiable]
fn of_a_loop(x: f64) -> f64 {
    let mut a = x;
    while a > 1.0 {
        let half = a * 0.5;
        a = half;
    }
    a + half
}

#[differentiable]
fn counter(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        s += x[i];
    }
    s + x[i - 1]
}

#[differentiable]
fn of_another_arm(x: &[f64]) -> f64 {
    match x.first() {
        Some(first) => *first,
        None => *first,
    }
}

fn main() {}
