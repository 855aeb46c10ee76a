//! What a tracer knows of its value: nothing, or all of it.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::scalar::{PrimalAnswers, Real, Rule};

/// A value, or the lack of one.
pub trait Knowledge: Copy + Debug + Default + Send + 'static {
    /// The float type.
    type Real: Real;
    /// Are values known, so that they can be compared?
    const COMPARES: bool;

    /// Of a passive value.
    fn of(c: Self::Real) -> Self;
    /// The value; without one, a typed error is noted.
    fn primal(self) -> Self::Real;
    /// Is the value known to be zero?
    fn is_known_zero(self) -> bool;
    /// May the value be zero?
    fn may_be_zero(self) -> bool;
    /// Of a function of it.
    fn map(self, f: impl FnOnce(Self::Real) -> Self::Real) -> Self;
    /// Of a function of two.
    fn map2(self, b: Self, f: impl FnOnce(Self::Real, Self::Real) -> Self::Real) -> Self;
    /// Of a function of three.
    fn map3(
        self,
        b: Self,
        c: Self,
        f: impl FnOnce(Self::Real, Self::Real, Self::Real) -> Self::Real,
    ) -> Self;
    /// Answers a comparison; without values, a typed error is noted.
    fn compare(
        a: Self,
        b: Self,
        operation: &'static str,
        compare: impl FnOnce(&Self::Real, &Self::Real) -> bool,
    ) -> bool;
    /// Which arguments of a function of this name have a derivative at the point: all that may.
    fn chosen(name: &str, x: [Self; 3]) -> [bool; 3];
    /// Values of a rule.
    fn call<T: Rule<Self::Real, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: &[Vec<Self>; N],
        y: &mut [Vec<Self>; M],
    );
}

/// No value is known: what is traced holds at every point.
#[derive(Clone, Copy, Debug)]
pub struct Unknown<R>(PhantomData<fn() -> R>);

impl<R> Default for Unknown<R> {
    fn default() -> Self {
        Unknown(PhantomData)
    }
}

impl<R: Real> Knowledge for Unknown<R> {
    type Real = R;
    const COMPARES: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(_: R) -> Self {
        Unknown::default()
    }
    fn primal(self) -> R {
        R::from_f64(PrimalAnswers::value())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_known_zero(self) -> bool {
        false
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_be_zero(self) -> bool {
        true
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map(self, _: impl FnOnce(R) -> R) -> Self {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map2(self, _: Self, _: impl FnOnce(R, R) -> R) -> Self {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map3(self, _: Self, _: Self, _: impl FnOnce(R, R, R) -> R) -> Self {
        self
    }
    fn compare(_: Self, _: Self, operation: &'static str, _: impl FnOnce(&R, &R) -> bool) -> bool {
        PrimalAnswers::comparison(operation)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn chosen(_: &str, _: [Self; 3]) -> [bool; 3] {
        [true; 3]
    }
    fn call<T: Rule<R, N, M>, const N: usize, const M: usize>(
        _: &T,
        _: &[Vec<Self>; N],
        _: &mut [Vec<Self>; M],
    ) {
    }
}

/// The value is known: what is traced belongs to the point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<R>(pub R);

impl<R: Real> Knowledge for Known<R> {
    type Real = R;
    const COMPARES: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(c: R) -> Self {
        Known(c)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn primal(self) -> R {
        self.0
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_known_zero(self) -> bool {
        self.0 == R::default()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn may_be_zero(self) -> bool {
        self.is_known_zero()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map(self, f: impl FnOnce(R) -> R) -> Self {
        Known(f(self.0))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map2(self, b: Self, f: impl FnOnce(R, R) -> R) -> Self {
        Known(f(self.0, b.0))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map3(self, b: Self, c: Self, f: impl FnOnce(R, R, R) -> R) -> Self {
        Known(f(self.0, b.0, c.0))
    }
    fn compare(a: Self, b: Self, _: &'static str, compare: impl FnOnce(&R, &R) -> bool) -> bool {
        compare(&a.0, &b.0)
    }
    fn chosen(name: &str, [x, b, c]: [Self; 3]) -> [bool; 3] {
        let (x, b, c) = (x.0, b.0, c.0);
        match name {
            // not beside NaN: whatever the function does then, all are kept
            "max" if x < b => [false, true, true],
            "max" if x > b => [true, false, true],
            "min" if x > b => [false, true, true],
            "min" if x < b => [true, false, true],
            "clamp" if x < b => [false, true, false],
            "clamp" if x > c => [false, false, true],
            "clamp" if x > b && x < c => [true, false, false],
            _ => [true; 3],
        }
    }
    fn call<T: Rule<R, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: &[Vec<Self>; N],
        y: &mut [Vec<Self>; M],
    ) {
        let floats = x
            .each_ref()
            .map(|x| x.iter().map(|x| x.0).collect::<Vec<R>>());
        let mut results = y.each_ref().map(|y| vec![R::default(); y.len()]);
        let mut parts = results.iter_mut();
        rule.primal(
            floats.each_ref().map(|x| &x[..]),
            std::array::from_fn(|_| match parts.next() {
                Some(part) => &mut part[..],
                None => &mut [],
            }),
        );
        for (y, results) in y.iter_mut().zip(&results) {
            for (y, result) in y.iter_mut().zip(results) {
                *y = Known(*result);
            }
        }
    }
}
