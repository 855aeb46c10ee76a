#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    v[0] * v[1]
}

fn main() {}

// row 40 refused: unstable sorts by a part of the elements, since std leaves open how equal ones come out
