//! `std::mem::replace(&mut { a }, b)` wrote to `a`, where Rust writes to a copy of it.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.31, 0.72, 0.15, 0.55], &[-0.3, 0.8, 1.1, 0.2]];

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[derive(Clone, Copy, Differentiable)]
enum Law {
    Linear(f64),
    Flat,
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let kept = Pair { a: x[0], b: x[1] };
    let old = std::mem::replace(&mut { kept }, Pair { a: x[2], b: x[3] });
    kept.a * old.b * x[0]
}

#[differentiable]
fn enums(x: &[f64]) -> f64 {
    let kept = Law::Linear(x[0]);
    let _ = std::mem::replace(&mut { kept }, Law::Flat);
    match kept {
        Law::Linear(k) => k * k,
        Law::Flat => x[1],
    }
}

#[differentiable]
fn arrays(x: &[f64]) -> f64 {
    let kept = [x[0], x[1]];
    let old = std::mem::replace(&mut { kept }, [x[2], x[3]]);
    kept[0] * old[1] * x[2]
}

#[test]
fn what_was_copied_stays() {
    scalar!(structs).check(&POINTS);
    scalar!(enums).check(&POINTS);
    scalar!(arrays).check(&POINTS);
}
