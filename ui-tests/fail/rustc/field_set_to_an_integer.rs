use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn f(p: &mut Params) {
    p.a = 1;
}

fn main() {}
