#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.select_nth_unstable_by(1, f64::total_cmp);
    v[0] * v[1]
}

fn main() {}

// row 40 later: `select_nth_unstable`
