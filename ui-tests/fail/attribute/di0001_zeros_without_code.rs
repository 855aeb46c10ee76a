#![allow(warnings)]

use di::extend::Scalar;
use di::generic;

#[generic(strong_zeros)]
fn f<S: Scalar<Real = f64>>(x: S) -> S {
    x.sqrt()
}

fn main() {}
