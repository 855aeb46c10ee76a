#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    if x > 0.0 {
        fn square(t: f64) -> f64 {
            t * t
        }
    }
    x
}

fn main() {}

// row 140 later: functions in inner blocks
