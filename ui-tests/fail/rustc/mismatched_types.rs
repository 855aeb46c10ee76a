//! One message, of rustc, on the user's code.
use di::differentiable;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let y: f64 = x * 2;
    y + n
}

fn main() {}
