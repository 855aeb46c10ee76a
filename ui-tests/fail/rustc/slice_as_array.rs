use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let v: [f64; 2] = &x[..2];
    v[0]
}

fn main() {}
