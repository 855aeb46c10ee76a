#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let n: u128 = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff;
    x * n as f64
}

fn main() {}
