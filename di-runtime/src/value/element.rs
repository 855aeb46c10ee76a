//! Elements of fields that generated code hands to functions.

use super::Differentiable;
use super::rows::Rows;
use super::structure::Derived;
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

impl<'a, P: Differentiable, S: Scalar<Real = P::Real>> Elements for Rows<'a, P, S> {
    type Lent = P::View<'a, S>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(self, i: usize) -> P::View<'a, S> {
        self.at(i)
    }
}

/// An element of a field that is lent to a function in place.
#[diagnostic::on_unimplemented(
    message = "an element of type `{Self}` is borrowed, and its type is not known here",
    label = "inferred as a struct or a sequence",
    note = "bind it by value: `let t: {Self} = b.c[k];`"
)]
pub trait LentElement {}

impl<P: Derived> LentElement for P {}
impl<T, const N: usize> LentElement for [T; N] {}
impl<T> LentElement for Vec<T> {}

/// Asks for nothing but the trait: what was inferred as a struct or a sequence must be one.
pub const fn element<E: LentElement>() {}

/// An element of a field that is lent to a function by itself.
#[diagnostic::on_unimplemented(
    message = "an element of type `{Self}` is borrowed, and its type is not known here",
    label = "inferred as a struct",
    note = "bind it with its type: `let p: &{Self} = ..`"
)]
pub trait PartOfSequence {}

impl<P: Derived> PartOfSequence for P {}

/// Asks for nothing but the trait: what was inferred as a struct must be one.
pub const fn part<P: PartOfSequence>() {}
