//! Derivatives by a complex step: another arithmetic through the generic primal, right to the last digits.
//!
//! `f(x + i h v)` has the imaginary part `h f'(x) v`, without a difference, so that `h` may be as small as
//! one likes. The elementary functions are those of complex analysis; they know nothing of the rules.
//! (W. Squire and G. Trapp, Using complex variables to estimate derivatives of real functions, 1998.)

use crate::compare::{Tolerance, assert_bitwise, assert_close};
use crate::forms::{direction, dot, unit};
use crate::sweeps::Sweeps;
use di_runtime::bound::{Evaluate, Function, Key};
use di_runtime::function::Source;
use di_runtime::rules::Rule;
use di_runtime::scalar::{Dual, Scalar};
use di_runtime::value::Slice;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// So small that its square is lost beside it, and so large that products with it are not.
const STEP: f64 = 1e-100;

/// A complex number with a small imaginary part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

fn complex(re: f64, im: f64) -> Complex {
    Complex { re, im }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        complex(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        complex(self.re - o.re, self.im - o.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        // the product of the imaginary parts is of second order in the step, also beside a zero
        complex(self.re * o.re, self.re * o.im + self.im * o.re)
    }
}

impl Div for Complex {
    type Output = Complex;
    fn div(self, o: Complex) -> Complex {
        // the imaginary part of `o` is negligible beside its real part
        let re = self.re / o.re;
        complex(re, (self.im - re * o.im) / o.re)
    }
}

impl Rem for Complex {
    type Output = Complex;
    fn rem(self, o: Complex) -> Complex {
        let whole = (self.re / o.re).trunc();
        complex(self.re % o.re, self.im - whole * o.im)
    }
}

impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        complex(-self.re, -self.im)
    }
}

impl Complex {
    fn exp(self) -> Complex {
        let size = self.re.exp();
        complex(size * self.im.cos(), size * self.im.sin())
    }

    fn ln(self) -> Complex {
        complex(self.re.hypot(self.im).ln(), self.im.atan2(self.re))
    }

    fn sqrt(self) -> Complex {
        let re = self.re.sqrt();
        complex(re, if re == 0.0 { 0.0 } else { self.im / (2.0 * re) })
    }

    fn sin(self) -> Complex {
        let Complex { re, im } = self;
        complex(re.sin() * im.cosh(), re.cos() * im.sinh())
    }

    fn cos(self) -> Complex {
        let Complex { re, im } = self;
        complex(re.cos() * im.cosh(), -re.sin() * im.sinh())
    }

    fn tanh(self) -> Complex {
        if self.re < 0.0 {
            return -(-self).tanh();
        }
        let one = complex(1.0, 0.0);
        let decay = (self * complex(-2.0, 0.0)).exp();
        let t = (one - decay) / (one + decay);
        complex(self.re.tanh(), t.im)
    }

    fn powi(self, n: i32) -> Complex {
        let mut power = complex(1.0, 0.0);
        for _ in 0..n.unsigned_abs() {
            power = power * self;
        }
        if n < 0 {
            complex(1.0, 0.0) / power
        } else {
            power
        }
    }

    /// Functions that programs use; another one is missing until it is written here.
    fn elementary(self, name: &str, others: &[Complex], n: i32) -> Complex {
        let one = complex(1.0, 0.0);
        let least = |a: Complex, b: Complex| if a.re < b.re { a } else { b };
        let most = |a: Complex, b: Complex| if a.re > b.re { a } else { b };
        match (name, others) {
            ("exp", []) => self.exp(),
            ("ln", []) => self.ln(),
            ("ln_1p", []) => complex(self.re.ln_1p(), (one + self).ln().im),
            ("sqrt", []) => self.sqrt(),
            ("sin", []) => self.sin(),
            ("cos", []) => self.cos(),
            ("tan", []) => self.sin() / self.cos(),
            ("tanh", []) => self.tanh(),
            ("recip", []) => one / self,
            ("abs", []) if self.re.is_sign_negative() => -self,
            ("abs", []) => self,
            ("floor", []) => complex(self.re.floor(), 0.0),
            ("signum", []) => complex(self.re.signum(), 0.0),
            ("powi", []) => self.powi(n),
            ("powf", [p]) => (*p * self.ln()).exp(),
            ("hypot", [o]) => (self * self + *o * *o).sqrt(),
            ("mul_add", [a, b]) => self * *a + *b,
            ("max", [o]) => most(self, *o),
            ("min", [o]) => least(self, *o),
            ("clamp", [lo, hi]) => least(most(self, *lo), *hi),
            _ => panic!("`{name}` of complex numbers is not written yet"),
        }
    }
}

macro_rules! methods {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(
            fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
                let n = 0 $(+ $n)?;
                self.elementary(stringify!($name), &[$($b),*], n)
            }
        )*
    };
}

impl Scalar for Complex {
    type Real = f64;

    fn from_real(c: f64) -> Self {
        complex(c, 0.0)
    }
    fn primal(self) -> f64 {
        self.re
    }
    fn is_zero(self) -> bool {
        self.re == 0.0 && self.im == 0.0
    }
    fn vanishes(self) -> bool {
        self.re == 0.0
    }
    fn mul_strong(self, o: Self) -> Self {
        let product = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a * b };
        complex(
            product(self.re, o.re),
            product(self.re, o.im) + product(self.im, o.re),
        )
    }
    fn add_real(self, c: f64) -> Self {
        complex(self.re + c, self.im)
    }
    fn sub_real(self, c: f64) -> Self {
        complex(self.re - c, self.im)
    }
    fn mul_real(self, c: f64) -> Self {
        complex(self.re * c, self.im * c)
    }
    fn div_real(self, c: f64) -> Self {
        complex(self.re / c, self.im / c)
    }
    fn rem_real(self, c: f64) -> Self {
        complex(self.re % c, self.im)
    }
    fn real_sub(c: f64, x: Self) -> Self {
        complex(c - x.re, -x.im)
    }
    fn real_div(c: f64, x: Self) -> Self {
        complex(c, 0.0) / x
    }
    fn real_rem(c: f64, x: Self) -> Self {
        complex(c, 0.0) % x
    }
    fn lt(self, o: Self) -> bool {
        self.re < o.re
    }
    fn le(self, o: Self) -> bool {
        self.re <= o.re
    }
    fn gt(self, o: Self) -> bool {
        self.re > o.re
    }
    fn ge(self, o: Self) -> bool {
        self.re >= o.re
    }
    fn eq(self, o: Self) -> bool {
        self.re == o.re
    }
    fn ne(self, o: Self) -> bool {
        self.re != o.re
    }
    fn call_rule<R: Rule<f64, N, M>, const N: usize, const M: usize>(
        _: &R,
        _: [&[Self]; N],
        _: [&mut [Self]; M],
    ) {
        panic!("a rule of its own has no complex arithmetic");
    }

    di_elementary::elementary!(methods);
}

/// Relative to the entry, or to the largest one where the entry is small by cancellation.
fn tolerance<'a>(entries: impl IntoIterator<Item = &'a f64>) -> Tolerance {
    let largest = entries.into_iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    Tolerance {
        relative: 1e-10,
        absolute: 1e-13 * largest,
    }
}

/// Value and derivative along `dx`.
fn along<K: Source<Real = f64, X = Slice>>(
    sweeps: &Sweeps<'_, K>,
    x: &[f64],
    dx: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let pairs = x.iter().zip(dx);
    let moved: Vec<Complex> = pairs.map(|(x, dx)| complex(*x, STEP * dx)).collect();
    let y = sweeps.primal(&moved);
    let split = |y: &[Complex]| {
        let values = y.iter().map(|y| y.re).collect();
        (values, y.iter().map(|y| y.im / STEP).collect())
    };
    split(&y)
}

/// Checks a program at a point: tangent, split and fused reverse code of first order, and forward over
/// reverse, against complex steps, with a relative error of 1e-10.
///
/// # Panics
/// If a derivative is wrong: shows the form, the index and both values.
pub fn check_program<F>(name: &str, f: F, x: &[f64])
where
    F: Function,
    Key<F>: Source<Real = f64, X = Slice>,
{
    let bound = f.bind();
    let sweeps = &Sweeps::new(bound.call(), bound.output_shape(), x);
    let n = x.len();
    let y = sweeps.primal(x);
    let m = y.len();
    let columns: Vec<Vec<f64>> = (0..n).map(|j| along(sweeps, x, &unit(n, j)).1).collect();
    let jacobian = tolerance(columns.iter().flatten());
    for (j, column) in columns.iter().enumerate() {
        let (value, dy) = sweeps.tangent(x, &unit(n, j));
        assert_bitwise(&format!("value of {name}"), &value, &y);
        let what = format!("tangent of {name} by input {j}");
        assert_close(&what, &dy, column, jacobian);
    }
    let mut seeds: Vec<Vec<f64>> = (0..m).map(|i| unit(m, i)).collect();
    seeds.push(direction(m, 3));
    let adjoints = sweeps.split(x, &seeds).1;
    let mut rows = Vec::new();
    for seed in &seeds {
        let row: Vec<f64> = columns.iter().map(|column| dot(column, seed)).collect();
        rows.push(row);
    }
    for (i, (found, row)) in adjoints.iter().zip(&rows).enumerate() {
        let what = format!("reverse of {name} for seed {i}");
        assert_close(&what, found, row, jacobian);
    }
    let fused = sweeps.fused(x, &seeds[m], &vec![0.0; n]).1;
    let what = format!("fused reverse of {name}");
    assert_close(&what, &fused, &rows[m], jacobian);
    second_order(name, sweeps, x, &seeds[m]);
}

/// The Hessian of the weighted outputs times a direction, by forward over reverse, against complex steps
/// through dual numbers.
fn second_order<K: Source<Real = f64, X = Slice>>(
    name: &str,
    sweeps: &Sweeps<'_, K>,
    x: &[f64],
    weights: &[f64],
) {
    let n = x.len();
    let v = direction(n, 5);
    let moved: Vec<Complex> = x
        .iter()
        .zip(&v)
        .map(|(x, v)| complex(*x, STEP * v))
        .collect();
    let expected: Vec<f64> = (0..n)
        .map(|j| {
            let lift = |(k, z): (usize, &Complex)| {
                let tangent = complex(f64::from(u8::from(k == j)), 0.0);
                Dual::<Complex, 1>::new(*z, [tangent])
            };
            let x: Vec<Dual<Complex, 1>> = moved.iter().enumerate().map(lift).collect();
            let y = sweeps.primal(&x);
            let mixed: Vec<f64> = y.iter().map(|y| y.tangents[0].im / STEP).collect();
            dot(&mixed, weights)
        })
        .collect();
    let moving: Vec<Dual<f64, 1>> = x.iter().zip(&v).map(|(x, v)| Dual::new(*x, [*v])).collect();
    let seed: Vec<Dual<f64, 1>> = weights.iter().map(|w| Dual::constant(*w)).collect();
    let found = sweeps.split(&moving, &[seed]).1.remove(0);
    let found: Vec<f64> = found.iter().map(|d| d.tangents[0]).collect();
    let what = format!("forward over reverse of {name}");
    assert_close(&what, &found, &expected, tolerance(&expected));
}

/// Checks a program of a slice against complex steps at some points, see
/// [`check_program`](crate::complex_step::check_program).
///
/// `program!(f::AD, [&x, &z])`, or with a bound handle `program!(f::AD.with(&data), [&x])`.
#[macro_export]
macro_rules! program {
    ($handle:expr, [$($x:expr),+ $(,)?]) => {
        $(
            let x: &[f64] = $x;
            let name = ::std::format!("{} at {:?}", ::std::stringify!($handle), &x[..x.len().min(6)]);
            $crate::complex_step::check_program(&name, $handle, x);
        )+
    };
}

#[cfg(test)]
mod tests {
    use super::{Complex, STEP, complex};

    #[test]
    fn complex_steps_differentiate_elementary_functions() {
        let x = 0.7_f64;
        let z = complex(x, STEP);
        let cases: [(Complex, f64); 8] = [
            (z.exp(), x.exp()),
            (z.ln(), 1.0 / x),
            (z.sqrt(), 0.5 / x.sqrt()),
            (z.sin(), x.cos()),
            (z.cos(), -x.sin()),
            (z.tanh(), 1.0 - x.tanh() * x.tanh()),
            (z.powi(-2), -2.0 / (x * x * x)),
            (complex(1.0, 0.0) / z, -1.0 / (x * x)),
        ];
        for (value, expected) in cases {
            let slope = value.im / STEP;
            assert!((slope - expected).abs() < 1e-14 * expected.abs(), "{slope}");
        }
    }
}
