#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(p: (&mut f64, f64)) {
    *p.0 *= p.1;
}

fn main() {}
