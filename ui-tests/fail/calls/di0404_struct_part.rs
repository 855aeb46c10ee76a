#![allow(warnings)]

use di::differentiable;

#[derive(Clone, Copy, di::Differentiable)]
struct Inner {
    a: f64,
}

#[derive(Clone, Copy, di::Differentiable)]
struct Outer {
    inner: Inner,
}

#[differentiable]
fn product(p: &Inner, q: &Inner) -> f64 {
    p.a * q.a
}

#[differentiable]
fn f(p: &Outer) -> f64 {
    let y: f64 = product(&p.inner, &p.inner);
    y
}

fn main() {}
