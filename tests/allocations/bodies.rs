//! What functions do: rules, solutions of equations, loops that are not recorded, recursion, vectors that grow.
//!
//! The tests of the language count as well, for each of their functions.

use crate::count::{numbers, results};
use di::prelude::*;
use di::{custom_rule, implicit};
use di_test::allocations::count_bytes;
use num_traits::Float;

const X: [f64; 6] = [0.7, 1.1, -0.4, 2.0, 0.3, -1.2];

/// More than what a rule has on the stack under dual numbers.
const MANY: usize = 30;

// ---- rules ----

#[differentiable]
fn norm_tangent(x: &[f64], y: f64, dx: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * dx[i];
    }
    s / y
}

#[differentiable]
fn norm_adjoint(x: &[f64], y: f64, yb: f64, xb: &mut [f64]) {
    for i in 0..x.len() {
        xb[i] += yb * x[i] / y;
    }
}

#[custom_rule(tangent = norm_tangent)]
fn norm_t(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[custom_rule(adjoint = norm_adjoint)]
fn norm_a(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[custom_rule(tangent = norm_tangent, adjoint = norm_adjoint)]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[differentiable]
fn repeated(x: &[f64]) -> Vec<f64> {
    let mut w = vec![0.0; MANY];
    for i in 0..MANY {
        w[i] = x[i % x.len()] * x[0];
    }
    w
}

#[differentiable]
fn norms(x: &[f64]) -> f64 {
    let w: Vec<f64> = repeated(x);
    norm_t(&w) * norm_a(&w[1..]) + norm(&w) * norm(x) + di::special::log_sum_exp(&w)
}

#[differentiable]
fn squares_tangent(x: &[f64], _y: &[f64], dx: &[f64], dy: &mut [f64]) {
    for i in 0..x.len() {
        dy[i] = 2.0 * x[i] * dx[i];
    }
}

#[differentiable]
fn squares_adjoint(x: &[f64], _y: &[f64], yb: &[f64], xb: &mut [f64]) {
    for i in 0..x.len() {
        xb[i] += 2.0 * x[i] * yb[i];
    }
}

#[custom_rule(tangent = squares_tangent)]
fn squares_t(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[custom_rule(adjoint = squares_adjoint)]
fn squares_a(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[custom_rule(tangent = squares_tangent, adjoint = squares_adjoint)]
fn squares(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[differentiable]
fn powers(x: &[f64], y: &mut [f64]) {
    let w: Vec<f64> = repeated(x);
    let mut a = vec![0.0; MANY];
    let mut b = vec![0.0; MANY];
    squares_t(&w, &mut a);
    squares_a(&a, &mut b);
    squares(&b, y);
}

#[test]
fn custom_rules() {
    numbers! { norms::AD, &X[..]; }
    let mut y = [0.0; MANY];
    results! { powers::AD.output(&mut y), &X[..]; }
}

// ---- solutions of equations ----

#[differentiable]
fn cubic(y: &[f64], p: &[f64], r: &mut [f64]) {
    for i in 0..y.len() {
        r[i] = p[i] * y[i] + y[i] * y[i] * y[i] - p[0];
        if i > 0 {
            r[i] -= 0.1 * y[i - 1];
        }
    }
}

#[implicit(root = cubic)]
fn roots(p: &[f64], y: &mut [f64]) {
    y.fill(0.5);
    for _ in 0..100 {
        for i in 0..y.len() {
            let before = if i > 0 { 0.1 * y[i - 1] } else { 0.0 };
            let r = p[i] * y[i] + y[i].powi(3) - p[0] - before;
            y[i] -= r / (p[i] + 3.0 * y[i] * y[i]);
        }
    }
}

#[differentiable]
fn by_roots(x: &[f64]) -> f64 {
    let mut p = vec![0.0; x.len()];
    for i in 0..x.len() {
        p[i] = 2.0 + x[i] * x[i];
    }
    let mut y = vec![0.0; x.len()];
    roots(&p, &mut y);
    let mut s = 0.0;
    for v in &y {
        s += v * v * x[0];
    }
    s
}

#[test]
fn solutions_of_equations() {
    numbers! { by_roots::AD, &X[..]; }
}

// ---- loops that are not recorded ----

#[differentiable]
fn checkpointed(x: &[f64]) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut next = vec![0.0; n];
    #[ad(checkpoint)]
    for t in 0..20 {
        for i in 0..n {
            next[i] = u[i] + 0.1 * u[(i + 1) % n].sin() * x[0] + t as f64 * 0.01;
        }
        u.copy_from_slice(&next);
    }
    let mut w = vec![x[0]; 2];
    #[ad(revolve = 3)]
    for _ in 0..20 {
        let mut k = vec![0.0; 2];
        for i in 0..2 {
            k[i] = w[i].cos() * x[1];
        }
        #[ad(checkpoint)]
        for _ in 0..4 {
            w[0] += 0.1 * k[1] * w[0];
        }
        w[1] = w[1] * 0.9 + w[0];
    }
    let mut s = u[0] * u[n - 1] + w[0] * w[1];
    #[ad(recompute)]
    for i in 0..n {
        let pair = vec![x[i], x[0]];
        s += (pair[0] * pair[1]).sin();
    }
    s
}

#[test]
fn loops_that_are_not_recorded() {
    numbers! { checkpointed::AD, &X[..]; }
}

// ---- recursion ----

#[differentiable]
fn halves(x: &[f64]) -> f64 {
    if x.len() == 1 {
        return x[0].sin();
    }
    let (l, r) = x.split_at(x.len() / 2);
    let own = l.to_vec();
    halves(&own) * halves(r) + x[0]
}

#[differentiable]
fn even(x: &[f64], n: usize) -> f64 {
    if n == 0 {
        1.0
    } else {
        let v = vec![x[0], x[1]];
        odd(&v, n - 1) * x[0]
    }
}

#[differentiable]
fn odd(x: &[f64], n: usize) -> f64 {
    if n == 0 { x[1] } else { even(x, n - 1) + x[1] }
}

#[differentiable]
fn by_turns(x: &[f64]) -> f64 {
    even(x, 7)
}

#[test]
fn recursion() {
    numbers! {
        halves::AD, &X[..];
        by_turns::AD, &X[..];
    }
}

// ---- vectors that change ----

#[differentiable]
fn sorted(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*b].partial_cmp(&x[*a]).unwrap());
    let mut w = x.to_vec();
    w.select_nth_unstable_by(2, |a, b| a.total_cmp(b));
    let first = v.first().copied().map(|t| t * x[1]);
    v[0] * v[1] + x[order[0]] * x[order[1]] + w[2] + first.unwrap_or(0.0)
}

#[differentiable]
fn shortened(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v * v, v.sin())).unzip();
    let parts = (a, b, x[0]);
    let (mut c, d, e) = parts;
    c.extend_from_slice(&d);
    c.truncate(7);
    c.retain(|v| *v > -10.0);
    c.drain(1..2);
    let mut rows: Vec<[f64; 3]> = Vec::new();
    for v in x {
        rows.push([*v, x[0], 1.0]);
    }
    rows.rotate_left(1);
    let copy = rows.clone();
    let mut s: f64 = c.iter().map(|v| v * e).sum();
    for row in copy.iter().rev() {
        s += row[0] * row[1];
    }
    s
}

/// Storage that goes from one variable to another, and vectors of no length that grow all the same.
#[differentiable]
fn handed_on(x: &[f64], #[constant] n: usize) -> f64 {
    let mut all = vec![0.0; n];
    let mut s = 0.0;
    for v in x {
        let mut piece = Vec::new();
        piece.push(*v);
        if *v > 0.0 {
            piece.push(v * x[0]);
        }
        let mut next = piece;
        next.extend_from_slice(&all);
        std::mem::swap(&mut all, &mut next);
        s += all[0] * next.len() as f64;
    }
    for v in &all {
        s += v * v;
    }
    s
}

#[differentiable]
#[active_scalar(T)]
fn generic<T: Float>(x: &[T]) -> T {
    let v: Vec<T> = x.iter().map(|t| t.abs().ln_1p()).collect();
    let mut w = vec![T::zero(); x.len()];
    for i in 0..x.len() {
        w[i] = v[i] * x[0];
    }
    let mut s = T::zero();
    for t in &w {
        s = s + *t;
    }
    s
}

#[test]
fn vectors_that_change() {
    numbers! {
        sorted::AD, &X[..];
        shortened::AD, &X[..];
        handed_on::AD.with(0), &X[..];
        handed_on::AD.with(3), &X[..];
        generic::AD, &X[..];
    }
}

#[differentiable]
fn decay(p: &[f64; 3], t: f64) -> f64 {
    p[0] * (-p[1] * t).exp() + p[2]
}

#[differentiable]
fn misfit(p: &[f64; 3], #[constant] data: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in data {
        s += decay(p, *t).powi(2);
    }
    s
}

/// Both sweeps run in each trip: there is no tape, as long as the data may be.
#[test]
fn gradients_by_few_inputs_keep_nothing_of_sums_over_data() {
    const LONG: usize = 10_000;
    let data = vec![0.01; LONG];
    let (f, p, backend) = (misfit::AD.with(&data), [1.0, 0.5, 0.2], AutoSource::new());
    let (prep, taken) = count_bytes(|| prepare_gradient(f, &backend, &p));
    assert!(taken.peak < LONG, "{} bytes", taken.peak);
    let prep = prep.unwrap();
    let reverse = backend.reverse();
    let other = prepare_gradient(f, &reverse, &p).unwrap();
    // one lane and no others: the sums are the same bit by bit
    assert_eq!(
        gradient(f, &prep, &backend, &p).unwrap(),
        gradient(f, &other, &reverse, &p).unwrap()
    );
}
