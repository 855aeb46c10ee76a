//! What generated code stores as if it were a derived struct: tuples, options of numbers, and vectors inside of
//! other containers. Fields go by their numbers: a vector is the field 0 of itself, an option is whether there is a
//! number, and the number.

use core::marker::PhantomData;

use super::kept::{keep_struct, kept_struct};
use super::nest::{ArrayOf, ArrayOfFloats, Element};
use super::outcome::OfFloats;
use super::passive::Keep;
use super::slice::{Cell, One, Row};
use super::structure::Derived;
use super::vector::Inside;
use super::{Differentiable, Entry, Family, Struct};
use crate::context::Snapshot;
use crate::generated::{Cursor, Lend, LendLanes, LentMut, LentRef, LentView, NoLanes, Own, Tape};
use crate::scalar::{Scalar, Tree};

/// What has no floats, as the field of a tuple.
macro_rules! passive {
    ($($ty:ty)*) => {$(
        impl Differentiable for $ty {
            type Real = f64;
            type Fields = ();
            type View<'a, S: Entry> = $ty;
            type Lanes<T: Entry> = NoLanes;
            type Of<S: Entry> = $ty;

            const NAMES: &'static [&'static str] = &[];
            const FIXED: bool = true;
            const HELD: bool = true;
            const WORDS: usize = <$ty as Keep<f64>>::WORDS;
            const INTS: usize = <$ty as Keep<f64>>::INTS;

            fn constants<T: Entry>(view: $ty, snapshot: &mut Snapshot) {
                crate::context::Probe(&view).snapshot(snapshot);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view(&self) -> $ty {
                *self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn assemble<T: Entry, U: Entry>(_: &NoLanes, like: $ty) -> $ty {
                like
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(view: $ty) -> $ty {
                view
            }
            fn values<T: Entry>(_: Self::View<'_, T>) -> <() as Family>::Ref<'_, T> {}
            fn fields<T: Entry>(_: &NoLanes) -> <() as Family>::LanesRef<'_, T> {}
            fn fields_mut<T: Entry>(_: &mut NoLanes) -> <() as Family>::LanesMut<'_, T> {}
            fn from_fields<T: Entry>((): ()) -> NoLanes {
                NoLanes
            }
            fn rebuild(&self, _: &NoLanes) -> $ty {
                *self
            }
            fn write(&mut self, _: &NoLanes) {}
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &$ty) -> $ty {
                *of
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar<Real = f64>>(view: $ty) -> $ty {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar<Real = f64>>() -> $ty {
                <$ty as Keep<f64>>::zero()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar<Real = f64>>(view: $ty, words: &mut [S], ints: &mut [usize]) {
                Keep::<f64>::keep(&view, words, ints);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar<Real = f64>>(words: &[S], ints: &[usize]) -> $ty {
                <$ty as Keep<f64>>::kept(words, ints)
            }
        }

        impl Optional for $ty {
            fn none() -> $ty {
                <$ty as Keep<f64>>::zero()
            }
        }
    )*};
}

passive!(usize isize u8 u16 u32 u64 i8 i16 i32 i64 bool char);

/// Elements of arrays of floats, as they are written.
pub trait Written: Entry {
    /// What the runtime calls them.
    type Cell: Cell<Of<f64> = Self>;
}

impl Written for f64 {
    type Cell = One;
}

impl<T: Written, const N: usize> Written for [T; N] {
    type Cell = Row<N, T::Cell>;
}

impl<T: Element, const N: usize> Differentiable for [T; N]
where
    T::Kind: ArrayOf<T>,
{
    type Real = <T::Kind as ArrayOf<T>>::Real;
    type Fields = <T::Kind as ArrayOf<T>>::Family<N>;
    type View<'a, S: Entry> = <Self::Fields as Family>::Ref<'a, S>;
    type Lanes<E: Entry> = <Self::Fields as Family>::Owned<E>;
    type Of<S: Entry> = [<T::Kind as ArrayOf<T>>::Of<S>; N];

    const NAMES: &'static [&'static str] = &[];
    const FIXED: bool = <T::Kind as ArrayOf<T>>::FIXED;
    const HELD: bool = <T::Kind as ArrayOf<T>>::HELD;
    const WORDS: usize = N * <T::Kind as ArrayOf<T>>::WORDS;
    const INTS: usize = N * <T::Kind as ArrayOf<T>>::INTS;

    fn constants<E: Entry>(view: Self::View<'_, E>, snapshot: &mut Snapshot) {
        Self::Fields::constants::<E>(view, snapshot);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view(&self) -> Self::View<'_, Self::Real> {
        T::Kind::view(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn assemble<'a, E: Entry, U: Entry>(
        lanes: &'a Self::Lanes<E>,
        like: Self::View<'a, U>,
    ) -> Self::View<'a, E> {
        Self::Fields::get(lanes, like)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, E: Entry>(view: Self::View<'l, E>) -> Self::View<'s, E> {
        Self::Fields::shorten::<E>(view)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<E: Entry>(view: Self::View<'_, E>) -> Self::View<'_, E> {
        view
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields<E: Entry>(lanes: &Self::Lanes<E>) -> <Self::Fields as Family>::LanesRef<'_, E> {
        Self::Fields::lanes(lanes)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields_mut<E: Entry>(
        lanes: &mut Self::Lanes<E>,
    ) -> <Self::Fields as Family>::LanesMut<'_, E> {
        Self::Fields::lanes_mut(lanes)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from_fields<E: Entry>(fields: Self::Lanes<E>) -> Self::Lanes<E> {
        fields
    }
    fn rebuild(&self, lanes: &Self::Lanes<Self::Real>) -> [T; N] {
        T::Kind::rebuild(self, lanes)
    }
    fn write(&mut self, lanes: &Self::Lanes<Self::Real>) {
        T::Kind::write(self, lanes);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
        T::Kind::lend(of)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own<S: Scalar<Real = Self::Real>>(view: Self::View<'_, S>) -> Self::Of<S> {
        T::Kind::own(view)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero<S: Scalar<Real = Self::Real>>() -> Self::Of<S> {
        T::Kind::zero()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar<Real = Self::Real>>(
        view: Self::View<'_, S>,
        words: &mut [S],
        ints: &mut [usize],
    ) {
        T::Kind::keep::<S, N>(view, words, ints);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar<Real = Self::Real>>(words: &[S], ints: &[usize]) -> Self::Of<S> {
        T::Kind::kept(words, ints)
    }
    fn hold<S: Scalar<Real = Self::Real>>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        T::Kind::hold::<S, N>(view, tape);
    }
    fn held<S: Scalar<Real = Self::Real>>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        T::Kind::held(tape, cursor)
    }
}

impl<R, T: Element, const N: usize> OfFloats<R> for [T; N]
where
    T::Kind: ArrayOfFloats<R, T>,
{
    fn made(lanes: Self::Lanes<Self::Real>) -> [T; N] {
        T::Kind::made(lanes)
    }
}

/// The parts of the words or integers of a tuple that belong to its components.
fn split<'a, T>(rest: &mut &'a [T], n: usize) -> &'a [T] {
    let (part, behind) = rest.split_at(n);
    *rest = behind;
    part
}

fn split_mut<'a, T>(rest: &mut &'a mut [T], n: usize) -> &'a mut [T] {
    let (part, behind) = core::mem::take(rest).split_at_mut(n);
    *rest = behind;
    part
}

/// What leads from one form of a record to another, as the derive writes it.
macro_rules! forms {
    ([$($p:ident: $($bound:ident)*),*] $me:ty, $view:ident, $of:ident, $lanes:ident, [$($lane:ty),+] $($field:tt)+) => {
        impl<S: Entry, $($p: $($bound +)*),*> Clone for $view<'_, S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<S: Entry, $($p: $($bound +)*),*> Copy for $view<'_, S, $($p),*> {}
        impl<S: Entry, $($p: $($bound +)*),*> Clone for $of<S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                $of($(self.$field.clone(),)+ PhantomData)
            }
        }
        impl<E: Entry, $($p: $($bound +)*),*> Clone for $lanes<E, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                $lanes($(self.$field.clone(),)+ PhantomData)
            }
        }
        impl<$($p: $($bound +)*),*> Stored for $me {}
        impl<$($p: $($bound +)*),*> $crate::value::nest::Element for $me {
            type Kind = $crate::value::nest::Records;
        }
        impl<E: Entry + Tree, $($p: $($bound +)*),*> Tree for $lanes<E, $($p),*>
        where
            $($lane: Tree,)+
        {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add_from(&mut self, from: &Self) {
                $(self.$field.add_from(&from.$field);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clear(&mut self) {
                $(self.$field.clear();)+
            }
        }
        impl<S: Entry, $($p: $($bound +)*),*> Lend for $of<S, $($p),*> {
            type Lent<'a> = $view<'a, S, $($p),*> where Self: 'a;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend(&self) -> $view<'_, S, $($p),*> {
                <$me as Differentiable>::lend(self)
            }
        }
        impl<S: Scalar<Real = f64>, $($p: $($bound +)*),*> Own for $view<'_, S, $($p),*> {
            type Owned = $of<S, $($p),*>;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own(&self) -> Self::Owned {
                <$me as Differentiable>::own(*self)
            }
        }
        impl<E: Entry, $($p: $($bound +)*),*> LendLanes for $lanes<E, $($p),*> {
            type Lent = Self;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend_lanes(&self) -> &Self {
                self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend_lanes_mut(&mut self) -> &mut Self {
                self
            }
        }
        impl<'a, S: Entry, $($p: $($bound +)*),*> LentMut<'a, $of<S, $($p),*>> for $view<'a, S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_mut(of: &'a mut $of<S, $($p),*>) -> Self {
                <$me as Differentiable>::lend(of)
            }
        }
        impl<'a, S: Entry, $($p: $($bound +)*),*> LentMut<'a, $of<S, $($p),*>> for $of<S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_mut(of: &'a mut $of<S, $($p),*>) -> Self {
                of.clone()
            }
        }
        impl<'a, S: Entry, $($p: $($bound +)*),*> LentRef<$view<'a, S, $($p),*>> for $view<'a, S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_ref(view: Self) -> Self {
                view
            }
        }
        impl<'a, S: Scalar<Real = f64>, $($p: $($bound +)*),*> LentRef<$view<'a, S, $($p),*>> for $of<S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_ref(view: $view<'a, S, $($p),*>) -> Self {
                <$me as Differentiable>::own(view)
            }
        }
        impl<'a, S: Entry, $($p: $($bound +)*),*> LentView<$view<'a, S, $($p),*>> for $view<'a, S, $($p),*> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_view(view: Option<Self>) -> Self {
                view.expect("kept for a parameter behind `&`")
            }
        }
        $crate::struct_container!([$($p: $($bound +)*),*] $me, f64);
    };
}

pub(super) use forms;

/// What is stored as a struct: derived ones, and those here.
pub trait Stored: Differentiable<Real = f64> {}

impl<P: Derived + Differentiable<Real = f64>> Stored for P {}

/// What a tuple may hold where it is stored.
pub trait Field: Differentiable<Real = f64> {}

impl<P: Differentiable<Real = f64>> Field for P {}

macro_rules! tuple {
    ($view:ident $of:ident $lanes:ident; $($p:ident $x:ident $field:tt),+) => {
        /// A borrowed tuple.
        pub struct $view<'a, S: Entry, $($p: Field),+>($(pub $p::View<'a, S>,)+ pub PhantomData<&'a S>);
        /// A tuple with an `S` for each float.
        pub struct $of<S: Entry, $($p: Field),+>($(pub $p::Of<S>,)+ pub PhantomData<S>);
        /// A tuple with a `T` for each float, and nothing else.
        pub struct $lanes<T: Entry, $($p: Field),+>($(pub $p::Lanes<T>,)+ pub PhantomData<T>);

        impl<$($p: Field),+> Differentiable for ($($p,)+) {
            type Real = f64;
            type Fields = ($(Struct<$p>,)+);
            type View<'a, S: Entry> = $view<'a, S, $($p),+>;
            type Lanes<T: Entry> = $lanes<T, $($p),+>;
            type Of<S: Entry> = $of<S, $($p),+>;

            const NAMES: &'static [&'static str] = &[];
            const FIXED: bool = true $(&& $p::FIXED)+;
            const HELD: bool = true $(&& $p::HELD)+;
            const WORDS: usize = 0 $(+ $p::WORDS)+;
            const INTS: usize = 0 $(+ $p::INTS)+;

            fn constants<T: Entry>(view: Self::View<'_, T>, snapshot: &mut Snapshot) {
                $($p::constants::<T>(view.$field, snapshot);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view(&self) -> Self::View<'_, f64> {
                $view($(self.$field.view(),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn assemble<'a, T: Entry, U: Entry>(
                lanes: &'a Self::Lanes<T>,
                like: Self::View<'a, U>,
            ) -> Self::View<'a, T> {
                $view($($p::assemble(&lanes.$field, like.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(view: Self::View<'l, T>) -> Self::View<'s, T> {
                $view($($p::shorten::<T>(view.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values<T: Entry>(view: Self::View<'_, T>) -> <Self::Fields as Family>::Ref<'_, T> {
                ($(view.$field,)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields<T: Entry>(lanes: &Self::Lanes<T>) -> <Self::Fields as Family>::LanesRef<'_, T> {
                ($(&lanes.$field,)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields_mut<T: Entry>(
                lanes: &mut Self::Lanes<T>,
            ) -> <Self::Fields as Family>::LanesMut<'_, T> {
                ($(&mut lanes.$field,)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_fields<T: Entry>(fields: <Self::Fields as Family>::Owned<T>) -> Self::Lanes<T> {
                $lanes($(fields.$field,)+ PhantomData)
            }
            fn rebuild(&self, lanes: &Self::Lanes<f64>) -> Self {
                ($(self.$field.rebuild(&lanes.$field),)+)
            }
            fn write(&mut self, lanes: &Self::Lanes<f64>) {
                $(self.$field.write(&lanes.$field);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
                $view($($p::lend(&of.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar<Real = f64>>(view: Self::View<'_, S>) -> Self::Of<S> {
                $of($($p::own(view.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar<Real = f64>>() -> Self::Of<S> {
                $of($($p::zero(),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar<Real = f64>>(
                view: Self::View<'_, S>,
                mut words: &mut [S],
                mut ints: &mut [usize],
            ) {
                $($p::keep(view.$field, split_mut(&mut words, $p::WORDS), split_mut(&mut ints, $p::INTS));)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar<Real = f64>>(mut words: &[S], mut ints: &[usize]) -> Self::Of<S> {
                $of($($p::kept(split(&mut words, $p::WORDS), split(&mut ints, $p::INTS)),)+ PhantomData)
            }
            fn hold<S: Scalar<Real = f64>>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
                $(keep_struct::<$p, S>(view.$field, tape);)+
            }
            fn held<S: Scalar<Real = f64>>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
                tuple!(@held [] $($p $x),+; tape cursor);
                $of($($x,)+ PhantomData)
            }
        }

        impl<R, $($p: Field + OfFloats<R>),+> OfFloats<R> for ($($p,)+) {
            fn made(lanes: Self::Lanes<f64>) -> Self {
                ($($p::made(lanes.$field),)+)
            }
        }

        forms!([$($p: Field),+] ($($p,)+), $view, $of, $lanes, [$($p::Lanes<E>),+] $($field)+);
    };
    // from the last to the first
    (@held [$($done:tt)*] $p:ident $x:ident $(, $q:ident $y:ident)*; $tape:ident $cursor:ident) => {
        tuple!(@held [let $x = kept_struct::<$p, _>($tape, $cursor); $($done)*] $($q $y),*; $tape $cursor)
    };
    (@held [$($done:tt)*]; $tape:ident $cursor:ident) => { $($done)* };
}

tuple!(Pair PairOf PairLanes; A a 0, B b 1);
tuple!(Triple TripleOf TripleLanes; A a 0, B b 1, C c 2);
tuple!(Quadruple QuadrupleOf QuadrupleLanes; A a 0, B b 1, C c 2, D d 3);
tuple!(Quintuple QuintupleOf QuintupleLanes; A a 0, B b 1, C c 2, D d 3, G g 4);
tuple!(Sextuple SextupleOf SextupleLanes; A a 0, B b 1, C c 2, D d 3, G g 4, H h 5);

/// A borrowed option: whether there is a value, and the value, which is zero if there is none.
pub struct Maybe<'a, S: Entry, P: Field>(pub bool, pub P::View<'a, S>, pub PhantomData<&'a S>);

/// What generated code asks options for, borrowed or not.
impl<'a, S: Entry, P: Field> Maybe<'a, S, P> {
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

/// An option with an `S` for each float.
pub struct MaybeOf<S: Entry, P: Field>(pub bool, pub P::Of<S>, pub PhantomData<S>);

/// The same of one with storage of its own.
impl<S: Entry, P: Field> MaybeOf<S, P> {
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
pub struct MaybeLanes<T: Entry, P: Field>(pub NoLanes, pub P::Lanes<T>, pub PhantomData<T>);

/// What an option may hold where it is stored: a float, or a derived struct.
#[diagnostic::on_unimplemented(
    message = "an `Option` of `{Self}` cannot be a field of a differentiated struct",
    note = "it may hold a derived struct without lengths, whose fields are numbers, lists of them, texts and constants that can be copied",
    note = "mark the field `#[constant]`, or hold the struct beside a `bool`"
)]
pub trait Optional: Differentiable {
    /// What stands where there is none.
    fn none() -> Self::View<'static, Self::Real>;
}

impl Optional for f64 {
    fn none() -> f64 {
        0.0
    }
}

impl<const N: usize> Optional for [f64; N] {
    fn none() -> &'static [f64; N] {
        const { &[0.0; N] }
    }
}

impl Optional for Vec<f64> {
    fn none() -> Inside<'static, f64, f64> {
        Inside(<&[f64]>::default(), PhantomData)
    }
}

impl<P: Optional + Field> Differentiable for Option<P> {
    type Real = f64;
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
    fn view(&self) -> Self::View<'_, f64> {
        let payload = match self {
            Some(payload) => payload.view(),
            None => P::shorten::<f64>(P::none()),
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
    fn rebuild(&self, lanes: &Self::Lanes<f64>) -> Self {
        self.as_ref().map(|payload| payload.rebuild(&lanes.1))
    }
    fn write(&mut self, lanes: &Self::Lanes<f64>) {
        if let Some(payload) = self {
            payload.write(&lanes.1);
        }
    }
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
        Maybe(of.0, P::lend(&of.1), PhantomData)
    }
    fn own<S: Scalar<Real = f64>>(view: Self::View<'_, S>) -> Self::Of<S> {
        MaybeOf(view.0, P::own(view.1), PhantomData)
    }
    fn zero<S: Scalar<Real = f64>>() -> Self::Of<S> {
        MaybeOf(false, P::zero(), PhantomData)
    }
    fn keep<S: Scalar<Real = f64>>(view: Self::View<'_, S>, words: &mut [S], ints: &mut [usize]) {
        ints[0] = usize::from(view.0);
        P::keep(view.1, words, &mut ints[1..]);
    }
    fn kept<S: Scalar<Real = f64>>(words: &[S], ints: &[usize]) -> Self::Of<S> {
        MaybeOf(ints[0] != 0, P::kept(words, &ints[1..]), PhantomData)
    }
    fn hold<S: Scalar<Real = f64>>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        keep_struct::<bool, S>(view.0, tape);
        keep_struct::<P, S>(view.1, tape);
    }
    fn held<S: Scalar<Real = f64>>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        let payload = kept_struct::<P, S>(tape, cursor);
        MaybeOf(kept_struct::<bool, S>(tape, cursor), payload, PhantomData)
    }
}

forms!([P: Optional Field] Option<P>, Maybe, MaybeOf, MaybeLanes, [P::Lanes<E>] 0 1);
