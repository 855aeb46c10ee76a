#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64, y: &mut [f64]) {
    let (a, b) = y.split_at_mut(1);
    a[0] = x;
    b[0] = x * x;
}

fn main() {}

// row 31 later: `split_at_mut`
