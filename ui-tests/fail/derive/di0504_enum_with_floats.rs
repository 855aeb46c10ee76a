#![allow(warnings)]

use di::Differentiable;

// without the mark, the derivative by the slope would be lost
#[derive(Clone, Copy)]
enum Law {
    Linear(f64),
    Off,
}

#[derive(Differentiable)]
struct P {
    a: f64,
    law: Law,
}

fn main() {}
