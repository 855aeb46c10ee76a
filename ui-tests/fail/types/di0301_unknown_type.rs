#![allow(warnings)]

use di::differentiable;

mod model {
    #[derive(di::Differentiable)]
    pub struct Params {
        pub k: f64,
        pub l: f64,
    }

    #[di::differentiable]
    pub fn params(x: f64) -> Params {
        Params { k: x, l: 2.0 }
    }
}

use model::params;

// the struct has no name here
#[differentiable]
fn f(x: f64) -> f64 {
    let p = params(x);
    let k = p.k;
    if k == p.l { x } else { x * x }
}

fn main() {}
