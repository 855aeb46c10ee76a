use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn make(x: f64) -> Params {
    Params {
        a: x,
        w: [x; 3],
        n: 3,
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    make(x).z
}

fn main() {}
