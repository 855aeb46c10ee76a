use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let first = &v[..1];
    v[0] = 2.0;
    first[0] * v[0]
}

fn main() {}
