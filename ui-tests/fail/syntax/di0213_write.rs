#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    write!(std::io::stdout(), "{x}");
    x * x
}

fn main() {}


// row 133 later: `write!`
