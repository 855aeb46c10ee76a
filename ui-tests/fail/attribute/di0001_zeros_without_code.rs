#![allow(warnings)]

use di::extend::Scalar;

#[di::generic(strong_zeros)]
fn f<S: Scalar<Real = f64>>(x: S) -> S {
    x.sqrt()
}

fn main() {}
