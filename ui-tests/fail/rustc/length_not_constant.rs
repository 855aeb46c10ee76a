use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let v = [x; n];
    v[0]
}

fn main() {}
