#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let m = [vec![x; 2], vec![x; 3]];
    m[0][0] * m[1][1]
}

#[differentiable]
fn g(x: f64) -> f64 {
    let a = vec![vec![x; 2]; 2];
    let b = vec![vec![x; 2]; 2];
    if a == b { a[0][0] } else { b[0][0] }
}

fn main() {}
