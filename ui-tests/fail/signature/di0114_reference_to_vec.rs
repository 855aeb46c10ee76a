#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Step {
    by: f64,
}

#[differentiable]
impl Step {
    fn grow(&self, x: &mut Vec<f64>) {
        x.push(self.by * x[0]);
    }
}

fn main() {}
