//! Copies of arguments, which a prep has room for.

use crate::bound::Room;
use crate::function::Signature;
use crate::scalar::Real;
use crate::value::{ContainerMut, Entry, Family};

/// Room for copies of arguments that are not laid out as the engine needs them.
pub struct Spares<X: Family, Y: Family, R: Entry> {
    /// For `x`.
    pub x: X::Spare<R>,
    /// For one result of the shape of `x`.
    pub g: X::Spare<R>,
    /// For the result.
    pub y: Room<Y, R>,
    /// For one derivative of the shape of the result.
    pub dy: Y::Spare<R>,
    /// For another.
    pub ddy: Y::Spare<R>,
    /// For tangents of the shape of `x`.
    pub xs: Vec<X::Spare<R>>,
    /// For results of the shape of `x`.
    pub gs: Vec<X::Spare<R>>,
    /// For tangents of the shape of the result.
    pub ys: Vec<Y::Spare<R>>,
}

/// Room for copies of the arguments of a function with this key.
pub type SparesOf<K> = Spares<<K as Signature>::X, <K as Signature>::Y, <K as Signature>::Real>;

impl<X: Family, Y: Family, R: Real> Spares<X, Y, R> {
    pub(super) fn new(batch: usize) -> Self {
        Spares {
            x: Default::default(),
            g: Default::default(),
            y: Default::default(),
            dy: Default::default(),
            ddy: Default::default(),
            xs: vec![Default::default(); batch],
            gs: vec![Default::default(); batch],
            ys: vec![Default::default(); batch],
        }
    }

    /// For results and tangents that are copied as this one is.
    pub(super) fn make_room(&mut self, like: &mut impl ContainerMut<X, R>) {
        let Spares { g, xs, gs, .. } = self;
        for spare in core::iter::once(g).chain(xs).chain(gs) {
            like.lanes_mut(spare);
        }
    }
}
