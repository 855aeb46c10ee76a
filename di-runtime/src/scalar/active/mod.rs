//! The active number: a constant, or a value in the machine of a call.

mod convert;
mod functions;
mod machine;
mod operators;
mod thread;

use core::cmp::Ordering;
use core::num::FpCategory;

use crate::scalar::Real;

pub(crate) use machine::{Running, Values, check_losses, losses, next_number};
pub(crate) use thread::{Hosted, Operations, Thread};

use machine::stale;

/// A float of a function that is differentiated with overloaded operators: `#[overloaded]` puts it in the place of
/// each `f64` in a copy of a module.
///
/// It has the operators, methods and constants of the float. It is a constant, or it belongs to the call of the
/// function that it was computed in, and is of no use after it or on another thread. Comparisons are of values, and
/// so are casts to integers. It is not cast to a float, since the derivative would be lost.
///
/// # Examples
/// ```
/// use di_runtime::overloaded::Active;
///
/// const HALF: Active<f64> = Active::constant(0.5);
/// let x = HALF * Active::from(3.0);
/// assert!(x.max(HALF) > HALF);
/// assert_eq!(format!("{x:.2}"), "1.50");
/// ```
#[derive(Clone, Copy)]
pub struct Active<F: Real> {
    /// Of a constant.
    value: F,
    /// Number of the machine, and index there; 0 for a constant. Two words are passed in registers.
    place: u64,
}

impl<F: Real> Active<F> {
    /// A number without derivatives.
    #[inline]
    pub const fn constant(value: F) -> Self {
        Active { value, place: 0 }
    }

    /// The value of what was made by [`Active::constant`], for constants that are computed of others.
    #[doc(hidden)]
    pub const fn of_constant(self) -> F {
        self.value
    }

    /// An entry of a machine.
    #[inline]
    pub(crate) fn at(index: u32, machine: u32) -> Self {
        Active {
            value: F::default(),
            place: u64::from(machine) << 32 | u64::from(index),
        }
    }

    /// Of a constant.
    #[inline]
    pub(super) fn value(self) -> F {
        self.value
    }

    #[inline]
    pub(super) fn is_constant(self) -> bool {
        self.place == 0
    }

    /// The value, if it is a constant.
    #[cfg(feature = "num-traits")]
    pub(crate) fn known(self) -> Option<F> {
        self.is_constant().then_some(self.value)
    }

    /// In its machine, unless it is a constant.
    #[inline]
    pub(super) fn index(self) -> Option<u32> {
        (self.place != 0).then_some(self.place as u32)
    }

    /// Panics unless it is a constant or of the machine with this number.
    #[inline]
    pub(crate) fn check(self, number: u32) {
        if self.place != 0 && !self.is_of(number) {
            stale([self.machine(), number]);
        }
    }

    /// The number of its machine, 0 for a constant.
    pub(super) fn machine(self) -> u32 {
        (self.place >> 32) as u32
    }

    /// Is it of the machine with this number?
    #[inline]
    pub(super) fn is_of(self, number: u32) -> bool {
        self.place >> 32 == u64::from(number)
    }

    fn is(self, compare: impl FnOnce(&Self, &Self) -> bool, c: F) -> bool {
        compare(&self, &Active::constant(c))
    }

    /// Is it not a number?
    #[inline]
    #[allow(clippy::eq_op, reason = "NaN is not equal to itself")]
    pub fn is_nan(self) -> bool {
        self != self
    }

    /// Is it an infinity?
    pub fn is_infinite(self) -> bool {
        self.is(Self::eq, F::INFINITY) || self.is(Self::eq, -F::INFINITY)
    }

    /// Is it neither an infinity nor NaN?
    pub fn is_finite(self) -> bool {
        self.is(Self::le, F::MAX) && self.is(Self::ge, -F::MAX)
    }

    /// Is it normal: not zero, subnormal, infinite or NaN?
    pub fn is_normal(self) -> bool {
        self.is_finite()
            && (self.is(Self::ge, F::MIN_POSITIVE) || self.is(Self::le, -F::MIN_POSITIVE))
    }

    /// Is it subnormal?
    pub fn is_subnormal(self) -> bool {
        self.is(Self::lt, F::MIN_POSITIVE)
            && self.is(Self::gt, -F::MIN_POSITIVE)
            && self.is(Self::ne, F::default())
    }

    /// Its category.
    pub fn classify(self) -> FpCategory {
        if self.is_nan() {
            FpCategory::Nan
        } else if self.is_normal() {
            FpCategory::Normal
        } else if self.is(Self::eq, F::default()) {
            FpCategory::Zero
        } else if self.is_infinite() {
            FpCategory::Infinite
        } else {
            FpCategory::Subnormal
        }
    }

    /// Is its sign negative, also that of zero and NaN?
    pub fn is_sign_negative(self) -> bool {
        if self.is(Self::lt, F::default()) {
            true
        } else if self.is(Self::gt, F::default()) {
            false
        } else {
            Thread::<F>::primal(self).to_f64().is_sign_negative()
        }
    }

    /// Is its sign positive, also that of zero and NaN?
    pub fn is_sign_positive(self) -> bool {
        !self.is_sign_negative()
    }

    /// The order in which all floats have a place, zeros by their sign and NaN at the ends.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        match self.partial_cmp(other) {
            Some(Ordering::Equal) => other.is_sign_negative().cmp(&self.is_sign_negative()),
            Some(order) => order,
            None => {
                let [a, b] = [*self, *other].map(Thread::<F>::primal);
                a.to_f64().total_cmp(&b.to_f64())
            }
        }
    }
}

impl<F: Real> Default for Active<F> {
    #[inline]
    fn default() -> Self {
        Active::constant(F::default())
    }
}

/// A list of constants.
#[inline]
pub const fn array<F: Real, const N: usize>(values: [F; N]) -> [Active<F>; N] {
    slice(&values)
}

/// A table of constants.
pub const fn grid<F: Real, const M: usize, const N: usize>(
    values: [[F; M]; N],
) -> [[Active<F>; M]; N] {
    let mut all = [[Active::constant(F::NAN); M]; N];
    let mut k = 0;
    while k < N {
        all[k] = slice(&values[k]);
        k += 1;
    }
    all
}

/// A slice of constants, `N` of them.
///
/// # Panics
/// If there are not as many.
pub const fn slice<F: Real, const N: usize>(values: &[F]) -> [Active<F>; N] {
    assert!(values.len() == N, "expected as many constants as there are");
    let mut all = [Active::constant(F::NAN); N];
    let mut k = 0;
    while k < N {
        all[k] = Active::constant(values[k]);
        k += 1;
    }
    all
}
