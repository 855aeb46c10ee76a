//! Methods that do not exist: rustc's message on each, and none of our own beside it.

use di::prelude::*;

#[differentiable]
fn of_number(x: f64) -> f64 {
    x.foo()
}

#[differentiable]
fn of_integer_and_slice(x: &[f64]) -> f64 {
    let i = 3;
    i.bar();
    x.foo();
    x[0]
}

#[differentiable]
fn of_element(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v.sqr();
    }
    s
}

#[differentiable]
fn of_iterator(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().foo() {
        s += v;
    }
    s
}

fn main() {}
