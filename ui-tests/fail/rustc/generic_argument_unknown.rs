#![allow(warnings)]

use di::differentiable;

struct Table<const N: usize>([f64; N]);

static TABLE: Table<2> = Table([0.5, 1.5]);

#[differentiable]
fn at<const N: usize>(x: f64, #[constant] table: &Table<N>) -> f64 {
    let knot: f64 = table.0[N - 1];
    x * knot
}

#[differentiable]
fn f(x: f64) -> f64 {
    let y: f64 = at(x, &TABLE);
    y
}

fn main() {}
