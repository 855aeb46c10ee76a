use di::differentiable;

const W: [f64; 3] = [0.5, -1.0, 2.0];

#[differentiable]
fn weigh(w: &[f64], x: &[f64]) -> f64 {
    w[0] * x[0]
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    weigh(&W, x)
}

fn main() {}
