//! References that stood for another variable than they should, so that values and derivatives were those
//! of something else.

#![allow(
    clippy::let_and_return,
    clippy::unwrap_used,
    reason = "what is written plainly is what is looked at"
)]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

/// What is read through a chosen reference is the number, not the variable.
#[differentiable]
fn copy_through(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut b = x[1];
    let r = if x[2] > 0.0 { &mut a } else { &mut b };
    let v = *r;
    *r = v * v + 3.0;
    let w = *r;
    *r = 1.0;
    v * w * x[3] + a + 2.0 * b
}

#[test]
fn a_number_read_through_a_chosen_reference() {
    scalar!(copy_through).check(&POINTS);
}

/// A copy of a reference to a number, which is bound anew afterwards.
#[differentiable]
fn old_ref(x: &[f64]) -> f64 {
    let mut best = &x[0];
    let old = best;
    best = &x[1];
    let g = move |t: f64| t * *best;
    let k = g(2.0);
    best = &x[2];
    old * best + k * g(x[3])
}

#[test]
fn a_copy_of_a_reference_that_is_bound_anew() {
    scalar!(old_ref).check(&POINTS);
}

/// The array of the trip before is not that of this trip.
#[differentiable]
fn previous_chunk(x: &[f64]) -> f64 {
    let w = [1.0, x[0] * 2.0];
    let mut best = &w;
    let mut s = 0.0;
    for k in 0..3 {
        let a = x[k..k + 2].first_chunk::<2>().unwrap();
        s += a[0] * best[1] * best[0];
        best = a;
    }
    s * best[1]
}

#[test]
fn an_array_of_the_trip_before() {
    scalar!(previous_chunk).check(&POINTS);
}

/// A closure that is called twice gives two arrays.
#[differentiable]
fn closure_chunks(x: &[f64]) -> f64 {
    let g = |k: usize| {
        let a = x[k..].first_chunk::<2>().unwrap();
        a
    };
    let mut p = g(0);
    let q = g(1);
    let s = p[0] * q[1];
    if s > 0.1 {
        p = q;
    }
    s * p[1] + q[0]
}

#[test]
fn arrays_of_two_calls_of_a_closure() {
    scalar!(closure_chunks).check(&POINTS);
}

/// A clone of a number has a place of its own.
#[differentiable]
fn cloned(x: &[f64]) -> f64 {
    let mut a = x[0];
    let r = &mut a.clone();
    *r *= x[1];
    let q = *r;
    a += 2.0;
    q * a
}

#[test]
fn a_clone_that_is_written() {
    scalar!(cloned).check(&POINTS);
}
