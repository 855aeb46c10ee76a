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
        fn parts(&self) -> [f64; 3] {
            [self.k, self.k, 1.0]
        }
    }
};

#[differentiable]
fn f(p: &P) -> f64 {
    let [a, .., b] = p.parts();
    a * b
}

fn main() {}
