//! Passive code that calls a function without arguments: reverse code called it once more, and it gave
//! something else then.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use std::cell::Cell;

thread_local! { static DRAWN: Cell<u32> = const { Cell::new(0) }; }

fn draw() -> f64 {
    let k = DRAWN.get() + 1;
    DRAWN.set(k);
    f64::from(k).sin()
}

/// Linear in `x`, whatever is drawn.
#[differentiable]
fn weighted(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += passive(draw()) * v;
    }
    if passive(draw()) > 0.0 {
        s *= 2.0;
    }
    s
}

#[test]
fn what_is_called_in_passive_code_is_called_once() {
    let x = [0.7, -0.3, 1.1];
    for k in 0..8 {
        DRAWN.set(3 * k);
        let backend = AutoSource::new().reverse();
        let (value, g) = value_and_gradient(weighted::AD, NoPrep, &backend, &x).unwrap();
        let found: f64 = x.iter().zip(&g).map(|(x, g)| x * g).sum();
        assert_close("weighted", &[found], &[value], ROUNDING);
    }
}
