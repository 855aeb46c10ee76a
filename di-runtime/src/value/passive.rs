//! What a derived struct holds beside the floats that are differentiated, as a tape can hold it.

use crate::scalar::{Real, Scalar};

/// Integers, bools, chars, constant floats, and arrays of these.
pub trait Keep<R: Real>: Clone {
    /// Floats on a tape.
    const WORDS: usize;
    /// Integers on a tape.
    const INTS: usize;

    /// Whatever stands where nothing was stored yet.
    fn zero() -> Self;
    /// Puts it on a tape.
    fn keep<S: Scalar<Real = R>>(&self, words: &mut [S], ints: &mut [usize]);
    /// Takes it from a tape.
    fn kept<S: Scalar<Real = R>>(words: &[S], ints: &[usize]) -> Self;
}

macro_rules! integers {
    ($($int:ident)*) => {$(
        impl<R: Real> Keep<R> for $int {
            const WORDS: usize = 0;
            const INTS: usize = 1;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $int {
                0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar<Real = R>>(&self, _: &mut [S], ints: &mut [usize]) {
                ints[0] = *self as usize;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar<Real = R>>(_: &[S], ints: &[usize]) -> $int {
                ints[0] as $int
            }
        }
    )*};
}

integers!(usize isize u8 u16 u32 u64 i8 i16 i32 i64);

macro_rules! wide {
    ($($int:ident)*) => {$(
        impl<R: Real> Keep<R> for $int {
            const WORDS: usize = 0;
            const INTS: usize = 2;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $int {
                0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar<Real = R>>(&self, _: &mut [S], ints: &mut [usize]) {
                ints[0] = *self as usize;
                ints[1] = (*self >> usize::BITS) as usize;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar<Real = R>>(_: &[S], ints: &[usize]) -> $int {
                ints[0] as $int | (ints[1] as $int) << usize::BITS
            }
        }
    )*};
}

// on targets with indices of 64 bits
#[cfg(target_pointer_width = "64")]
wide!(u128 i128);

impl<R: Real> Keep<R> for bool {
    const WORDS: usize = 0;
    const INTS: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> bool {
        false
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar<Real = R>>(&self, _: &mut [S], ints: &mut [usize]) {
        ints[0] = usize::from(*self);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar<Real = R>>(_: &[S], ints: &[usize]) -> bool {
        ints[0] != 0
    }
}

impl<R: Real> Keep<R> for char {
    const WORDS: usize = 0;
    const INTS: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> char {
        '\0'
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keep<S: Scalar<Real = R>>(&self, _: &mut [S], ints: &mut [usize]) {
        ints[0] = *self as usize;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kept<S: Scalar<Real = R>>(_: &[S], ints: &[usize]) -> char {
        char::from_u32(ints[0] as u32).unwrap_or_default()
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Keep<$float> for $float {
            const WORDS: usize = 1;
            const INTS: usize = 0;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero() -> $float {
                0.0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar<Real = $float>>(&self, words: &mut [S], _: &mut [usize]) {
                words[0] = S::from_real(*self);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar<Real = $float>>(words: &[S], _: &[usize]) -> $float {
                words[0].primal()
            }
        }
    )*};
}

floats!(f64 f32);

impl<R: Real, T: Keep<R>, const N: usize> Keep<R> for [T; N] {
    const WORDS: usize = N * T::WORDS;
    const INTS: usize = N * T::INTS;

    #[inline]
    fn zero() -> [T; N] {
        core::array::from_fn(|_| T::zero())
    }
    #[inline]
    fn keep<S: Scalar<Real = R>>(&self, words: &mut [S], ints: &mut [usize]) {
        for (k, item) in self.iter().enumerate() {
            item.keep(
                &mut words[k * T::WORDS..][..T::WORDS],
                &mut ints[k * T::INTS..][..T::INTS],
            );
        }
    }
    #[inline]
    fn kept<S: Scalar<Real = R>>(words: &[S], ints: &[usize]) -> [T; N] {
        core::array::from_fn(|k| {
            T::kept(
                &words[k * T::WORDS..][..T::WORDS],
                &ints[k * T::INTS..][..T::INTS],
            )
        })
    }
}

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
        round([[1.5, -0.25], [f64::INFINITY, 0.0]]);
        #[cfg(target_pointer_width = "64")]
        round([i128::MIN, -1, 1 << 64, i128::MAX]);
        #[cfg(target_pointer_width = "64")]
        round([u128::MAX, 1 << 100]);
    }
}
