use di::differentiable;

#[derive(di::Differentiable)]
struct Params {
    a: f64,
}

#[differentiable]
fn f(p: &Params) -> f64 {
    p.a * p.b
}

fn main() {}
