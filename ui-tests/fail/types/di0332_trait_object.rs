// row 130 refused: calls of trait objects

use di::differentiable;

trait Force {
    fn at(&self, x: f64) -> f64;
}

#[differentiable]
fn f(x: f64, #[constant] force: &dyn Force) -> f64 {
    force.at(x)
}

fn main() {}
