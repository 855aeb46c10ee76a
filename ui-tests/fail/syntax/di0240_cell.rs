// row 128 refused: `Cell`, `RefCell`, `Rc`

use di::differentiable;

#[differentiable]
fn f(x: f64) -> f64 {
    let b = std::cell::Cell::new(x);
    b.set(b.get() * x);
    b.get()
}

fn main() {}
