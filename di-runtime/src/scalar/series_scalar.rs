//! Power series as scalars: elementary functions and rules.
//!
//! Recurrences by hand where they are shorter (Griewank and Walther 2008, tables 13.1 and 13.2); all
//! other rows of the table from their partial derivatives, which are series themselves:
//! `y' = sum of d_k(x, y) x_k'`. A formula that does not read the result is evaluated once; one that does
//! is evaluated for each coefficient, since coefficient `k` of the result needs only those before it.
//! Formulas are evaluated to one degree less than their function, so that those that refer to each
//! other come to an end.

use crate::scalar::rule::split;
use crate::scalar::series::{convolve, count};
use crate::scalar::{Real, Rule, Scalar, Series, partials};

/// A coefficient of the argument times one of a partial derivative: a zero wins over an infinity only
/// if it is an indicator.
macro_rules! product {
    (select $x:expr, $partial:expr) => {
        $partial.mul_strong($x)
    };
    ($product:ident $x:expr, $partial:expr) => {
        $x * $partial
    };
}

/// Does a formula with these operands read the result, which is the last one?
macro_rules! reads_result {
    (_: S) => {
        false
    };
    ($y:ident: S) => {
        true
    };
    ($x:tt: $t:tt, $($rest:tt)+) => {
        reads_result!($($rest)+)
    };
}

macro_rules! digit {
    (d0) => {
        0
    };
    (d1) => {
        1
    };
    (d2) => {
        2
    };
}

/// A partial derivative of a row.
macro_rules! partial {
    ($d:ident $name:ident ($x:ident) $args:ident $y:ident) => {
        partials::$name::$d($args[0], $y)
    };
    ($d:ident $name:ident ($x:ident, $b:ident) $args:ident $y:ident) => {
        partials::$name::$d($args[0], $args[1], $y)
    };
    ($d:ident $name:ident ($x:ident, $b:ident, $c:ident) $args:ident $y:ident) => {
        partials::$name::$d($args[0], $args[1], $args[2], $y)
    };
}

/// One argument of a function on series: what its coefficients contribute to coefficient `k`.
type Contribution<'a, S, const N: usize> = &'a dyn Fn(&Series<S, N>, &Series<S, N>, usize) -> S;

/// `sum of j x_j g_(k - j)` for the products of one argument.
#[inline]
fn contribute<S: Scalar, const N: usize>(
    x: &Series<S, N>,
    g: &Series<S, N>,
    k: usize,
    product: impl Fn(S, S) -> S,
) -> S {
    let mut sum = S::default();
    for j in 1..=k {
        sum = sum + product(x.c[j].mul_real(count(j)), g.c[k - j]);
    }
    sum
}

/// A function by its partial derivatives: each is a formula of the arguments and the result, with the
/// product that goes with it. Arguments that do not move are not looked at, but the first one at a pole:
/// coefficients that are zero may have been computed.
fn by_partials<S: Scalar, const M: usize, const N: usize>(
    x: [Series<S, N>; M],
    value: S,
    reads_result: bool,
    partial: impl Fn(usize, [Series<S, N>; M], Series<S, N>) -> Series<S, N>,
    contribution: [Option<Contribution<'_, S, N>>; M],
) -> Series<S, N> {
    let degree = x.iter().map(|x| x.degree).min().unwrap_or(0);
    let mut y = Series::constant(value);
    y.degree = degree;
    if degree == 0 {
        return y;
    }
    let mut still = S::default();
    if let (true, Some(by)) = (x[0].is_constant(), contribution[0]) {
        let slope = partial(0, x.map(|x| x.truncated(0)), y.truncated(0));
        still = by(&x[0], &slope, 1);
    }
    y.c[1..=degree].fill(still);
    if x.iter().all(Series::is_constant) {
        return y;
    }
    let moving = || {
        let all = x.iter().zip(contribution).enumerate();
        all.filter_map(|(i, (x, by))| Some((i, x, by?)).filter(|_| !x.is_constant()))
    };
    if reads_result {
        for k in 1..=degree {
            let (known, below) = (y.truncated(k - 1), x.map(|x| x.truncated(k - 1)));
            let mut sum = S::default();
            for (i, x, by) in moving() {
                sum = sum + by(x, &partial(i, below, known), k);
            }
            y.c[k] = sum.div_real(count(k)) + still;
        }
    } else {
        let below = x.map(|x| x.truncated(degree - 1));
        for (i, x, by) in moving() {
            let g = partial(i, below, y);
            for k in 1..=degree {
                y.c[k] = y.c[k] + by(x, &g, k).div_real(count(k));
            }
        }
    }
    y
}

macro_rules! methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(method!($name $args [$($class),+] [$($d $product ($($p: $t),+))*] $args);)*
    };
}

macro_rules! method {
    // those with a recurrence of their own
    (exp $($rest:tt)*) => { by_hand!(exp); };
    (ln $($rest:tt)*) => { by_hand!(ln); };
    (sin $($rest:tt)*) => { by_hand!(sin); };
    (cos $($rest:tt)*) => { by_hand!(cos); };
    (sinh $($rest:tt)*) => { by_hand!(sinh); };
    (cosh $($rest:tt)*) => { by_hand!(cosh); };
    (tan $($rest:tt)*) => { by_hand!(tan); };
    (tanh $($rest:tt)*) => { by_hand!(tanh); };
    (sqrt $($rest:tt)*) => { by_hand!(sqrt); };
    (recip $($rest:tt)*) => { by_hand!(recip); };
    (powi $($rest:tt)*) => {
        fn powi(self, n: i32) -> Self {
            powi(self, n)
        }
    };
    (powf $($rest:tt)*) => {
        fn powf(self, p: Self) -> Self {
            powf(self, p)
        }
    };
    // class zero in all arguments
    ($name:ident ($x:ident $(, $b:ident)*) $classes:tt [] $args:tt) => {
        fn $name(self $(, $b: Self)*) -> Self {
            let degree = self.degree$(.min($b.degree))*;
            let mut y = Series::constant(self.c[0].$name($($b.c[0]),*));
            y.degree = degree;
            y
        }
    };
    ($name:ident ($x:ident $(, $b:ident)*) [$($class:ident),+]
        [$($d:ident $product:ident ($($p:tt : $t:tt),+))*] $args:tt) => {
        fn $name(self $(, $b: Self)*) -> Self {
            let x = [self $(, $b)*];
            let value = self.c[0].$name($($b.c[0]),*);
            let reads_result = false $(|| reads_result!($($p: $t),+))*;
            let mut contribution = x.map(|_| None::<Contribution<'_, S, N>>);
            $(
                let by = |x: &Self, g: &Self, k: usize| {
                    contribute(x, g, k, |x, g| product!($product x, g))
                };
                contribution[digit!($d)] = Some(&by);
            )*
            by_partials(
                x,
                value,
                reads_result,
                |i, x, y| match i {
                    $(digit!($d) => partial!($d $name $args x y),)*
                    _ => unreachable!("table: arguments without partials have no contribution"),
                },
                contribution,
            )
        }
    };
}

macro_rules! by_hand {
    ($name:ident) => {
        #[inline]
        fn $name(self) -> Self {
            $name(self)
        }
    };
}

/// `k y_k = sum of j x_j y_(k - j)`
fn exp<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    Series::build(x.c[0].exp(), x.degree, |y, k| {
        let mut sum = S::default();
        for j in 1..=k {
            sum = sum + x.c[j].mul_real(count(j)) * y[k - j];
        }
        sum.div_real(count(k))
    })
}

/// `k x_0 y_k = k x_k - sum of j y_j x_(k - j)`, `j < k`
fn ln<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    let reciprocal = S::real_div(S::Real::from_f64(1.0), x.c[0]);
    Series::build(x.c[0].ln(), x.degree, |y, k| {
        let sum = (1..k).fold(x.c[k].mul_real(count(k)), |sum, j| {
            sum - x.c[k - j] * y[j].mul_real(count(j))
        });
        (sum * reciprocal).div_real(count(k))
    })
}

/// Two functions, each the derivative of the other but for a sign.
fn pair<S: Scalar, const N: usize>(
    x: Series<S, N>,
    (a, b): (S, S),
    negative: bool,
) -> (Series<S, N>, Series<S, N>) {
    let mut pair = (Series::constant(a), Series::constant(b));
    (pair.0.degree, pair.1.degree) = (x.degree, x.degree);
    for k in 1..=x.degree {
        let (mut s, mut c) = (S::default(), S::default());
        for j in 1..=k {
            let slope = x.c[j].mul_real(count(j));
            s = s + slope * pair.1.c[k - j];
            c = c + slope * pair.0.c[k - j];
        }
        pair.0.c[k] = s.div_real(count(k));
        pair.1.c[k] = if negative { -c } else { c }.div_real(count(k));
    }
    pair
}

fn sin<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    pair(x, (x.c[0].sin(), x.c[0].cos()), true).0
}

fn cos<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    pair(x, (x.c[0].sin(), x.c[0].cos()), true).1
}

fn sinh<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    pair(x, (x.c[0].sinh(), x.c[0].cosh()), false).0
}

fn cosh<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    pair(x, (x.c[0].sinh(), x.c[0].cosh()), false).1
}

/// `y' = (1 + y^2) x'`, or with a minus.
fn tangent<S: Scalar, const N: usize>(x: Series<S, N>, value: S, minus: bool) -> Series<S, N> {
    let mut slope = [S::default(); N];
    let one = S::Real::from_f64(1.0);
    Series::build(value, x.degree, |y, k| {
        let square = convolve(y, y, k - 1, 0..=k - 1);
        slope[k - 1] = match (minus, k) {
            (true, 1) => S::real_sub(one, square),
            (true, _) => -square,
            (false, 1) => square.add_real(one),
            (false, _) => square,
        };
        let mut sum = S::default();
        for j in 1..=k {
            sum = sum + x.c[j].mul_real(count(j)) * slope[k - j];
        }
        sum.div_real(count(k))
    })
}

fn tan<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    tangent(x, x.c[0].tan(), false)
}

fn tanh<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    tangent(x, x.c[0].tanh(), true)
}

/// `2 y_0 y_k = x_k - sum of y_j y_(k - j)`, `0 < j < k`
fn sqrt<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    let value = x.c[0].sqrt();
    let half = S::real_div(S::Real::from_f64(0.5), value);
    Series::build(value, x.degree, |y, k| {
        (x.c[k] - convolve(y, y, k, 1..k)) * half
    })
}

fn recip<S: Scalar, const N: usize>(x: Series<S, N>) -> Series<S, N> {
    let mut y = Series::constant(partials::one::<S>()) / x;
    y.c[0] = x.c[0].recip();
    y
}

/// By squaring, whatever the value is: a recurrence would divide by it. The reciprocal for `n < 0`.
fn powi<S: Scalar, const N: usize>(x: Series<S, N>, n: i32) -> Series<S, N> {
    let mut power = Series::constant(partials::one::<S>());
    power.degree = x.degree;
    if x.is_constant() && (n >= 0 || !x.c[0].vanishes()) {
        power.c[0] = x.c[0].powi(n);
        return power;
    }
    let (mut square, mut bits) = (x, n.unsigned_abs());
    while bits > 0 {
        if bits & 1 == 1 {
            power *= square;
        }
        bits >>= 1;
        if bits > 0 {
            square = square * square;
        }
    }
    if n < 0 {
        power = recip(power);
    }
    power.c[0] = x.c[0].powi(n);
    power
}

/// By the recurrence of `x y' = p y x'` for a constant exponent and `x` not zero; else from `exp(p ln x)` and
/// integer powers.
fn powf<S: Scalar, const N: usize>(x: Series<S, N>, p: Series<S, N>) -> Series<S, N> {
    let value = x.c[0].powf(p.c[0]);
    let degree = x.degree.min(p.degree);
    if !p.is_constant() {
        // also where the partial by x is zero or NaN the product says so
        let mut y = exp(p * ln(x));
        y.c[0] = value;
        y.degree = degree;
        return y;
    }
    let exponent = p.c[0];
    if partials::is_normal(value) && !x.c[0].vanishes() {
        if x.is_constant() {
            let mut y = Series::constant(value);
            y.degree = degree;
            return y;
        }
        return Series::build(value, degree, |y, k| {
            let mut sum = S::default();
            for j in 1..=k {
                let weight = exponent.mul_real(count(j)).sub_real(count(k - j));
                sum = sum + weight * x.c[j] * y[k - j];
            }
            sum / x.c[0].mul_real(count(k))
        });
    }
    // d/dt x^p = p x^(p - 1) x', to one degree less; where p is zero nothing is left
    let mut y = Series::constant(value);
    y.degree = degree;
    if degree > 0 {
        let below = powf(
            x.truncated(degree - 1),
            p - Series::constant(partials::one::<S>()),
        );
        for k in 1..=degree {
            let mut sum = S::default();
            for j in 1..=k {
                let slope = exponent.mul_strong(below.c[k - j]);
                sum = sum + x.c[j].mul_real(count(j)) * slope;
            }
            y.c[k] = sum.div_real(count(k));
        }
    }
    y
}

impl<S: Scalar, const N: usize> Scalar for Series<S, N> {
    type Real = S::Real;

    #[inline]
    fn from_real(c: S::Real) -> Self {
        Series::constant(S::from_real(c))
    }

    fn primal(self) -> S::Real {
        self.c[0].primal()
    }

    fn integer(self) -> S::Real {
        self.c[0].integer()
    }

    fn is_zero(self) -> bool {
        self.c[0].is_zero() && self.is_constant()
    }

    fn vanishes(self) -> bool {
        self.c[0].vanishes()
    }

    fn mul_strong(self, o: Self) -> Self {
        let degree = self.degree.min(o.degree);
        Series::build(self.c[0].mul_strong(o.c[0]), degree, |_, k| {
            let mut sum = S::default();
            for j in 0..=k {
                sum = sum + self.c[j].mul_strong(o.c[k - j]);
            }
            sum
        })
    }

    #[inline]
    fn add_real(mut self, c: S::Real) -> Self {
        self.c[0] = self.c[0].add_real(c);
        self
    }

    #[inline]
    fn sub_real(mut self, c: S::Real) -> Self {
        self.c[0] = self.c[0].sub_real(c);
        self
    }

    #[inline]
    fn mul_real(self, c: S::Real) -> Self {
        self.map(|x| x.mul_real(c))
    }

    #[inline]
    fn div_real(self, c: S::Real) -> Self {
        self.map(|x| x.div_real(c))
    }

    fn rem_real(mut self, c: S::Real) -> Self {
        self.c[0] = self.c[0].rem_real(c);
        self
    }

    #[inline]
    fn real_sub(c: S::Real, x: Self) -> Self {
        let mut y = -x;
        y.c[0] = S::real_sub(c, x.c[0]);
        y
    }

    fn real_div(c: S::Real, x: Self) -> Self {
        Series::from_real(c) / x
    }

    fn real_rem(c: S::Real, x: Self) -> Self {
        Series::from_real(c) % x
    }

    fn lt(self, o: Self) -> bool {
        self.c[0].lt(o.c[0])
    }

    fn le(self, o: Self) -> bool {
        self.c[0].le(o.c[0])
    }

    fn gt(self, o: Self) -> bool {
        self.c[0].gt(o.c[0])
    }

    fn ge(self, o: Self) -> bool {
        self.c[0].ge(o.c[0])
    }

    fn eq(self, o: Self) -> bool {
        self.c[0].eq(o.c[0])
    }

    fn ne(self, o: Self) -> bool {
        self.c[0].ne(o.c[0])
    }

    fn call_rule<R: Rule<S::Real, A, M>, const A: usize, const M: usize>(
        rule: &R,
        x: [&[Self]; A],
        y: [&mut [Self]; M],
    ) {
        call_on_series(rule, x, y);
    }

    fn sin_cos(self) -> (Self, Self) {
        pair(self, self.c[0].sin_cos(), true)
    }

    di_elementary::elementary!(methods);
}

/// A rule on series: the values through the scalar of the coefficients, then coefficient by coefficient
/// `y' = J(x) x'`, by the rule's pushforward on series of one degree less.
fn call_on_series<S: Scalar, const N: usize, const A: usize, const M: usize>(
    rule: &impl Rule<S::Real, A, M>,
    x: [&[Series<S, N>]; A],
    mut y: [&mut [Series<S, N>]; M],
) {
    let (n, m) = (x.map(<[_]>::len), y.each_ref().map(|y| y.len()));
    let (inputs, outputs) = (n.iter().sum::<usize>(), m.iter().sum::<usize>());
    let all = || x.iter().flat_map(|x| x.iter());
    let mut values = vec![S::default(); inputs + outputs];
    let (xs, ys) = values.split_at_mut(inputs);
    for (to, x) in xs.iter_mut().zip(all()) {
        *to = x.c[0];
    }
    let xs = split(xs, n).map(|x| &*x);
    S::call_rule(rule, xs, split(ys, m));
    let degree = all().map(|x| x.degree).min().unwrap_or(N - 1);
    let mut results: Vec<Series<S, N>> = (ys.iter())
        .map(|value| {
            let mut y = Series::constant(*value);
            y.degree = degree;
            y
        })
        .collect();
    if degree > 0 {
        complete(rule, &mut results, degree, (n, m), all);
    }
    let to = y.iter_mut().flat_map(|y| y.iter_mut());
    for (to, y) in to.zip(results) {
        *to = y;
    }
}

/// All coefficients of a rule's results.
///
/// Those that are not known yet are NaN, so that coefficients of the slope which turn out to be numbers
/// cannot depend on them: where the pushforward does not read the results, one call is enough. Else there is
/// one for each coefficient, of as low a degree as will do.
fn complete<'x, S: Scalar, I, const N: usize, const A: usize, const M: usize>(
    rule: &impl Rule<S::Real, A, M>,
    results: &mut [Series<S, N>],
    degree: usize,
    (n, m): ([usize; A], [usize; M]),
    all: impl Fn() -> I,
) where
    I: Iterator<Item = &'x Series<S, N>>,
{
    let mut points: Vec<Series<S, N>> = all().copied().collect();
    let mut slopes = points.clone();
    let mut known = vec![Series::default(); results.len()];
    let mut dy = vec![Series::default(); results.len()];
    let mut next = 1;
    while next <= degree {
        let top = if next == 1 { degree - 1 } else { next - 1 };
        for ((point, slope), x) in points.iter_mut().zip(&mut slopes).zip(all()) {
            (*point, *slope) = (x.truncated(top), x.derivative(top));
        }
        for (known, y) in known.iter_mut().zip(&*results) {
            *known = y.truncated(top);
            for c in known.c.iter_mut().take(top + 1).skip(next) {
                *c = S::from_real(S::Real::NAN);
            }
        }
        rule.pushforward(
            split(&mut points, n).map(|x| &*x),
            split(&mut known, m).map(|x| &*x),
            split(&mut slopes, n).map(|x| &*x),
            split(&mut dy, m),
        );
        let first = next;
        let known = |k: usize| dy.iter().all(|dy| dy.c[k].eq(dy.c[k]));
        while next <= top + 1 && (next == first || known(next - 1)) {
            for (y, dy) in results.iter_mut().zip(&dy) {
                y.c[next] = dy.c[next - 1].div_real(count(next));
            }
            next += 1;
        }
    }
}
