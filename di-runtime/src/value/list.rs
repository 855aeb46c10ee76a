//! Lists of arguments, and which of them are differentiated.
//!
//! A list of families is `(A, (B, (C, ())))`. A list of marks of the same length says for each
//! argument whether it is live or dead: the dead ones were fixed on the handle.

use super::{Entry, Family};
use crate::generated::{Activity, Dead, Live, Seed, Shadow};
use crate::scalar::Zero;

/// A family that one parameter may have.
pub trait Leaf: Family {
    /// Whether generated code can write shadows of it afresh: numbers and sequences of them.
    const FLAT: bool;
    /// What a [`Seed`] or [`Shadow`] of the parameter points to.
    type Lane<T: Entry>: ?Sized;
    /// Lanes as a seed wants them.
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T>;
    /// Lanes as a shadow wants them.
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T>;
}

/// A list of [`Live`] and [`Dead`], as long as it is read.
pub trait Marks: Copy + 'static {
    /// The first mark.
    type Head: Activity;
    /// The others.
    type Tail: Marks;
}

impl Marks for () {
    type Head = Dead;
    type Tail = ();
}

impl<P: Activity, M: Marks> Marks for (P, M) {
    type Head = P;
    type Tail = M;
}

/// A list of families.
pub trait List: Family {
    /// All of them live.
    type AllLive: Marks;
    /// A seed for each, with the marks `M`.
    type Seeds<'a, T: Entry, M: Marks>;
    /// A shadow for each, with the marks `M`.
    type Shadows<'a, T: Entry, M: Marks>;
}

impl List for () {
    type AllLive = ();
    type Seeds<'a, T: Entry, M: Marks> = ();
    type Shadows<'a, T: Entry, M: Marks> = ();
}

impl<F: Leaf, R: List> List for (F, R) {
    type AllLive = (Live, R::AllLive);
    type Seeds<'a, T: Entry, M: Marks> = (Seed<'a, F::Lane<T>, M::Head>, R::Seeds<'a, T, M::Tail>);
    type Shadows<'a, T: Entry, M: Marks> =
        (Shadow<'a, F::Lane<T>, M::Head>, R::Shadows<'a, T, M::Tail>);
}

/// A list, split by marks.
pub trait Select<M: Marks>: List {
    /// The live ones.
    type On: List;
    /// The dead ones.
    type Off: List;
    /// The whole list from its two parts.
    fn merge<'a, T: Entry>(
        on: <Self::On as Family>::Ref<'a, T>,
        off: <Self::Off as Family>::Ref<'a, T>,
    ) -> Self::Ref<'a, T>;
    /// Seeds of the whole list.
    fn seeds<'a, T: Entry>(on: <Self::On as Family>::LanesRef<'a, T>) -> Self::Seeds<'a, T, M>;
    /// The marks with `P`, which is fresh, in the place of live.
    type Fresh<P: Activity>: Marks;
    /// Shadows of the whole list that code may write without reading.
    fn fresh<'a, T: Entry + Zero, P: Activity>(
        on: <Self::On as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, Self::Fresh<P>>;
    /// Shadows of the whole list.
    fn shadows<'a, T: Entry>(on: <Self::On as Family>::LanesMut<'a, T>) -> Self::Shadows<'a, T, M>;
}

impl Select<()> for () {
    type On = ();
    type Off = ();
    type Fresh<P: Activity> = ();
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fresh<'a, T: Entry + Zero, P: Activity>(
        (): <() as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, ()> {
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<'a, T: Entry>(
        (): <() as Family>::Ref<'a, T>,
        (): <() as Family>::Ref<'a, T>,
    ) -> Self::Ref<'a, T> {
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seeds<'a, T: Entry>((): <() as Family>::LanesRef<'a, T>) -> Self::Seeds<'a, T, ()> {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadows<'a, T: Entry>((): <() as Family>::LanesMut<'a, T>) -> Self::Shadows<'a, T, ()> {}
}

impl<F: Leaf, R: Select<M>, M: Marks> Select<(Live, M)> for (F, R) {
    type On = (F, R::On);
    type Off = R::Off;
    type Fresh<P: Activity> = (P, R::Fresh<P>);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fresh<'a, T: Entry + Zero, P: Activity>(
        mut on: <Self::On as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, Self::Fresh<P>> {
        if !F::FLAT {
            F::each_mut::<T>(F::reborrow_lanes(&mut on.0), &mut |a| *a = T::zero());
        }
        (Shadow::new(F::shadow::<T>(on.0)), R::fresh::<T, P>(on.1))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<'a, T: Entry>(
        on: <Self::On as Family>::Ref<'a, T>,
        off: <R::Off as Family>::Ref<'a, T>,
    ) -> Self::Ref<'a, T> {
        (on.0, R::merge::<T>(on.1, off))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seeds<'a, T: Entry>(
        on: <Self::On as Family>::LanesRef<'a, T>,
    ) -> Self::Seeds<'a, T, (Live, M)> {
        (Seed::new(F::seed::<T>(on.0)), R::seeds::<T>(on.1))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadows<'a, T: Entry>(
        on: <Self::On as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, (Live, M)> {
        (Shadow::new(F::shadow::<T>(on.0)), R::shadows::<T>(on.1))
    }
}

impl<F: Leaf, R: Select<M>, M: Marks> Select<(Dead, M)> for (F, R) {
    type On = R::On;
    type Off = (F, R::Off);
    type Fresh<P: Activity> = (Dead, R::Fresh<P>);
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fresh<'a, T: Entry + Zero, P: Activity>(
        on: <Self::On as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, Self::Fresh<P>> {
        (Shadow::dead(), R::fresh::<T, P>(on))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<'a, T: Entry>(
        on: <R::On as Family>::Ref<'a, T>,
        off: <Self::Off as Family>::Ref<'a, T>,
    ) -> Self::Ref<'a, T> {
        (off.0, R::merge::<T>(on, off.1))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seeds<'a, T: Entry>(
        on: <R::On as Family>::LanesRef<'a, T>,
    ) -> Self::Seeds<'a, T, (Dead, M)> {
        (Seed::dead(), R::seeds::<T>(on))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadows<'a, T: Entry>(
        on: <R::On as Family>::LanesMut<'a, T>,
    ) -> Self::Shadows<'a, T, (Dead, M)> {
        (Shadow::dead(), R::shadows::<T>(on))
    }
}

/// A list as what users pass: one argument as itself, several as a tuple.
pub trait Arguments: List {
    /// The family of `x`.
    type Tuple: Family;
    /// The list of a tuple of values.
    fn refs<'a, T: Entry>(tuple: <Self::Tuple as Family>::Ref<'a, T>) -> Self::Ref<'a, T>;
    /// The list of a tuple of lanes.
    fn lanes_refs<'a, T: Entry>(
        tuple: <Self::Tuple as Family>::LanesRef<'a, T>,
    ) -> Self::LanesRef<'a, T>;
    /// The list of a tuple of lanes, for writing.
    fn lanes_muts<'a, T: Entry>(
        tuple: <Self::Tuple as Family>::LanesMut<'a, T>,
    ) -> Self::LanesMut<'a, T>;
}

impl<A: Leaf> Arguments for (A, ()) {
    type Tuple = A;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refs<'a, T: Entry>(tuple: A::Ref<'a, T>) -> Self::Ref<'a, T> {
        (tuple, ())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_refs<'a, T: Entry>(tuple: A::LanesRef<'a, T>) -> Self::LanesRef<'a, T> {
        (tuple, ())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_muts<'a, T: Entry>(tuple: A::LanesMut<'a, T>) -> Self::LanesMut<'a, T> {
        (tuple, ())
    }
}

/// `(a, (b, (c, ())))`, as a type or as a value.
macro_rules! list {
    () => { () };
    ($head:ident $(, $tail:ident)*) => { ($head, list!($($tail),*)) };
    ($head:ident . $at:tt $(, $tail:ident . $next:tt)*) => { ($head.$at, list!($($tail.$next),*)) };
}
/// `Arguments` for a list of families: its type, then how components nest.
macro_rules! arguments {
    ($($family:ident $at:tt),+) => {
        impl<$($family: Leaf),+> Arguments for list!($($family),+) {
            type Tuple = ($($family,)+);
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn refs<'a, T: Entry>(tuple: <Self::Tuple as Family>::Ref<'a, T>) -> Self::Ref<'a, T> {
                list!($(tuple.$at),+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_refs<'a, T: Entry>(
                tuple: <Self::Tuple as Family>::LanesRef<'a, T>,
            ) -> Self::LanesRef<'a, T> {
                list!($(tuple.$at),+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_muts<'a, T: Entry>(
                tuple: <Self::Tuple as Family>::LanesMut<'a, T>,
            ) -> Self::LanesMut<'a, T> {
                list!($(tuple.$at),+)
            }
        }
    };
}

arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);
arguments!(A 0, B 1, C 2, D 3, E 4);
arguments!(A 0, B 1, C 2, D 3, E 4, F 5);
