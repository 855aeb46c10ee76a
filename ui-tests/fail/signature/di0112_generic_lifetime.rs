#![allow(warnings)]

use di::differentiable;

trait Table<'t> {
    fn at(&self, i: usize) -> f64;
}

#[differentiable]
fn f<'t, M: Table<'t>>(x: f64, #[constant] m: &'t M) -> f64 {
    let k: f64 = m.at(0);
    k * x
}

fn main() {}
