//! The pendulum of docs/checkpoints.md, with and without marks, and its adjoint by hand.

use di::prelude::*;

const STEP: f64 = 0.001;

/// The angle after so many steps.
#[differentiable]
pub(super) fn unmarked(x: &[f64], trips: usize) -> f64 {
    let (mut q, mut p) = (x[0], x[1]);
    for _ in 0..trips {
        p -= STEP * q.sin();
        q += STEP * p;
    }
    q
}

/// With snapshots at regular intervals.
#[differentiable]
pub(super) fn checkpoint(x: &[f64], trips: usize) -> f64 {
    let (mut q, mut p) = (x[0], x[1]);
    #[ad(checkpoint)]
    for _ in 0..trips {
        p -= STEP * q.sin();
        q += STEP * p;
    }
    q
}

/// With 100 snapshots.
#[differentiable]
pub(super) fn revolve(x: &[f64], trips: usize) -> f64 {
    let (mut q, mut p) = (x[0], x[1]);
    #[ad(revolve = 100)]
    for _ in 0..trips {
        p -= STEP * q.sin();
        q += STEP * p;
    }
    q
}

/// The function, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub(super) fn primal(x: &[f64], trips: usize) -> f64 {
    unmarked(x, trips)
}

/// Value and gradient by hand: one number is kept for each trip, in `slopes`.
#[inline(never)]
pub(super) fn value_and_gradient(
    x: &[f64],
    trips: usize,
    g: &mut [f64],
    slopes: &mut Vec<f64>,
) -> f64 {
    let (mut q, mut p) = (x[0], x[1]);
    slopes.resize(trips, 0.0);
    for slope in slopes.iter_mut() {
        let (sin, cos) = q.sin_cos();
        *slope = STEP * cos;
        p -= STEP * sin;
        q += STEP * p;
    }
    let (mut qb, mut pb) = (1.0, 0.0);
    for slope in slopes.iter().rev() {
        pb += STEP * qb;
        qb -= slope * pb;
    }
    g[0] = qb;
    g[1] = pb;
    q
}

#[cfg(test)]
mod tests {
    use super::{primal, value_and_gradient};

    #[test]
    fn adjoint_by_hand_agrees_with_differences() {
        let (x, trips, h) = ([0.5, 0.25], 1000, 1e-5);
        let (mut g, mut slopes) = ([0.0; 2], Vec::new());
        assert_eq!(
            value_and_gradient(&x, trips, &mut g, &mut slopes),
            primal(&x, trips)
        );
        for k in 0..2 {
            let at = |t: f64| {
                let mut x = x;
                x[k] += t;
                primal(&x, trips)
            };
            let difference = (at(h) - at(-h)) / (2.0 * h);
            assert!((difference - g[k]).abs() < 1e-8, "{difference}, {}", g[k]);
        }
    }
}
