//! Names that could be meant for parameters: `fn f<const N: usize>(x: &[f64; N])`.

use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct Point {
    x: f64,
    inner: Q,
    several: Vec<R>,
}

#[differentiable]
fn length(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i];
    }
    s
}

#[differentiable]
fn lengths(x: &[[f64; M]; N], y: &mut [f64; M]) {
    y[0] = x[0][0];
}

#[differentiable]
fn made(x: f64) -> [f64; N] {
    [x; N]
}

#[differentiable]
fn length_of_a_variable(x: f64) -> f64 {
    let v: [f64; N] = [x; 3];
    v[0]
}

#[differentiable]
fn length_is_a_parameter(x: &[f64; n], n: usize) -> f64 {
    x[n]
}

#[differentiable]
fn parameter(p: &P, x: f64) -> f64 {
    p.a * x
}

#[differentiable]
fn scalar(x: &[T]) -> T {
    x[0]
}

#[differentiable]
fn constant(x: f64, #[constant] k: K, #[constant] y: &Y) -> f64 {
    x
}

#[differentiable]
fn of_the_name_of_a_type_of_ours(x: f64, #[constant] kind: Kind) -> f64 {
    x
}

#[differentiable]
fn value(x: f64) -> f64 {
    println!("{}", C);
    if x > C { C.sin() * x } else { length(&[C; 3]) }
}

fn main() {}
