#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    pub struct Wide {
        a: u64,
        b: u16,
    }

    pub fn cost(x: &[f64], w: &[Wide]) -> f64 {
        w.iter().map(|w| x[0] * f64::from(w.b)).sum()
    }

    pub fn f(x: &[f64]) -> f64 {
        let mut v = vec![Wide { a: 3, b: 7 }];
        v.push(Wide { a: 1, b: 300 });
        cost(x, &v) * x[0]
    }
}

fn main() {}
