// parity 118
#![allow(warnings)]

use di::prelude::*;

#[generic]
fn f<S: di::Scalar<Real = f64>>(x: &[S]) -> S {
    x[0]
}

fn main() {
    let g = gradient(f::AD, NoPrep, &AutoSource::new(), &[1.0]);
}
