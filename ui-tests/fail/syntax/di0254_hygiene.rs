#![allow(warnings)]

use di::differentiable;

macro_rules! make {
    ($name:ident, $v:ident) => {
        #[differentiable]
        fn $name(x: &[f64]) -> f64 {
            let $v = x[0];
            let y = x[1] * x[1];
            $v * y + y
        }
    };
}

make!(f, y);

fn main() {}
