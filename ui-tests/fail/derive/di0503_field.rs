#![allow(warnings)]

#[derive(di::Differentiable)]
struct Params {
    a: f64,
    next: Option<f64>,
}

fn main() {}
