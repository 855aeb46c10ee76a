#![allow(warnings)]

use di::differentiable;

fn bump(n: &mut usize) -> usize {
    *n += 1;
    *n
}

fn weight(a: usize, b: usize) -> f64 {
    (10 * a + b) as f64
}

// what an argument reads would be read after the next one has changed it
#[differentiable]
fn f(x: f64) -> f64 {
    let mut n = 1;
    let w = weight(n, bump(&mut n));
    w * x
}

#[differentiable]
fn g(x: f64) -> f64 {
    let mut n = 1;
    x * weight(n + 1, {
        n += 1;
        n
    })
}

#[differentiable]
fn h(x: f64) -> f64 {
    let mut n = 1;
    let m = &mut n;
    x * weight(*m, bump(m))
}

fn main() {}
