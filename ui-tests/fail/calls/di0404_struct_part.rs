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
fn outer(x: f64) -> Outer {
    Outer {
        inner: Inner { a: x },
    }
}

#[differentiable]
fn product(p: &Inner, q: &Inner) -> f64 {
    p.a * q.a
}

// the structs have no names here
#[differentiable]
fn f(x: f64) -> f64 {
    let p = outer(x);
    let y: f64 = product(&p.inner, &p.inner);
    y
}

fn main() {}
