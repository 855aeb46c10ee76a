use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    if x as bool { x } else { 2.0 * x }
}

fn main() {}
