//! What a loop has moved or borrows.

use di::differentiable;

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let a = x.to_vec();
    let mut s = 0.0;
    for v in a {
        s += v;
    }
    s + a[0]
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    for v in &a {
        a.push(*v);
    }
    a[0]
}

fn main() {}
