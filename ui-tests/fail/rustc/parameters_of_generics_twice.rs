//! Parameters of generic functions whose name is there twice; `self` where there is none.

use di::{Differentiable, differentiable};

#[differentiable]
fn constants<const N: usize, const N: usize>(x: &[f64; N]) -> f64 {
    x[0]
}

#[differentiable]
fn types<M: Fn(usize) -> f64, M>(x: f64, #[constant] m: &M) -> f64 {
    x
}

#[differentiable]
fn speaks_of_itself(x: f64) -> f64 {
    self.a * x
}

#[derive(Differentiable)]
struct Point {
    a: f64,
}

#[differentiable]
impl Point {
    fn without_a_receiver(x: f64) -> f64 {
        self.a * x
    }

    fn inside(&self, x: f64) -> f64 {
        fn inner(x: f64) -> f64 {
            self.a * x
        }
        inner(x)
    }
}

#[derive(Differentiable)]
struct Borrows {
    a: &f64,
}

fn main() {}
