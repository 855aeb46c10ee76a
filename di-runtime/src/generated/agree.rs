//! Functions that are generic over the float by a trait: the methods of the trait are taken for those of the
//! float that have their names, and are compared with them once.

use crate::scalar::Real;
use core::sync::atomic::{AtomicBool, Ordering};

/// The `k`-th method of a list on up to three numbers, or on a number and an integer.
pub type Methods<R> = fn(usize, R, R, R, i32) -> R;

/// Compares the methods of a trait with those of the float, unless that has been `seen` before.
///
/// # Panics
/// Panics if they give different values somewhere: the derivative would be that of another function.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn agree<R: Real>(
    seen: &AtomicBool,
    names: &[&'static str],
    theirs: Methods<R>,
    ours: Methods<R>,
) {
    if !seen.load(Ordering::Relaxed) {
        compare(names, theirs, ours);
        seen.store(true, Ordering::Relaxed);
    }
}

/// Arguments: first ones on both sides of the limits of domains, second ones below third ones.
const FIRST: [f64; 24] = [
    0.3, -0.7, 1.0, 1.9, -2.6, 7.5, -12.25, 40.0, 75.0, 130.0, 290.0, 460.0, 650.0, 709.0, 1e5,
    1e12, -55.0, -310.0, -720.0, -1e7, 1e-9, 1e-60, -1e-25, 0.0,
];
const OTHERS: [(f64, f64, i32); 3] = [(-0.4, 1.7, 3), (0.6, 0.6, -2), (2.0, 31.0, 0)];
/// How far apart results may be, in units of rounding: implementations differ a little.
const ULPS: f64 = 64.0;

#[cold]
#[inline(never)]
fn compare<R: Real>(names: &[&'static str], theirs: Methods<R>, ours: Methods<R>) {
    let tolerance = ULPS * R::EPSILON.to_f64();
    for (k, name) in names.iter().enumerate() {
        for x in FIRST {
            for (y, z, n) in OTHERS {
                let [x, y, z] = [x, y, z].map(R::from_f64);
                let (found, expected) = (theirs(k, x, y, z, n), ours(k, x, y, z, n));
                let (a, b) = (found.to_f64(), expected.to_f64());
                let near = (a - b).abs() <= tolerance * a.abs().max(b.abs());
                assert!(
                    a == b || near || a.is_nan() && b.is_nan(),
                    "the method `{name}` of the trait is not that of the float: {a} instead of {b} \
                     at {x}; its derivative is not known"
                );
            }
        }
    }
}
