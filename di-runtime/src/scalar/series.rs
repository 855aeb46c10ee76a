//! Truncated power series: a value and Taylor coefficients in one variable, and their arithmetic.
//!
//! Reference: A. Griewank, A. Walther: evaluating derivatives (2008), chapter 13.

use std::cmp::Ordering;
use std::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use crate::scalar::{Real, Scalar, partials};

/// `c[0] + c[1] t + .. + c[N - 1] t^(N - 1)`, known up to a degree.
///
/// Coefficients beyond the degree mean nothing; constants are known to all degrees.
#[derive(Clone, Copy, Debug)]
pub struct Series<S, const N: usize> {
    /// Coefficients.
    pub(super) c: [S; N],
    /// The last one that is known.
    pub(super) degree: usize,
}

/// Series of up to so many coefficients are multiplied as a whole.
const SHORT: usize = 5;

impl<S: Scalar, const N: usize> Series<S, N> {
    /// The number itself.
    pub fn constant(value: S) -> Self {
        let mut c = [S::default(); N];
        c[0] = value;
        Series { c, degree: N - 1 }
    }

    /// `value + slope t`, known up to `degree`, which is at most `N - 1`.
    pub fn line(value: S, slope: S, degree: usize) -> Self {
        let mut line = Series::constant(value);
        line.degree = degree.min(N - 1);
        if line.degree > 0 {
            line.c[1] = slope;
        }
        line
    }

    /// The coefficients that are known.
    pub fn coefficients(&self) -> &[S] {
        &self.c[..=self.degree]
    }

    /// The series of a value whose other coefficients are computed one after the other: `next` gets those
    /// before and the index.
    #[inline]
    pub(super) fn build(
        value: S,
        degree: usize,
        mut next: impl FnMut(&[S; N], usize) -> S,
    ) -> Self {
        let mut c = [S::default(); N];
        c[0] = value;
        for k in 1..=degree {
            c[k] = next(&c, k);
        }
        Series { c, degree }
    }

    /// Known up to `degree` only.
    pub(super) fn truncated(mut self, degree: usize) -> Self {
        for c in &mut self.c[degree + 1..] {
            *c = S::default();
        }
        self.degree = self.degree.min(degree);
        self
    }

    /// The same, of which less is known.
    #[inline]
    fn known_to(mut self, degree: usize) -> Self {
        self.degree = degree;
        self
    }

    /// The series of the derivative by `t`, known up to `degree`.
    pub(super) fn derivative(&self, degree: usize) -> Self {
        Series::build(self.c[1.min(N - 1)], degree, |_, k| {
            self.c[k + 1].mul_real(count(k + 1))
        })
    }

    /// Each coefficient by itself.
    #[inline]
    pub(super) fn map(mut self, f: impl Fn(S) -> S) -> Self {
        for c in &mut self.c {
            *c = f(*c);
        }
        self
    }

    /// Are all coefficients after the first one zero?
    pub(super) fn is_constant(&self) -> bool {
        self.c[1..=self.degree].iter().all(|c| c.is_zero())
    }
}

/// `k` as a real.
#[inline]
pub(super) fn count<R: Real>(k: usize) -> R {
    R::from_f64(k as f64)
}

/// `sum of a[j] b[k - j]` for `j` in a range.
#[inline]
pub(super) fn convolve<S: Scalar>(
    a: &[S],
    b: &[S],
    k: usize,
    range: impl Iterator<Item = usize>,
) -> S {
    let mut sum = S::default();
    for j in range {
        sum = sum + a[j] * b[k - j];
    }
    sum
}

impl<S: Scalar, const N: usize> Default for Series<S, N> {
    #[inline]
    fn default() -> Self {
        Series::constant(S::default())
    }
}

impl<S: Scalar, const N: usize> Add for Series<S, N> {
    type Output = Self;

    #[inline]
    fn add(self, o: Self) -> Self {
        let mut c = self.c;
        for (c, o) in c.iter_mut().zip(o.c) {
            *c = *c + o;
        }
        let degree = self.degree.min(o.degree);
        Series { c, degree }
    }
}

impl<S: Scalar, const N: usize> Sub for Series<S, N> {
    type Output = Self;

    #[inline]
    fn sub(self, o: Self) -> Self {
        let mut c = self.c;
        for (c, o) in c.iter_mut().zip(o.c) {
            *c = *c - o;
        }
        let degree = self.degree.min(o.degree);
        Series { c, degree }
    }
}

impl<S: Scalar, const N: usize> Mul for Series<S, N> {
    type Output = Self;

    #[inline]
    fn mul(self, o: Self) -> Self {
        let degree = self.degree.min(o.degree);
        // loops of known length, where that costs little more than those that the degree needs
        let top = if N <= SHORT { N - 1 } else { degree };
        Series::build(self.c[0] * o.c[0], top, |_, k| {
            convolve(&self.c, &o.c, k, 0..=k)
        })
        .known_to(degree)
    }
}

impl<S: Scalar, const N: usize> Div for Series<S, N> {
    type Output = Self;

    #[inline]
    #[allow(
        clippy::suspicious_arithmetic_impl,
        reason = "coefficients of a quotient follow from those before"
    )]
    fn div(self, o: Self) -> Self {
        let value = self.c[0] / o.c[0];
        let degree = self.degree.min(o.degree);
        Series::build(value, degree, |c, k| {
            (self.c[k] - convolve(c, &o.c, k, 0..k)) / o.c[0]
        })
    }
}

impl<S: Scalar, const N: usize> Rem for Series<S, N> {
    type Output = Self;

    /// `x - b q`, with the truncated quotient `q`, a constant.
    #[allow(
        clippy::suspicious_arithmetic_impl,
        reason = "tangents of a remainder are added"
    )]
    #[inline]
    fn rem(self, o: Self) -> Self {
        let value = self.c[0] % o.c[0];
        let slope = partials::rem::d1(self.c[0], o.c[0], value);
        Series::build(value, self.degree.min(o.degree), |_, k| {
            self.c[k] + o.c[k] * slope
        })
    }
}

impl<S: Scalar, const N: usize> Neg for Series<S, N> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        self.map(|c| -c)
    }
}

macro_rules! assign {
    ($($assign:ident $method:ident $op:tt;)*) => {$(
        impl<S: Scalar, const N: usize> $assign for Series<S, N> {
            #[inline]
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

impl<S: Scalar + PartialEq, const N: usize> PartialEq for Series<S, N> {
    fn eq(&self, o: &Self) -> bool {
        self.c[0] == o.c[0]
    }
}

impl<S: Scalar + PartialOrd, const N: usize> PartialOrd for Series<S, N> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.c[0].partial_cmp(&o.c[0])
    }
}
