//! Active numbers from others and from text, as text, and the constants of their type.

use core::fmt::{self, Debug, Display, Formatter, LowerExp, UpperExp};
use core::num::ParseFloatError;
use core::str::FromStr;

use super::Active;
use super::thread::{Operations, Thread};
use crate::scalar::Real;

/// What is printed for a number whose value is not known.
const UNKNOWN: &str = "?";

macro_rules! text {
    ($($trait:ident)*) => {$(
        impl<F: Real + $trait> $trait for Active<F> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                match Thread::<F>::shown(*self) {
                    Some(value) => $trait::fmt(&value, f),
                    None => f.pad(UNKNOWN),
                }
            }
        }
    )*};
}
text! { Debug Display LowerExp UpperExp }

impl<F: Real> From<F> for Active<F> {
    #[inline]
    fn from(value: F) -> Self {
        Active::constant(value)
    }
}

macro_rules! float {
    ($float:ident from $($other:ident)*) => {
        $(
            impl From<$other> for Active<$float> {
                #[inline]
                fn from(value: $other) -> Self {
                    Active::constant($float::from(value))
                }
            }
        )*

        impl FromStr for Active<$float> {
            type Err = ParseFloatError;
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                text.parse().map(Active::constant)
            }
        }

        impl Active<$float> {
            /// Distance from 1 to the next larger float.
            pub const EPSILON: Self = Active::constant($float::EPSILON);
            /// Smallest finite number.
            pub const MIN: Self = Active::constant($float::MIN);
            /// Smallest positive normal number.
            pub const MIN_POSITIVE: Self = Active::constant($float::MIN_POSITIVE);
            /// Largest finite number.
            pub const MAX: Self = Active::constant($float::MAX);
            /// Infinity.
            pub const INFINITY: Self = Active::constant($float::INFINITY);
            /// Negative infinity.
            pub const NEG_INFINITY: Self = Active::constant($float::NEG_INFINITY);
            /// Not a number.
            pub const NAN: Self = Active::constant($float::NAN);
            /// Base of the representation.
            pub const RADIX: u32 = $float::RADIX;
            /// Significant digits in base 2.
            pub const MANTISSA_DIGITS: u32 = $float::MANTISSA_DIGITS;
            /// Significant digits in base 10.
            pub const DIGITS: u32 = $float::DIGITS;
            /// One more than the least exponent of normal numbers.
            pub const MIN_EXP: i32 = $float::MIN_EXP;
            /// One more than the largest exponent.
            pub const MAX_EXP: i32 = $float::MAX_EXP;
            /// Least exponent of 10 that is normal.
            pub const MIN_10_EXP: i32 = $float::MIN_10_EXP;
            /// Largest exponent of 10.
            pub const MAX_10_EXP: i32 = $float::MAX_10_EXP;
        }
    };
}
float!(f64 from i8 i16 i32 u8 u16 u32 f32 bool);
float!(f32 from i8 i16 u8 u16 bool);
