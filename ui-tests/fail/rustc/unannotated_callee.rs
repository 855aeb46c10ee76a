use di::differentiable;

fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = square(x);
    y * x
}

fn main() {}

// row 109 refused
