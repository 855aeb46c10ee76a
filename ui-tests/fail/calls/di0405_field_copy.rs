#![allow(warnings)]

use di::differentiable;

mod shapes {
    use di::{Differentiable, differentiable};

    #[derive(Differentiable)]
    pub(crate) struct P {
        pub(crate) c: [f64; 2],
    }

    #[derive(Differentiable)]
    pub(crate) struct Q {
        pub(crate) k: f64,
    }

    #[differentiable]
    impl Q {
        pub(crate) fn made(&self) -> P {
            P { c: [self.k, 2.0] }
        }
    }
}
use shapes::Q;

// the struct has no name here
#[differentiable]
fn f(q: &Q) -> f64 {
    let mut p = q.made();
    p.c[0] *= 3.0;
    let mut c = p.c;
    c[0] *= 2.0;
    c[0] * c[1] * p.c[0]
}

fn main() {}
