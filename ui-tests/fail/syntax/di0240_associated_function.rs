#![allow(warnings)]

use di::differentiable;

struct Square;

impl Square {
    fn of(x: f64) -> f64 {
        x * x
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = Square::of(x);
    y
}

fn main() {}
