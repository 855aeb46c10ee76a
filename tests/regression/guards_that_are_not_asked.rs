//! The guard of a pattern that did not match, and the other side of `&&`, were evaluated where they read constants alone, and
//! panicked.

#![allow(clippy::unwrap_used, reason = "what is not evaluated would panic")]

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy)]
enum Mode {
    Idle,
    Wait(i16),
    Done(Option<u8>),
}

const NONE: &[u32] = &[];

#[differentiable]
fn guarded(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let at = match Mode::Done(None) {
            Mode::Idle => 1,
            Mode::Wait(n) if n < 0 => 2,
            Mode::Done(Some(k)) => k as usize,
            _ => 0,
        };
        let other = match Mode::Wait(-2) {
            Mode::Done(Some(n)) if n > 2 => 0,
            Mode::Wait(n) if n < 0 => 1,
            _ => 2,
        };
        let idle = match Mode::Idle {
            Mode::Wait(n) if n > 1 => 3.0,
            _ => 0.5,
        };
        sum += idle * x[at] * x[other].sin() * f64::from(k);
    }
    sum
}

#[differentiable]
fn beside(x: &[f64]) -> f64 {
    if x[0] > 9.0 && *NONE.iter().max().unwrap() > 2 {
        return x[1];
    }
    let is_last = x[1] > 9.0 || !NONE.is_empty() && NONE[7] == 3;
    if is_last { x[1] } else { x[0] * x[1] }
}

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, -0.7], &[-0.6, 0.2, 0.9]];

#[test]
fn what_rust_does_not_evaluate_is_not_evaluated() {
    scalar!(guarded).check(&POINTS);
    scalar!(beside).check(&POINTS);
}
