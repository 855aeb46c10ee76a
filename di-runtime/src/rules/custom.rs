//! Calls of custom rules: functions that are not looked into, with derivatives given by hand.

use crate::scalar::rule::{check_lengths, with_scratch};
use crate::scalar::{Lanes, Rule, Scalar};

/// `rule(x)` as an array, for rules with few outputs.
///
/// # Panics
/// If `M` or the length of `x` is not what the rule says.
#[inline]
pub fn call<S: Scalar, const M: usize>(rule: &impl Rule<S::Real>, x: &[S]) -> [S; M] {
    check_lengths(rule, x.len(), M);
    let mut y = [S::default(); M];
    S::call_rule(rule, x, &mut y);
    y
}

/// `dy = J(x) dx` for tangents of several lanes, lane by lane.
pub fn push_lanes<S: Scalar, T: Lanes<S>>(
    rule: &impl Rule<S::Real>,
    x: &[S],
    y: &[S],
    dx: &[T],
    dy: &mut [T],
) {
    let (n, m) = (dx.len(), dy.len());
    with_scratch(n + m, |scratch: &mut [S]| {
        let (dx_k, dy_k) = scratch.split_at_mut(n);
        for k in 0..T::WIDTH {
            for (lane, dx) in dx_k.iter_mut().zip(dx) {
                *lane = dx.lane(k);
            }
            rule.pushforward(x, y, dx_k, dy_k);
            for (dy, lane) in dy.iter_mut().zip(dy_k.iter()) {
                dy.set_lane(k, *lane);
            }
        }
    });
}

/// `xb += J(x)^T yb` for adjoints of several lanes, lane by lane.
pub fn pull_lanes<S: Scalar, A: Lanes<S>>(
    rule: &impl Rule<S::Real>,
    x: &[S],
    y: &[S],
    yb: &[A],
    xb: &mut [A],
) {
    let (n, m) = (xb.len(), yb.len());
    with_scratch(n + m, |scratch: &mut [S]| {
        let (xb_k, yb_k) = scratch.split_at_mut(n);
        for k in 0..A::WIDTH {
            for (lane, yb) in yb_k.iter_mut().zip(yb) {
                *lane = yb.lane(k);
            }
            for (lane, xb) in xb_k.iter_mut().zip(xb.iter()) {
                *lane = xb.lane(k);
            }
            rule.pullback(x, y, yb_k, xb_k);
            for (xb, lane) in xb.iter_mut().zip(xb_k.iter()) {
                xb.set_lane(k, *lane);
            }
        }
    });
}
