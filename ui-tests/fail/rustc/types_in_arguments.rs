//! Types that do not exist, in the arguments of others.

use di::differentiable;

#[differentiable]
fn parameter(v: &Vec<Foo>) -> f64 {
    v[0].x
}

#[differentiable]
fn variable(x: f64) -> f64 {
    let v: Vec<Foo> = Vec::new();
    x * v.len() as f64
}

#[differentiable]
fn turbofish(x: f64) -> f64 {
    let v = Vec::<Foo>::new();
    x * v.len() as f64
}

fn main() {}
