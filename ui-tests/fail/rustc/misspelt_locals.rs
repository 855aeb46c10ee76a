//! Names of variables of the function, wherever they stand.

use di::differentiable;

#[differentiable]
fn operand(x: &[f64]) -> f64 {
    let total = x[0];
    let y = totl * 2.0;
    y + total
}

#[differentiable]
fn value(x: &[f64]) -> f64 {
    let total = x[0];
    totl
}

#[differentiable]
fn returned(x: &[f64]) -> f64 {
    let total = x[0];
    if total > 0.0 {
        return totl;
    }
    total
}

#[differentiable]
fn in_a_closure(x: &[f64]) -> f64 {
    let double = |factor: f64| factr * 2.0;
    double(x[0])
}

#[differentiable]
fn bound_by_a_pattern(x: &[f64]) -> f64 {
    match x.first() {
        Some(first) => frst * 2.0,
        None => 0.0,
    }
}

#[differentiable]
fn bound_by_if_let(x: &[f64]) -> f64 {
    if let Some(first) = x.last() {
        frst * 2.0
    } else {
        0.0
    }
}

#[differentiable]
fn vector(x: &[f64]) -> f64 {
    let values = vec![x[0], 2.0];
    valus[0] + values[1]
}

#[differentiable]
fn inner_block(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for index in 0..x.len() {
        let value = x[index];
        total += valu;
    }
    total
}

fn main() {}
