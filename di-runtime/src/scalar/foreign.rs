//! Numbers of foreign engines as scalars.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use crate::scalar::partials::{self, lit, one};
use crate::scalar::rule::{jacobian_of, refs};
use crate::scalar::{Real, Rule, Scalar};

/// A number of a foreign engine: a value with first derivatives, or a place on a tape.
///
/// All its arithmetic is [`Chain::chain`], the chain rule; sums and products have defaults that use it, and may be
/// replaced by those of the engine. Values and partial derivatives of elementary functions and rules come from our
/// table, so that conventions at kinks and poles are the same for all engines.
/// [`foreign_scalar!`](crate::foreign_scalar) writes the impl, since the orphan rule requires a type of your own.
pub trait Chain: Copy + Debug + Send + 'static {
    /// Its float type.
    type Real: Real;
    /// The name of the engine, for messages.
    const NAME: &'static str;

    /// A number without derivatives.
    fn lift(c: Self::Real) -> Self;
    /// The value.
    fn value(self) -> Self::Real;
    /// Are there no derivatives, or only zeros?
    fn is_passive(self) -> bool;
    /// The number with this value and the derivative `sum_k partial_k d term_k`, in the arithmetic of floats: zero
    /// times infinity is NaN. There is at least one term. A passive term occurs only with a partial that is not
    /// finite, since its zero derivatives may be results of a computation; if passive numbers are constants, it can
    /// be ignored.
    fn chain(value: Self::Real, terms: &[(Self, Self::Real)]) -> Self;

    /// `self + o`
    fn add(self, o: Self) -> Self {
        combine(self.value() + o.value(), [(self, one()), (o, one())])
    }
    /// `self - o`
    fn sub(self, o: Self) -> Self {
        let minus = -one::<Self::Real>();
        combine(self.value() - o.value(), [(self, one()), (o, minus)])
    }
    /// `self * o`
    fn mul(self, o: Self) -> Self {
        let (a, b) = (self.value(), o.value());
        combine(a * b, [(self, b), (o, a)])
    }
    /// `-self`
    fn neg(self) -> Self {
        combine(-self.value(), [(self, -one::<Self::Real>())])
    }
}

/// May a number with only zeros for derivatives move the result? At a pole it may.
fn is_pole<R: Real>(partial: R) -> bool {
    !partial.abs().le(R::MAX)
}

/// [`Chain::chain`] without what does not count. An exponent or base without derivatives never does.
fn combine<T: Chain, const N: usize>(value: T::Real, terms: [(T, T::Real); N]) -> T {
    let mut kept = terms;
    let mut count = 0;
    for (k, term) in terms.into_iter().enumerate() {
        if !term.0.is_passive() || (k == 0 && is_pole(term.1)) {
            kept[count] = term;
            count += 1;
        }
    }
    if count == 0 {
        T::lift(value)
    } else {
        T::chain(value, &kept[..count])
    }
}

/// A [`Chain`] as a [`Scalar`].
#[derive(Clone, Copy, Debug)]
pub struct Foreign<T>(pub T);

impl<T: Chain> Default for Foreign<T> {
    fn default() -> Self {
        Foreign(T::lift(T::Real::default()))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => {$(
        impl<T: Chain> $trait for Foreign<T> {
            type Output = Self;
            #[inline]
            fn $method(self, o: Self) -> Self {
                Foreign(self.0.$method(o.0))
            }
        }
    )*};
}
operators! { Add add; Sub sub; Mul mul; }

impl<T: Chain> Neg for Foreign<T> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Foreign(self.0.neg())
    }
}

impl<T: Chain> Div for Foreign<T> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let (a, b) = (self.0.value(), o.0.value());
        let y = a / b;
        let by_b = partials::div::d1(a, b, y);
        Foreign(combine(
            y,
            [(self.0, partials::div::d0(a, b, y)), (o.0, by_b)],
        ))
    }
}

impl<T: Chain> Rem for Foreign<T> {
    type Output = Self;
    fn rem(self, o: Self) -> Self {
        let (a, b) = (self.0.value(), o.0.value());
        let y = a % b;
        Foreign(combine(
            y,
            [(self.0, one()), (o.0, partials::rem::d1(a, b, y))],
        ))
    }
}

/// A partial derivative beside its argument; an indicator that is zero beside a constant.
macro_rules! term {
    (d0 $product:ident $name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $y:ident) => {
        term!(@ $product $x, partials::$name::d0($x.0.value(), $($b.0.value(),)* $($n,)? $y))
    };
    (d1 $product:ident $name:ident ($x:ident, $b:ident $(, $c:ident)*) $y:ident) => {
        term!(@ $product $b, partials::$name::d1($x.0.value(), $b.0.value(), $($c.0.value(),)* $y))
    };
    (d2 $product:ident $name:ident ($x:ident, $b:ident, $c:ident) $y:ident) => {
        term!(@ $product $c, partials::$name::d2($x.0.value(), $b.0.value(), $c.0.value(), $y))
    };
    (@ select $by:ident, $partial:expr) => {{
        let partial = $partial;
        (if partial.is_zero() { T::lift(partial) } else { $by.0 }, partial)
    }};
    (@ $product:ident $by:ident, $partial:expr) => {
        ($by.0, $partial)
    };
}

macro_rules! methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(method!($name $args $args [$($d $product)*]);)*
    };
}

macro_rules! method {
    ($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $args:tt [$($d:ident $product:ident)*]) => {
        fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
            let $x = self;
            let y = $x.0.value().$name($($b.0.value()),* $($n)?);
            Foreign(combine(y, [$(term!($d $product $name $args y)),*]))
        }
    };
}

macro_rules! comparisons {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method(self, o: Self) -> bool {
            Scalar::$method(self.0.value(), o.0.value())
        }
    )*};
}

impl<T: Chain> Scalar for Foreign<T> {
    type Real = T::Real;

    #[inline]
    fn from_real(c: T::Real) -> Self {
        Foreign(T::lift(c))
    }
    fn primal(self) -> T::Real {
        self.0.value()
    }
    fn is_zero(self) -> bool {
        self.0.is_passive() && self.0.value().is_zero()
    }
    fn vanishes(self) -> bool {
        self.0.value().vanishes()
    }
    fn mul_strong(self, o: Self) -> Self {
        let (a, b) = (self.0.value(), o.0.value());
        Foreign(combine(a.mul_strong(b), [(self.0, b), (o.0, a)]))
    }
    fn add_real(self, c: T::Real) -> Self {
        Foreign(combine(self.0.value() + c, [(self.0, one())]))
    }
    fn sub_real(self, c: T::Real) -> Self {
        Foreign(combine(self.0.value() - c, [(self.0, one())]))
    }
    fn mul_real(self, c: T::Real) -> Self {
        Foreign(combine(self.0.value() * c, [(self.0, c)]))
    }
    fn div_real(self, c: T::Real) -> Self {
        let reciprocal = lit::<T::Real>(1.0) / c;
        Foreign(combine(self.0.value() / c, [(self.0, reciprocal)]))
    }
    fn rem_real(self, c: T::Real) -> Self {
        Foreign(combine(self.0.value() % c, [(self.0, one())]))
    }
    fn real_sub(c: T::Real, x: Self) -> Self {
        Foreign(combine(c - x.0.value(), [(x.0, -one::<T::Real>())]))
    }
    fn real_div(c: T::Real, x: Self) -> Self {
        Self::from_real(c) / x
    }
    fn real_rem(c: T::Real, x: Self) -> Self {
        Self::from_real(c) % x
    }

    comparisons! { lt le gt ge eq ne }

    fn call_rule<R: Rule<T::Real, N, M>, const N: usize, const M: usize>(
        rule: &R,
        x: [&[Self]; N],
        mut y: [&mut [Self]; M],
    ) {
        let values = x.map(|x| x.iter().map(|x| x.0.value()).collect::<Vec<_>>());
        let at = refs(&values);
        let mut results = y.each_ref().map(|y| vec![T::Real::default(); y.len()]);
        rule.primal(at, results.each_mut().map(Vec::as_mut_slice));
        let n = x.iter().map(|x| x.len()).sum();
        let jacobian = jacobian_of(rule, at, refs(&results), &vec![true; n]);
        let mut terms = Vec::with_capacity(n);
        let results = results.iter().flatten();
        for (i, (y, value)) in y
            .iter_mut()
            .flat_map(|y| y.iter_mut())
            .zip(results)
            .enumerate()
        {
            terms.clear();
            let row = &jacobian[i * n..(i + 1) * n];
            let pairs = x.iter().flat_map(|x| x.iter()).zip(row);
            let counts = pairs.filter(|(x, d)| !x.0.is_passive() || is_pole(**d));
            terms.extend(counts.map(|(x, d)| (x.0, *d)));
            y.0 = if terms.is_empty() {
                T::lift(*value)
            } else {
                T::chain(*value, &terms)
            };
        }
    }

    di_elementary::elementary!(methods);
}

/// Defines a type of your own around another engine's number, and implements [`Chain`] for it.
///
/// The four functions are the operations that a number must support, on the inner type. With `arithmetic own`, its
/// operators `+`, `-`, `*` are used; otherwise they go through `chain` as well. `docs/adding-an-engine.md` explains
/// the whole way to a backend.
///
/// # Examples
/// ```
/// use di_runtime::foreign_scalar;
/// use di_runtime::scalar::{Chain, Foreign, Scalar};
///
/// /// Somebody's dual number.
/// #[derive(Clone, Copy, Debug)]
/// struct Their { re: f64, eps: f64 }
///
/// foreign_scalar! {
///     /// Their dual numbers.
///     pub struct Mine(Their) over f64, named "Their";
///     fn lift(c) { Their { re: c, eps: 0.0 } }
///     fn value(x) { x.re }
///     fn is_passive(x) { x.eps == 0.0 }
///     fn chain(value, terms) {
///         Their { re: value, eps: terms.iter().map(|(x, d)| x.0.eps * d).sum() }
///     }
/// }
///
/// let x = Foreign(Mine(Their { re: 0.5, eps: 1.0 }));
/// let y = (x * x).sin();
/// assert_eq!(y.0.0.eps, (0.25_f64).cos());
/// ```
#[macro_export]
macro_rules! foreign_scalar {
    ($(#[$meta:meta])* $visible:vis struct $name:ident($inner:ty) over $real:ty, named $text:literal;
        fn lift($c:ident) $lift:block
        fn value($x:ident) $value:block
        fn is_passive($p:ident) $is_passive:block
        fn chain($v:ident, $terms:ident) $chain:block
        $(arithmetic $own:tt)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visible struct $name(pub $inner);

        impl $crate::scalar::Chain for $name {
            type Real = $real;
            const NAME: &'static str = $text;

            #[inline]
            fn lift($c: $real) -> Self {
                $name($lift)
            }
            #[inline]
            fn value(self) -> $real {
                let $x = self.0;
                $value
            }
            #[inline]
            fn is_passive(self) -> bool {
                let $p = self.0;
                $is_passive
            }
            #[inline]
            fn chain($v: $real, $terms: &[(Self, $real)]) -> Self {
                $name($chain)
            }
            $($crate::foreign_scalar!(@arithmetic $own);)?
        }
    };
    (@arithmetic own) => {
        #[inline]
        fn add(self, o: Self) -> Self {
            Self(self.0 + o.0)
        }
        #[inline]
        fn sub(self, o: Self) -> Self {
            Self(self.0 - o.0)
        }
        #[inline]
        fn mul(self, o: Self) -> Self {
            Self(self.0 * o.0)
        }
        #[inline]
        fn neg(self) -> Self {
            Self(-self.0)
        }
    };
}
