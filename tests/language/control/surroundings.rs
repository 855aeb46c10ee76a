//! What stands around the arithmetic: names like ours, lifetimes, attributes, macros, panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[1.2, 0.4, 0.9]];

#[allow(non_snake_case, reason = "names of generated code")]
#[differentiable]
fn names_like_ours(x: &[f64], _d_x: &[f64]) -> f64 {
    let dx = x[0] * _d_x[0];
    let _t1 = dx.sin();
    let __p0 = _t1 * dx;
    let __pool = __p0 + x[1];
    let mut __tape = __pool * x[0];
    let S = __tape;
    let __S = S * 2.0;
    for __trip in 0..2 {
        let __rec = [__S, __tape];
        __tape += __rec[__trip] * dx;
    }
    __S * __tape
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    names_like_ours(x, &x[1..])
}

#[test]
fn names_of_generated_code() {
    scalar!(named).row(4).check(&POINTS);
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut a = x[0];
    let () = a = a * x[1];
    match x[2] > 0.0 {
        true => a *= x[2],
        false => a += x[2],
    }
    a
}

#[test]
fn assignments_are_expressions() {
    scalar!(assigned).row(17).check(&POINTS);
}

#[differentiable]
fn weighted(a: f64, v: &[f64]) -> f64 {
    a * v[0] + v[1]
}

/// What is handed over is assigned to at once.
#[differentiable]
fn overlapping(x: &[f64]) -> f64 {
    let mut y = x[0];
    y = weighted(y, &[y, x[1]]);
    let mut z = [y, x[1]];
    z[0] = weighted(z[0], &z);
    for _ in 0..3 {
        z[1] = weighted(z[1], &z[..]);
    }
    y = weighted(y * y, &z);
    z[0] * z[1] + y
}

#[test]
fn results_over_their_arguments() {
    scalar!(overlapping).row(107).check(&POINTS);
}

#[differentiable]
fn with_lifetime<'a>(x: &'a [f64], y: &'a [f64]) -> f64 {
    let tail: &'a [f64] = &x[1..];
    tail[0] * y[0]
}

#[allow(
    clippy::needless_lifetimes,
    reason = "named lifetimes are what is looked at"
)]
#[differentiable]
fn with_lifetimes<'a, 'b>(x: &'a [f64], y: &'b mut [f64]) {
    y[0] = with_lifetime(x, x);
    y[1] = x[2] * y[0];
}

#[test]
fn lifetimes_that_are_named() {
    inplace!(with_lifetimes, 2).row(117).check(&POINTS);
}

/// Documented, with attributes of every kind.
#[inline]
#[must_use]
#[differentiable]
#[cfg(not(target_os = "none"))]
#[allow(clippy::let_and_return, reason = "an attribute on a statement")]
fn attributed(x: &[f64]) -> f64 {
    #[allow(unused_variables, reason = "an attribute on a statement")]
    let y = std::hint::black_box(x[0] * x[1]);
    y
}

#[cfg(target_os = "none")]
#[differentiable]
fn attributed(x: &[f64]) -> f64 {
    nothing_of_that_name(x).foreign()
}

#[test]
fn attributes_around_functions() {
    scalar!(attributed).row(152).check(&POINTS);
}

macro_rules! scaled {
    ($name:ident, $type:ty, $factor:expr) => {
        #[differentiable]
        fn $name(x: &[$type]) -> $type {
            let y = $factor * x[0];
            y * x[1]
        }
    };
}

scaled!(made_by_a_macro, f64, 2.0 + 1.0);

#[test]
fn functions_made_by_macros() {
    scalar!(made_by_a_macro).row(159).check(&POINTS);
    assert_eq!(made_by_a_macro(&[2.0, 5.0]), 30.0);
}

/// Sums in one order, whatever is done with them.
#[differentiable]
fn reductions(x: &[f64]) -> f64 {
    let (mut sum, mut product, mut norm) = (0.0, 1.0, 0.0);
    for v in x {
        sum += v;
        product *= v;
        norm += v * v;
    }
    for i in 0..x.len() {
        for j in 0..=i {
            sum -= x[i] * x[j];
        }
    }
    sum * product / norm.sqrt()
}

#[test]
fn reductions_in_loops() {
    scalar!(reductions).row(80).check(&POINTS);
}

#[differentiable]
fn panics_on_request(x: &[f64], #[constant] at: usize) -> f64 {
    let mut kept = vec![0.0; x.len()];
    let mut sum = 0.0;
    for i in 0..x.len() {
        kept[i] = x[i].exp();
        sum += kept[i] * kept[at.min(3 * i)];
    }
    sum * sum
}

/// A panic leaves what was prepared half filled; the next call starts anew.
#[test]
fn panics_halfway() {
    let handle = panics_on_request::AD;
    for backend in [
        AutoSource::new(),
        AutoSource::new().reverse(),
        AutoSource::new().forward(),
    ] {
        let x = [0.3, -0.2, 0.5];
        let f = handle.with(1);
        let prep = prepare_gradient(f, &backend, &x).unwrap();
        let hessians = prepare_hessian(f, &backend, &x).unwrap();
        let (g, h) = (
            gradient(f, &prep, &backend, &x).unwrap(),
            hessian(f, &hessians, &backend, &x).unwrap(),
        );
        let wild = handle.with(100);
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let first = catch_unwind(AssertUnwindSafe(|| gradient(wild, &prep, &backend, &x)));
        let second = catch_unwind(AssertUnwindSafe(|| hessian(wild, &hessians, &backend, &x)));
        std::panic::set_hook(hook);
        assert!(first.is_err() && second.is_err(), "the function panics");
        assert_eq!(gradient(f, &prep, &backend, &x).unwrap(), g);
        assert_eq!(hessian(f, &hessians, &backend, &x).unwrap(), h);
    }
    scalar!(panics_on_request::AD.with(1), |x| panics_on_request(x, 1))
        .rows(&[136, 137])
        .check(&POINTS);
}
