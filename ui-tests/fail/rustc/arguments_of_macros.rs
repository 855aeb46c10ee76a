//! Mistakes in the arguments of macros: rustc may say so twice, in the same words, and cargo prints it once.

use di::{Differentiable, differentiable};

struct Name;

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
    #[constant]
    n: usize,
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn method(x: f64) -> f64 {
    assert!(x.foo() > 0.0);
    x
}

#[differentiable]
fn number(x: f64) -> f64 {
    assert!(x);
    x
}

#[differentiable]
fn result(x: f64) -> f64 {
    assert!(square(x));
    x
}

#[differentiable]
fn compared(x: f64, n: usize) -> f64 {
    assert!(x > n);
    x
}

#[differentiable]
fn equal(x: f64, n: usize) -> f64 {
    assert_eq!(x, n);
    x
}

#[differentiable]
fn equal_fields(p: &Params) -> f64 {
    assert_eq!(p.a, p.n);
    p.a
}

#[differentiable]
fn missing_field(p: &Params) -> f64 {
    assert!(p.z > 0.0);
    p.a
}

#[differentiable]
fn message(x: f64) -> f64 {
    assert!(x > 0.0, "{}", x.foo());
    x
}

#[differentiable]
fn elements(x: f64) -> f64 {
    let v = vec![x, 1];
    v[0]
}

#[differentiable]
fn length(p: &Params) -> f64 {
    let v = vec![p.a; p.a];
    v[0]
}

#[differentiable]
fn element_of_a_call(x: &[f64]) -> f64 {
    let v = vec![square(x), 1.0];
    v[0]
}

#[differentiable]
fn printed(x: &[f64]) -> f64 {
    println!("{}", x);
    x[0]
}

#[differentiable]
fn printed_field(p: &Params) -> f64 {
    println!("{}", p.w);
    p.a
}

#[differentiable]
fn printed_name(x: f64, #[constant] name: &Name) -> f64 {
    println!("{}", name);
    x
}

#[differentiable]
fn printed_in_hex(x: f64) -> f64 {
    println!("{:x}", x);
    x
}

#[differentiable]
fn shown(p: &Params) -> f64 {
    let _ = p;
    p.a
}

#[differentiable]
fn panics(x: &[f64]) -> f64 {
    if x[0] < 0.0 {
        panic!("{}", x);
    }
    x[0]
}

#[differentiable]
fn matched(x: f64, n: usize) -> f64 {
    if matches!(n, 1.0) { x } else { 2.0 * x }
}

fn main() {}
