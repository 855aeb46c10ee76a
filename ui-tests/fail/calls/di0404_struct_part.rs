#![allow(warnings)]

use di::differentiable;

mod shapes {
    #[derive(Clone, Copy, di::Differentiable)]
    pub(crate) struct Outer {
        pub(crate) w: [f64; 3],
    }

    #[di::differentiable]
    pub(crate) fn outer(x: f64) -> Outer {
        Outer { w: [x, x, 1.0] }
    }
}
use shapes::outer;

#[differentiable]
fn product(p: &[f64], q: &[f64]) -> f64 {
    p[0] * q[1]
}

// the struct has no name here
#[differentiable]
fn f(x: f64) -> f64 {
    let p = outer(x);
    let y: f64 = product(&p.w, &p.w);
    y
}

fn main() {}
