use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = x * scale;
    y * y
}

fn main() {}
