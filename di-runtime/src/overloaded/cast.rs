//! `as` in copies of functions: to the float it lifts, to other primitive types it casts.

use super::Active;
use crate::scalar::Real;
use crate::scalar::active::{Operations, Thread};

/// What `as f64` takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be cast to a float",
    note = "integers and floats can; of an enum, cast to an integer first"
)]
pub trait Lift<F: Real> {
    /// As an active number.
    fn lift(self) -> Active<F>;
}

/// `value as f64`, as an active number.
#[inline]
pub fn lift<F: Real, T: Lift<F>>(value: T) -> Active<F> {
    value.lift()
}

impl<F: Real> Lift<F> for Active<F> {
    #[inline]
    fn lift(self) -> Active<F> {
        self
    }
}

/// What has bits: floats, and references to them.
pub trait Bits {
    /// As an integer.
    type Bits;
    /// The bits of the value, at which the engine notes that it is looked.
    fn as_key(&self) -> Self::Bits;
}

/// `value.to_bits()`
#[inline]
pub fn bits<T: Bits>(value: &T) -> T::Bits {
    value.as_key()
}

impl<T: Bits> Bits for &T {
    type Bits = T::Bits;
    #[inline]
    fn as_key(&self) -> T::Bits {
        T::as_key(self)
    }
}

macro_rules! of_floats {
    ($float:ident, $bits:ident) => {
        impl Bits for $float {
            type Bits = $bits;
            #[inline]
            fn as_key(&self) -> $bits {
                self.to_bits()
            }
        }

        impl Bits for Active<$float> {
            type Bits = $bits;
            #[inline]
            fn as_key(&self) -> $bits {
                Thread::<$float>::primal(*self).to_bits()
            }
        }
    };
}
of_floats!(f32, u32);
of_floats!(f64, u64);

/// What `as` takes, to another primitive type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be cast to `{T}` with `as` in an overloaded function",
    label = "no such cast",
    note = "a float that may depend on inputs is not cast to a float of another type, since its derivative would be lost"
)]
pub trait Cast<T> {
    /// The value of that type.
    fn cast(self) -> T;
}

/// `value as T`
#[inline]
pub fn cast<T, U: Cast<T>>(value: U) -> T {
    value.cast()
}

macro_rules! casts {
    ($($from:ident)* => $to:tt) => {
        $(casts!(@ $from => $to);)*
    };
    (@ $from:ident => ($($to:ident)*)) => {$(
        impl Cast<$to> for $from {
            #[inline]
            #[allow(clippy::unnecessary_cast, reason = "all pairs of types")]
            fn cast(self) -> $to {
                self as $to
            }
        }
    )*};
}
casts!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f64 f32 =>
    (i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f64 f32));
casts!(bool char => (i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize));
casts!(bool => (bool));
casts!(char u8 => (char));

macro_rules! lifts {
    ($float:ident from $($from:ident)*) => {$(
        impl Lift<$float> for $from {
            #[inline]
            #[allow(clippy::unnecessary_cast, reason = "all pairs of types")]
            fn lift(self) -> Active<$float> {
                Active::constant(self as $float)
            }
        }
    )*};
}
lifts!(f64 from i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f64 f32);
lifts!(f32 from i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f64 f32);

macro_rules! integers {
    ($float:ident to $($to:ident)*) => {$(
        impl Cast<$to> for Active<$float> {
            #[inline]
            fn cast(self) -> $to {
                Thread::<$float>::integer(self) as $to
            }
        }
    )*};
}
integers!(f64 to i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
integers!(f32 to i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// Casts of an enum without fields to integers.
#[doc(hidden)]
#[macro_export]
macro_rules! castable {
    ($ty:path) => {
        $crate::castable! { @($ty) i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
    };
    (@$ty:tt $($to:ident)*) => {
        $($crate::castable! { @to $ty $to })*
    };
    (@to ($ty:path) $to:ident) => {
        impl $crate::overloaded::Cast<$to> for $ty {
            #[inline]
            fn cast(self) -> $to {
                self as $to
            }
        }
    };
}
