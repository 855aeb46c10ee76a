//! Maps that are linear in each of two slices, and their derivatives.

use core::cell::RefCell;

use crate::generated::Pool;
use crate::scalar::{Lanes, Real, Scalar};

/// `z = B(x, y)`, linear in `x` and in `y`. Derivatives are added to what is there.
pub(super) trait Bilinear<R: Real>: Copy {
    /// `dz += B(dx, y)`
    fn push_x<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        dx: &[T],
        y: &[S],
        dz: &mut [T],
        pool: &mut Pool,
    );
    /// `dz += B(x, dy)`
    fn push_y<S: Scalar<Real = R>, T: Lanes<S>>(
        self,
        x: &[S],
        dy: &[T],
        dz: &mut [T],
        pool: &mut Pool,
    );
    /// `xb += B(., y)^T zb`
    fn pull_x<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        zb: &[A],
        y: &[S],
        xb: &mut [A],
        pool: &mut Pool,
    );
    /// `yb += B(x, .)^T zb`
    fn pull_y<S: Scalar<Real = R>, A: Lanes<S>>(
        self,
        zb: &[A],
        x: &[S],
        yb: &mut [A],
        pool: &mut Pool,
    );
}

/// A rule of this module with the buffers that its derivatives work in.
pub(super) struct Pooled<'p, B> {
    pub(super) rule: B,
    pub(super) pool: RefCell<&'p mut Pool>,
}

impl<'p, B> Pooled<'p, B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(rule: B, pool: &'p mut Pool) -> Self {
        Pooled {
            rule,
            pool: RefCell::new(pool),
        }
    }
}
