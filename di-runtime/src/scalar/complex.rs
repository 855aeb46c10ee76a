//! Complex numbers with a small imaginary part: derivatives without a difference.
//!
//! `f(x + i h v)` has the imaginary part `h f'(x) v` up to `h^3`, so `h` may be as small as one likes (W.
//! Squire, G. Trapp: Using complex variables to estimate derivatives of real functions, 1998). What is of
//! second order in the imaginary part is left out; then zeros, infinities and branches of the real part
//! stay those of the real function (J. Martins, P. Sturdza, J. Alonso: The complex-step derivative
//! approximation, 2003).

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use crate::scalar::partials::{self, lit, one, zero};
use crate::scalar::{Real, Rule, Scalar, products};

/// A complex number whose imaginary part is so small that its square is negligible compared with the real part.
///
/// Comparisons are of the real part. Exponentials, powers, trigonometric and hyperbolic functions follow
/// complex analysis and know nothing of the table of derivatives; other functions are continued to first
/// order, custom rules by their pushforward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<R> {
    /// Real part.
    pub re: R,
    /// Imaginary part.
    pub im: R,
}

impl<R: Real> Complex<R> {
    /// From both parts.
    pub fn new(re: R, im: R) -> Self {
        Complex { re, im }
    }
}

impl<R: Real> Add for Complex<R> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

impl<R: Real> Sub for Complex<R> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

impl<R: Real> Mul for Complex<R> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        // the product of the imaginary parts is of second order in the step, also beside a zero
        Complex::new(self.re * o.re, self.re * o.im + self.im * o.re)
    }
}

impl<R: Real> Div for Complex<R> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        // the imaginary part of `o` is negligible beside its real part
        let re = self.re / o.re;
        Complex::new(re, (self.im - o.im * re) / o.re)
    }
}

impl<R: Real> Rem for Complex<R> {
    type Output = Self;
    fn rem(self, o: Self) -> Self {
        let re = self.re % o.re;
        let whole = ((self.re - re) / o.re).round();
        Complex::new(re, self.im - o.im * whole)
    }
}

impl<R: Real> Neg for Complex<R> {
    type Output = Self;
    fn neg(self) -> Self {
        Complex::new(-self.re, -self.im)
    }
}

/// The functions of complex analysis, to first order in the imaginary part where that is more exact.
impl<R: Real> Complex<R> {
    fn exp_(self) -> Self {
        let size = self.re.exp();
        Complex::new(size, self.im * size)
    }

    fn ln_(self) -> Self {
        // the angle, to first order; it is a right one at 0, where the derivative is infinite
        Complex::new(self.re.ln(), self.im / self.re)
    }

    fn sqrt_(self) -> Self {
        let re = self.re.sqrt();
        Complex::new(re, self.im * (lit::<R>(0.5) / re))
    }

    fn sin_(self) -> Self {
        Complex::new(self.re.sin(), self.im * self.re.cos())
    }

    fn cos_(self) -> Self {
        Complex::new(self.re.cos(), -(self.im * self.re.sin()))
    }

    fn tan_(self) -> Self {
        let quotient = self.sin_() / self.cos_();
        Complex::new(self.re.tan(), quotient.im)
    }

    fn sinh_(self) -> Self {
        Complex::new(self.re.sinh(), self.im * self.re.cosh())
    }

    fn cosh_(self) -> Self {
        Complex::new(self.re.cosh(), self.im * self.re.sinh())
    }

    fn tanh_(self) -> Self {
        // sinh / cosh overflows: by a decaying exponential, on the side where it decays
        if self.re.lt(zero()) {
            return -(-self).tanh_();
        }
        let decay = (self * Complex::new(lit(-2.0), zero())).exp_();
        let one = Complex::new(one(), zero());
        let quotient = (one - decay) / (one + decay);
        Complex::new(self.re.tanh(), quotient.im)
    }

    fn powi_(self, n: i32) -> Self {
        // (re + i im)^n to first order, by the binomial theorem
        let re = self.re.powi(n);
        Complex::new(re, products::powi(self.im, self.re, n, re))
    }

    fn powf_(self, p: Self) -> Self {
        let y = self.re.powf(p.re);
        if !self.re.gt(zero()) {
            // no logarithm among the reals: by the rule of the table, which knows the poles
            let mut im = products::powf(self.im, self.re, p.re, y);
            if !p.im.is_zero() {
                im = im + p.im * partials::powf::d1(self.re, p.re, y);
            }
            return Complex::new(y, im);
        }
        // the angle of e^(p ln z)
        let turn = (p * self.ln_()).im;
        Complex::new(y, turn * y)
    }

    fn hypot_(self, o: Self) -> Self {
        let re = self.re.hypot(o.re);
        let im = self.im * (self.re / re) + o.im * (o.re / re);
        // the derivative at (0, 0) is zero, of what moves there with a finite speed
        let still = (self.im + o.im) * zero();
        Complex::new(re, if re.is_zero() { still } else { im })
    }

    fn abs_(self) -> Self {
        Complex::new(self.re.abs(), self.im * self.re.signum())
    }

    fn max_(self, o: Self) -> Self {
        let first = self.re.gt(o.re) || Scalar::ne(o.re, o.re);
        Complex::new(self.re.max(o.re), if first { self.im } else { o.im })
    }

    fn min_(self, o: Self) -> Self {
        let first = self.re.lt(o.re) || Scalar::ne(o.re, o.re);
        Complex::new(self.re.min(o.re), if first { self.im } else { o.im })
    }

    fn mul_add_(self, a: Self, b: Self) -> Self {
        let product = self * a + b;
        Complex::new(self.re.mul_add(a.re, b.re), product.im)
    }
}

/// One method for each row of the table; those that are not listed are continued by their derivatives.
macro_rules! complex_method {
    (exp ($x:ident) $args:tt $d:tt) => { $x.exp_() };
    (ln ($x:ident) $args:tt $d:tt) => { $x.ln_() };
    (sqrt ($x:ident) $args:tt $d:tt) => { $x.sqrt_() };
    (sin ($x:ident) $args:tt $d:tt) => { $x.sin_() };
    (cos ($x:ident) $args:tt $d:tt) => { $x.cos_() };
    (tan ($x:ident) $args:tt $d:tt) => { $x.tan_() };
    (sinh ($x:ident) $args:tt $d:tt) => { $x.sinh_() };
    (cosh ($x:ident) $args:tt $d:tt) => { $x.cosh_() };
    (tanh ($x:ident) $args:tt $d:tt) => { $x.tanh_() };
    (recip ($x:ident) $args:tt $d:tt) => {
        Complex::new($x.re.recip(), (Complex::new(one(), zero()) / $x).im)
    };
    (abs ($x:ident) $args:tt $d:tt) => {
        $x.abs_()
    };
    (powf ($x:ident, $p:ident) $args:tt $d:tt) => {
        $x.powf_($p)
    };
    (hypot ($x:ident, $b:ident) $args:tt $d:tt) => {
        $x.hypot_($b)
    };
    (max ($x:ident, $b:ident) $args:tt $d:tt) => {
        $x.max_($b)
    };
    (min ($x:ident, $b:ident) $args:tt $d:tt) => {
        $x.min_($b)
    };
    (powi ($x:ident; $n:ident) $args:tt $d:tt) => { $x.powi_($n) };
    (mul_add ($x:ident, $a:ident, $b:ident) $args:tt $d:tt) => { $x.mul_add_($a, $b) };
    // f(re) + i sum f_k(re) im_k
    ($name:ident ($x:ident $(, $b:ident)*) $args:tt [$($d:ident $product:ident)*]) => {{
        let y = $x.re.$name($($b.re),*);
        Complex::new(y, zero::<R>() $(+ contribution!($d $product $name $args y))*)
    }};
}

/// The part of one argument. Poles do not count of a second argument without an imaginary part, like the base
/// of a logarithm, and zero indicators win.
macro_rules! contribution {
    (d0 $product:ident $name:ident ($x:ident $(, $b:ident)*) $y:ident) => {
        contribution!(@ d0 $product $x, partials::$name::d0($x.re, $($b.re,)* $y))
    };
    (d1 $product:ident $name:ident ($x:ident, $b:ident $(, $c:ident)*) $y:ident) => {
        contribution!(@ d1 $product $b, partials::$name::d1($x.re, $b.re, $($c.re,)* $y))
    };
    (d2 $product:ident $name:ident ($x:ident, $b:ident, $c:ident) $y:ident) => {
        contribution!(@ d2 $product $c, partials::$name::d2($x.re, $b.re, $c.re, $y))
    };
    (@ $d:ident select $by:ident, $partial:expr) => {
        $partial.mul_strong($by.im)
    };
    (@ d0 $product:ident $by:ident, $partial:expr) => {
        $by.im * $partial
    };
    (@ $d:ident strong $by:ident, $partial:expr) => {
        if $by.im.is_zero() { zero() } else { $by.im * $partial }
    };
    (@ $d:ident $product:ident $by:ident, $partial:expr) => {
        $by.im * $partial
    };
}

macro_rules! complex_methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(complex_signature!($name $args $args [$($d $product)*]);)*
    };
}

macro_rules! complex_signature {
    ($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $args:tt $d:tt) => {
        fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
            let $x = self;
            complex_method!($name $args $args $d)
        }
    };
}

impl<R: Real> Scalar for Complex<R> {
    type Real = R;

    fn from_real(c: R) -> Self {
        Complex::new(c, zero())
    }
    fn primal(self) -> R {
        self.re
    }
    fn is_zero(self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }
    fn vanishes(self) -> bool {
        self.re.vanishes()
    }
    fn mul_strong(self, o: Self) -> Self {
        Complex::new(
            self.re.mul_strong(o.re),
            self.re.mul_strong(o.im) + self.im.mul_strong(o.re),
        )
    }
    fn add_real(self, c: R) -> Self {
        Complex::new(self.re + c, self.im)
    }
    fn sub_real(self, c: R) -> Self {
        Complex::new(self.re - c, self.im)
    }
    fn mul_real(self, c: R) -> Self {
        Complex::new(self.re * c, self.im * c)
    }
    fn div_real(self, c: R) -> Self {
        Complex::new(self.re / c, self.im / c)
    }
    fn rem_real(self, c: R) -> Self {
        Complex::new(self.re % c, self.im)
    }
    fn real_sub(c: R, x: Self) -> Self {
        Complex::new(c - x.re, -x.im)
    }
    fn real_div(c: R, x: Self) -> Self {
        Complex::from_real(c) / x
    }
    fn real_rem(c: R, x: Self) -> Self {
        Complex::from_real(c) % x
    }
    fn lt(self, o: Self) -> bool {
        self.re.lt(o.re)
    }
    fn le(self, o: Self) -> bool {
        self.re.le(o.re)
    }
    fn gt(self, o: Self) -> bool {
        self.re.gt(o.re)
    }
    fn ge(self, o: Self) -> bool {
        self.re.ge(o.re)
    }
    fn eq(self, o: Self) -> bool {
        Scalar::eq(self.re, o.re)
    }
    fn ne(self, o: Self) -> bool {
        Scalar::ne(self.re, o.re)
    }

    fn call_rule<T: Rule<R, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: [&[Self]; N],
        mut y: [&mut [Self]; M],
    ) {
        let part = |of: fn(&Self) -> R| x.map(|x| x.iter().map(of).collect::<Vec<R>>());
        let (re, im) = (part(|z| z.re), part(|z| z.im));
        let room = y.each_ref().map(|y| vec![zero::<R>(); y.len()]);
        let (mut value, mut tangent) = (room.clone(), room);
        let re = re.each_ref().map(Vec::as_slice);
        rule.primal(re, value.each_mut().map(Vec::as_mut_slice));
        rule.pushforward(
            re,
            value.each_ref().map(Vec::as_slice),
            im.each_ref().map(Vec::as_slice),
            tangent.each_mut().map(Vec::as_mut_slice),
        );
        for (y, (value, tangent)) in y.iter_mut().zip(value.iter().zip(&tangent)) {
            for (y, (re, im)) in y.iter_mut().zip(value.iter().zip(tangent)) {
                *y = Complex::new(*re, *im);
            }
        }
    }

    di_elementary::elementary!(complex_methods);
}

#[cfg(test)]
mod tests {
    use super::Complex;
    use crate::scalar::Scalar;

    #[test]
    fn complex_steps_differentiate_elementary_functions() {
        let (x, h) = (0.7_f64, 1e-100);
        let z = Complex::new(x, h);
        let cases: [(Complex<f64>, f64); 11] = [
            (z.exp(), x.exp()),
            (z.ln(), 1.0 / x),
            (z.sqrt(), 0.5 / x.sqrt()),
            (z.sin(), x.cos()),
            (z.cos(), -x.sin()),
            (z.tan(), 1.0 + x.tan() * x.tan()),
            (z.tanh(), 1.0 - x.tanh() * x.tanh()),
            (z.powi(-2), -2.0 / (x * x * x)),
            (Complex::new(1.0, 0.0) / z, -1.0 / (x * x)),
            (z.asin(), 1.0 / (1.0 - x * x).sqrt()),
            (z.powf(Complex::new(1.5, 0.0)), 1.5 * x.sqrt()),
        ];
        for (value, expected) in cases {
            let slope = value.im / h;
            assert!((slope - expected).abs() < 1e-14 * expected.abs(), "{slope}");
        }
    }

    #[test]
    fn an_imaginary_part_of_zero_is_nan_at_a_pole() {
        let half = Complex::new(0.5, 0.0);
        let z = Complex::<f64>::new(0.0, 0.0);
        for y in [z.sqrt(), z.ln(), z.powf(half), z.cbrt(), z.recip()] {
            assert!(y.im.is_nan(), "{y:?}");
        }
        let z = Complex::<f64>::new(0.0, 1e-100);
        assert_eq!(z.sqrt().im, f64::INFINITY);
        // an exponent without one does not move
        assert_eq!(
            Complex::new(-2.0, 1e-100).powf(Complex::new(2.0, 0.0)).im,
            -4e-100
        );
    }
}
