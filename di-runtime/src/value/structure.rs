//! Derived structs as arguments: a view with passive fields, and lanes without them.
//!
//! `#[derive(Differentiable)]` writes the impl; everything that can be said of a list of fields is
//! said here, once.

use core::marker::PhantomData;

use super::list::Leaf;
use super::{Entry, Family, Part};
use crate::context::Snapshot;
use crate::generated::{Cursor, Stack, Tape};
use crate::scalar::{Real, Scalar, Shape, Zero};

/// A struct whose float fields can be differentiated. Implemented by the derive macro, not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable type",
    label = "not known to be differentiable",
    note = "add `#[derive(Differentiable)]` to the struct, or `#[constant]` to the parameter or field",
    note = "the macro does not see through aliases: write `f64` or `[f64; 3]`"
)]
pub trait Differentiable: Sized + 'static {
    /// Its float type.
    type Real: Real;
    /// Families of the float fields, as a list.
    type Fields: Family;
    /// Floats as `S`, passive fields as they are; what generated code reads.
    type View<'a, S: Entry>: Copy;
    /// A `T` for each float and nothing else.
    type Lanes<T: Entry>: Clone + Send + 'static;

    /// Names of the float fields.
    const NAMES: &'static [&'static str];

    /// Hands in the passive fields of a view.
    fn constants<T: Entry>(_view: Self::View<'_, T>, snapshot: &mut Snapshot) {
        snapshot.opaque();
    }
    /// The struct itself, seen as a view.
    fn view(&self) -> Self::View<'_, Self::Real>;
    /// The same with floats `R`, which are those of the struct: what has none fits beside all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view_as<R: Real>(&self) -> Self::View<'_, R> {
        retyped::<RefShape<'_, Struct<Self>>, Self::Real, R>(self.view())
    }
    /// A view of other floats, with the passive fields of `like`.
    fn assemble<'a, T: Entry, U: Entry>(
        lanes: &'a Self::Lanes<T>,
        like: Self::View<'a, U>,
    ) -> Self::View<'a, T>;
    /// The same view, for a shorter time.
    fn shorten<'s, 'l: 's, T: Entry>(view: Self::View<'l, T>) -> Self::View<'s, T>;
    /// The float fields of a view.
    fn values<T: Entry>(view: Self::View<'_, T>) -> <Self::Fields as Family>::Ref<'_, T>;
    /// The fields of lanes.
    fn fields<T: Entry>(lanes: &Self::Lanes<T>) -> <Self::Fields as Family>::LanesRef<'_, T>;
    /// The fields of lanes, for writing.
    fn fields_mut<T: Entry>(
        lanes: &mut Self::Lanes<T>,
    ) -> <Self::Fields as Family>::LanesMut<'_, T>;
    /// Lanes made of their fields.
    fn from_fields<T: Entry>(fields: <Self::Fields as Family>::Owned<T>) -> Self::Lanes<T>;
    /// A struct with these floats and a clone of the passive fields.
    fn rebuild(&self, lanes: &Self::Lanes<Self::Real>) -> Self;
    /// The same, of floats `R`.
    fn rebuild_as<R: Real>(&self, lanes: &Self::Lanes<R>) -> Self {
        self.rebuild(retyped::<OwnedRefShape<'_, Struct<Self>>, R, Self::Real>(
            lanes,
        ))
    }
    /// Replaces the floats.
    fn write(&mut self, lanes: &Self::Lanes<Self::Real>);
    /// The same, of floats `R`.
    fn write_as<R: Real>(&mut self, lanes: &Self::Lanes<R>) {
        self.write(retyped::<OwnedRefShape<'_, Struct<Self>>, R, Self::Real>(
            lanes,
        ));
    }

    // ---- values that generated code makes and changes ----

    /// The struct with an `S` for each float that is differentiated.
    type Of<S: Entry>: Clone;
    /// Whether its size is known: no vectors, and no passive fields that a tape cannot hold.
    const FIXED: bool;
    /// Whether a tape can hold it: it may have vectors of what a tape holds. What follows from
    /// [`Differentiable::zero`] on is for these.
    const HELD: bool;
    /// Floats on a tape, if its size is known.
    const WORDS: usize;
    /// Integers, bools and chars on a tape, if its size is known.
    const INTS: usize;

    /// Lent for reading.
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S>;
    /// A copy of what is lent.
    fn own<S: Scalar>(view: Self::View<'_, S>) -> Self::Of<S>;
    /// Zeros and empty vectors, to be overwritten.
    fn zero<S: Scalar>() -> Self::Of<S>;
    /// Puts the content of a struct of known size into slices of [`Differentiable::WORDS`] and [`Differentiable::INTS`].
    fn keep<S: Scalar>(view: Self::View<'_, S>, words: &mut [S], ints: &mut [usize]);
    /// What was kept.
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Self::Of<S>;
    /// Puts the content on the tape, field by field; of what has a known size as one block.
    fn hold<S: Scalar>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        assert!(
            Self::FIXED,
            "the compiler asks for structs that a tape can hold alone"
        );
        Self::keep(
            view,
            tape.words.block(Self::WORDS),
            tape.ints.block(Self::INTS),
        );
    }
    /// What was put on the tape.
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        assert!(
            Self::FIXED,
            "the compiler asks for structs that a tape can hold alone"
        );
        Self::kept(
            cursor.words(tape, Self::WORDS),
            cursor.ints(tape, Self::INTS),
        )
    }

    /// Lanes that are all zero, and empty vectors.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_lanes<T: Zero>() -> Self::Lanes<T> {
        match Self::Fields::fixed_shape() {
            Some(shape) => Self::from_fields(Self::Fields::store(&shape, T::zero())),
            None => Self::from_fields(Self::Fields::vacant(T::zero())),
        }
    }
}

/// A container of floats `A` as one of floats `B`, which are the same.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn retyped<C: Shape, A: Real, B: Real>(x: C::Of<A>) -> C::Of<B> {
    const {
        assert!(
            size_of::<A>() == size_of::<B>(),
            "a differentiated struct or tuple has parts of `f64` and of `f32`: use one type of floats in it, or mark the field `#[constant]`"
        );
    }
    A::retyped::<C, B>(x)
}

/// `F::Ref<'a, T>`
pub struct RefShape<'a, F>(PhantomData<&'a F>);

impl<'a, F: Family> Shape for RefShape<'a, F> {
    type Of<T: Copy + Send + 'static> = F::Ref<'a, T>;
}

/// `&'a F::Owned<T>`
pub(super) struct OwnedRefShape<'a, F>(PhantomData<&'a F>);

impl<'a, F: Family> Shape for OwnedRefShape<'a, F> {
    type Of<T: Copy + Send + 'static> = &'a F::Owned<T>;
}

/// `F::Owned<T>`
pub(super) struct OwnedShape<F>(PhantomData<F>);

impl<F: Family> Shape for OwnedShape<F> {
    type Of<T: Copy + Send + 'static> = F::Owned<T>;
}

/// `&P` for a derived struct `P`.
pub struct Struct<P>(PhantomData<fn() -> P>);

impl<P: Differentiable> Family for Struct<P> {
    const FIXED: bool = P::Fields::FIXED;
    const PASSIVE: bool = true;
    const COPIED: bool = true;
    type Shape = <P::Fields as Family>::Shape;
    type Owned<T: Entry> = P::Lanes<T>;
    type Ref<'a, T: Entry> = P::View<'a, T>;
    type LanesRef<'a, T: Entry> = &'a P::Lanes<T>;
    type LanesMut<'a, T: Entry> = &'a mut P::Lanes<T>;
    type Adjoint<'a, T: Entry> = &'a mut P::Lanes<T>;
    type Spare<T: Entry> = Option<P::Lanes<T>>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>(value: P::View<'_, T>) -> Self::Shape {
        P::Fields::shape::<T>(P::values(value))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape<T: Entry>(value: P::View<'_, T>, shape: &Self::Shape) -> bool {
        P::Fields::has_shape::<T>(P::values(value), shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_have<T: Entry>(lanes: &P::Lanes<T>, shape: &Self::Shape) -> bool {
        P::Fields::lanes_have::<T>(P::fields(lanes), shape)
    }
    fn constants<T: Entry>(value: P::View<'_, T>, snapshot: &mut Snapshot) {
        P::constants(value, snapshot);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>(owned: &P::Lanes<T>) -> Self::Shape {
        P::Fields::lanes_shape::<T>(P::fields(owned))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed_shape() -> Option<Self::Shape> {
        P::Fields::fixed_shape()
    }
    fn keep_shape(shape: &Self::Shape, tape: &mut Stack<usize>) {
        P::Fields::keep_shape(shape, tape);
    }
    fn kept_shape(lengths: &mut core::slice::Iter<'_, usize>) -> Option<Self::Shape> {
        P::Fields::kept_shape(lengths)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len(shape: &Self::Shape) -> usize {
        P::Fields::len(shape)
    }
    fn describe(shape: &Self::Shape, parts: &mut Vec<Part>) {
        let before = parts.len();
        P::Fields::describe(shape, parts);
        // Fields that are structs have names inside.
        let found = &mut parts[before..];
        if found.len() == P::NAMES.len() {
            for (part, name) in found.iter_mut().zip(P::NAMES) {
                part.name.get_or_insert(name);
            }
        }
    }
    fn store<T: Entry>(shape: &Self::Shape, fill: T) -> P::Lanes<T> {
        P::from_fields(P::Fields::store(shape, fill))
    }
    fn vacant<T: Entry>(fill: T) -> P::Lanes<T> {
        P::from_fields(P::Fields::vacant(fill))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<'a, T: Entry, U: Entry>(owned: &'a P::Lanes<T>, like: P::View<'a, U>) -> P::View<'a, T> {
        P::assemble(owned, like)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>(owned: &P::Lanes<T>) -> &P::Lanes<T> {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>(owned: &mut P::Lanes<T>) -> &mut P::Lanes<T> {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<'s, T: Entry>(values: &'s &mut P::Lanes<T>) -> &'s P::Lanes<T> {
        values
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>(value: P::View<'l, T>) -> P::View<'s, T> {
        P::shorten(value)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: &'l P::Lanes<T>) -> &'s P::Lanes<T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut &mut P::Lanes<T>) -> &'s mut P::Lanes<T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>(lanes: &P::Lanes<T>) -> Self::Shape {
        P::Fields::lanes_shape::<T>(P::fields(lanes))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>(value: P::View<'_, T>, visit: &mut impl FnMut(T)) {
        P::Fields::values(P::values(value), visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>(lanes: &P::Lanes<T>, visit: &mut impl FnMut(T)) {
        P::Fields::each(P::fields(lanes), visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>(lanes: &mut P::Lanes<T>, visit: &mut impl FnMut(&mut T)) {
        P::Fields::each_mut(P::fields_mut(lanes), visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>(
        lanes: &mut P::Lanes<T>,
        other: &P::Lanes<U>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        P::Fields::zip(P::fields_mut(lanes), P::fields(other), visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>(
        lanes: &mut P::Lanes<T>,
        value: P::View<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        P::Fields::zip_values(P::fields_mut(lanes), P::values(value), visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>(lanes: &&mut P::Lanes<T>) -> usize {
        P::Fields::len(&Self::lanes_shape::<T>(lanes))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T {
        P::Fields::entry(P::fields_mut(lanes), index)
    }
}

impl<P: Differentiable> Leaf for Struct<P> {
    const FLAT: bool = false;
    type Lane<T: Entry> = P::Lanes<T>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T> {
        lanes
    }
}

/// Marks what was derived: numbers are [`Differentiable`] without being structs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiable type",
    label = "not known to be differentiable",
    note = "add `#[derive(Differentiable)]` to the struct, or `#[constant]` to the parameter or field",
    note = "the macro does not see through aliases: write `f64` or `[f64; 3]`"
)]
pub trait Derived {
    /// Has no value if the derive refuses the struct: what depends on it is silent then.
    const UNDERSTOOD: () = ();
}

/// Asks for nothing but the trait: what is taken for a derived struct must be one.
pub const fn derived<P: Derived>() {
    P::UNDERSTOOD
}

/// A constant struct as a view, whose fields are seen in all modules.
pub trait AsView: Differentiable {
    /// The view.
    fn __viewed(&self) -> Self::View<'_, Self::Real> {
        self.view()
    }
}

impl<P: Differentiable> AsView for P {}

/// Zero lanes of the shape of a struct.
pub fn lanes_like<P: Differentiable, S: Entry, T: Zero>(view: P::View<'_, S>) -> P::Lanes<T> {
    Struct::<P>::store(&Struct::<P>::shape::<S>(view), T::zero())
}

/// Shape of a struct.
pub fn shape<P: Differentiable>(x: &P) -> <Struct<P> as Family>::Shape {
    Struct::<P>::shape::<P::Real>(x.view())
}

/// Room for the floats of a struct.
pub fn spare_lanes<'a, P: Differentiable>(
    x: &P,
    spare: &'a mut Option<P::Lanes<P::Real>>,
) -> &'a mut P::Lanes<P::Real> {
    super::container::fit::<Struct<P>, P::Real>(spare, &shape(x))
}

/// A copy of the floats of a struct.
pub fn copy_lanes<'a, P: Differentiable>(
    x: &P,
    spare: &'a mut Option<P::Lanes<P::Real>>,
) -> &'a P::Lanes<P::Real> {
    let lanes = spare_lanes(x, spare);
    Struct::<P>::zip_values::<P::Real, P::Real>(lanes, x.view(), &mut |to, from| *to = from);
    lanes
}

/// The struct with zeros for floats.
pub fn blank<P: Differentiable>(x: &P) -> P {
    x.rebuild(&Struct::<P>::store(&shape(x), P::Real::default()))
}
