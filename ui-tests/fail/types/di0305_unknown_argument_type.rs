#![allow(warnings)]

use di::differentiable;

mod planet {
    pub static gravity: f64 = 9.81;
}

#[differentiable]
fn scaled(x: f64, a: f64) -> f64 {
    a * x
}

// the name is not spelled like that of a constant
#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = scaled(x, planet::gravity);
    y
}

fn main() {}
