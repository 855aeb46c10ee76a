//! A loop that contributes nothing, behind one that does: lengths were recorded for the result of a call in
//! it, and never taken from the tape again, so that the loop before it read records of another.

use di::prelude::*;
use di_test::scalar;

#[allow(clippy::needless_range_loop, reason = "the loop is plain")]
#[differentiable]
fn grown(x: &[f64], e: f64) -> Vec<f64> {
    let mut v = vec![e];
    for i in 0..x.len() {
        if x[i] > 1.5 {
            return v;
        }
        v.push((x[i] * v[i] + e).sin());
    }
    v
}

#[differentiable]
fn unused(x: &[f64]) -> f64 {
    let mut b = x[0];
    for v in x {
        b = (b * v).sin();
    }
    for _ in 0..2 {
        let _g: Vec<f64> = grown(x, b);
    }
    b
}

#[test]
fn loops_that_are_not_reversed_leave_nothing_on_the_tape() {
    scalar!(unused).check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]]);
}
