use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
}

#[differentiable]
fn listed(x: f64, #[constant] first: &Params) -> f64 {
    let mut all = Vec::new();
    all.extend_from_slice(&[*first, *first]);
    all.push(Params { a: x, w: [x; 3] });
    all[0].a * all[1].w[2]
}

fn main() {}
