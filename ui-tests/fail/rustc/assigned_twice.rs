use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = x * x;
    y = y + 1.0;
    y * x
}

fn main() {}
