#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Clone, Debug, Differentiable)]
struct Point {
    at: f64,
}

#[differentiable]
fn moved(x: f64) -> Point {
    Point { at: 2.0 * x }
}

#[differentiable]
fn f(x: f64) -> f64 {
    println!("{:?}", moved(x));
    x
}

fn main() {}

// row 694 later: the results of calls
