//! Functions of one name: on what is generated for the second one there is nothing to say.

use di::{Differentiable, custom_rule, differentiable};

#[derive(Differentiable)]
struct Point {
    x: f64,
}

#[differentiable]
fn twice(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn twice(x: f64) -> f64 {
    x * x
}

#[differentiable]
pub fn three_times(x: f64) -> f64 {
    x
}

/// With other parameters, which stand on several lines.
#[differentiable]
#[inline]
pub fn three_times(
    x: f64,
    p: &Point,
    n: usize,
) -> f64 {
    fn inner(x: f64) -> f64 {
        x.sin()
    }
    let mut y = x;
    for _ in 0..n {
        y = inner(y) + p.x;
    }
    y
}

#[differentiable]
pub fn three_times(x: &[f64]) -> f64 {
    x[0]
}

#[differentiable]
fn generic<const N: usize>(x: &[f64; N]) -> f64 {
    x[0]
}

#[differentiable]
fn generic<const N: usize>(x: &[f64; N]) -> f64 {
    x[0] * x[0]
}

#[differentiable]
fn of_any_type<M: Fn(usize) -> f64>(x: f64, #[constant] m: &M) -> f64 {
    x * m(0)
}

#[differentiable]
fn of_any_type<M: Fn(usize) -> f64>(x: f64, #[constant] m: &M) -> f64 {
    x * m(1)
}

#[differentiable]
fn to_itself(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { to_itself(x * x, n - 1) }
}

#[differentiable]
fn to_itself(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { to_itself(x.sin(), n - 1) }
}

#[differentiable]
fn caller(x: f64) -> f64 {
    twice(x) * to_itself(x, 2)
}

#[differentiable]
fn beside_a_plain_one(x: f64) -> f64 {
    x
}

fn beside_a_plain_one(x: f64) -> f64 {
    x
}

#[custom_rule(partials(caller))]
fn rule(x: f64) -> f64 {
    x
}

#[custom_rule(partials(caller))]
fn rule(x: f64) -> f64 {
    2.0 * x
}

fn in_a_function() -> f64 {
    #[differentiable]
    fn twice(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    fn twice(x: f64) -> f64 {
        x * x * x
    }
    twice(1.0)
}

fn main() {}
