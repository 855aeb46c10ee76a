// Constants that read variables, loops without a value, lengths that are parameters, an operator's method misnamed.
#![allow(warnings)]

use di::prelude::*;

#[differentiable]
fn of_a_parameter(x: &[f64], n: usize) -> f64 {
    const K: usize = n;
    x[K]
}

#[differentiable]
fn of_a_variable(x: &[f64]) -> f64 {
    let y = x[0] * 2.0;
    static S: f64 = y;
    y * S
}

#[differentiable]
fn without_a_value(x: &[f64]) -> f64 {
    let mut i = 0;
    loop {
        i += 1;
        if x[i] > 3.0 {
            break;
        }
    }
}

#[differentiable]
fn with_an_integer(x: &[f64]) -> f64 {
    let mut i = 0;
    loop {
        i += 1;
        if x[i] > 3.0 {
            break 0;
        }
    }
}

#[differentiable]
fn repeated<const N: usize>(a: f64) -> [f64; N] {
    [a; 3]
}

#[differentiable]
fn written_out<const N: usize>(a: f64) -> [f64; N] {
    [a, a]
}

#[differentiable]
fn of_a_float<const N: f64>(x: &[f64]) -> f64 {
    x[0]
}

#[derive(Clone, Copy, Differentiable)]
struct P {
    a: f64,
}

#[differentiable]
impl std::ops::Neg for P {
    type Output = P;
    fn negate(self) -> P {
        P { a: -self.a }
    }
}

#[differentiable]
fn in_one_letter(a: &[Real], b: Real) -> f64 {
    a[0] * a[1] + b
}

fn main() {}
