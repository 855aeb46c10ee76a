use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let y = x * x;
}

fn main() {}
