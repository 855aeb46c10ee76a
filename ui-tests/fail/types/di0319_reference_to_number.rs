#![allow(warnings)]

use di::differentiable;

fn h(a: f64, n: &mut usize) -> f64 {
    *n += 1;
    a * *n as f64
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut n = 0;
    let y: f64 = h(x, &mut n);
    y * x
}

fn main() {}

// row 125 refused: integers and bools behind `&mut` as arguments, which carry no derivative
