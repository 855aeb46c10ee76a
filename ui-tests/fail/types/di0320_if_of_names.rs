#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy)]
struct Name([u64; 3]);

#[differentiable]
fn f(x: f64, #[constant] a: Name, #[constant] b: Name, first: bool) -> f64 {
    let name = if first {
        println!("{x}");
        a
    } else {
        b
    };
    x * x
}

fn main() {}
