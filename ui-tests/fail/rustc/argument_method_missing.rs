use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    x.sin(1.0)
}

fn main() {}
