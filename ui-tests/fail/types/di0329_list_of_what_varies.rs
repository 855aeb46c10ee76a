#![allow(warnings)]

use di::differentiable;
use std::collections::LinkedList;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut best: LinkedList<f64> = LinkedList::new();
    let mut total = 0.0;
    for i in 0..x.len() {
        best.push_back(x[i] * x[i]);
        total += x[i] * best.front().unwrap();
    }
    total
}

fn main() {}
