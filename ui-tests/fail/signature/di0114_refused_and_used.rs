//! A method whose signature is refused: its callers, and operators, have nothing to say of it.

use di::prelude::*;

#[derive(Differentiable)]
struct Step {
    by: f64,
}

#[differentiable]
impl Step {
    fn grow(&self, x: &mut Vec<f64>, n: usize) {
        x.push(self.by);
        if n > 0 {
            self.grow(x, n - 1);
        }
    }
}

#[differentiable]
fn caller(x: f64) -> f64 {
    let mut v = vec![x];
    let step = Step { by: x };
    step.grow(&mut v, 1);
    v[0] * v[1]
}

fn main() {
    let _ = derivative(caller::AD, NoPrep, &AutoSource::new(), &1.0);
}
