//! A method that returns `&mut Self`, whose result is bound to a name, changed its struct twice: the block in the place
//! of the call was built once to see whether it gives state, and once for its value.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.5, 0.7], &[-1.2, 1.9]];

#[derive(Clone, Copy, Differentiable)]
struct Part {
    size: f64,
    rate: f64,
}

#[differentiable]
impl Part {
    fn grown(&mut self, by: f64) -> &mut Self {
        self.size += by * self.rate;
        self
    }

    fn size_mut(&mut self) -> &mut f64 {
        self.rate *= 1.5;
        &mut self.size
    }
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let mut part = Part {
        size: x[0],
        rate: x[1],
    };
    let same = part.grown(2.0);
    same.grown(x[1]);
    part.size * x[1]
}

#[differentiable]
fn in_a_block(x: &[f64]) -> f64 {
    let mut part = Part {
        size: x[0],
        rate: x[1],
    };
    let read = {
        let same: &mut Part = part.grown(2.0);
        same.grown(x[1])
    }
    .size
        * x[0];
    read + part.size * x[1]
}

#[differentiable]
fn of_a_field(x: &[f64]) -> f64 {
    let mut part = Part {
        size: x[0],
        rate: x[1],
    };
    for v in x {
        let size = part.size_mut();
        *size += v * v;
    }
    part.size * part.rate
}

#[test]
fn what_returns_a_reference_is_called_once() {
    scalar!(named).check(&POINTS);
    scalar!(in_a_block).check(&POINTS);
    scalar!(of_a_field).check(&POINTS);
}
