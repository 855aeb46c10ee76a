//! What generated code stores as if it were a derived struct: tuples and arrays here, options and vectors inside of other
//! containers beside. Fields go by their numbers: a vector is the field 0 of itself, an option is whether there is a
//! value, and the value.

use core::marker::PhantomData;

use super::kept::{keep_struct, kept_struct};
use super::nest::{ArrayOf, ArrayOfFloats, Element};
use super::option::Optional;
use super::outcome::OfFloats;
use super::passive::Keep;
use super::slice::{Cell, One, Row};
use super::structure::Derived;
use super::{Differentiable, Entry, Family, Struct};
use crate::context::Snapshot;
use crate::generated::{Cursor, Lend, LendLanes, LentMut, LentRef, LentView, NoLanes, Own, Tape};
use crate::scalar::{Real, Scalar, Tree};

/// What is stored here has the floats of its parts, which have a type of their own each: all is said of any float.
macro_rules! own_float {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn view(&self) -> Self::View<'_, Self::Real> {
            self.view_as::<Self::Real>()
        }
        fn rebuild(&self, lanes: &Self::Lanes<Self::Real>) -> Self {
            self.rebuild_as::<Self::Real>(lanes)
        }
        fn write(&mut self, lanes: &Self::Lanes<Self::Real>) {
            self.write_as::<Self::Real>(lanes);
        }
    };
}

pub(super) use own_float;

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
            fn view_as<R: Real>(&self) -> $ty {
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
            fn rebuild_as<R: Real>(&self, _: &NoLanes) -> $ty {
                *self
            }
            fn write(&mut self, _: &NoLanes) {}
            fn write_as<R: Real>(&mut self, _: &NoLanes) {}
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &$ty) -> $ty {
                *of
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar>(view: $ty) -> $ty {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar>() -> $ty {
                <$ty as Keep<f64>>::zero()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(view: $ty, words: &mut [S], ints: &mut [usize]) {
                Keep::<f64>::keep(&view, words, ints);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> $ty {
                <$ty as Keep<f64>>::kept(words, ints)
            }
        }

        impl Optional for $ty {
            fn none<R: Real>() -> $ty {
                <$ty as Keep<f64>>::zero()
            }
        }
    )*};
}

passive!(usize isize u8 u16 u32 u64 i8 i16 i32 i64 bool char);

/// Elements of arrays of floats, as they are written.
pub trait Written: Entry {
    /// The float.
    type Float: Real;
    /// What the runtime calls them.
    type Cell: Cell<Of<Self::Float> = Self>;
}

impl Written for f64 {
    type Float = f64;
    type Cell = One;
}

impl Written for f32 {
    type Float = f32;
    type Cell = One;
}

impl<T: Written, const N: usize> Written for [T; N] {
    type Float = T::Float;
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
    fn view_as<R: Real>(&self) -> Self::View<'_, R> {
        T::Kind::view::<R, N>(self)
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
    fn rebuild_as<R: Real>(&self, lanes: &Self::Lanes<R>) -> [T; N] {
        T::Kind::rebuild::<R, N>(self, lanes)
    }
    fn write_as<R: Real>(&mut self, lanes: &Self::Lanes<R>) {
        T::Kind::write::<R, N>(self, lanes);
    }
    own_float!();
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
        T::Kind::lend(of)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own<S: Scalar>(view: Self::View<'_, S>) -> Self::Of<S> {
        T::Kind::own(view)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero<S: Scalar>() -> Self::Of<S> {
        T::Kind::zero()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar>(view: Self::View<'_, S>, words: &mut [S], ints: &mut [usize]) {
        T::Kind::keep::<S, N>(view, words, ints);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Self::Of<S> {
        T::Kind::kept(words, ints)
    }
    fn hold<S: Scalar>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
        T::Kind::hold::<S, N>(view, tape);
    }
    fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
        T::Kind::held(tape, cursor)
    }
}

impl<R, T: Element, const N: usize> OfFloats<R> for [T; N]
where
    T::Kind: ArrayOfFloats<R, T>,
{
    fn made(lanes: Self::Lanes<Self::Real>) -> [T; N] {
        Self::made_as::<Self::Real>(lanes)
    }
    fn made_as<Q: Real>(lanes: Self::Lanes<Q>) -> [T; N] {
        T::Kind::made::<Q, N>(lanes)
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
        impl<S: Scalar, $($p: $($bound +)*),*> Own for $view<'_, S, $($p),*> {
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
        impl<'a, S: Scalar, $($p: $($bound +)*),*> LentRef<$view<'a, S, $($p),*>> for $of<S, $($p),*> {
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
        $crate::struct_container!([$($p: $($bound +)*),*] $me, <$me as Differentiable>::Real);
    };
}

pub(super) use forms;

/// What is stored as a struct: derived ones, and those here.
pub trait Stored: Differentiable {}

impl<P: Derived + Differentiable> Stored for P {}

macro_rules! tuple {
    ($view:ident $of:ident $lanes:ident; $($p:ident $x:ident $field:tt),+) => {
        /// A borrowed tuple.
        pub struct $view<'a, S: Entry, $($p: Differentiable),+>($(pub $p::View<'a, S>,)+ pub PhantomData<&'a S>);
        /// A tuple with an `S` for each float.
        pub struct $of<S: Entry, $($p: Differentiable),+>($(pub $p::Of<S>,)+ pub PhantomData<S>);
        /// A tuple with a `T` for each float, and nothing else.
        pub struct $lanes<T: Entry, $($p: Differentiable),+>($(pub $p::Lanes<T>,)+ pub PhantomData<T>);

        impl<$($p: Differentiable),+> Differentiable for ($($p,)+) {
            type Real = tuple!(@real $($p),+);
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
            fn view_as<R: Real>(&self) -> Self::View<'_, R> {
                $view($(self.$field.view_as::<R>(),)+ PhantomData)
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
            fn rebuild_as<R: Real>(&self, lanes: &Self::Lanes<R>) -> Self {
                ($(self.$field.rebuild_as::<R>(&lanes.$field),)+)
            }
            fn write_as<R: Real>(&mut self, lanes: &Self::Lanes<R>) {
                $(self.$field.write_as::<R>(&lanes.$field);)+
            }
            own_float!();
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &Self::Of<S>) -> Self::View<'_, S> {
                $view($($p::lend(&of.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar>(view: Self::View<'_, S>) -> Self::Of<S> {
                $of($($p::own(view.$field),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar>() -> Self::Of<S> {
                $of($($p::zero(),)+ PhantomData)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(
                view: Self::View<'_, S>,
                mut words: &mut [S],
                mut ints: &mut [usize],
            ) {
                $($p::keep(view.$field, split_mut(&mut words, $p::WORDS), split_mut(&mut ints, $p::INTS));)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(mut words: &[S], mut ints: &[usize]) -> Self::Of<S> {
                $of($($p::kept(split(&mut words, $p::WORDS), split(&mut ints, $p::INTS)),)+ PhantomData)
            }
            fn hold<S: Scalar>(view: Self::View<'_, S>, tape: &mut Tape<S>) {
                $(keep_struct::<$p, S>(view.$field, tape);)+
            }
            fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> Self::Of<S> {
                tuple!(@held [] $($p $x),+; tape cursor);
                $of($($x,)+ PhantomData)
            }
        }

        impl<$($p: Optional),+> Optional for ($($p,)+) {
            fn none<R: Real>() -> Self::View<'static, R> {
                $view($($p::none::<R>(),)+ PhantomData)
            }
        }

        impl<R, $($p: Differentiable + OfFloats<R>),+> OfFloats<R> for ($($p,)+) {
            fn made(lanes: Self::Lanes<Self::Real>) -> Self {
                Self::made_as::<Self::Real>(lanes)
            }
            fn made_as<Q: Real>(lanes: Self::Lanes<Q>) -> Self {
                ($($p::made_as::<Q>(lanes.$field),)+)
            }
        }

        forms!([$($p: Differentiable),+] ($($p,)+), $view, $of, $lanes, [$($p::Lanes<E>),+] $($field)+);
    };
    (@real $p:ident) => { $p::Real };
    (@real $p:ident, $($q:ident),+) => { <$p::Real as Real>::Or<tuple!(@real $($q),+)> };
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
