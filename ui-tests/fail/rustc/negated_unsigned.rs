use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let m = -n;
    x * m as f64
}

fn main() {}
