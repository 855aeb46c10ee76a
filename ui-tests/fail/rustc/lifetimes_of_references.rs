//! References that do not live long enough.

use di::differentiable;

#[differentiable]
fn longest<'a, 'b>(x: &'a [f64], y: &'b [f64]) -> f64 {
    let mut z: &'a [f64] = x;
    if y.len() > x.len() {
        z = y;
    }
    z[0]
}

#[differentiable]
fn dropped<'a>(x: &'a [f64]) -> f64 {
    let z: &'a [f64];
    {
        let w = vec![x[0]; 3];
        z = &w;
    }
    z[0]
}

fn main() {}
