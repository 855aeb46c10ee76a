//! Functions that are generic over their float: the handle is that of one instance.

use di::prelude::*;
use di_test::compare::{ROUNDING, Tolerance, assert_close};
use di_test::{inplace, scalar};
use num_traits::{Float, FloatConst, NumAssign};
use std::ops::{Add, Mul, Neg, Sub};

const POINTS: [&[f64]; 3] = [
    &[0.7, 1.1, -0.4, 0.9],
    &[-1.2, 0.4, 0.9, -0.3],
    &[2.5, 0.1, 1.4, 3.0],
];

#[differentiable]
#[active_scalar(T)]
fn logistic<T: Float>(x: &[T], #[constant] k: T) -> T {
    let n = T::from(x.len()).unwrap();
    let half = T::from(0.5).unwrap();
    let mut s = T::zero();
    for &v in x {
        s = s + T::one() / (T::one() + (-v * k).exp()) - half * v.powi(2);
    }
    if s > T::epsilon() {
        s / n
    } else {
        (s * s + T::one()).sqrt().max(T::from(0.25).unwrap() * x[0]) * k.ln()
    }
}

#[differentiable]
#[active_scalar(T)]
fn constants_of_traits<T>(x: &[T]) -> T
where
    T: Float + FloatConst + NumAssign + std::iter::Sum,
{
    let mut s = <T as Float>::sqrt(x[0] * x[0] + T::one()) * T::PI();
    for i in 0..x.len() {
        let weight = T::from(i + 1).unwrap() / T::from(x.len() * 2).unwrap();
        s += weight * T::atan2(x[i], T::SQRT_2()) * (T::PI() / T::from(3).unwrap()).cos();
        if x[i].is_nan() || x[i] >= T::infinity() {
            return T::zero();
        }
    }
    let (sin, cos) = x[1].sin_cos();
    s *= sin - cos;
    let greatest = x.iter().copied().fold(T::neg_infinity(), T::max);
    let v: Vec<T> = x.iter().map(|t| t.abs().ln_1p()).collect();
    s + greatest * v.iter().copied().sum::<T>() + T::max_value().recip()
}

#[test]
fn traits_of_a_crate() {
    scalar!(logistic::AD.with(0.8), |x: &[f64]| logistic(x, 0.8))
        .row(116)
        .check(&POINTS);
    scalar!(constants_of_traits::AD, |x: &[f64]| constants_of_traits(x))
        .row(116)
        .check(&POINTS);
}

const SINGLE: Tolerance = Tolerance {
    relative: 1e-6,
    absolute: 1e-6,
};

/// What a program asks of a float, of its own.
trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    const HALF: Self;
    fn of(n: usize) -> Self;
    fn sin(self) -> Self;
    fn exp(&self) -> Self;
    fn floor(self) -> Self;
    // not one of floats: what it is here must be what is carried
    fn rounded(self) -> Self;
}

impl Number for f64 {
    const HALF: f64 = 0.5;
    fn of(n: usize) -> f64 {
        n as f64
    }
    fn sin(self) -> f64 {
        f64::sin(self)
    }
    fn exp(&self) -> f64 {
        f64::exp(*self)
    }
    fn floor(self) -> f64 {
        f64::floor(self)
    }
    fn rounded(self) -> f64 {
        (self * 10.0).round() / 10.0
    }
}

impl Number for f32 {
    const HALF: f32 = 0.5;
    fn of(n: usize) -> f32 {
        n as f32
    }
    fn sin(self) -> f32 {
        f32::sin(self)
    }
    fn exp(&self) -> f32 {
        f32::exp(*self)
    }
    fn floor(self) -> f32 {
        f32::floor(self)
    }
    fn rounded(self) -> f32 {
        (self * 10.0).round() / 10.0
    }
}

/// Constants that are generic too.
struct Table<T> {
    knots: Vec<T>,
}

impl<T: Number> Table<T> {
    fn at(&self, i: usize) -> T {
        self.knots[i % self.knots.len()]
    }
}

#[differentiable]
#[active_scalar(T)]
fn mixed<T, const N: usize>(a: &[T], y: &mut [T], #[constant] table: &Table<T>, #[constant] k: T)
where
    T: Number,
{
    let mut work = [T::HALF; N];
    for i in 0..y.len() {
        let knot: T = table.at(i + N);
        let limit: T = table.at(0).rounded();
        work[i % N] = work[i % N] + knot * a[i].sin();
        y[i] = if a[i] > limit {
            a[i] * work[0].exp() * T::of(a.len())
        } else {
            work[i % N] - k * a[i] * a[0].floor()
        };
    }
}

#[test]
fn traits_of_the_user() {
    let table = Table {
        knots: vec![0.34, -1.2, 0.9],
    };
    inplace!(
        mixed::<f64, 2>::AD.with(&table, 1.5),
        |x: &[f64], y: &mut [f64]| mixed::<f64, 2>(x, y, &table, 1.5),
        4
    )
    .row(116)
    .check(&POINTS);
}

#[differentiable]
#[active_scalar(S)]
fn calls<S: Float>(x: &[S]) -> S {
    let v: Vec<S> = x.iter().map(|t| t.sin()).collect();
    let k: S = S::from(0.3).unwrap();
    logistic(&v, k) * logistic::<S>(x, S::one()) + v.iter().fold(S::zero(), |a, b| a + *b)
}

#[differentiable]
fn called(x: &[f64]) -> f64 {
    calls(x) * logistic::<f64>(x, 2.0) + logistic(&x[1..], x.len() as f64)
}

#[test]
fn calls_from_and_to_other_functions() {
    scalar!(called).row(116).check(&POINTS);
}

#[differentiable]
#[active_scalar(T = f32)]
fn single<T: Number>(x: &[T]) -> T {
    let mut s = T::HALF;
    for (i, v) in x.iter().enumerate() {
        s = s + T::of(i) * v.sin() * *v;
    }
    s
}

#[test]
fn instances_of_single_precision() {
    let _row = di_test::rows::row(116);
    let x = [0.5_f32, 0.75, -0.3];
    let g = gradient(single::AD, NoPrep, &AutoSource::new(), &x).unwrap();
    let expected = [0, 1, 2].map(|i| {
        let x = f64::from(x[i]);
        i as f64 * (x.sin() + x * x.cos())
    });
    assert_close("gradient", &g.map(f64::from), &expected, SINGLE);
    // the function itself is as generic as it was
    assert_close(
        "in f64",
        &[single(&[0.5, 0.75])],
        &[0.5 + 0.75 * 0.75_f64.sin()],
        ROUNDING,
    );
}

trait Bent: Copy + Mul<Output = Self> {
    fn sin(self) -> Self;
}

impl Bent for f64 {
    fn sin(self) -> f64 {
        self - self * self * self / 6.0
    }
}

#[differentiable]
#[active_scalar(T)]
fn bent<T: Bent>(x: &[T]) -> T {
    x[0].sin() * x[1]
}

#[test]
#[should_panic(expected = "the method `sin` of the trait is not that of the float")]
fn methods_that_are_other_functions() {
    let _ = gradient(bent::AD, NoPrep, &AutoSource::new(), &[0.3, 0.4][..]);
}
