//! Inside an `impl` there is no place for the handle, and the macro cannot see that it is there.

use di::differentiable;

struct Circle;

impl Circle {
    #[differentiable]
    fn area(r: f64) -> f64 {
        3.0 * r * r
    }
}

fn main() {}
