use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
}

#[differentiable]
fn assigned(x: f64, #[constant] first: &Params) -> f64 {
    let mut p = Params { a: x, w: [x; 3] };
    p = *first;
    p.a * x
}

fn main() {}
