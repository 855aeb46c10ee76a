//! `check_gradient` accepted an infinite entry whatever the differences were, and any entry where a difference overflowed.

use di::prelude::*;
use di::{Error, custom_rule};

#[differentiable]
fn too_steep(x: f64) -> f64 {
    1e308 * (10.0 * x)
}

#[custom_rule(partials(too_steep))]
fn twice(x: f64) -> f64 {
    2.0 * x
}

#[differentiable]
fn uses_twice(x: &[f64]) -> f64 {
    twice(x[0]) + x[1]
}

#[test]
fn infinite_entry_where_differences_are_finite() {
    let error = check_gradient(uses_twice::AD, &[1.0, 2.0]).unwrap_err();
    let Error::Gradient(found) = error else {
        panic!("expected a disagreement, found {error}")
    };
    assert_eq!((found.entries.len(), found.entries[0].index), (1, 0));
    assert_eq!(found.entries[0].gradient, f64::INFINITY);
}

#[differentiable]
fn three(x: f64) -> f64 {
    3.0 + 0.0 * x
}

#[custom_rule(partials(three))]
fn grows(x: f64) -> f64 {
    1e-10 * x.exp()
}

#[differentiable]
fn uses_grows(x: &[f64]) -> f64 {
    grows(x[0])
}

#[test]
fn differences_that_overflow() {
    // the wider of the two steps leads to infinity, the other one does not
    assert!(check_gradient(uses_grows::AD, &[709.77]).is_err());
}

#[differentiable]
fn root(x: &[f64]) -> f64 {
    x[0].cbrt() - x[1].cbrt()
}

/// At a pole differences grow as the steps shrink.
#[test]
fn poles_are_accepted() {
    assert_eq!(check_gradient(root::AD, &[0.0, 0.0]), Ok(()));
}
