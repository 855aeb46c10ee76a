// row 127 later: `Box`

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let b = Box::new(x);
    *b * x
}

fn main() {}
