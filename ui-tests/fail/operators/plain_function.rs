// parity 118
#![allow(warnings)]

use di::prelude::*;

fn f(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let g = gradient(f, NoPrep, &AutoSource::new(), &[1.0]);
}
