// row 150 later: complex numbers

use di::differentiable;

#[derive(Clone, Copy)]
struct Complex<T> {
    re: T,
    im: T,
}

#[differentiable]
fn f(z: Complex<f64>) -> f64 {
    z.re * z.im
}

fn main() {}
