use di::differentiable;

#[differentiable]
fn pair(x: f64) -> (f64, f64) {
    (x, x * x)
}

#[differentiable]
fn f(x: f64) -> f64 {
    let [a, b] = pair(x);
    a * b
}

fn main() {}
