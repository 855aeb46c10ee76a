//! Arrays inside of arrays: what is stored for them depends on what is at the bottom, floats or structs.

use super::kept::{keep_struct, kept_struct};
use super::outcome::OfFloats;
use super::record::Written;
use super::slice::Cell;
use super::structure::{Derived, OwnedShape, RefShape, retyped};
use super::{Array, Differentiable, Entry, Family, Rows, StructArray};
use crate::generated::{Cursor, Tape};
use crate::scalar::{Real, Scalar};

/// What an array may hold that is stored as if it were a derived struct.
pub trait Element: 'static {
    /// What is at the bottom: [`Floats`] or [`Records`].
    type Kind;
}

/// Arrays of floats.
pub struct Floats;

/// Arrays of derived structs, and of what is stored as such.
pub struct Records;

impl Element for f64 {
    type Kind = Floats;
}

impl Element for f32 {
    type Kind = Floats;
}

impl<T: Element, const N: usize> Element for [T; N] {
    type Kind = T::Kind;
}

impl<P: Derived + 'static> Element for P {
    type Kind = Records;
}

/// How arrays of `T` are stored: see [`Differentiable`].
pub trait ArrayOf<T> {
    /// Its float type.
    type Real: Real;
    /// The family of the array.
    type Family<const N: usize>: Family;
    /// An element with an `S` for each float.
    type Of<S: Entry>: Clone;
    /// Whether the size of an element is known.
    const FIXED: bool;
    /// Whether a tape can hold an element.
    const HELD: bool;
    /// Floats of an element on a tape.
    const WORDS: usize;
    /// Integers of an element on a tape.
    const INTS: usize;

    /// The user's array.
    fn view<R: Real, const N: usize>(array: &[T; N]) -> Ref<'_, T, Self, R, N>;
    /// An array of the user's with other floats.
    fn rebuild<R: Real, const N: usize>(array: &[T; N], lanes: &Lanes<T, Self, R, N>) -> [T; N];
    /// Replaces the floats.
    fn write<R: Real, const N: usize>(array: &mut [T; N], lanes: &Lanes<T, Self, R, N>);
    /// Lent for reading.
    fn lend<S: Entry, const N: usize>(of: &[Self::Of<S>; N]) -> Ref<'_, T, Self, S, N>;
    /// A copy of what is lent.
    fn own<S: Scalar, const N: usize>(view: Ref<'_, T, Self, S, N>) -> [Self::Of<S>; N];
    /// Zeros.
    fn zero<S: Scalar, const N: usize>() -> [Self::Of<S>; N];
    /// Puts elements of known size on the tape.
    fn keep<S: Scalar, const N: usize>(
        view: Ref<'_, T, Self, S, N>,
        words: &mut [S],
        ints: &mut [usize],
    );
    /// What was kept.
    fn kept<S: Scalar, const N: usize>(words: &[S], ints: &[usize]) -> [Self::Of<S>; N];
    /// Puts elements on the tape.
    fn hold<S: Scalar, const N: usize>(view: Ref<'_, T, Self, S, N>, tape: &mut Tape<S>);
    /// What was put on the tape.
    fn held<S: Scalar, const N: usize>(tape: &Tape<S>, cursor: &mut Cursor) -> [Self::Of<S>; N];
}

/// Arrays of what [`OfFloats`] is.
pub trait ArrayOfFloats<R, T>: ArrayOf<T> {
    /// An array of these floats.
    fn made<Q: Real, const N: usize>(lanes: Lanes<T, Self, Q, N>) -> [T; N];
}

impl<R, T: Written> ArrayOfFloats<R, T> for Floats {
    fn made<Q: Real, const N: usize>(lanes: [CellOf<T, Q>; N]) -> [T; N] {
        retyped::<OwnedShape<Array<N, T::Cell>>, Q, T::Float>(lanes)
    }
}

impl<R, P: OfFloats<R>> ArrayOfFloats<R, P> for Records {
    fn made<Q: Real, const N: usize>(lanes: [P::Lanes<Q>; N]) -> [P; N] {
        lanes.map(P::made_as::<Q>)
    }
}

type Ref<'a, T, K, S, const N: usize> = <<K as ArrayOf<T>>::Family<N> as Family>::Ref<'a, S>;
type Lanes<T, K, R, const N: usize> = <<K as ArrayOf<T>>::Family<N> as Family>::Owned<R>;

/// Cells with an entry in the place of each float.
type CellOf<T, S> = <<T as Written>::Cell as Cell>::Of<S>;

impl<T: Written> ArrayOf<T> for Floats {
    type Real = T::Float;
    type Family<const N: usize> = Array<N, T::Cell>;
    type Of<S: Entry> = CellOf<T, S>;

    const FIXED: bool = true;
    const HELD: bool = true;
    const WORDS: usize = T::Cell::LEN;
    const INTS: usize = 0;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<R: Real, const N: usize>(array: &[T; N]) -> &[CellOf<T, R>; N] {
        retyped::<RefShape<'_, Array<N, T::Cell>>, T::Float, R>(array)
    }
    fn rebuild<R: Real, const N: usize>(_: &[T; N], lanes: &[CellOf<T, R>; N]) -> [T; N] {
        retyped::<OwnedShape<Array<N, T::Cell>>, R, T::Float>(*lanes)
    }
    fn write<R: Real, const N: usize>(array: &mut [T; N], lanes: &[CellOf<T, R>; N]) {
        *array = retyped::<OwnedShape<Array<N, T::Cell>>, R, T::Float>(*lanes);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend<S: Entry, const N: usize>(of: &[CellOf<T, S>; N]) -> &[CellOf<T, S>; N] {
        of
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own<S: Scalar, const N: usize>(view: &[CellOf<T, S>; N]) -> [CellOf<T, S>; N] {
        *view
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero<S: Scalar, const N: usize>() -> [CellOf<T, S>; N] {
        [T::Cell::fill(S::default()); N]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar, const N: usize>(view: &[CellOf<T, S>; N], words: &mut [S], _: &mut [usize]) {
        words.copy_from_slice(T::Cell::flat::<S>(view));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar, const N: usize>(words: &[S], _: &[usize]) -> [CellOf<T, S>; N] {
        let mut array = <Self as ArrayOf<T>>::zero::<S, N>();
        T::Cell::flat_mut::<S>(&mut array).copy_from_slice(words);
        array
    }
    fn hold<S: Scalar, const N: usize>(view: &[CellOf<T, S>; N], tape: &mut Tape<S>) {
        let words = tape.words.block(N * T::Cell::LEN);
        words.copy_from_slice(T::Cell::flat::<S>(view));
    }
    fn held<S: Scalar, const N: usize>(tape: &Tape<S>, cursor: &mut Cursor) -> [CellOf<T, S>; N] {
        <Self as ArrayOf<T>>::kept(cursor.words(tape, N * T::Cell::LEN), &[])
    }
}

impl<P: Differentiable> ArrayOf<P> for Records {
    type Real = P::Real;
    type Family<const N: usize> = StructArray<N, P>;
    type Of<S: Entry> = P::Of<S>;

    const FIXED: bool = P::FIXED;
    const HELD: bool = P::HELD;
    const WORDS: usize = P::WORDS;
    const INTS: usize = P::INTS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<R: Real, const N: usize>(array: &[P; N]) -> Rows<'_, P, R> {
        Rows::Plain(array)
    }
    fn rebuild<R: Real, const N: usize>(array: &[P; N], lanes: &[P::Lanes<R>; N]) -> [P; N] {
        core::array::from_fn(|i| array[i].rebuild_as::<R>(&lanes[i]))
    }
    fn write<R: Real, const N: usize>(array: &mut [P; N], lanes: &[P::Lanes<R>; N]) {
        for (of, lanes) in array.iter_mut().zip(lanes) {
            of.write_as::<R>(lanes);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend<S: Entry, const N: usize>(of: &[P::Of<S>; N]) -> Rows<'_, P, S> {
        Rows::Made(of)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own<S: Scalar, const N: usize>(view: Rows<'_, P, S>) -> [P::Of<S>; N] {
        view.to_array()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero<S: Scalar, const N: usize>() -> [P::Of<S>; N] {
        core::array::from_fn(|_| P::zero())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar, const N: usize>(view: Rows<'_, P, S>, words: &mut [S], ints: &mut [usize]) {
        for i in 0..N {
            let words = &mut words[i * P::WORDS..][..P::WORDS];
            P::keep(view.at(i), words, &mut ints[i * P::INTS..][..P::INTS]);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar, const N: usize>(words: &[S], ints: &[usize]) -> [P::Of<S>; N] {
        core::array::from_fn(|i| {
            let words = &words[i * P::WORDS..][..P::WORDS];
            P::kept(words, &ints[i * P::INTS..][..P::INTS])
        })
    }
    fn hold<S: Scalar, const N: usize>(view: Rows<'_, P, S>, tape: &mut Tape<S>) {
        for i in 0..N {
            keep_struct::<P, S>(view.at(i), tape);
        }
    }
    fn held<S: Scalar, const N: usize>(tape: &Tape<S>, cursor: &mut Cursor) -> [P::Of<S>; N] {
        // from the last to the first
        let mut array = core::array::from_fn(|_| kept_struct::<P, S>(tape, cursor));
        array.reverse();
        array
    }
}
