//! Where a panic of generated code is: at the line of the user's function where the function itself panics.

#![allow(clippy::needless_range_loop, reason = "indices are under test")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use di::AutoTaylor;
use di::prelude::*;

thread_local! {
    static LINE: Cell<u32> = const { Cell::new(0) };
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// The line of this file where `run` panics.
fn line_of<T>(run: impl FnOnce() -> T) -> u32 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |info| {
            let here = info
                .location()
                .filter(|at| at.file().ends_with("panics.rs"));
            LINE.set(here.map_or(0, |at| at.line()));
            if !WATCHED.get() {
                others(info);
            }
        }));
    });
    LINE.set(0);
    WATCHED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    WATCHED.set(false);
    assert!(outcome.is_err(), "no panic");
    LINE.get()
}

/// The lines of a gradient by each engine that runs generated code, without and with preparation, and of second order.
macro_rules! lines {
    ($f:expr, $x:expr) => {{
        let (f, x) = ($f, &$x);
        let source = AutoSource::new();
        vec![
            line_of(|| gradient(f, NoPrep, &source.reverse(), x)),
            line_of(|| gradient(f, NoPrep, &source.forward(), x)),
            line_of(|| prepare_gradient(f, &source, x)),
            line_of(|| gradient(f, NoPrep, &AutoDual::new(), x)),
            line_of(|| gradient(f, NoPrep, &AutoTape::new(), x)),
            line_of(|| gradient(f, NoPrep, &AutoTaylor::new(), x)),
            line_of(|| hessian(f, NoPrep, &source, x)),
            line_of(|| evaluate(f, x)),
        ]
    }};
}

#[differentiable]
fn element(x: &[f64]) -> f64 {
    let a = x[0];
    a * a + x[3].sin()
}

#[differentiable]
fn part(x: &[f64]) -> f64 {
    let a = x[0];
    let y = &x[1..3];
    a * y[0] * y[1]
}

#[differentiable]
fn positive(x: &[f64]) -> f64 {
    let a = x[0];
    assert!(a > 5.0, "{a} is too small");
    a * a
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let n = x.len();
    assert_eq!(n, 7);
    x[0] * x[0]
}

#[differentiable]
fn stops(x: &[f64]) -> f64 {
    if x[0] < 5.0 {
        panic!("stop");
    }
    x[0] * x[0]
}

#[differentiable]
fn looped(x: &[f64], #[constant] n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i] * x[i];
    }
    sum
}

#[test]
fn panics_are_at_the_line_of_the_function() {
    let x = [1.0, 2.0];
    let all = [
        ("element", line_of(|| element(&x)), lines!(element::AD, x)),
        ("assert", line_of(|| positive(&x)), lines!(positive::AD, x)),
        (
            "assert_eq",
            line_of(|| compared(&x)),
            lines!(compared::AD, x),
        ),
        ("panic", line_of(|| stops(&x)), lines!(stops::AD, x)),
    ];
    for (name, expected, found) in all {
        assert!(expected > 50, "{name}: line {expected}");
        assert_eq!(found, [expected; 8], "{name}");
    }
}

/// What a loop reads is checked before it, all at once: at the parameter. A part that is read by its elements alone is
/// checked where these are read.
#[test]
fn panics_of_ranges_are_inside_of_the_function() {
    let x = [1.0, 2.0];
    let line = line_of(|| looped(&x, 3));
    for found in lines!(looped::AD.with(3), x) {
        assert!((line - 3..=line).contains(&found), "{found}, not {line}");
    }
    let line = line_of(|| part(&x));
    for found in lines!(part::AD, x) {
        assert!((line..=line + 1).contains(&found), "{found}, not {line}");
    }
}
