#![allow(warnings)]

use di::differentiable;

struct Point {
    a: f64,
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = Point { a: x };
    p.a * x
}

fn main() {}
