#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy)]
enum Phase {
    Up,
    Down(u8),
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut phase = Phase::Up;
    phase = Phase::Down(2);
    x * x
}

fn main() {}

// row 168 refused: results of unknown type
