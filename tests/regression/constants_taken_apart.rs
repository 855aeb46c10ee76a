//! Constant tuples were refused where a pattern takes them apart; so were results that hold nothing, and rows that
//! `std::mem` replaces.

#![allow(
    clippy::unwrap_used,
    clippy::useless_vec,
    reason = "what is written plainly is what is looked at"
)]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.5, 0.4], &[0.7, 1.1]];

#[differentiable]
fn by_let(x: &[f64], #[constant] cfg: (usize, f64, bool)) -> f64 {
    let (n, w, both) = cfg;
    let s = x[0] * x[0] * w + x[1] * n as f64;
    if both { s * x[1] } else { s }
}

#[differentiable]
fn by_let_with_types(x: &[f64], #[constant] cfg: &(i32, f64)) -> f64 {
    let (n, w): (i32, f64) = *cfg;
    let &(k, _) = cfg;
    x[0].powi(n) * w + x[1] * k as f64 * x[0]
}

#[differentiable]
fn by_assignment(x: &[f64], #[constant] s: (f64, (usize, f64))) -> f64 {
    let (a, mut b, c);
    (a, (b, c)) = s;
    let first = x[b] * a;
    (_, (b, _)) = s;
    first * x[b] * c + x[0]
}

#[differentiable]
fn of_slices(x: &[f64], #[constant] data: (&[f64], &[f64])) -> f64 {
    let (t, y) = data;
    let mut s = 0.0;
    for (a, b) in t.iter().zip(y) {
        s += (x[0] * (x[1] * a).exp() - b).powi(2);
    }
    s
}

#[differentiable]
fn nested(x: &[f64], #[constant] cfg: ((f64, f64), [usize; 2])) -> f64 {
    let ((a, b), [i, j]) = cfg;
    a * b * x[i] * x[j] + x[0]
}

#[test]
fn tuples_that_are_constant() {
    scalar!(by_let::AD.with((2, 1.5, true)), |x| by_let(
        x,
        (2, 1.5, true)
    ))
    .check(&POINTS);
    scalar!(by_let_with_types::AD.with(&(3, 1.5)), |x| {
        by_let_with_types(x, &(3, 1.5))
    })
    .check(&POINTS);
    let s = (2.0, (1, 0.5));
    scalar!(by_assignment::AD.with(s), |x| by_assignment(x, s)).check(&POINTS);
    let data: (&[f64], &[f64]) = (&[0.5, 1.0], &[2.0, 3.0]);
    scalar!(of_slices::AD.with(data), |x| of_slices(x, data)).check(&POINTS);
    let cfg = ((1.5, 2.0), [0, 1]);
    scalar!(nested::AD.with(cfg), |x| nested(x, cfg)).check(&POINTS);
}

#[differentiable]
fn checked(x: f64, n: usize) -> Result<(), usize> {
    if x > 0.0 { Ok(()) } else { Err(n) }
}

#[differentiable]
fn square(x: f64) -> Result<f64, usize> {
    checked(x, 3)?;
    Ok(x * x)
}

#[differentiable]
fn by_results(x: &[f64]) -> f64 {
    checked(x[0], 1).unwrap();
    let s = match checked(x[1], 2) {
        Ok(_) => x[0] * x[1],
        Err(k) => x[0] * k as f64,
    };
    let t = if checked(x[0] - 1.0, 1).is_ok() {
        square(x[0]).unwrap_or(0.0)
    } else {
        x[1]
    };
    s * t
}

#[test]
fn results_that_hold_nothing() {
    scalar!(by_results).check(&POINTS);
}

#[differentiable]
fn by_rows(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[1], 1.0]];
    let mut k = 0;
    let old = std::mem::replace(&mut rows[k], vec![x[0] * x[1], 2.0, x[0]]);
    k += 1;
    let taken = std::mem::take(&mut rows[k]);
    old[0] * rows[0][0] + rows[0][2] * old[1] + taken[0] + rows[1].len() as f64 * x[0]
}

#[test]
fn rows_that_are_replaced() {
    scalar!(by_rows).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Grid {
    a: f64,
    b: f64,
    m: [[f64; 2]; 2],
}

#[differentiable]
impl Grid {
    fn turned(&self) -> Grid {
        Grid {
            m: [[self.m[0][0], self.m[1][0]], [self.m[0][1], self.m[1][1]]],
            ..*self
        }
    }
}

#[differentiable]
fn by_fields(x: &[f64]) -> f64 {
    let g = Grid {
        a: x[0],
        b: x[1],
        m: [[x[0], x[1]], [x[0] * x[1], 2.0]],
    };
    g.a * g.b * g.turned().m[0][1] + g.m[0][1]
}

#[test]
fn fields_that_nothing_tells_of() {
    scalar!(by_fields).check(&POINTS);
}
