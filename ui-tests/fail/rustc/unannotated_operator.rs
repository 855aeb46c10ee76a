#![allow(warnings)]

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
}

impl std::ops::Add<&V> for &V {
    type Output = V;
    fn add(self, o: &V) -> V {
        V { x: self.x + o.x }
    }
}

#[differentiable]
fn f(p: &V, q: &V) -> f64 {
    let v: V = p + q;
    v.x
}

fn main() {}
