//! Dual numbers: a value and `K` tangents, and their arithmetic.
//!
//! The value is any scalar, so dual numbers nest: `Dual<Dual<f64, K>, L>` carries second
//! derivatives. Each level is a type of its own, so tangents of different levels cannot be confused.

use std::cmp::Ordering;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use crate::scalar::{Lanes, Scalar, Zero, partials};

/// A number with `K` directional derivatives.
///
/// Comparisons look at the value alone.
#[derive(Clone, Copy, Debug)]
pub struct Dual<S, const K: usize> {
    /// The number.
    pub value: S,
    /// Its derivative in each of the `K` directions.
    pub tangents: [S; K],
}

impl<S: Scalar, const K: usize> Dual<S, K> {
    /// A number with given tangents.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(value: S, tangents: [S; K]) -> Self {
        Dual { value, tangents }
    }

    /// A number that does not vary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn constant(value: S) -> Self {
        Dual {
            value,
            tangents: Zero::zero(),
        }
    }

    /// An input whose derivative in direction `k` is one.
    ///
    /// # Panics
    /// If `k` is not less than `K`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn variable(value: S, k: usize) -> Self {
        let mut x = Dual::constant(value);
        x.tangents[k] = partials::one();
        x
    }
}

impl<S: Scalar, const K: usize> Default for Dual<S, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn default() -> Self {
        Dual::constant(S::default())
    }
}

impl<S: Scalar, const K: usize> Add for Dual<S, K> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, o: Self) -> Self {
        Dual {
            value: self.value + o.value,
            tangents: Lanes::add(self.tangents, o.tangents),
        }
    }
}

impl<S: Scalar, const K: usize> Sub for Dual<S, K> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, o: Self) -> Self {
        Dual {
            value: self.value - o.value,
            tangents: Lanes::sub(self.tangents, o.tangents),
        }
    }
}

impl<S: Scalar, const K: usize> Mul for Dual<S, K> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mul(self, o: Self) -> Self {
        let mut tangents = self.tangents;
        for (dx, dy) in tangents.iter_mut().zip(o.tangents) {
            *dx = *dx * o.value + self.value * dy;
        }
        Dual {
            value: self.value * o.value,
            tangents,
        }
    }
}

impl<S: Scalar, const K: usize> Div for Dual<S, K> {
    type Output = Self;

    /// One reciprocal for all tangents.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn div(self, o: Self) -> Self {
        let value = self.value / o.value;
        let reciprocal = partials::div::d0(self.value, o.value, value);
        let mut tangents = self.tangents;
        for (dx, dy) in tangents.iter_mut().zip(o.tangents) {
            *dx = (*dx - dy * value) * reciprocal;
        }
        Dual { value, tangents }
    }
}

impl<S: Scalar, const K: usize> Rem for Dual<S, K> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rem(self, o: Self) -> Self {
        let value = self.value % o.value;
        let by_divisor = partials::rem::d1(self.value, o.value, value);
        Dual {
            value,
            tangents: Lanes::add(self.tangents, o.tangents.scale(by_divisor)),
        }
    }
}

impl<S: Scalar, const K: usize> Neg for Dual<S, K> {
    type Output = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(self) -> Self {
        Dual {
            value: -self.value,
            tangents: Lanes::neg(self.tangents),
        }
    }
}

macro_rules! assign {
    ($($assign:ident $method:ident $op:tt;)*) => {$(
        impl<S: Scalar, const K: usize> $assign for Dual<S, K> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(&mut self, o: Self) {
                *self = *self $op o;
            }
        }
    )*};
}
assign! {
    AddAssign add_assign +;
    SubAssign sub_assign -;
    MulAssign mul_assign *;
    DivAssign div_assign /;
    RemAssign rem_assign %;
}

impl<S: Scalar + PartialEq, const K: usize> PartialEq for Dual<S, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn eq(&self, o: &Self) -> bool {
        self.value == o.value
    }
}

impl<S: Scalar + PartialOrd, const K: usize> PartialOrd for Dual<S, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&o.value)
    }
}
