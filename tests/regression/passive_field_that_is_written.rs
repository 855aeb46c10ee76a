//! An integer that is stored in a struct which is differentiated: tangents and adjoints have no such field,
//! but were to be set to zero, and so the macro stopped.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, Debug, Differentiable)]
struct P {
    a: f64,
    k: usize,
    on: bool,
}

#[differentiable]
fn written(x: &[f64]) -> f64 {
    let mut p = P {
        a: x[0],
        k: 1,
        on: true,
    };
    p.k = 2;
    p.a *= x[p.k];
    for i in 0..3 {
        p.on = i == 1;
        if p.on {
            p.k = i;
        }
        p.a += x[i] * x[p.k];
    }
    p.a * x[p.k]
}

#[test]
fn passive_fields_have_no_derivative() {
    scalar!(written).check(&[&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9]]);
}
