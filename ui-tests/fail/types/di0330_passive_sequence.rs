#![allow(warnings)]

use di::differentiable;

fn passive<T>(x: T) -> T {
    x
}

#[derive(di::Differentiable)]
struct Tank {
    level: f64,
}

fn largest(x: &Tank) -> f64 {
    x.level.max(0.0)
}

#[differentiable]
fn f(x: &Tank) -> f64 {
    let m: f64 = passive(largest(x));
    x.level / m
}

fn main() {}
