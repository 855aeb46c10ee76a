//! Calls of other annotated functions.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, -0.4], &[-1.2, 0.4, 0.9], &[0.8, -0.1, 0.2]];

#[differentiable]
fn product(a: f64, b: f64) -> f64 {
    a * b + a.sin()
}

#[differentiable]
fn scalar_calls(x: &[f64]) -> f64 {
    let y: f64 = product(x[0], x[1]);
    product(y, x[2]) + product(x[0] * x[0], 2.0) + product(1.5, y)
}

#[test]
fn scalar_arguments_active_and_passive() {
    scalar!(scalar_calls).row(105).check(&POINTS);
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[differentiable]
fn slice_calls(x: &[f64]) -> f64 {
    let n = x.len();
    dot(x, x) * dot(&x[..2], &x[n - 2..]) + dot(&x[1..], &[2.0, 3.0])
}

#[test]
fn slice_arguments_that_overlap() {
    scalar!(slice_calls).row(106).check(&POINTS);
}

#[differentiable]
fn scale(x: &[f64], factor: f64, y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * factor;
    }
}

#[differentiable]
fn mutable_calls(x: &[f64], y: &mut [f64]) {
    let mut work = vec![0.0; x.len()];
    scale(x, x[0], &mut work);
    work[0] += 1.0;
    scale(&work, work[1], y);
    y[0] *= x[2];
}

#[test]
fn mutable_arguments() {
    inplace!(mutable_calls, 3).row(106).check(&POINTS);
}

#[differentiable]
fn step(state: &mut [f64], h: f64) {
    let (a, b) = (state[0], state[1]);
    state[0] = a + h * b;
    state[1] = b - h * a * a;
}

#[differentiable]
fn in_and_out(x: &[f64]) -> f64 {
    let mut state = [x[0], x[1]];
    for _ in 0..5 {
        step(&mut state, 0.1 * x[2]);
    }
    state[0] * state[1]
}

#[test]
fn arguments_changed_in_place() {
    scalar!(in_and_out).rows(&[106, 155]).check(&POINTS);
}

#[differentiable]
fn calls_in_loops(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            s = product(s, x[i]);
        } else {
            s += dot(&x[..i], &x[..i]);
        }
    }
    s
}

#[test]
fn calls_inside_loops_and_branches() {
    scalar!(calls_in_loops)
        .rows(&[105, 106])
        .step(0.05)
        .check(&POINTS);
}

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn recursive(x: &[f64]) -> f64 {
    power(x[0], 3) + power(x[1] * x[2], 2) + power(x[2], 0)
}

#[test]
fn function_that_calls_itself() {
    scalar!(recursive).row(112).check(&POINTS);
}

#[differentiable]
fn sum_of_halves(x: &[f64]) -> f64 {
    let n = x.len();
    if n < 2 {
        return x[0].sin();
    }
    let (left, right) = x.split_at(n / 2);
    let low: f64 = sum_of_halves(left);
    low * sum_of_halves(right) + x[0]
}

#[test]
fn function_that_calls_itself_twice() {
    scalar!(sum_of_halves).rows(&[112, 31]).check(&POINTS);
}

mod elsewhere {
    //! Another module: its functions are found by their paths.
    use di::prelude::*;

    #[differentiable]
    pub(crate) fn cube(x: f64) -> f64 {
        x * x * x
    }
}

#[differentiable]
fn by_path(x: &[f64]) -> f64 {
    use elsewhere::cube;
    elsewhere::cube(x[0]) + cube(x[1])
}

#[test]
fn functions_of_other_modules() {
    scalar!(by_path).rows(&[105, 141]).check(&POINTS);
}

#[differentiable]
fn both(x: &[f64]) -> (f64, f64) {
    (x[0] * x[1], x[2].exp())
}

#[differentiable]
fn tuple_results(x: &[f64]) -> f64 {
    let (a, b) = both(x);
    a * b
}

#[test]
fn functions_that_return_tuples() {
    scalar!(tuple_results).row(20).check(&POINTS);
}

#[differentiable]
fn weighted(x: &[f64], #[constant] weights: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += weights[i] * x[i] * x[i];
    }
    s
}

#[differentiable]
fn constant_arguments(x: &[f64], #[constant] weights: &[f64]) -> f64 {
    weighted(x, weights, x.len()) * weighted(x, &[1.0, 2.0], 2)
}

#[test]
fn constant_parameters_of_a_callee() {
    let weights = [0.5, 2.0, -1.0];
    scalar!(constant_arguments::AD.with(&weights), |x| {
        constant_arguments(x, &weights)
    })
    .row(157)
    .check(&POINTS);
}

const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];

#[differentiable]
fn weigh(w: &[f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..w.len() {
        s += w[i] * x[i] * x[0];
    }
    s
}

#[differentiable]
fn weigh_three(w: &[f64; 3], x: &[f64]) -> f64 {
    w[0] * x[0] + w[2] * x[1] * x[1]
}

#[differentiable]
fn constants_lent(x: &[f64]) -> f64 {
    let w: [f64; 3] = WEIGHTS;
    weigh(&w, x) * weigh_three(&w, x) + weigh(&[1.0, 2.0], x)
}

#[differentiable]
fn to_the(x: f64, k: i32) -> f64 {
    x.powi(k)
}

#[differentiable]
fn negative_numbers(x: &[f64]) -> f64 {
    to_the(x[0], -2) + to_the(x[1], 3) * to_the(x[2], -(1 + 1))
}

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    s
}

#[differentiable]
fn first_of(x: &[f64; 3]) -> f64 {
    x[0] * x[1] + x[2]
}

#[differentiable]
fn reads_and_writes(y: &mut [f64], x: &[f64]) -> f64 {
    y[0] *= x[0];
    let s = norm(y);
    y[1] = s * x[1];
    norm(y) + weigh(y, y)
}

#[differentiable]
fn reads_and_writes_three(y: &mut [f64; 3]) -> f64 {
    let mut copy = *y;
    y[0] *= y[1];
    let s = first_of(y) + norm(y);
    copy[1] *= s;
    y[2] = s * copy[1] + copy[0];
    first_of(y)
}

#[differentiable]
fn copied(x: &[f64; 3]) -> f64 {
    let mut y = *x;
    y[0] *= y[1];
    y[2] += y[0];
    y[2] * x[0] + y[1]
}

#[differentiable]
fn borrowed_anew(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1], x[2]];
    let s = reads_and_writes(&mut y, x);
    let t = reads_and_writes_three(&mut y) * copied(&y);
    s * t + y[1] + reads_and_writes(&mut y[1..], x)
}

#[test]
fn arguments_of_other_kinds_of_references() {
    scalar!(constants_lent).row(106).check(&POINTS);
    scalar!(negative_numbers).row(105).check(&POINTS);
    scalar!(borrowed_anew).step(0.02).row(106).check(&POINTS);
}

#[differentiable]
fn doubles_first(v: &mut [f64]) -> f64 {
    v[0] *= 2.0;
    v[1]
}

#[differentiable]
fn pair(x: f64) -> (f64, f64) {
    (x.sin(), x * x)
}

/// What calls give is dropped: only what they write counts.
#[differentiable]
fn dropped(x: &[f64]) -> f64 {
    const N: usize = 3;
    let mut v = x.to_vec();
    let mut padded = [0.0; N];
    for i in 0..2 {
        doubles_first(&mut v);
        let _ = doubles_first(&mut v);
        let _ = pair(v[0]);
        pair(x[1]);
        padded[i] = v[0] * x[1];
    }
    v[0] * v[1] + padded[0] * padded[1] + padded[2]
}

#[test]
fn results_that_are_dropped() {
    scalar!(dropped).check(&[&[0.4, 1.5], &[2.0, 0.5]]);
}

#[differentiable]
fn copied_whole(x: &[f64; 2]) -> [f64; 2] {
    *x
}

#[differentiable]
fn copied_and_changed(x: &[f64; 2], y: &mut [f64; 2]) {
    let mut z = *x;
    let (w, one) = (*x, 1.0);
    let rows = [[x[0]; 2]; 2];
    let row = &rows[1];
    let mut own = *row;
    let before = *y;
    own[0] *= z[1];
    z[0] = own[0] * w[1] * one;
    *y = copied_whole(&z);
    y[0] += before[1] + x[0] * own[1];
    y[1] *= z[0];
}

#[differentiable]
fn through_arrays(x: &[f64], y: &mut [f64]) {
    let mut both = [x[0] * x[1], x[1]];
    copied_and_changed(&[x[0], x[1]], &mut both);
    y.copy_from_slice(&both);
}

#[test]
fn arrays_copied_from_behind_references() {
    inplace!(through_arrays, 2).check(&[&[0.4, 1.5], &[2.0, 0.5]]);
}

#[differentiable]
fn polar(r: f64, phi: f64) -> (f64, [f64; 2]) {
    (r * phi.cos(), [r, phi])
}

#[differentiable]
fn counted(x: &[f64]) -> (usize, f64) {
    (x.len(), x[0] * x[1])
}

#[differentiable]
fn with_square(r: f64) -> (f64, f64) {
    (r, r * r)
}

#[differentiable]
fn results_unread(x: &[f64]) -> f64 {
    const N: usize = 2;
    let _unread = with_square(x[0]);
    let copied = product(x[0], x[1]);
    let _copy = copied;
    let _pair = with_square(x[1]);
    let _also = _pair;
    let (_, area) = counted(x);
    let (a, part): (f64, [f64; N]) = polar(x[0], x[2]);
    a * part[N - 1] + area * area
}

#[test]
fn results_that_nobody_reads_are_of_any_type() {
    scalar!(results_unread).row(105).check(&POINTS);
}

#[differentiable]
fn first_times_second(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] + a[1].sin()
}

#[differentiable]
fn dereferenced(q: &[f64; 2], rows: &[[f64; 2]]) -> f64 {
    let mut sum = first_times_second(*q, *q);
    for r in rows.iter() {
        sum += first_times_second(*r, *q);
    }
    sum + rows.iter().map(|r| first_times_second(*q, *r)).sum::<f64>()
}

#[differentiable]
fn arrays_behind_references(x: &[f64]) -> f64 {
    let q = [x[0], x[1]];
    dereferenced(&q, &[[x[1], 2.0], [x[0] * x[1], x[0]]])
}

#[test]
fn arrays_by_value_from_behind_references() {
    scalar!(arrays_behind_references)
        .row(106)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}
