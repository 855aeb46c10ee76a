use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn f(x: f64) -> f64 {
    let p = Params {
        a: x,
        w: [x; 3],
        n: 3.0,
    };
    p.a
}

fn main() {}
