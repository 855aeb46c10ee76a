use di::differentiable;

#[differentiable]
fn f(alpha: f64) -> f64 {
    alhpa * 2.0
}

fn main() {}
