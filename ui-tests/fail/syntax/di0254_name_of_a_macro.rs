#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let s = x[0];
    macro_rules! plus {
        ($e:expr) => {
            s + $e
        };
    }
    let s = x[1] * 10.0;
    plus!(s)
}

fn main() {}
