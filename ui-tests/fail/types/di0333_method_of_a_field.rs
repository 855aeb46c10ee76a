#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    enum Law {
        Linear(f64),
        Off,
    }

    impl Law {
        fn set(&mut self, slope: i32) {
            *self = Law::Linear(slope as f64);
        }
    }

    #[derive(Clone, Copy)]
    struct P {
        a: f64,
        #[constant]
        law: Law,
    }

    pub fn f(x: &[f64]) -> f64 {
        let mut p = P {
            a: x[0],
            law: Law::Off,
        };
        p.law.set(3);
        p.a * x[1]
    }
}

fn main() {}
