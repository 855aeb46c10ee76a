//! Integers that are written alike and are of different types: generated code had one variable for them.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Tally {
    t: f64,
    small: i8,
    middle: i32,
    pointer: isize,
    large: u128,
}

#[differentiable]
fn alike(x: &[f64]) -> f64 {
    let p = Tally {
        t: x[0] * x[1],
        small: 1,
        middle: 1,
        pointer: 1,
        large: 1,
    };
    let mut q: Tally = Tally { small: 2, ..p };
    q.middle = 2;
    q.pointer += 2;
    q.large = 2;
    let s = p.t * p.pointer as f64 + q.t * q.t * (q.large + 1) as f64;
    s.sin() * q.pointer as f64 + q.middle as f64 * f64::from(p.small)
}

#[test]
fn integers_of_different_types() {
    scalar!(alike).check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}
