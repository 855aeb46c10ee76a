//! Tracers: scalars that know which inputs they depend on, and perhaps their value.
//!
//! A tracer knows a set of inputs, and perhaps of pairs: by its index in a thread-local graph, or as bits, one for
//! each input of a part of them. Dependence follows the classes of the table: arguments of class zero are cut, nonlinear ones make
//! pairs. Without values (global) it holds at every point, and a program that looks at a value notes a typed
//! error; with values (local) comparisons are answered, and what does not count at the point is left out.
//!
//! Reference: A. Hill, G. Dalle: Sparser, better, faster, stronger: sparsity detection for efficient
//! automatic differentiation (2025).

mod bits;
mod branch;
mod dependence;
mod knowledge;
mod pairs;
mod readout;
mod trace;

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use crate::scalar::{Rule, Scalar};

pub use bits::Bits;
pub use dependence::{Dependence, IndexPairs, IndexSet};
pub use knowledge::{Knowledge, Known, Unknown};
pub use trace::Trace;

/// A number of which the inputs it depends on are known, with [`IndexPairs`] also the pairs of inputs in which
/// it may have a second derivative.
///
/// Valid while the [`Trace`] lives under which it was made, on the thread of that trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tracer<V: Knowledge, D: Dependence = IndexSet> {
    on: D,
    degree: Degree,
    value: V,
}

/// The degree of a number as a polynomial of the inputs, as far as it matters for second derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Degree {
    #[default]
    Constant,
    Linear,
    Quadratic,
    /// Of higher degree, or no polynomial.
    Any,
}

impl Degree {
    fn product(self, o: Self) -> Self {
        match (self, o) {
            (Degree::Constant, other) | (other, Degree::Constant) => other,
            (Degree::Linear, Degree::Linear) => Degree::Quadratic,
            _ => Degree::Any,
        }
    }

    /// Of a function that is no polynomial.
    fn beyond(self) -> Self {
        match self {
            Degree::Constant => Degree::Constant,
            Degree::Linear | Degree::Quadratic | Degree::Any => Degree::Any,
        }
    }
}

impl<V: Knowledge, D: Dependence> Tracer<V, D> {
    /// A number that depends on nothing.
    pub fn constant(value: V) -> Self {
        Tracer {
            value,
            ..Tracer::default()
        }
    }

    /// Input number `i`; bits are those of the inputs from `first` on.
    #[inline]
    pub(crate) fn input(i: usize, first: usize, value: V) -> Self {
        Tracer {
            on: D::of_input(i, first),
            degree: Degree::Linear,
            value,
        }
    }

    /// What it depends on.
    pub(crate) fn on(self) -> D {
        self.on
    }

    /// Are its second derivatives the same at every point, as long as all constants are?
    pub fn has_constant_second(self) -> bool {
        self.degree != Degree::Any
    }

    /// A number that depends on whatever either depends on.
    pub fn union(self, o: Self) -> Self {
        let mut y = self;
        y.join(o);
        y.degree = self.degree.max(o.degree);
        y
    }

    /// Adds an argument in which the function is linear.
    #[inline]
    fn join(&mut self, o: Self) {
        self.on = self.on.union(o.on);
    }

    /// Adds second derivatives by two arguments, perhaps the same.
    #[inline]
    fn cross(&mut self, a: Self, b: Self) {
        self.on = self.on.cross(a.on, b.on);
    }

    /// A function of one argument: same inputs.
    #[inline]
    fn unary(self, nonlinear: bool, value: V) -> Self {
        let mut y = self;
        y.value = value;
        if nonlinear {
            y.cross(self, self);
        }
        y.degree = self.degree.beyond();
        y
    }

    /// Comparisons look at values.
    fn compare(
        self,
        o: Self,
        operation: &'static str,
        compare: impl FnOnce(&V::Real, &V::Real) -> bool,
    ) -> bool {
        if !(self.on.is_nothing() && o.on.is_nothing()) {
            trace::note_look();
        }
        V::compare(self.value, o.value, operation, compare)
    }
}

impl<V: Knowledge, D: Dependence> Add for Tracer<V, D> {
    type Output = Self;

    #[inline]
    fn add(self, o: Self) -> Self {
        let mut y = self.union(o);
        y.value = self.value.map2(o.value, |x, o| x + o);
        y
    }
}

impl<V: Knowledge, D: Dependence> Sub for Tracer<V, D> {
    type Output = Self;

    #[inline]
    fn sub(self, o: Self) -> Self {
        let mut y = self.union(o);
        y.value = self.value.map2(o.value, |x, o| x - o);
        y
    }
}

impl<V: Knowledge, D: Dependence> Mul for Tracer<V, D> {
    type Output = Self;

    #[inline]
    fn mul(self, o: Self) -> Self {
        // the derivative by each factor is the other one
        let counts = [!o.value.is_known_zero(), !self.value.is_known_zero()];
        Tracer {
            on: self.on.times(o.on, counts),
            degree: self.degree.product(o.degree),
            value: self.value.map2(o.value, |x, o| x * o),
        }
    }
}

impl<V: Knowledge, D: Dependence> Div for Tracer<V, D> {
    type Output = Self;

    #[inline]
    fn div(self, o: Self) -> Self {
        let mut y = Tracer::constant(self.value.map2(o.value, |x, o| x / o));
        y.join(self);
        if !self.value.is_known_zero() {
            y.join(o);
            y.cross(o, o);
        }
        y.cross(self, o);
        y.degree = match o.degree {
            Degree::Constant => self.degree,
            Degree::Linear | Degree::Quadratic | Degree::Any => Degree::Any,
        };
        y
    }
}

impl<V: Knowledge, D: Dependence> Rem for Tracer<V, D> {
    type Output = Self;

    fn rem(self, o: Self) -> Self {
        let mut y = self.union(o);
        y.value = self.value.map2(o.value, |x, o| x % o);
        y.degree = y.degree.beyond();
        y
    }
}

impl<V: Knowledge, D: Dependence> Neg for Tracer<V, D> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        let value = self.value.map(|x| -x);
        Tracer { value, ..self }
    }
}

/// Adds an argument by its class.
macro_rules! depend {
    (zero $y:ident $x:ident $counts:expr) => {
        let _ = $counts;
        $y.degree = $y.degree.max($x.degree.beyond());
    };
    (linear $y:ident $x:ident $counts:expr) => {
        if $counts {
            $y.join($x);
        }
        $y.degree = $y.degree.max($x.degree.beyond());
    };
    (nonlinear $y:ident $x:ident $counts:expr) => {
        if $counts {
            $y.join($x);
            $y.cross($x, $x);
        }
        $y.degree = $y.degree.max($x.degree.beyond());
    };
}

macro_rules! tracer_methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(tracer_method!($name $args [$($class),+] [$($cross),*]);)*
    };
}

macro_rules! tracer_method {
    ($name:ident ($x:ident; $n:ident) [$class:ident] []) => {
        fn $name(self, $n: i32) -> Self {
            let value = self.value.map(|x| x.$name($n));
            match $n {
                // x^0 is the constant 1
                0 => Self::constant(value),
                1 => Tracer { value, ..self },
                2 => {
                    let mut y = self.unary(true, value);
                    y.degree = self.degree.product(self.degree);
                    y
                }
                _ => self.unary(true, value),
            }
        }
    };
    ($name:ident ($x:ident) [zero] []) => {
        fn $name(self) -> Self {
            // constant between jumps, but not the same everywhere
            let degree = self.degree.beyond();
            let value = self.value.map(|x| x.$name());
            Tracer { degree, ..Self::constant(value) }
        }
    };
    ($name:ident ($x:ident) [linear] []) => {
        fn $name(self) -> Self {
            self.unary(false, self.value.map(|x| x.$name()))
        }
    };
    ($name:ident ($x:ident) [nonlinear] []) => {
        #[inline]
        fn $name(self) -> Self {
            self.unary(true, self.value.map(|x| x.$name()))
        }
    };
    ($name:ident ($x:ident, $b:ident) [$first:ident, $second:ident] [$($cross:tt),*]) => {
        #[allow(deprecated, reason = "abs_sub is a row as long as std has it")]
        fn $name(self, $b: Self) -> Self {
            let value = self.value.map2($b.value, |x, b| x.$name(b));
            let mut y = Self::constant(value);
            let counts = V::chosen(stringify!($name), [self.value, $b.value, $b.value]);
            depend!($first y self counts[0]);
            depend!($second y $b counts[1]);
            $(cross!(y [self, $b] $cross);)*
            y
        }
    };
    ($name:ident ($x:ident, $b:ident, $c:ident) [$first:ident, $second:ident, $third:ident]
        [$($cross:tt),*]) => {
        fn $name(self, $b: Self, $c: Self) -> Self {
            let value = self.value.map3($b.value, $c.value, |x, b, c| x.$name(b, c));
            let mut y = Self::constant(value);
            let counts = V::chosen(stringify!($name), [self.value, $b.value, $c.value]);
            depend!($first y self counts[0]);
            depend!($second y $b counts[1]);
            depend!($third y $c counts[2]);
            $(cross!(y [self, $b, $c] $cross);)*
            y
        }
    };
}

macro_rules! cross {
    ($y:ident [$($x:expr),+] ($i:literal, $j:literal)) => {
        let x = [$($x),+];
        $y.cross(x[$i], x[$j]);
    };
}

impl<V: Knowledge, D: Dependence> Scalar for Tracer<V, D> {
    type Real = V::Real;

    #[inline]
    fn from_real(c: V::Real) -> Self {
        Tracer::constant(V::of(c))
    }

    fn primal(self) -> V::Real {
        if !self.on.is_nothing() {
            trace::note_look();
        }
        self.value.primal()
    }

    fn is_zero(self) -> bool {
        self.on.is_nothing() && self.value.is_known_zero()
    }

    fn vanishes(self) -> bool {
        self.value.may_be_zero()
    }

    fn mul_strong(self, o: Self) -> Self {
        let mut y = self * o;
        y.value = self.value.map2(o.value, |x, o| x.mul_strong(o));
        y
    }

    #[inline]
    fn add_real(self, c: V::Real) -> Self {
        let value = self.value.map(|x| x + c);
        Tracer { value, ..self }
    }

    #[inline]
    fn sub_real(self, c: V::Real) -> Self {
        let value = self.value.map(|x| x - c);
        Tracer { value, ..self }
    }

    #[inline]
    fn mul_real(self, c: V::Real) -> Self {
        // the constant may be another one in the next call: also a zero keeps what it is multiplied with
        let value = self.value.map(|x| x * c);
        Tracer { value, ..self }
    }

    #[inline]
    fn div_real(self, c: V::Real) -> Self {
        let value = self.value.map(|x| x / c);
        Tracer { value, ..self }
    }

    fn rem_real(self, c: V::Real) -> Self {
        self.unary(false, self.value.map(|x| x % c))
    }

    #[inline]
    fn real_sub(c: V::Real, x: Self) -> Self {
        let value = x.value.map(|x| c - x);
        Tracer { value, ..x }
    }

    #[inline]
    fn real_div(c: V::Real, x: Self) -> Self {
        x.unary(true, x.value.map(|x| c / x))
    }

    fn real_rem(c: V::Real, x: Self) -> Self {
        x.unary(false, x.value.map(|x| c % x))
    }

    fn lt(self, o: Self) -> bool {
        self.compare(o, "<", |x, o| x < o)
    }

    fn le(self, o: Self) -> bool {
        self.compare(o, "<=", |x, o| x <= o)
    }

    fn gt(self, o: Self) -> bool {
        self.compare(o, ">", |x, o| x > o)
    }

    fn ge(self, o: Self) -> bool {
        self.compare(o, ">=", |x, o| x >= o)
    }

    fn eq(self, o: Self) -> bool {
        self.compare(o, "==", |x, o| x == o)
    }

    fn ne(self, o: Self) -> bool {
        self.compare(o, "!=", |x, o| x != o)
    }

    fn select_lt(self, o: Self, x: Self, y: Self) -> Self {
        branch::select(x, y, || self.lt(o))
    }

    fn select_le(self, o: Self, x: Self, y: Self) -> Self {
        branch::select(x, y, || self.le(o))
    }

    fn select_eq(self, o: Self, x: Self, y: Self) -> Self {
        branch::select(x, y, || self.eq(o))
    }

    fn call_rule<T: Rule<V::Real, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: [&[Self]; N],
        mut y: [&mut [Self]; M],
    ) {
        let x_values = x.map(|x| x.iter().map(|x| x.value).collect::<Vec<V>>());
        let mut y_values = y.each_ref().map(|y| vec![V::default(); y.len()]);
        V::call(rule, &x_values, &mut y_values);
        let n = x.iter().map(|x| x.len()).sum();
        // unions are made once for outputs that depend on everything
        let mut all: Option<Self> = None;
        let values = y_values.iter().flatten();
        let outputs = y.iter_mut().flat_map(|y| y.iter_mut());
        for (i, (y, value)) in outputs.zip(values).enumerate() {
            let full = (0..n).all(|j| rule.depends(i, j));
            let mut found = all.filter(|_| full).unwrap_or_else(|| {
                let inputs = x.iter().flat_map(|x| x.iter()).enumerate();
                let those = inputs.filter(|(j, _)| rule.depends(i, *j));
                let joined = those.fold(Self::default(), |y, (_, x)| y.union(*x));
                joined.unary(true, V::default())
            });
            if full {
                all = Some(found);
            }
            found.value = *value;
            *y = found;
        }
    }

    di_elementary::elementary!(tracer_methods);
}
