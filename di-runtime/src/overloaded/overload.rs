//! Constants of a call as the copy of a function takes them.

use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;
use core::num::NonZero;
use core::ops::{Range, RangeInclusive};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::Active;
use crate::scalar::Real;

/// What a constant is in the copy of a function: floats in it are active numbers.
#[diagnostic::on_unimplemented(
    message = "an overloaded function cannot take a constant of type `{Self}`",
    label = "is not known as `{To}`",
    note = "it may have floats, integers, text, containers of std and tuples; structs and enums of the annotated module, too"
)]
pub trait Overload<To> {
    /// The same constant.
    fn overload(&self) -> To;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Overload<Active<$float>> for $float {
            #[inline]
            fn overload(&self) -> Active<$float> {
                Active::constant(*self)
            }
        }
    )*};
}
floats! { f64 f32 }

/// What has no floats that are replaced.
macro_rules! same {
    ($([$($generic:tt)*] $ty:ty;)*) => {$(
        impl<$($generic)*> Overload<$ty> for $ty {
            #[inline]
            #[allow(clippy::clone_on_copy, reason = "for all types")]
            fn overload(&self) -> $ty {
                self.clone()
            }
        }
    )*};
}
same! {
    [] f64; [] f32;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize; [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] bool; [] char; [] String; [] core::time::Duration; [] core::cmp::Ordering;
    [] NonZero<u8>; [] NonZero<u16>; [] NonZero<u32>; [] NonZero<u64>; [] NonZero<usize>;
    [] NonZero<i8>; [] NonZero<i16>; [] NonZero<i32>; [] NonZero<i64>; [] NonZero<isize>;
    ['a] &'a str; [F: Real] Active<F>;
    [T: Clone, H: Clone] HashSet<T, H>; [T: Clone] BTreeSet<T>;
}

impl<A, B> Overload<PhantomData<B>> for PhantomData<A> {
    #[inline]
    fn overload(&self) -> PhantomData<B> {
        PhantomData
    }
}

impl Overload<()> for () {
    #[inline]
    fn overload(&self) {}
}

/// What holds one value, or several of one type.
impl<A: Overload<B> + ?Sized, B> Overload<B> for &A {
    fn overload(&self) -> B {
        (**self).overload()
    }
}

impl<A: Overload<B>, B> Overload<Vec<B>> for [A] {
    fn overload(&self) -> Vec<B> {
        self.iter().map(A::overload).collect()
    }
}

impl<A: Overload<B>, B> Overload<Vec<B>> for Vec<A> {
    fn overload(&self) -> Vec<B> {
        self.as_slice().overload()
    }
}

impl<A: Overload<B>, B, const N: usize> Overload<[B; N]> for [A; N] {
    fn overload(&self) -> [B; N] {
        self.each_ref().map(A::overload)
    }
}

impl<A: Overload<B>, B> Overload<Option<B>> for Option<A> {
    fn overload(&self) -> Option<B> {
        self.as_ref().map(A::overload)
    }
}

impl<A: Overload<B>, B, E: Overload<D>, D> Overload<Result<B, D>> for Result<A, E> {
    fn overload(&self) -> Result<B, D> {
        self.as_ref().map(A::overload).map_err(E::overload)
    }
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<A: Overload<B>, B> Overload<$pointer<B>> for $pointer<A> {
            fn overload(&self) -> $pointer<B> {
                $pointer::new((**self).overload())
            }
        }

        impl<A: Overload<B>, B> Overload<$pointer<[B]>> for $pointer<[A]> {
            fn overload(&self) -> $pointer<[B]> {
                self.iter().map(A::overload).collect()
            }
        }
    )*};
}
pointers! { Box Rc Arc }

impl<A: Overload<B>, B> Overload<VecDeque<B>> for VecDeque<A> {
    fn overload(&self) -> VecDeque<B> {
        self.iter().map(A::overload).collect()
    }
}

impl<K, A, B, H> Overload<HashMap<K, B, H>> for HashMap<K, A, H>
where
    K: Clone + Eq + Hash,
    A: Overload<B>,
    H: BuildHasher + Clone,
{
    fn overload(&self) -> HashMap<K, B, H> {
        let mut map = HashMap::with_capacity_and_hasher(self.len(), self.hasher().clone());
        map.extend(self.iter().map(|(k, v)| (k.clone(), v.overload())));
        map
    }
}

impl<K: Clone + Ord, A: Overload<B>, B> Overload<BTreeMap<K, B>> for BTreeMap<K, A> {
    fn overload(&self) -> BTreeMap<K, B> {
        self.iter()
            .map(|(k, v)| (k.clone(), v.overload()))
            .collect()
    }
}

impl<A: Overload<B>, B> Overload<Range<B>> for Range<A> {
    fn overload(&self) -> Range<B> {
        self.start.overload()..self.end.overload()
    }
}

impl<A: Overload<B>, B> Overload<RangeInclusive<B>> for RangeInclusive<A> {
    fn overload(&self) -> RangeInclusive<B> {
        self.start().overload()..=self.end().overload()
    }
}

macro_rules! tuples {
    ($(($($a:ident $b:ident $k:tt),+);)*) => {$(
        impl<$($a: Overload<$b>, $b),+> Overload<($($b,)+)> for ($($a,)+) {
            fn overload(&self) -> ($($b,)+) {
                ($(self.$k.overload(),)+)
            }
        }
    )*};
}
tuples! {
    (A0 B0 0);
    (A0 B0 0, A1 B1 1);
    (A0 B0 0, A1 B1 1, A2 B2 2);
    (A0 B0 0, A1 B1 1, A2 B2 2, A3 B3 3);
    (A0 B0 0, A1 B1 1, A2 B2 2, A3 B3 3, A4 B4 4);
    (A0 B0 0, A1 B1 1, A2 B2 2, A3 B3 3, A4 B4 4, A5 B5 5);
}
