//! Passive arguments as what a callee's parameter wants: the scalar, or the plain type.
//!
//! The caller's expansion does not see the callee, so it cannot know whether a parameter is marked
//! constant; it writes `lift(c)` or `lift_ref(&c[..], &mut store, pool)`, and inference decides. For plain floats nothing is copied; what is copied comes from the pool.

use std::marker::PhantomData;

use crate::pool::{Pool, Room};
use crate::scalar::{Scalar, Shape};

/// Made from a passive value of type `T`.
pub trait Lift<T> {
    /// The value as this type.
    fn lift(c: T) -> Self;
}

/// A passive value as what the callee's parameter wants.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lift<T, U: Lift<T>>(c: T) -> U {
    U::lift(c)
}

/// Borrowed from a passive `&T`, or kept in a store that the caller holds.
pub trait LiftRef<T: ?Sized> {
    /// Holds the lifted numbers, if they are not the floats themselves.
    type Store: Room;

    /// The values behind `c` as this type.
    fn lift_ref<'a>(c: &'a T, store: &'a mut Self::Store, pool: &mut Pool) -> &'a Self;
}

/// Passive values behind a reference as what the callee's parameter wants.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lift_ref<'a, T: ?Sized, U: ?Sized + LiftRef<T>>(
    c: &'a T,
    store: &'a mut U::Store,
    pool: &mut Pool,
) -> &'a U {
    U::lift_ref(c, store, pool)
}

macro_rules! lift_plain {
    ($($plain:ty)*) => {$(
        impl Lift<$plain> for $plain {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: $plain) -> Self {
                c
            }
        }
    )*};
}
lift_plain!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

struct OneShape;
impl Shape for OneShape {
    type Of<T: Copy + Send + 'static> = T;
}

struct VecShape;
impl Shape for VecShape {
    type Of<T: Copy + Send + 'static> = Vec<T>;
}

/// `&'a [T]`
struct SliceShape<'a>(PhantomData<&'a ()>);
impl<'a> Shape for SliceShape<'a> {
    type Of<T: Copy + Send + 'static> = &'a [T];
}

/// `&'a [[T; M]]`
struct RowsShape<'a, const M: usize>(PhantomData<&'a ()>);
impl<'a, const M: usize> Shape for RowsShape<'a, M> {
    type Of<T: Copy + Send + 'static> = &'a [[T; M]];
}

/// `&'a [T; N]`
struct ArrayShape<'a, const N: usize>(PhantomData<&'a ()>);
impl<'a, const N: usize> Shape for ArrayShape<'a, N> {
    type Of<T: Copy + Send + 'static> = &'a [T; N];
}

/// `&'a [[T; M]; N]`
struct MatrixShape<'a, const N: usize, const M: usize>(PhantomData<&'a ()>);
impl<'a, const N: usize, const M: usize> Shape for MatrixShape<'a, N, M> {
    type Of<T: Copy + Send + 'static> = &'a [[T; M]; N];
}

/// `&'a [[[T; L]; M]]`
struct BlocksShape<'a, const M: usize, const L: usize>(PhantomData<&'a ()>);
impl<'a, const M: usize, const L: usize> Shape for BlocksShape<'a, M, L> {
    type Of<T: Copy + Send + 'static> = &'a [[[T; L]; M]];
}

/// `&'a [[[T; L]; M]; N]`
struct BlockShape<'a, const N: usize, const M: usize, const L: usize>(PhantomData<&'a ()>);
impl<'a, const N: usize, const M: usize, const L: usize> Shape for BlockShape<'a, N, M, L> {
    type Of<T: Copy + Send + 'static> = &'a [[[T; L]; M]; N];
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn lift_one<S: Scalar>(c: S::Real) -> S {
    S::same::<OneShape>(c).unwrap_or_else(S::from_real)
}

fn lift_array<S: Scalar, const N: usize>(c: [S::Real; N]) -> [S; N] {
    c.map(lift_one)
}

fn lift_rows<S: Scalar, const M: usize, const L: usize>(c: [[S::Real; L]; M]) -> [[S; L]; M] {
    c.map(lift_array)
}

macro_rules! lift_float {
    ($float:ty) => {
        impl<S: Scalar<Real = $float>> Lift<$float> for S {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: $float) -> Self {
                lift_one(c)
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize> Lift<[$float; N]> for [S; N] {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: [$float; N]) -> Self {
                lift_array(c)
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize> Lift<[[$float; M]; N]>
            for [[S; M]; N]
        {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: [[$float; M]; N]) -> Self {
                c.map(lift_array)
            }
        }

        impl<S: Scalar<Real = $float>> Lift<Vec<$float>> for Vec<S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: Vec<$float>) -> Self {
                S::same::<VecShape>(c).unwrap_or_else(|c| c.into_iter().map(S::from_real).collect())
            }
        }

        impl<S: Scalar<Real = $float>> LiftRef<[$float]> for [S] {
            type Store = Vec<S>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(c: &'a [$float], store: &'a mut Vec<S>, pool: &mut Pool) -> &'a [S] {
                match S::same::<SliceShape<'a>>(c) {
                    Ok(same) => same,
                    Err(c) => {
                        *store = pool.take_map(c, |c| S::from_real(*c));
                        store
                    }
                }
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize> LiftRef<[$float; N]> for [S; N] {
            type Store = Option<[S; N]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [$float; N],
                store: &'a mut Option<[S; N]>,
                _: &mut Pool,
            ) -> &'a [S; N] {
                match S::same::<ArrayShape<'a, N>>(c) {
                    Ok(same) => same,
                    Err(c) => store.insert(lift_array(*c)),
                }
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize> LiftRef<[$float; N]> for [S] {
            type Store = Vec<S>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(c: &'a [$float; N], store: &'a mut Vec<S>, pool: &mut Pool) -> &'a [S] {
                <[S] as LiftRef<[$float]>>::lift_ref(c, store, pool)
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize> LiftRef<[[$float; M]; N]>
            for [[S; M]]
        {
            type Store = Vec<[S; M]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[$float; M]; N],
                store: &'a mut Vec<[S; M]>,
                pool: &mut Pool,
            ) -> &'a [[S; M]] {
                <[[S; M]] as LiftRef<[[$float; M]]>>::lift_ref(c, store, pool)
            }
        }

        impl<S: Scalar<Real = $float>, const M: usize> LiftRef<[[$float; M]]> for [[S; M]] {
            type Store = Vec<[S; M]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[$float; M]],
                store: &'a mut Vec<[S; M]>,
                pool: &mut Pool,
            ) -> &'a [[S; M]] {
                match S::same::<RowsShape<'a, M>>(c) {
                    Ok(same) => same,
                    Err(c) => {
                        *store = pool.take_map(c, |row| lift_array(*row));
                        store
                    }
                }
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize> LiftRef<[[$float; M]; N]>
            for [[S; M]; N]
        {
            type Store = Option<[[S; M]; N]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[$float; M]; N],
                store: &'a mut Option<[[S; M]; N]>,
                _: &mut Pool,
            ) -> &'a [[S; M]; N] {
                match S::same::<MatrixShape<'a, N, M>>(c) {
                    Ok(same) => same,
                    Err(c) => store.insert(c.map(lift_array)),
                }
            }
        }

        // ---- three deep ----

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize, const L: usize>
            Lift<[[[$float; L]; M]; N]> for [[[S; L]; M]; N]
        {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift(c: [[[$float; L]; M]; N]) -> Self {
                c.map(lift_rows)
            }
        }

        impl<S: Scalar<Real = $float>, const M: usize, const L: usize> LiftRef<[[[$float; L]; M]]>
            for [[[S; L]; M]]
        {
            type Store = Vec<[[S; L]; M]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[[$float; L]; M]],
                store: &'a mut Vec<[[S; L]; M]>,
                pool: &mut Pool,
            ) -> &'a [[[S; L]; M]] {
                match S::same::<BlocksShape<'a, M, L>>(c) {
                    Ok(same) => same,
                    Err(c) => {
                        *store = pool.take_map(c, |rows| lift_rows(*rows));
                        store
                    }
                }
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize, const L: usize>
            LiftRef<[[[$float; L]; M]; N]> for [[[S; L]; M]]
        {
            type Store = Vec<[[S; L]; M]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[[$float; L]; M]; N],
                store: &'a mut Vec<[[S; L]; M]>,
                pool: &mut Pool,
            ) -> &'a [[[S; L]; M]] {
                <[[[S; L]; M]] as LiftRef<[[[$float; L]; M]]>>::lift_ref(c, store, pool)
            }
        }

        impl<S: Scalar<Real = $float>, const N: usize, const M: usize, const L: usize>
            LiftRef<[[[$float; L]; M]; N]> for [[[S; L]; M]; N]
        {
            type Store = Option<[[[S; L]; M]; N]>;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_ref<'a>(
                c: &'a [[[$float; L]; M]; N],
                store: &'a mut Option<[[[S; L]; M]; N]>,
                _: &mut Pool,
            ) -> &'a [[[S; L]; M]; N] {
                match S::same::<BlockShape<'a, N, M, L>>(c) {
                    Ok(same) => same,
                    Err(c) => store.insert(c.map(lift_rows)),
                }
            }
        }
    };
}
lift_float!(f64);
lift_float!(f32);
