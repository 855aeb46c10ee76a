use di::differentiable;

#[differentiable]
fn scaled(x: f64, #[constant] a: f64) -> f64 {
    a * x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = scaled(x, x);
    y * y
}

fn main() {}
