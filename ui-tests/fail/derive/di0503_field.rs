#![allow(warnings)]

#[derive(di::Differentiable)]
struct Params {
    a: f64,
    next: Option<Vec<Vec<f64>>>,
}

fn main() {}
