#![allow(warnings)]

use di::differentiable;

fn power<const N: usize>(x: f64) -> f64 {
    x.powi(N as i32)
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = power::<3>(x);
    y
}

fn main() {}
