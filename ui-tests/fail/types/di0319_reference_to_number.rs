#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct P {
    k: f64,
}

impl P {
    fn h(&self, n: &mut usize) -> f64 {
        *n += 1;
        self.k * *n as f64
    }
}

#[differentiable]
fn f(p: &P) -> f64 {
    let mut n = 0;
    let y: f64 = p.h(&mut n);
    y * p.k
}

fn main() {}

// row 125 refused: integers and bools behind `&mut` as arguments, which carry no derivative
