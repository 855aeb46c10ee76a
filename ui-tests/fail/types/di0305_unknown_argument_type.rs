#![allow(warnings)]

use di::differentiable;

mod planet {
    pub static gravity: f64 = 9.81;
}

#[derive(di::Differentiable)]
struct P {
    k: f64,
}

// a block that the compiler does not look into
const _: () = {
    #[differentiable]
    impl P {
        fn scaled(&self, a: f64) -> f64 {
            self.k * a
        }
    }
};

// the name is not spelled like that of a constant
#[differentiable]
fn f(p: &P) -> f64 {
    let y: f64 = p.scaled(planet::gravity);
    y
}

fn main() {}
