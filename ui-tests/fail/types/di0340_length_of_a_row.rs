#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut m = vec![vec![x; 2]; 2];
    for row in m.iter_mut() {
        row.push(x);
    }
    m[0][0] * m[1][1]
}

fn main() {}
