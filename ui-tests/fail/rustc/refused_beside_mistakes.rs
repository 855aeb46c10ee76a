//! What is refused in a function with a mistake is told when the mistake is gone.

use di::{Differentiable, differentiable};

#[derive(Clone, Copy)]
enum Kind {
    Line,
    Power(i32),
}

#[derive(Clone, Copy, Differentiable)]
struct Params {
    a: f64,
    w: [f64; 3],
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn made(x: f64) -> Params {
    Params { a: x, w: [x; 3] }
}

#[differentiable]
fn rows(x: f64) -> Vec<Vec<f64>> {
    vec![vec![x]]
}

#[differentiable]
fn kind_of_parameter(x: Kind) -> f64 {
    x * 2.0
}

#[differentiable]
fn type_of_parameter(x: f64, n: String) -> f64 {
    x * n
}

#[differentiable]
fn type_of_result(x: f64) -> char {
    x * x
}

#[differentiable]
fn reference_to_nothing(x: f64) -> &f64 {
    x * 2.0
}

#[differentiable]
fn as_a_letter(x: f64) -> f64 {
    let c = x as char;
    x
}

#[differentiable]
fn as_a_text(x: &[f64]) -> f64 {
    let s = x as &str;
    x[0]
}

#[differentiable]
fn length_as_bool(x: &[f64]) -> f64 {
    if x.len() as bool { x[0] } else { 0.0 }
}

#[differentiable]
fn components(x: f64, kind: Kind) -> f64 {
    match kind {
        Kind::Line => x,
        Kind::Power(n, m) => x.powi(n),
    }
}

#[differentiable]
fn array_from_a_slice(x: [f64; 4]) -> [f64; 2] {
    x[..2]
}

#[differentiable]
fn vector_from_an_array(x: [f64; 3]) -> Vec<f64> {
    x
}

#[differentiable]
fn a_row_of_rows(x: f64) -> f64 {
    let mut v = rows(x);
    v.push(x);
    v[0][0]
}

#[differentiable]
fn borrowed_in_a_loop(x: &[f64]) -> f64 {
    let p = made(x[0]);
    for v in x {
        p.a += *v;
    }
    p.a
}

#[differentiable]
fn wrong_length(x: f64) -> f64 {
    let v: [f64; 2] = [x; 3];
    v[0]
}

#[differentiable]
fn not_returned(x: f64) -> f64 {
    let y = square(x);
}

#[differentiable]
fn value_of_nothing(x: &mut [f64]) {
    x[0] = 1.0;
    |t: f64| t
}

#[differentiable]
fn returned_from_nothing(x: &mut [f64]) {
    x[0] = 1.0;
    return 1;
}

#[differentiable]
fn asked_for_nothing(x: f64) -> f64 {
    let y: Option<f64> = Some(x);
    y?
}

#[differentiable]
fn integer_of_a_field(x: f64) -> f64 {
    let mut p = made(x);
    p.w[0] = 1;
    p.a += p.w[0];
    p.a
}

fn main() {}
