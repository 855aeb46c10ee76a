#![allow(warnings)]

use di::differentiable_closure;

fn main() {
    let data = [1.0, 2.0];
    let f = differentiable_closure!([data] |x: &[f64]| x[0] * data[1]);
}
