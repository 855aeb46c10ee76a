//! Vectors inside of other containers: to generated code a struct, of which the vector is the field 0.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::kept::{held_floats, held_rows, hold_floats, keep_rows};
use super::outcome::OfFloats;
use super::record::{Stored, Written, forms, own_float};
use super::slice::Cell;
use super::structure::{OwnedRefShape, OwnedShape, RefShape, retyped};
use super::{Differentiable, Entry, Family, Row, Rows, Slice, Structs};
use crate::context::Snapshot;
use crate::generated::{Cursor, Lend, LendLanes, LentMut, LentRef, LentView, Own, Tape};
use crate::scalar::{Real, Scalar, Tree};

/// What a vector inside of something else may hold.
pub trait Item: Sized + 'static {
    /// The float.
    type Real: Real;
    /// The vector.
    type Family: Family;
    /// Whether a tape can hold the vector.
    const HELD: bool;
    /// An element with an `S` for each float.
    type Of<S: Entry>: Clone;

    /// Borrows elements of the user.
    fn view<R: Real>(items: &[Self]) -> <Self::Family as Family>::Ref<'_, R>;
    /// Borrows elements of generated code.
    fn lend<S: Entry>(items: &[Self::Of<S>]) -> <Self::Family as Family>::Ref<'_, S>;
    /// Copies borrowed elements.
    fn own<S: Scalar>(view: <Self::Family as Family>::Ref<'_, S>) -> Vec<Self::Of<S>>;
    /// The user's elements with other floats.
    fn rebuild<R: Real>(items: &[Self], lanes: &<Self::Family as Family>::Owned<R>) -> Vec<Self>;
    /// Replaces the floats.
    fn write<R: Real>(items: &mut [Self], lanes: &<Self::Family as Family>::Owned<R>);
    /// Puts the elements on the tape.
    fn hold<S: Scalar>(view: <Self::Family as Family>::Ref<'_, S>, tape: &mut Tape<S>);
    /// What was put on the tape.
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Vec<Self::Of<S>>;
}

/// Items that [`OfFloats`] are.
pub trait ItemOfFloats<R>: Item {
    /// Items of these floats.
    fn made<Q: Real>(lanes: <Self::Family as Family>::Owned<Q>) -> Vec<Self>;
}

macro_rules! numbers {
    ([$($generics:tt)*] $item:ty, $float:ty, $cell:ty) => {
        impl<$($generics)*> Item for $item {
            type Real = $float;
            type Family = Slice<$cell>;
            const HELD: bool = true;
            type Of<S: Entry> = <$cell as Cell>::Of<S>;

            fn view<R: Real>(items: &[Self]) -> &[Self::Of<R>] {
                retyped::<RefShape<'_, Slice<$cell>>, $float, R>(items)
            }
            fn lend<S: Entry>(items: &[Self::Of<S>]) -> &[Self::Of<S>] {
                items
            }
            fn own<S: Scalar>(view: &[Self::Of<S>]) -> Vec<Self::Of<S>> {
                view.to_vec()
            }
            fn rebuild<R: Real>(_: &[Self], lanes: &Vec<Self::Of<R>>) -> Vec<Self> {
                retyped::<OwnedRefShape<'_, Slice<$cell>>, R, $float>(lanes).clone()
            }
            fn write<R: Real>(items: &mut [Self], lanes: &Vec<Self::Of<R>>) {
                let lanes = retyped::<OwnedRefShape<'_, Slice<$cell>>, R, $float>(lanes);
                items.clone_from_slice(lanes);
            }
            fn hold<S: Scalar>(view: &[Self::Of<S>], tape: &mut Tape<S>) {
                hold_floats::<Slice<$cell>, S>(view, tape);
            }
            fn held<S: Scalar>(
                tape: &Tape<S>,
                cursor: &mut Cursor,
            ) -> Vec<Self::Of<S>> {
                held_floats::<Slice<$cell>, S>(tape, cursor)
            }
        }

        impl<R, $($generics)*> ItemOfFloats<R> for $item {
            fn made<Q: Real>(lanes: Vec<Self::Of<Q>>) -> Vec<Self> {
                retyped::<OwnedShape<Slice<$cell>>, Q, $float>(lanes)
            }
        }
    };
}

numbers!([] f64, f64, super::One);
numbers!([] f32, f32, super::One);
numbers!([T: Written, const N: usize] [T; N], T::Float, Row<N, T::Cell>);

impl<P: Stored> Item for P {
    type Real = P::Real;
    type Family = Structs<P>;
    const HELD: bool = P::HELD;
    type Of<S: Entry> = P::Of<S>;

    fn view<R: Real>(items: &[P]) -> Rows<'_, P, R> {
        Rows::Plain(items)
    }
    fn lend<S: Entry>(items: &[P::Of<S>]) -> Rows<'_, P, S> {
        Rows::Made(items)
    }
    fn own<S: Scalar>(view: Rows<'_, P, S>) -> Vec<P::Of<S>> {
        view.to_vec()
    }
    fn rebuild<R: Real>(items: &[P], lanes: &Vec<P::Lanes<R>>) -> Vec<P> {
        let each = items.iter().zip(lanes);
        each.map(|(item, lanes)| item.rebuild_as::<R>(lanes))
            .collect()
    }
    fn write<R: Real>(items: &mut [P], lanes: &Vec<P::Lanes<R>>) {
        for (item, lanes) in items.iter_mut().zip(lanes) {
            item.write_as::<R>(lanes);
        }
    }
    fn hold<S: Scalar>(view: Rows<'_, P, S>, tape: &mut Tape<S>) {
        keep_rows::<P, S>(view, tape);
    }
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Vec<P::Of<S>> {
        held_rows::<P, S>(tape, cursor)
    }
}

impl<R, P: Stored + OfFloats<R>> ItemOfFloats<R> for P {
    fn made<Q: Real>(lanes: Vec<P::Lanes<Q>>) -> Vec<P> {
        lanes.into_iter().map(P::made_as::<Q>).collect()
    }
}

/// The vector, borrowed.
pub struct Inside<'a, S: Entry, T: Item>(
    pub <T::Family as Family>::Ref<'a, S>,
    pub PhantomData<&'a S>,
);
/// The vector with an `S` for each float.
pub struct InsideOf<S: Entry, T: Item>(pub Vec<T::Of<S>>, pub PhantomData<S>);
/// The vector with an `E` for each float, and nothing else.
pub struct InsideLanes<E: Entry, T: Item>(pub <T::Family as Family>::Owned<E>, pub PhantomData<E>);

// Code that does not know that the vector is one of a field reads it as any other.

impl<'a, S: Entry, T: Item> Deref for Inside<'a, S, T> {
    type Target = <T::Family as Family>::Ref<'a, S>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<S: Entry, T: Item> Deref for InsideOf<S, T> {
    type Target = Vec<T::Of<S>>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<S: Entry, T: Item> DerefMut for InsideOf<S, T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<E: Entry, T: Item> Deref for InsideLanes<E, T> {
    type Target = <T::Family as Family>::Owned<E>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<E: Entry, T: Item> DerefMut for InsideLanes<E, T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<T: Item> Differentiable for Vec<T> {
    type Real = T::Real;
    type Fields = T::Family;
    type View<'a, S: Entry> = Inside<'a, S, T>;
    type Lanes<E: Entry> = InsideLanes<E, T>;
    type Of<S: Entry> = InsideOf<S, T>;

    const NAMES: &'static [&'static str] = &[];
    const FIXED: bool = false;
    const HELD: bool = T::HELD;
    const WORDS: usize = 0;
    const INTS: usize = 0;

    fn constants<E: Entry>(view: Self::View<'_, E>, snapshot: &mut Snapshot) {
        T::Family::constants::<E>(view.0, snapshot);
    }
    fn view_as<R: Real>(&self) -> Self::View<'_, R> {
        Inside(T::view::<R>(self), PhantomData)
    }
    fn assemble<'a, E: Entry, U: Entry>(
        lanes: &'a Self::Lanes<E>,
        like: Self::View<'a, U>,
    ) -> Self::View<'a, E> {
        Inside(T::Family::get(&lanes.0, like.0), PhantomData)
    }
    fn shorten<'s, 'l: 's, E: Entry>(view: Self::View<'l, E>) -> Self::View<'s, E> {
        Inside(T::Family::shorten::<E>(view.0), PhantomData)
    }
    fn values<E: Entry>(view: Self::View<'_, E>) -> <T::Family as Family>::Ref<'_, E> {
        view.0
    }
    fn fields<E: Entry>(lanes: &Self::Lanes<E>) -> <T::Family as Family>::LanesRef<'_, E> {
        T::Family::lanes(&lanes.0)
    }
    fn fields_mut<E: Entry>(lanes: &mut Self::Lanes<E>) -> <T::Family as Family>::LanesMut<'_, E> {
        T::Family::lanes_mut(&mut lanes.0)
    }
    fn from_fields<E: Entry>(fields: <T::Family as Family>::Owned<E>) -> Self::Lanes<E> {
        InsideLanes(fields, PhantomData)
    }
    fn rebuild_as<R: Real>(&self, lanes: &Self::Lanes<R>) -> Self {
        T::rebuild::<R>(self, &lanes.0)
    }
    fn write_as<R: Real>(&mut self, lanes: &Self::Lanes<R>) {
        T::write::<R>(self, &lanes.0);
    }
    own_float!();
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
        Inside(T::lend(&of.0), PhantomData)
    }
    fn own<S: Scalar>(view: Self::View<'_, S>) -> Self::Of<S> {
        InsideOf(T::own(view.0), PhantomData)
    }
    fn zero<S: Scalar>() -> Self::Of<S> {
        InsideOf(Vec::new(), PhantomData)
    }
    fn keep<S: Scalar>(_: Self::View<'_, S>, _: &mut [S], _: &mut [usize]) {
        unreachable!("a vector is kept with its length")
    }
    fn kept<S: Scalar>(_: &[S], _: &[usize]) -> Self::Of<S> {
        unreachable!("a vector is kept with its length")
    }
    fn hold<S: Scalar>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        T::hold(view.0, tape);
    }
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        InsideOf(T::held(tape, cursor), PhantomData)
    }
}

impl<R, T: ItemOfFloats<R>> OfFloats<R> for Vec<T> {
    fn made(lanes: Self::Lanes<Self::Real>) -> Self {
        Self::made_as::<Self::Real>(lanes)
    }
    fn made_as<Q: Real>(lanes: Self::Lanes<Q>) -> Self {
        T::made::<Q>(lanes.0)
    }
}

forms!([T: Item] Vec<T>, Inside, InsideOf, InsideLanes, [<T::Family as Family>::Owned<E>] 0);
