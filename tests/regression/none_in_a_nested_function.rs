//! `None` in a function inside of another was taken for a variable of that one, which has `None` in a pattern.

use di::prelude::*;
use di_test::scalar;

#[differentiable]
fn with_none(x: &[f64]) -> f64 {
    fn first(x: &[f64], limit: f64) -> f64 {
        let mut last = None;
        for t in x {
            last = if *t < limit { Some(t * t) } else { None };
        }
        last.unwrap_or(limit) + limit
    }
    let k = match x.get(1) {
        Some(t) => t * x[0],
        None => 0.5,
    };
    first(x, k) * k
}

#[test]
fn functions_with_none() {
    scalar!(with_none).check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}
