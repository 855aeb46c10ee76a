//! Elements of fields that generated code hands to functions.

use super::Differentiable;
use super::rows::Rows;
use crate::generated::Lend;
use crate::scalar::Scalar;

/// Elements of a field of a view, as functions take them behind `&`.
pub trait Elements {
    /// The reference, or the view of a struct.
    type Lent;
    /// That with this index.
    fn element(self, i: usize) -> Self::Lent;
}

impl<'a, T: Lend, const N: usize> Elements for &'a [T; N] {
    type Lent = T::Lent<'a>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(self, i: usize) -> T::Lent<'a> {
        self[i].lend()
    }
}

impl<'a, T: Lend> Elements for &'a [T] {
    type Lent = T::Lent<'a>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(self, i: usize) -> T::Lent<'a> {
        self[i].lend()
    }
}

impl<'a, P: Differentiable, S: Scalar> Elements for Rows<'a, P, S> {
    type Lent = P::View<'a, S>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(self, i: usize) -> P::View<'a, S> {
        self.at(i)
    }
}
