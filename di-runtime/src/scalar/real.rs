//! The floats themselves as scalars: everything forwards to std.

use std::fmt::{Display, LowerExp};

use crate::scalar::active::Hosted;
use crate::scalar::{Rule, Scalar, Shape};
use crate::sealed::Sealed;

/// The float types a user writes: `f64` and `f32`. The trait is sealed.
pub trait Real:
    Sealed + Hosted + Scalar<Real = Self> + PartialOrd + Display + LowerExp + Sync
{
    /// Distance from 1 to the next larger float.
    const EPSILON: Self;
    /// Smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// Largest finite number.
    const MAX: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Not a number.
    const NAN: Self;

    /// The nearest float of this type.
    fn from_f64(c: f64) -> Self;
    /// The same number, as `f64`.
    fn to_f64(self) -> f64;

    /// The float of what holds parts of this one and of `R`. What has no floats says `f64`.
    #[doc(hidden)]
    type Or<R: Real>: Real;
    /// A container of these floats as one of floats `R`, which are the same.
    #[doc(hidden)]
    fn retyped<C: Shape, R: Real>(x: C::Of<Self>) -> C::Of<R>;
    /// A container of `f64`, if this is `f64`.
    #[doc(hidden)]
    fn of_f64<C: Shape>(x: C::Of<f64>) -> C::Of<Self>;
    /// A container of `f32`, if this is `f32`.
    #[doc(hidden)]
    fn of_f32<C: Shape>(x: C::Of<f32>) -> C::Of<Self>;
}

macro_rules! float_methods {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(deprecated, reason = "abs_sub is a row as long as std has it")]
            fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
                // the inherent method, which wins over the trait's
                Self::$name(self $(, $b)* $(, $n)?)
            }
        )*
    };
}

macro_rules! float {
    ($float:ident, $or:ty, $own:ident, $other:ident $not:ident) => {
        impl Sealed for $float {}

        impl Real for $float {
            const EPSILON: Self = $float::EPSILON;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const MAX: Self = $float::MAX;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_f64(c: f64) -> Self {
                c as $float
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            type Or<R: Real> = $or;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn retyped<C: Shape, R: Real>(x: C::Of<Self>) -> C::Of<R> {
                R::$own::<C>(x)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $own<C: Shape>(x: C::Of<Self>) -> C::Of<Self> {
                x
            }
            fn $not<C: Shape>(_: C::Of<$other>) -> C::Of<Self> {
                unreachable!("floats of one type")
            }
        }

        impl Scalar for $float {
            type Real = $float;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_real(c: Self) -> Self {
                c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn primal(self) -> Self {
                self
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_zero(self) -> bool {
                self == 0.0
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn vanishes(self) -> bool {
                self == 0.0
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mul_strong(self, o: Self) -> Self {
                if self == 0.0 { 0.0 } else { self * o }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add_real(self, c: Self) -> Self {
                self + c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sub_real(self, c: Self) -> Self {
                self - c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mul_real(self, c: Self) -> Self {
                self * c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn div_real(self, c: Self) -> Self {
                self / c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rem_real(self, c: Self) -> Self {
                self % c
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn real_sub(c: Self, x: Self) -> Self {
                c - x
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn real_div(c: Self, x: Self) -> Self {
                c / x
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn real_rem(c: Self, x: Self) -> Self {
                c % x
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lt(self, o: Self) -> bool {
                self < o
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn le(self, o: Self) -> bool {
                self <= o
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn gt(self, o: Self) -> bool {
                self > o
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn ge(self, o: Self) -> bool {
                self >= o
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn eq(self, o: Self) -> bool {
                self == o
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn ne(self, o: Self) -> bool {
                self != o
            }

            #[inline]
            fn call_rule<R: Rule<Self, N, M>, const N: usize, const M: usize>(
                rule: &R,
                x: [&[Self]; N],
                y: [&mut [Self]; M],
            ) {
                rule.primal(x, y);
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn same<C: Shape>(x: C::Of<Self>) -> Result<C::Of<Self>, C::Of<Self>> {
                Ok(x)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sin_cos(self) -> (Self, Self) {
                $float::sin_cos(self)
            }

            di_elementary::elementary!(float_methods);
        }
    };
}

float!(f64, R, of_f64, f32 of_f32);
float!(f32, f32, of_f32, f64 of_f64);
