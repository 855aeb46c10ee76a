#![allow(warnings)]

use di::differentiable;

#[differentiable]
struct Point {
    x: f64,
}

fn main() {}
