//! Arrays of another length than the variable that is given them.

use di::{Differentiable, differentiable};

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
fn triple(x: f64) -> [f64; 3] {
    [x; 3]
}

#[differentiable]
fn pair(x: f64) -> (f64, f64) {
    (x, x * x)
}

#[differentiable]
fn two(x: &[f64; 2]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn rows(x: f64) -> [[f64; 2]; 3] {
    [[x; 2]; 3]
}

const LENGTH: usize = 3;

#[differentiable]
fn field(p: &Params) -> f64 {
    let v: [f64; 2] = p.w;
    v[0]
}

#[differentiable]
fn variable(x: f64) -> f64 {
    let w = triple(x);
    let v: [f64; 2] = w;
    v[0]
}

#[differentiable]
fn constant(x: f64) -> f64 {
    let w = [x; LENGTH];
    let v: [f64; 2] = w;
    v[0]
}

#[differentiable]
fn reference(x: &[f64; LENGTH]) -> f64 {
    let v: [f64; 2] = *x;
    v[0]
}

#[differentiable]
fn row(x: &[[f64; LENGTH]]) -> f64 {
    let v: [f64; 2] = x[0];
    v[0]
}

#[differentiable]
fn field_of_an_element(p: &[Params]) -> f64 {
    let v: [f64; 2] = p[0].w;
    v[0]
}

#[differentiable]
fn number_of_rows(x: f64) -> f64 {
    let m: [[f64; 2]; 2] = rows(x);
    m[0][1]
}

#[differentiable]
fn length_of_rows(x: f64) -> f64 {
    let m: [[f64; 3]; 3] = rows(x);
    m[0][1]
}

#[differentiable]
fn lent_on(x: f64) -> f64 {
    let v: [f64; 2] = triple(x);
    two(&v)
}

#[differentiable]
fn in_a_loop(x: f64) -> f64 {
    let mut s = x;
    for _ in 0..3 {
        let v: [f64; 2] = triple(s);
        s = v[0] * v[1];
    }
    s
}

#[differentiable]
fn in_a_closure(x: f64) -> f64 {
    let g = |t: f64| {
        let v: [f64; 2] = triple(t);
        v[0]
    };
    g(x)
}

#[differentiable]
fn in_a_function(x: f64) -> f64 {
    fn g(t: f64) -> f64 {
        let v: [f64; 2] = triple(t);
        v[0]
    }
    g(x)
}

#[differentiable]
fn of_a_parameter<const N: usize>(x: &[f64; N]) -> f64 {
    let v: [f64; N] = triple(x[0]);
    v[0]
}

#[differentiable]
fn assigned(x: f64) -> f64 {
    let mut v = [x; 2];
    v = triple(x);
    v[0]
}

#[differentiable]
fn returned(x: f64) -> [f64; 2] {
    triple(x)
}

#[differentiable]
fn lent(x: &[f64; 3]) -> f64 {
    two(x)
}

#[differentiable]
fn no_array(x: f64) -> f64 {
    let v: [f64; 2] = square(x);
    v[0]
}

#[differentiable]
fn components(x: f64) -> f64 {
    let v: [f64; 2] = pair(x);
    v[0]
}

#[differentiable]
fn field_that_is_no_array(p: &Params) -> f64 {
    let v: [f64; 2] = p.a;
    v[0]
}

fn main() {}
