//! The point that differences move, and how far they move it.

use crate::function::{Signature, XLanes, XOwned, XRef, XShape};
use crate::rules::zero;
use crate::scalar::Real;
use crate::value::Family;

/// A copy of `x` that is moved.
pub(crate) struct Point<K: Signature> {
    x: XOwned<K, K::Real>,
}

impl<K: Signature> Clone for Point<K> {
    fn clone(&self) -> Self {
        Point { x: self.x.clone() }
    }
}

impl<K: Signature> Point<K> {
    pub(crate) fn new(x: &XShape<K>) -> Self {
        Point {
            x: K::X::store(x, zero()),
        }
    }

    /// Takes over `x`.
    pub(crate) fn load(&mut self, x: XRef<'_, K, K::Real>) {
        let lanes = K::X::lanes_mut(&mut self.x);
        K::X::zip_values(lanes, x, &mut crate::entries::copy::<K::Real>());
    }

    /// The value of one input.
    pub(crate) fn input(&mut self, at: usize) -> K::Real {
        *K::X::entry(K::X::lanes_mut(&mut self.x), at)
    }

    /// Writes one input.
    pub(crate) fn set(&mut self, at: usize, value: K::Real) {
        *K::X::entry(K::X::lanes_mut(&mut self.x), at) = value;
    }

    /// Moves one input and returns by how much it moved, exactly.
    pub(crate) fn shift(&mut self, at: usize, by: K::Real) -> K::Real {
        let before = self.input(at);
        self.set(at, before + by);
        self.input(at) - before
    }

    /// `x` moved along a direction.
    pub(crate) fn along(
        &mut self,
        x: XRef<'_, K, K::Real>,
        direction: XLanes<'_, K, K::Real>,
        by: K::Real,
    ) {
        self.load(x);
        let lanes = K::X::lanes_mut(&mut self.x);
        K::X::zip(lanes, direction, &mut |x: &mut K::Real, v: K::Real| {
            *x = *x + by * v
        });
    }

    /// Where it is; `like` has the passive parts of `x`.
    pub(crate) fn view<'a, 'l: 'a>(&'a self, like: XRef<'l, K, K::Real>) -> XRef<'a, K, K::Real> {
        K::X::get(&self.x, K::X::shorten::<K::Real>(like))
    }
}

/// The larger of a bound and an absolute value; NaN is passed over.
pub(crate) fn largest<R: Real>(seen: R, v: R) -> R {
    seen.max(v.abs())
}

/// Largest absolute value of an input, for the step of a direction.
pub(crate) fn size<K: Signature>(x: XRef<'_, K, K::Real>) -> K::Real {
    let mut size = zero::<K::Real>();
    K::X::values(x, &mut |v: K::Real| size = largest(size, v));
    size
}

/// Largest absolute entry of a direction; nothing if it does not move.
pub(crate) fn speed<K: Signature>(direction: XLanes<'_, K, K::Real>) -> Option<K::Real> {
    let mut speed = zero::<K::Real>();
    K::X::each(direction, &mut |v: K::Real| speed = largest(speed, v));
    (Real::to_f64(speed) != 0.0).then_some(speed)
}
