#![allow(warnings)]

use di::prelude::*;
use std::collections::BTreeMap;
#[differentiable]
fn predicted(x: f64, m: &BTreeMap<u8, f64>) -> f64 {
    x * x * m[&1]
}

fn main() {
    let g = derivative(predicted::AD, NoPrep, &AutoSource::new(), &1.0);
}
