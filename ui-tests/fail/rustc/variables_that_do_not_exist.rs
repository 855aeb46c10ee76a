//! Names of variables, wherever they stand.

use di::differentiable;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn operand(x: &[f64]) -> f64 {
    x[0] * k
}

#[differentiable]
fn index(x: &[f64]) -> f64 {
    x[k]
}

#[differentiable]
fn argument(x: &[f64]) -> f64 {
    square(k) * x[0]
}

#[differentiable]
fn range(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..k {
        s += x[i];
    }
    s
}

#[differentiable]
fn head(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in k {
        s += v;
    }
    s
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    k = x[0];
    x[0]
}

#[differentiable]
fn added_to(x: &[f64]) -> f64 {
    k += x[0];
    x[0]
}

#[differentiable]
fn field(x: &[f64]) -> f64 {
    x[0] * k.a
}

#[differentiable]
fn method(x: &[f64]) -> f64 {
    x[0] * k.norm()
}

#[differentiable]
fn printed(x: &[f64]) -> f64 {
    println!("{}", k);
    x[0]
}

#[differentiable]
fn in_a_string(x: &[f64]) -> f64 {
    println!("{k}");
    x[0]
}

#[differentiable]
fn asserted(x: &[f64]) -> f64 {
    assert!(x[0] > k);
    x[0]
}

#[differentiable]
fn element(x: &[f64]) -> f64 {
    let v = vec![x[0], k];
    v[0]
}

#[differentiable]
fn length(x: &[f64]) -> f64 {
    let v = vec![x[0]; k];
    v[0]
}

#[differentiable]
fn in_a_closure(x: &[f64]) -> f64 {
    let g = |t: f64| t * k;
    g(x[0])
}

#[differentiable]
fn condition(x: &[f64]) -> f64 {
    if k { x[0] } else { 0.0 }
}

#[differentiable]
fn constant(x: &[f64]) -> f64 {
    x[0] * SCALE
}

fn main() {}
