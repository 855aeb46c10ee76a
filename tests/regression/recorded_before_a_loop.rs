//! A loop under a test, and numbers of that branch which the adjoint needs: it read them before they were recorded, which
//! rustc refused.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[2.0, 0.7], &[-1.0, 0.4], &[0.3, 1.2]];

#[derive(Clone, Copy)]
struct Span {
    from: u64,
    to: u32,
}

#[differentiable]
fn span(x: f64, n: u64) -> Option<(Span, f64)> {
    let s = Span { from: n, to: 5 };
    if x > 0.0 { Some((s, x * x)) } else { None }
}

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    let mut s = x[0] * x[1];
    if let Some((Span { from, to }, w)) = span(x[0], 1) {
        for k in from..u64::from(to) {
            s += w * k as f64;
        }
    }
    s
}

#[test]
fn what_a_branch_records_before_its_loop() {
    scalar!(summed).check(&POINTS);
}
