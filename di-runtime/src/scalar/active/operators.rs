//! Operators, comparisons and sums of active numbers, by value and by reference as floats have them.

use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use super::Active;
use super::thread::{Operations, Thread};
use crate::scalar::Real;

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<F: Real> $trait for Active<F> {
            type Output = Self;
            #[inline]
            fn $method(self, o: Self) -> Self {
                Thread::<F>::$method(self, o)
            }
        }

        impl<F: Real> $trait<&Active<F>> for Active<F> {
            type Output = Active<F>;
            #[inline]
            fn $method(self, o: &Active<F>) -> Active<F> {
                $trait::$method(self, *o)
            }
        }

        impl<F: Real> $trait<Active<F>> for &Active<F> {
            type Output = Active<F>;
            #[inline]
            fn $method(self, o: Active<F>) -> Active<F> {
                $trait::$method(*self, o)
            }
        }

        impl<F: Real> $trait<&Active<F>> for &Active<F> {
            type Output = Active<F>;
            #[inline]
            fn $method(self, o: &Active<F>) -> Active<F> {
                $trait::$method(*self, *o)
            }
        }

        impl<F: Real> $assign for Active<F> {
            #[inline]
            fn $assign_method(&mut self, o: Self) {
                *self = $trait::$method(*self, o);
            }
        }

        impl<F: Real> $assign<&Active<F>> for Active<F> {
            #[inline]
            fn $assign_method(&mut self, o: &Active<F>) {
                *self = $trait::$method(*self, *o);
            }
        }
    )*};
}
operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
    Rem rem RemAssign rem_assign;
}

impl<F: Real> Neg for Active<F> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Thread::<F>::neg(self)
    }
}

impl<F: Real> Neg for &Active<F> {
    type Output = Active<F>;
    #[inline]
    fn neg(self) -> Active<F> {
        -*self
    }
}

macro_rules! comparisons {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(&self, o: &Self) -> bool {
            Thread::<F>::$name(*self, *o)
        }
    )*};
}

#[allow(clippy::partialeq_ne_impl, reason = "engines tell the two apart")]
impl<F: Real> PartialEq for Active<F> {
    comparisons! { eq ne }
}

impl<F: Real> PartialOrd for Active<F> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        if self < o {
            Some(Ordering::Less)
        } else if self > o {
            Some(Ordering::Greater)
        } else if self == o {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    comparisons! { lt le gt ge }
}

/// The first number is not added to a constant, which would be an operation more.
fn fold<F: Real>(
    mut numbers: impl Iterator<Item = Active<F>>,
    empty: f64,
    operator: fn(Active<F>, Active<F>) -> Active<F>,
) -> Active<F> {
    match numbers.next() {
        Some(first) => numbers.fold(first, operator),
        None => Active::constant(F::from_f64(empty)),
    }
}

impl<F: Real> Sum for Active<F> {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        fold(numbers, [0.0_f64; 0].iter().sum(), Add::add)
    }
}

impl<'a, F: Real> Sum<&'a Active<F>> for Active<F> {
    fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
        numbers.copied().sum()
    }
}

impl<F: Real> Product for Active<F> {
    fn product<I: Iterator<Item = Self>>(numbers: I) -> Self {
        fold(numbers, 1.0, Mul::mul)
    }
}

impl<'a, F: Real> Product<&'a Active<F>> for Active<F> {
    fn product<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
        numbers.copied().product()
    }
}
