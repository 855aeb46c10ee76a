use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
impl Params {
    fn set(&mut self, x: f64) {
        self.a = x;
    }

    fn f(&self, x: f64) -> f64 {
        self.set(x);
        self.a
    }
}

fn main() {}
