use di::differentiable;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x[0] * x[0]
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = norm(x);
    y * y
}

fn main() {}
