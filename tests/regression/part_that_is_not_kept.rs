//! A part of a vector that goes to a callee whose adjoint does not read it: nothing of it was kept, and the
//! adjoint sweep took a part of nothing.

use di::prelude::*;
use di_test::scalar;

#[differentiable]
fn total(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v;
    }
    s
}

#[allow(clippy::useless_vec, reason = "a vector is what is looked at")]
#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut v = vec![0.0; 4];
    for i in 0..4 {
        v[i] = x[i].tanh();
    }
    let mut s = 0.0;
    for k in 0..2 {
        s += total(&v[2 * k..2 * k + 2]) * v[k];
    }
    s
}

#[test]
fn parts_are_only_read_where_they_were_kept() {
    scalar!(parts).check(&[&[0.3, -0.7, 1.1, 0.2]]);
}
