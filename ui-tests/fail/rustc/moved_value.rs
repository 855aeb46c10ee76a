use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let w = v;
    v[0] * w[0]
}

fn main() {}
