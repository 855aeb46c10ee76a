#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
struct P {
    a: f64,
}

impl P {
    fn power<T: Into<f64>>(p: P, t: T) -> f64 {
        p.a * t.into()
    }
}

#[differentiable]
fn f(p: P) -> f64 {
    let y: f64 = P::power::<f32>(p, 2.0);
    y
}

fn main() {}
