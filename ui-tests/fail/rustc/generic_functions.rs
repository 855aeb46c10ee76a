//! One mistake each in functions with lengths and lifetimes as parameters.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy, Differentiable)]
struct Poly<const N: usize> {
    c: [f64; N],
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn horner<const N: usize>(p: &Poly<N>, t: f64) -> f64 {
    let mut s = 0.0;
    for k in 0..N {
        s = s * t + p.c[k];
    }
    s
}

#[differentiable]
fn argument<const N: usize>(x: &[f64; N]) -> f64 {
    square(x)
}

#[differentiable]
fn method<const N: usize>(x: &[f64; N]) -> f64 {
    x.average()
}

#[differentiable]
fn field<const N: usize>(p: &Poly<N>) -> f64 {
    p.c[0] + p.degree
}

#[differentiable]
fn index<const N: usize>(x: &[f64; N], i: i32) -> f64 {
    x[i]
}

#[differentiable]
fn missing_argument(p: &Poly<2>) -> f64 {
    horner(p)
}

#[differentiable]
fn other_instance(p: &Poly<2>) -> f64 {
    horner::<3>(p, 2.0)
}

#[differentiable]
fn lifetime<'a>(x: &'a [f64], y: &'a [f64]) -> f64 {
    square(x) + y[0]
}

#[differentiable]
fn unknown_lifetime(x: &'b [f64]) -> f64 {
    x[0]
}

fn main() {}
