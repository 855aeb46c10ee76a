//! Calls of custom rules: functions whose derivatives are written by hand.

use crate::scalar::{Rule, Scalar};

/// `rule(x)` for a rule from numbers to a number.
#[inline]
pub fn call<S: Scalar, const N: usize>(rule: &impl Rule<S::Real, N, 1>, x: [S; N]) -> S {
    let mut y = [S::default()];
    S::call_rule(rule, x.each_ref().map(std::slice::from_ref), [&mut y]);
    y[0]
}
