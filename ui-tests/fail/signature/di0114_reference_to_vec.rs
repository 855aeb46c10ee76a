#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct Step {
    by: f64,
}

#[differentiable]
impl Step {
    fn grow(&self, x: &mut Vec<f64>, n: usize) {
        x.push(self.by * x[0]);
        if n > 0 {
            self.grow(x, n - 1);
        }
    }
}

fn main() {}
