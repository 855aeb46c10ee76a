//! Copies of arguments, which a prep has room for.

use crate::bound::Room;
use crate::function::Signature;
use crate::value::{ContainerMut, Family};

/// Room for copies of arguments that are not laid out as the engine needs them.
pub struct Spares<K: Signature> {
    /// For `x`.
    pub x: <K::X as Family>::Spare<K::Real>,
    /// For one result of the shape of `x`.
    pub g: <K::X as Family>::Spare<K::Real>,
    /// For the result.
    pub y: Room<K>,
    /// For one derivative of the shape of the result.
    pub dy: <K::Y as Family>::Spare<K::Real>,
    /// For another.
    pub ddy: <K::Y as Family>::Spare<K::Real>,
    /// For tangents of the shape of `x`.
    pub xs: Vec<<K::X as Family>::Spare<K::Real>>,
    /// For results of the shape of `x`.
    pub gs: Vec<<K::X as Family>::Spare<K::Real>>,
    /// For tangents of the shape of the result.
    pub ys: Vec<<K::Y as Family>::Spare<K::Real>>,
}

impl<K: Signature> Spares<K> {
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
    pub(super) fn make_room(&mut self, like: &mut impl ContainerMut<K::X, K::Real>) {
        let Spares { g, xs, gs, .. } = self;
        for spare in core::iter::once(g).chain(xs).chain(gs) {
            like.lanes_mut(spare);
        }
    }
}
