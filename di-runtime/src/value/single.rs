//! A number in the place of a derived struct: what a call gives where rustc alone knows whether it is one.
//!
//! Generated code reaches it by what a function returns, never by a name that a user wrote.

use super::outcome::OfFloats;
use super::{Differentiable, Entry, Family, Number};
use crate::context::Snapshot;
use crate::generated::{Lend, LentMut, LentRef};
use crate::scalar::Scalar;

macro_rules! single {
    ($($real:ty)*) => {$(
        impl Differentiable for $real {
            type Real = $real;
            type Fields = Number;
            type View<'a, S: Entry> = S;
            type Lanes<T: Entry> = T;
            type Of<S: Entry> = S;

            const NAMES: &'static [&'static str] = &[];
            const FIXED: bool = true;
            const HELD: bool = true;
            const WORDS: usize = 1;
            const INTS: usize = 0;

            fn constants<T: Entry>(_: T, _: &mut Snapshot) {}
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view(&self) -> $real {
                *self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn assemble<T: Entry, U: Entry>(lanes: &T, _: U) -> T {
                *lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(view: T) -> T {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values<T: Entry>(view: Self::View<'_, T>) -> <Number as Family>::Ref<'_, T> {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields<T: Entry>(lanes: &T) -> &T {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields_mut<T: Entry>(lanes: &mut T) -> &mut T {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_fields<T: Entry>(fields: T) -> T {
                fields
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rebuild(&self, lanes: &$real) -> $real {
                *lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn write(&mut self, lanes: &$real) {
                *self = *lanes;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &S) -> S {
                *of
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar>(view: S) -> S {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar>() -> S {
                S::default()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn keep<S: Scalar>(view: S, words: &mut [S], _: &mut [usize]) {
                words[0] = view;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn kept<S: Scalar>(words: &[S], _: &[usize]) -> S {
                words[0]
            }
        }

        impl<R> OfFloats<R> for $real {
            fn made(lanes: $real) -> $real {
                lanes
            }
        }
    )*};
}
single!(f64 f32);

impl<S: Scalar> Lend for S {
    type Lent<'a> = S;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lend(&self) -> S {
        *self
    }
}

impl<'a, S: Scalar> LentMut<'a, S> for S {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_mut(number: &'a mut S) -> S {
        *number
    }
}

impl<S: Scalar> LentRef<S> for S {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_ref(number: S) -> S {
        number
    }
}
