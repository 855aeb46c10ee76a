#![allow(warnings)]

use di::generic;

#[generic]
fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {}
