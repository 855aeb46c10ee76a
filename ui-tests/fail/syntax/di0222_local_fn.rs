#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    fn square(t: f64) -> f64 {
        t * t
    }
    x
}

fn main() {}

// row 140 later: functions
