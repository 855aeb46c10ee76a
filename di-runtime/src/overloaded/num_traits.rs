//! The traits of `num-traits`, for functions that are generic over them.
//!
//! No conversion to a float has a result, since its derivative would be lost.

use core::num::FpCategory;

use num_traits::ops::euclid::Euclid;
use num_traits::ops::inv::Inv;
use num_traits::ops::mul_add::{MulAdd, MulAddAssign};
use num_traits::{
    AsPrimitive, Bounded, ConstOne, ConstZero, Float, FloatConst, FromPrimitive, Num, NumCast, One,
    Pow, Signed, ToPrimitive, Zero,
};

use std::cell::Cell;

use super::{Active, Cast, Lift};
use crate::scalar::Real;
use crate::scalar::active::{Operations, Thread};

impl<F: Real + ConstZero> Zero for Active<F> {
    fn zero() -> Self {
        Self::ZERO
    }
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }
}

impl<F: Real + ConstZero> ConstZero for Active<F> {
    const ZERO: Self = Active::constant(F::ZERO);
}

impl<F: Real + ConstOne> One for Active<F> {
    fn one() -> Self {
        Self::ONE
    }
}

impl<F: Real + ConstOne> ConstOne for Active<F> {
    const ONE: Self = Active::constant(F::ONE);
}

impl<F: Real> Inv for Active<F> {
    type Output = Self;
    fn inv(self) -> Self {
        self.recip()
    }
}

impl<F: Real> MulAdd for Active<F> {
    type Output = Self;
    fn mul_add(self, a: Self, b: Self) -> Self {
        Active::mul_add(self, a, b)
    }
}

impl<F: Real> MulAddAssign for Active<F> {
    fn mul_add_assign(&mut self, a: Self, b: Self) {
        *self = Active::mul_add(*self, a, b);
    }
}

impl<F: Real> Euclid for Active<F> {
    fn div_euclid(&self, o: &Self) -> Self {
        Active::div_euclid(*self, *o)
    }
    fn rem_euclid(&self, o: &Self) -> Self {
        Active::rem_euclid(*self, *o)
    }
}

impl<F: Real> Pow<Active<F>> for Active<F> {
    type Output = Self;
    fn pow(self, p: Self) -> Self {
        self.powf(p)
    }
}

macro_rules! powers {
    ($($int:ident)*) => {$(
        impl<F: Real> Pow<$int> for Active<F> {
            type Output = Self;
            fn pow(self, n: $int) -> Self {
                self.powi(n.into())
            }
        }
    )*};
}
powers! { i8 u8 i16 u16 i32 }

#[cfg(feature = "ndarray")]
impl<F: Real> ndarray::ScalarOperand for Active<F> {}

/// `T::from(x)` of an active number `x`: num-traits asks it for a float, and with that it gives itself.
trait Handed: Real {
    /// Where the number is given.
    fn slot<T>(run: impl FnOnce(&Slot<Self>) -> T) -> T;

    /// Asks for a float, and returns the number that was given with it, and the float that was given.
    fn during<T>(ask: impl FnOnce() -> T) -> (T, Option<(Active<Self>, Self)>) {
        let before = Self::slot(|slot| slot.replace(Asked::Yes));
        let value = ask();
        match Self::slot(|slot| slot.replace(before)) {
            Asked::Given(number, given) => (value, Some((number, given))),
            Asked::No | Asked::Yes => (value, None),
        }
    }

    /// The float of a constant, or of a number that is asked for.
    fn give(number: Active<Self>) -> Self {
        if let Some(value) = number.known() {
            return value;
        }
        if Self::slot(|slot| matches!(slot.get(), Asked::No)) {
            lost();
        }
        let value = Thread::<Self>::primal(number);
        Self::slot(|slot| slot.set(Asked::Given(number, value)));
        value
    }
}

/// A float of a number that has a derivative.
#[cold]
fn lost() -> ! {
    panic!(
        "num-traits was asked to make a float of a number that is differentiated, and its derivative would be lost: \
         compute with `T`, and convert by `T::from(x)`"
    )
}

type Slot<F> = Cell<Asked<F>>;

/// Whether a number is asked for.
#[derive(Clone, Copy)]
enum Asked<F: Real> {
    No,
    Yes,
    Given(Active<F>, F),
}

/// Methods of a trait that are those of the type.
macro_rules! forward {
    ($($name:ident($($x:ident),*) -> $result:ty;)*) => {$(
        fn $name(self $(, $x: Self)*) -> $result {
            Active::$name(self $(, $x)*)
        }
    )*};
}

macro_rules! float {
    ($float:ident) => {
        impl Num for Active<$float> {
            type FromStrRadixErr = <$float as Num>::FromStrRadixErr;
            fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
                <$float as Num>::from_str_radix(text, radix).map(Active::constant)
            }
        }

        impl Bounded for Active<$float> {
            fn min_value() -> Self {
                Self::MIN
            }
            fn max_value() -> Self {
                Self::MAX
            }
        }

        float!(@to $float: to_isize isize, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_i128 i128,
            to_usize usize, to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_u128 u128);
        float!(@from $float: from_isize isize, from_i8 i8, from_i16 i16, from_i32 i32, from_i64 i64,
            from_i128 i128, from_usize usize, from_u8 u8, from_u16 u16, from_u32 u32, from_u64 u64,
            from_u128 u128, from_f32 f32, from_f64 f64);
        float!(@as $float: isize i8 i16 i32 i64 i128 usize u8 u16 u32 u64 u128);

        impl AsPrimitive<Active<$float>> for Active<$float> {
            fn as_(self) -> Self {
                self
            }
        }

        impl AsPrimitive<Active<$float>> for f32 {
            fn as_(self) -> Active<$float> {
                self.lift()
            }
        }

        impl AsPrimitive<Active<$float>> for f64 {
            fn as_(self) -> Active<$float> {
                self.lift()
            }
        }

        impl NumCast for Active<$float> {
            fn from<T: ToPrimitive>(n: T) -> Option<Self> {
                let (value, handed) = <$float as Handed>::during(|| <$float as NumCast>::from(n));
                match (handed, value) {
                    (None, value) => value.map(Active::constant),
                    (Some((number, given)), Some(value)) if value.to_bits() == given.to_bits() => {
                        Some(number)
                    }
                    (Some(_), _) => lost(),
                }
            }
        }

        impl Handed for $float {
            fn slot<T>(run: impl FnOnce(&Slot<Self>) -> T) -> T {
                thread_local! {
                    static SLOT: Slot<$float> = const { Cell::new(Asked::No) };
                }
                SLOT.with(run)
            }
        }

        impl Signed for Active<$float> {
            fn abs(&self) -> Self {
                Active::abs(*self)
            }
            fn abs_sub(&self, o: &Self) -> Self {
                Active::abs_sub(*self, *o)
            }
            fn signum(&self) -> Self {
                Active::signum(*self)
            }
            fn is_positive(&self) -> bool {
                self.is_sign_positive()
            }
            fn is_negative(&self) -> bool {
                self.is_sign_negative()
            }
        }

        impl Float for Active<$float> {
            fn nan() -> Self {
                Self::NAN
            }
            fn infinity() -> Self {
                Self::INFINITY
            }
            fn neg_infinity() -> Self {
                Self::NEG_INFINITY
            }
            fn neg_zero() -> Self {
                Active::constant(-0.0)
            }
            fn min_value() -> Self {
                Self::MIN
            }
            fn min_positive_value() -> Self {
                Self::MIN_POSITIVE
            }
            fn epsilon() -> Self {
                Self::EPSILON
            }
            fn max_value() -> Self {
                Self::MAX
            }
            fn powi(self, n: i32) -> Self {
                Active::powi(self, n)
            }
            fn integer_decode(self) -> (u64, i16, i8) {
                Thread::<$float>::primal(self).integer_decode()
            }

            forward! {
                is_nan() -> bool; is_infinite() -> bool; is_finite() -> bool; is_normal() -> bool;
                is_subnormal() -> bool; is_sign_positive() -> bool; is_sign_negative() -> bool;
                classify() -> FpCategory; sin_cos() -> (Self, Self);
                floor() -> Self; ceil() -> Self; round() -> Self; trunc() -> Self; fract() -> Self;
                abs() -> Self; signum() -> Self; recip() -> Self; sqrt() -> Self; cbrt() -> Self;
                exp() -> Self; exp2() -> Self; exp_m1() -> Self;
                ln() -> Self; log2() -> Self; log10() -> Self; ln_1p() -> Self;
                to_degrees() -> Self; to_radians() -> Self;
                sin() -> Self; cos() -> Self; tan() -> Self; asin() -> Self; acos() -> Self; atan() -> Self;
                sinh() -> Self; cosh() -> Self; tanh() -> Self; asinh() -> Self; acosh() -> Self; atanh() -> Self;
                powf(p) -> Self; log(base) -> Self; max(o) -> Self; min(o) -> Self; abs_sub(o) -> Self;
                hypot(o) -> Self; atan2(o) -> Self; copysign(sign) -> Self;
                mul_add(a, b) -> Self; clamp(low, high) -> Self;
            }
        }
    };
    (@to $float:ident: $($to:ident $int:ident),*) => {
        /// To integers, and of constants to floats. Of other numbers the derivative would be lost, so they panic: but
        /// `T::from(x)`, which asks for the float of `x`, is `x`.
        impl ToPrimitive for Active<$float> {
            $(fn $to(&self) -> Option<$int> {
                Thread::<$float>::integer(*self).$to()
            })*
            fn to_f32(&self) -> Option<f32> {
                float!(@give $float f32 self)
            }
            fn to_f64(&self) -> Option<f64> {
                float!(@give $float f64 self)
            }
        }
    };
    (@give f32 f32 $number:ident) => { Some(f32::give(*$number)) };
    (@give f64 f64 $number:ident) => { Some(f64::give(*$number)) };
    (@give $float:ident $to:ident $number:ident) => {
        match $number.known() {
            Some(value) => Some(value as $to),
            None => lost(),
        }
    };
    (@from $float:ident: $($from:ident $int:ident),*) => {
        impl FromPrimitive for Active<$float> {
            $(fn $from(n: $int) -> Option<Self> {
                Some(n.lift())
            })*
        }
    };
    (@as $float:ident: $($int:ident)*) => {$(
        impl AsPrimitive<$int> for Active<$float> {
            fn as_(self) -> $int {
                self.cast()
            }
        }

        impl AsPrimitive<Active<$float>> for $int {
            fn as_(self) -> Active<$float> {
                self.lift()
            }
        }
    )*};
}
float!(f64);
float!(f32);

macro_rules! constants {
    ($($name:ident)*) => {
        impl FloatConst for Active<f64> {
            $(fn $name() -> Self {
                super::f64::consts::$name
            })*
        }

        impl FloatConst for Active<f32> {
            $(fn $name() -> Self {
                super::f32::consts::$name
            })*
        }
    };
}
constants! {
    PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2 FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
    FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI FRAC_1_SQRT_2
}
