//! What a derived struct holds beside the floats that are differentiated, as a tape can hold it.

use super::texts;
use crate::scalar::{Real, Scalar};
use core::marker::PhantomData;

/// Integers, bools, chars, constant floats, and arrays, tuples and options of these. `By` is the derived struct that says
/// how enums of the user's are kept: two structs may have fields of one enum.
pub trait Keep<R: Real, By = ()>: Clone {
    /// Floats on a tape.
    const WORDS: usize;
    /// Integers on a tape.
    const INTS: usize;

    /// Whatever stands where nothing was stored yet.
    fn zero() -> Self;
    /// Puts it on a tape.
    fn keep<S: Scalar>(&self, words: &mut [S], ints: &mut [usize]);
    /// Takes it from a tape.
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Self;
}

macro_rules! integers {
    ($($int:ident)*) => {$(
        impl<R: Real, By> Keep<R, By> for $int {
            const WORDS: usize = 0;
            const INTS: usize = 1;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $int {
                0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(&self, _: &mut [S], ints: &mut [usize]) {
                ints[0] = *self as usize;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(_: &[S], ints: &[usize]) -> $int {
                ints[0] as $int
            }
        }
    )*};
}

integers!(usize isize u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! wide {
    ($($int:ident)*) => {$(
        impl<R: Real, By> Keep<R, By> for $int {
            const WORDS: usize = 0;
            const INTS: usize = 2;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $int {
                0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(&self, _: &mut [S], ints: &mut [usize]) {
                ints[0] = *self as usize;
                ints[1] = (*self >> usize::BITS) as usize;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(_: &[S], ints: &[usize]) -> $int {
                ints[0] as $int | (ints[1] as $int) << usize::BITS
            }
        }
    )*};
}

// on targets with indices of 64 bits
#[cfg(target_pointer_width = "64")]
wide!(u128 i128);

impl<R: Real, By> Keep<R, By> for bool {
    const WORDS: usize = 0;
    const INTS: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> bool {
        false
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar>(&self, _: &mut [S], ints: &mut [usize]) {
        ints[0] = usize::from(*self);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar>(_: &[S], ints: &[usize]) -> bool {
        ints[0] != 0
    }
}

impl<R: Real, By> Keep<R, By> for char {
    const WORDS: usize = 0;
    const INTS: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> char {
        '\0'
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar>(&self, _: &mut [S], ints: &mut [usize]) {
        ints[0] = *self as usize;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar>(_: &[S], ints: &[usize]) -> char {
        char::from_u32(ints[0] as u32).unwrap_or_default()
    }
}

impl<R: Real, By> Keep<R, By> for &'static str {
    const WORDS: usize = 0;
    const INTS: usize = 1;

    fn zero() -> &'static str {
        ""
    }
    fn keep<S: Scalar>(&self, _: &mut [S], ints: &mut [usize]) {
        ints[0] = texts::fixed(self) as usize;
    }
    fn kept<S: Scalar>(_: &[S], ints: &[usize]) -> &'static str {
        texts::fixed_at(ints[0] as u32)
    }
}

impl<R: Real, By, U: ?Sized> Keep<R, By> for PhantomData<U> {
    const WORDS: usize = 0;
    const INTS: usize = 0;

    fn zero() -> PhantomData<U> {
        PhantomData
    }
    fn keep<S: Scalar>(&self, _: &mut [S], _: &mut [usize]) {}
    fn kept<S: Scalar>(_: &[S], _: &[usize]) -> PhantomData<U> {
        PhantomData
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl<By> Keep<$float, By> for $float {
            const WORDS: usize = 1;
            const INTS: usize = 0;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $float {
                0.0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(&self, words: &mut [S], _: &mut [usize]) {
                words[0] = S::from_real(S::Real::from_f64(f64::from(*self)));
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(words: &[S], _: &[usize]) -> $float {
                words[0].primal().to_f64() as $float
            }
        }
    )*};
}

floats!(f64 f32);

impl<R: Real, By, T: Keep<R, By>, const N: usize> Keep<R, By> for [T; N] {
    const WORDS: usize = N * T::WORDS;
    const INTS: usize = N * T::INTS;

    #[inline]
    fn zero() -> [T; N] {
        core::array::from_fn(|_| T::zero())
    }
    #[inline]
    fn keep<S: Scalar>(&self, words: &mut [S], ints: &mut [usize]) {
        for (k, item) in self.iter().enumerate() {
            item.keep(
                &mut words[k * T::WORDS..][..T::WORDS],
                &mut ints[k * T::INTS..][..T::INTS],
            );
        }
    }
    #[inline]
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> [T; N] {
        core::array::from_fn(|k| {
            T::kept(
                &words[k * T::WORDS..][..T::WORDS],
                &ints[k * T::INTS..][..T::INTS],
            )
        })
    }
}

impl<R: Real, By, T: Keep<R, By>> Keep<R, By> for Option<T> {
    const WORDS: usize = T::WORDS;
    const INTS: usize = 1 + T::INTS;

    #[inline]
    fn zero() -> Option<T> {
        None
    }
    #[inline]
    fn keep<S: Scalar>(&self, words: &mut [S], ints: &mut [usize]) {
        ints[0] = usize::from(self.is_some());
        if let Some(some) = self {
            some.keep(words, &mut ints[1..]);
        }
    }
    #[inline]
    fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Option<T> {
        (ints[0] != 0).then(|| T::kept(words, &ints[1..]))
    }
}

/// No parts, as the end of a list.
impl<R: Real, By> Keep<R, By> for () {
    const WORDS: usize = 0;
    const INTS: usize = 0;

    fn zero() {}
    fn keep<S: Scalar>(&self, _: &mut [S], _: &mut [usize]) {}
    fn kept<S: Scalar>(_: &[S], _: &[usize]) {}
}

/// The room that an enum needs, of that of its variants.
pub const fn largest(of: &[usize]) -> usize {
    let (mut found, mut k) = (0, 0);
    while k < of.len() {
        if of[k] > found {
            found = of[k];
        }
        k += 1;
    }
    found
}

macro_rules! tuples {
    ($(($($part:ident)+))*) => {$(
        impl<R: Real, By, $($part: Keep<R, By>),+> Keep<R, By> for ($($part,)+) {
            const WORDS: usize = 0 $(+ $part::WORDS)+;
            const INTS: usize = 0 $(+ $part::INTS)+;

            #[inline]
            fn zero() -> Self {
                ($($part::zero(),)+)
            }
            #[inline]
            fn keep<S: Scalar>(&self, words: &mut [S], ints: &mut [usize]) {
                #[expect(non_snake_case, reason = "parts are named as their types")]
                let ($($part,)+) = self;
                let (mut w, mut i) = (0, 0);
                $(
                    $part.keep(&mut words[w..][..$part::WORDS], &mut ints[i..][..$part::INTS]);
                    (w, i) = (w + $part::WORDS, i + $part::INTS);
                )+
                debug_assert!((w, i) == (words.len(), ints.len()), "all parts are kept");
            }
            #[inline]
            fn kept<S: Scalar>(words: &[S], ints: &[usize]) -> Self {
                let (mut words, mut ints) = (words, ints);
                let parts = ($({
                    let (w, rest) = words.split_at($part::WORDS);
                    words = rest;
                    let (i, rest) = ints.split_at($part::INTS);
                    ints = rest;
                    $part::kept(w, i)
                },)+);
                debug_assert!(words.is_empty() && ints.is_empty(), "all parts were kept");
                parts
            }
        }
    )*};
}

tuples! { (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

#[cfg(test)]
mod tests {
    use super::*;

    fn round<T: Keep<f64> + PartialEq + core::fmt::Debug>(x: T) {
        let (mut words, mut ints) = (vec![0.0f64; T::WORDS], vec![0; T::INTS]);
        x.keep(&mut words, &mut ints);
        assert_eq!(T::kept(&words, &ints), x);
    }

    #[test]
    fn what_is_kept_comes_back() {
        round([usize::MAX, 3]);
        round([[-1i8, 2], [i8::MIN, 0]]);
        round(-7i64);
        round([true, false, true]);
        round(['a', '\u{1f600}']);
        round([Some((3u8, 0.5)), None, Some((0, -1.0))]);
        round((1usize, 'a', true, 2.0, [4i64, -4]));
        round((7u32, (Some(0.5), ())));
        round([[1.5, -0.25], [f64::INFINITY, 0.0]]);
        #[cfg(target_pointer_width = "64")]
        round([i128::MIN, -1, 1 << 64, i128::MAX]);
        #[cfg(target_pointer_width = "64")]
        round([u128::MAX, 1 << 100]);
    }
}
