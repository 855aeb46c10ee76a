use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn f(p: &Params) -> f64 {
    p.w + p.a
}

fn main() {}
