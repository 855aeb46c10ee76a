//! A struct that rustc cannot read.

#[derive(Clone, Copy, di::Differentiable)]
struct Params {
    a: f64
    b: f64,
}

fn main() {}
