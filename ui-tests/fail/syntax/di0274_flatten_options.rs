#![allow(warnings)]

use di::differentiable;

#[derive(di::Differentiable)]
struct P {
    k: f64,
}

// a block that the compiler does not look into
const _: () = {
    #[differentiable]
    impl P {
        fn root(&self, x: f64) -> Option<f64> {
            if x > 0.0 { Some(self.k * x.sqrt()) } else { None }
        }
    }
};

#[differentiable]
fn f(p: &P, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().map(|v| p.root(*v)).flatten() {
        s += v;
    }
    s
}

fn main() {}
