// What goes to functions by itself, with other types than they take: no second message on what it is taken for.
#![allow(warnings)]

use di::prelude::*;
use std::ops::Add;

const COUNT: usize = 3;
static WEIGHTS: [f64; 4] = [0.1, 0.2, 0.3, 0.4];

#[derive(Clone, Copy, Differentiable)]
struct V {
    a: [f64; 3],
    k: f64,
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V {
            a: self.a,
            k: self.k + o.k,
        }
    }
}

#[differentiable]
fn scaled(x: f64, k: f64) -> f64 {
    x * k
}

#[differentiable]
fn dot(x: &[f64], w: &[f64; 4]) -> f64 {
    x[0] * w[0]
}

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

#[differentiable]
fn an_integer(x: f64) -> f64 {
    scaled(x, COUNT)
}

#[differentiable]
fn not_lent(x: &[f64]) -> f64 {
    dot(x, WEIGHTS)
}

#[differentiable]
fn no_such_field(v: &V) -> f64 {
    scaled(v.c[1], v.k)
}

#[differentiable]
fn no_sequence(v: &V) -> f64 {
    scaled(v.k[1], v.a[0])
}

#[differentiable]
fn option_on_the_right(v: V) -> f64 {
    let w = v + root(v.k);
    w.k
}

#[differentiable]
fn no_negation(v: V, w: V) -> f64 {
    let d = v + -w;
    d.k
}

fn main() {}
