// parity 118
#![allow(warnings)]

use di::prelude::*;

fn main() {
    let f = di::closure(|x: &[f64]| x[0]);
    let g = gradient(f, NoPrep, &AutoDual::new(), &[1.0]);
}
