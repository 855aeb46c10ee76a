// parity 114
#![allow(warnings)]

use di::prelude::*;

use di::{Scalar, nested};

#[generic]
fn f<S: Scalar<Real = f64>>(x: S) -> S {
    x * nested::derivative(|y| x + y, S::from_real(3.0))
}

fn main() {}
