#![allow(warnings)]

use di::{Scalar, generic};

#[generic]
fn f<S: Scalar<Real = f64>>(x: &[S], scale: f64) -> S {
    x[0].mul_real(scale)
}

fn main() {}
