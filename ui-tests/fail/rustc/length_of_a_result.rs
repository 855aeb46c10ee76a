use di::differentiable;

#[differentiable]
fn triple(x: f64) -> [f64; 3] {
    [x; 3]
}

#[differentiable]
fn f(x: f64) -> f64 {
    let v: [f64; 2] = triple(x);
    v[0]
}

fn main() {}
