//! Options that generated code stores as if they were derived structs: whether there is a value, and the value.

use core::marker::PhantomData;

use super::kept::{keep_struct, kept_struct};
use super::record::{Stored, forms, own_float};
use super::structure::{RefShape, retyped};
use super::vector::Inside;
use super::{Differentiable, Entry, Struct};
use crate::context::Snapshot;
use crate::generated::{Cursor, Lend, LendLanes, LentMut, LentRef, LentView, NoLanes, Own, Tape};
use crate::scalar::{Real, Scalar, Tree};

/// A borrowed option: whether there is a value, and the value, which is zero if there is none.
pub struct Maybe<'a, S: Entry, P: Differentiable>(
    pub bool,
    pub P::View<'a, S>,
    pub PhantomData<&'a S>,
);

/// What generated code asks options for, borrowed or not.
impl<'a, S: Entry, P: Differentiable> Maybe<'a, S, P> {
    /// Whether there is a value.
    pub fn is_some(&self) -> bool {
        self.0
    }
    /// The value, or zero.
    pub fn unwrap_or_default(self) -> P::View<'a, S> {
        self.1
    }
    /// The value, which is there.
    pub fn expect(self, _: &str) -> P::View<'a, S> {
        self.1
    }
}

impl<S: Scalar, P: Differentiable> Maybe<'_, S, P> {
    /// The same as an option of std.
    pub fn into_option(self) -> Option<P::Of<S>> {
        self.0.then(|| P::own(self.1))
    }
}

/// An option with an `S` for each float.
pub struct MaybeOf<S: Entry, P: Differentiable>(pub bool, pub P::Of<S>, pub PhantomData<S>);

/// The same of one with storage of its own.
impl<S: Entry, P: Differentiable> MaybeOf<S, P> {
    /// Whether there is a value.
    pub fn is_some(&self) -> bool {
        self.0
    }
    /// The value, or zero.
    pub fn unwrap_or_default(&self) -> &P::Of<S> {
        &self.1
    }
    /// The value, which is there.
    pub fn expect(&self, _: &str) -> &P::Of<S> {
        &self.1
    }
}

/// An option with a `T` for each float, and nothing else.
pub struct MaybeLanes<T: Entry, P: Differentiable>(
    pub NoLanes,
    pub P::Lanes<T>,
    pub PhantomData<T>,
);

/// What an option may hold where it is stored: a float, or a derived struct.
#[diagnostic::on_unimplemented(
    message = "an `Option` of `{Self}` cannot be a field of a differentiated struct",
    note = "it may hold a derived struct without lengths, whose fields are numbers, lists of them, texts and constants that can be copied",
    note = "mark the field `#[constant]`, or hold the struct beside a `bool`"
)]
pub trait Optional: Differentiable {
    /// What stands where there is none.
    fn none<R: Real>() -> Self::View<'static, R>;
}

macro_rules! optional {
    ($($float:ident)*) => {$(
        impl Optional for $float {
            fn none<R: Real>() -> R {
                R::default()
            }
        }

        impl<const N: usize> Optional for [$float; N] {
            fn none<R: Real>() -> Self::View<'static, R> {
                retyped::<RefShape<'static, Struct<Self>>, $float, R>(const { &[0.0; N] })
            }
        }

        impl Optional for Vec<$float> {
            fn none<R: Real>() -> Self::View<'static, R> {
                Inside(<&[R]>::default(), PhantomData)
            }
        }
    )*};
}

optional!(f64 f32);

impl<P: Optional> Differentiable for Option<P> {
    type Real = P::Real;
    type Fields = Struct<P>;
    type View<'a, S: Entry> = Maybe<'a, S, P>;
    type Lanes<T: Entry> = MaybeLanes<T, P>;
    type Of<S: Entry> = MaybeOf<S, P>;

    const NAMES: &'static [&'static str] = &[];
    const FIXED: bool = P::FIXED;
    const HELD: bool = P::HELD;
    const WORDS: usize = P::WORDS;
    const INTS: usize = P::INTS + 1;

    fn constants<T: Entry>(view: Self::View<'_, T>, snapshot: &mut Snapshot) {
        bool::constants::<T>(view.0, snapshot);
        P::constants::<T>(view.1, snapshot);
    }
    fn view_as<R: Real>(&self) -> Self::View<'_, R> {
        let payload = match self {
            Some(payload) => payload.view_as::<R>(),
            None => P::shorten::<R>(P::none()),
        };
        Maybe(self.is_some(), payload, PhantomData)
    }
    fn assemble<'a, T: Entry, U: Entry>(
        lanes: &'a Self::Lanes<T>,
        like: Self::View<'a, U>,
    ) -> Self::View<'a, T> {
        Maybe(like.0, P::assemble(&lanes.1, like.1), PhantomData)
    }
    fn shorten<'s, 'l: 's, T: Entry>(view: Self::View<'l, T>) -> Self::View<'s, T> {
        Maybe(view.0, P::shorten::<T>(view.1), PhantomData)
    }
    fn values<T: Entry>(view: Self::View<'_, T>) -> P::View<'_, T> {
        view.1
    }
    fn fields<T: Entry>(lanes: &Self::Lanes<T>) -> &P::Lanes<T> {
        &lanes.1
    }
    fn fields_mut<T: Entry>(lanes: &mut Self::Lanes<T>) -> &mut P::Lanes<T> {
        &mut lanes.1
    }
    fn from_fields<T: Entry>(fields: P::Lanes<T>) -> Self::Lanes<T> {
        MaybeLanes(NoLanes, fields, PhantomData)
    }
    fn rebuild_as<R: Real>(&self, lanes: &Self::Lanes<R>) -> Self {
        self.as_ref()
            .map(|payload| payload.rebuild_as::<R>(&lanes.1))
    }
    fn write_as<R: Real>(&mut self, lanes: &Self::Lanes<R>) {
        if let Some(payload) = self {
            payload.write_as::<R>(&lanes.1);
        }
    }
    own_float!();
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
        Maybe(of.0, P::lend(&of.1), PhantomData)
    }
    fn own<S: Scalar>(view: Self::View<'_, S>) -> Self::Of<S> {
        MaybeOf(view.0, P::own(view.1), PhantomData)
    }
    fn zero<S: Scalar>() -> Self::Of<S> {
        MaybeOf(false, P::zero(), PhantomData)
    }
    fn keep<S: Scalar>(view: Self::View<'_, S>, words: &mut [S], ints: &mut [usize]) {
        ints[0] = usize::from(view.0);
        P::keep(view.1, words, &mut ints[1..]);
    }
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Self::Of<S> {
        MaybeOf(ints[0] != 0, P::kept(words, &ints[1..]), PhantomData)
    }
    fn hold<S: Scalar>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        keep_struct::<bool, S>(view.0, tape);
        keep_struct::<P, S>(view.1, tape);
    }
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        let payload = kept_struct::<P, S>(tape, cursor);
        MaybeOf(kept_struct::<bool, S>(tape, cursor), payload, PhantomData)
    }
}

forms!([P: Optional] Option<P>, Maybe, MaybeOf, MaybeLanes, [P::Lanes<E>] 0 1);
