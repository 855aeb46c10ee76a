#![allow(warnings)]

use di::differentiable;
use std::collections::VecDeque;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = VecDeque::new();
    queue.push_back(0);
    let mut sum = 0.0;
    while let Some(i) = queue.pop_front() {
        sum += x[i] * x[i];
    }
    sum
}

fn main() {}
