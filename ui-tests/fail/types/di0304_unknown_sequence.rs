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
        fn pair(&self) -> [f64; 2] {
            [self.k, self.k * self.k]
        }
    }
};

#[differentiable]
fn f(p: &P) -> f64 {
    let v = p.pair();
    v[0] * v[1]
}

fn main() {}
