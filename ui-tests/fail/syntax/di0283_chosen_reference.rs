#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn h(a: &[f64], b: &[f64]) -> f64 {
    a[0] * b[1]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let (mut s, v) = (1.0, [x[0], x[1]]);
    let y: f64 = h(
        &{
            s *= x[2];
            [s, s]
        },
        if x[0] > 0.0 { &v } else { x },
    );
    y * x[1]
}

fn main() {}
