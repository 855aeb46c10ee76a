use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let n: usize = -1;
    x * n as f64
}

fn main() {}
