//! The rows as plain data, and lookups in them.

use std::f64::consts::{E, FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, PI};

/// How a function depends on one of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// First derivative zero wherever it exists: the argument carries no dependence.
    Zero,
    /// Second derivative in this argument zero wherever it exists.
    Linear,
    /// Anything else.
    Nonlinear,
}

/// How a tangent or an adjoint is multiplied by a partial derivative.
///
/// Zero times infinity is NaN, as it is for floats, but where the zero is that of an indicator. A
/// zero tangent or adjoint is one that was computed, and may be the limit of anything: of
/// `sqrt(t)^2` at 0 the adjoint of the root is zero, its derivative infinite, and the result 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The partial is finite where the function is.
    Plain,
    /// The partial has poles, or overflows: the generated code of a function that asks for strong
    /// zeros gives zero for a zero tangent or adjoint, whatever the partial is. It is the incoming
    /// tangent or adjoint that is tested, not the divisor (as Enzyme does, whose issue 1295 tells
    /// the two apart). All else multiplies as [`Product::Plain`].
    Strong,
    /// The partial is an indicator (0, 1 or -1): where it is zero the product is zero, whatever
    /// the tangent or adjoint is.
    Select,
}

/// The bit of [`Partial::reads`] that stands for the result; bit `k` stands for argument `k`.
pub const READS_RESULT: u8 = 1 << 3;

/// One partial derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// By which argument.
    pub argument: usize,
    /// Operands that the formula reads: bit `k` for argument `k`, [`READS_RESULT`] for the result.
    /// A passive integer is not counted.
    pub reads: u8,
    /// How it multiplies a tangent or an adjoint.
    pub product: Product,
    /// The formula as written, for documentation.
    pub formula: &'static str,
}

impl Partial {
    /// Is the value of argument `k` read?
    pub const fn reads_argument(&self, k: usize) -> bool {
        self.reads & (1 << k) != 0
    }

    /// Is the function's result read?
    pub const fn reads_result(&self) -> bool {
        self.reads & READS_RESULT != 0
    }
}

/// Derivatives at a point that a sample would miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Arguments.
    pub x: &'static [f64],
    /// The integer, for a function that has one.
    pub n: Option<i32>,
    /// First derivatives, by argument.
    pub first: &'static [f64],
    /// Upper triangle of the second derivatives, row by row; empty where nothing is promised.
    pub second: &'static [f64],
}

/// A box in argument space.
pub type Domain = &'static [(f64, f64)];

/// One elementary function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Name of the method, that of `f64`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub doc: &'static str,
    /// Names of the float arguments, the receiver first.
    pub arguments: &'static [&'static str],
    /// Is there a passive integer after the floats?
    pub integer: bool,
    /// Class of each float argument.
    pub classes: &'static [Class],
    /// Pairs of different arguments, the lower first, whose mixed second derivative may be nonzero.
    pub cross: &'static [(usize, usize)],
    /// Partial derivatives, by ascending argument; none for arguments of class zero.
    pub partials: &'static [Partial],
    /// Boxes inside which the function is smooth, for samples.
    pub domains: &'static [Domain],
    /// Special points.
    pub points: &'static [Point],
    /// Convention at kinks and poles.
    pub note: &'static str,
}

impl Row {
    /// Number of float arguments.
    pub const fn arity(&self) -> usize {
        self.arguments.len()
    }

    /// The derivative by argument `k`; `None` if its class is zero.
    pub fn partial(&self, k: usize) -> Option<&'static Partial> {
        self.partials.iter().find(|p| p.argument == k)
    }

    /// May the second derivative by arguments `i` and `j` be nonzero?
    pub fn second(&self, i: usize, j: usize) -> bool {
        let pair = (i.min(j), i.max(j));
        (i == j && self.classes[i] == Class::Nonlinear) || self.cross.contains(&pair)
    }
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
/// Euler's constant, minus digamma at 1.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;
/// Riemann's zeta at 3.
const ZETA_3: f64 = 1.202_056_903_159_594_2;

/// Digit of `d0`, `d1`, `d2`.
const fn argument_of(name: &str) -> usize {
    (name.as_bytes()[1] - b'0') as usize
}

macro_rules! class {
    (zero) => {
        Class::Zero
    };
    (linear) => {
        Class::Linear
    };
    (nonlinear) => {
        Class::Nonlinear
    };
}

macro_rules! product {
    (plain) => {
        Product::Plain
    };
    (strong) => {
        Product::Strong
    };
    (select) => {
        Product::Select
    };
}

/// Mask of the operands that have a name in the formula's parameter list.
macro_rules! reads {
    ($bit:expr; _: S) => { 0 };
    ($bit:expr; $y:ident: S) => { READS_RESULT };
    ($bit:expr; $n:tt: i32, $($rest:tt)+) => { reads!($bit; $($rest)+) };
    ($bit:expr; _: S, $($rest:tt)+) => { reads!($bit << 1; $($rest)+) };
    ($bit:expr; $x:ident: S, $($rest:tt)+) => { $bit | reads!($bit << 1; $($rest)+) };
}

macro_rules! rows {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
        on [$([$($on:expr),+])*]
        at [$([$($at:expr),+ $(; $an:expr)?] => [$($first:expr),*] [$($second:expr),*])*]
        note $note:literal;)*) => {
        &[$(Row {
            name: stringify!($name),
            doc: $doc,
            arguments: &[stringify!($x) $(, stringify!($b))*],
            integer: false $(|| !stringify!($n).is_empty())?,
            classes: &[$(class!($class)),+],
            cross: &[$($cross),*],
            partials: &[$(Partial {
                argument: argument_of(stringify!($d)),
                reads: reads!(1u8; $($p: $t),+),
                product: product!($product),
                formula: stringify!($body),
            }),*],
            domains: &[$(&[$($on),+]),*],
            points: &[$(Point {
                x: &[$($at),+],
                n: integer!($($an)?),
                first: &[$($first),*],
                second: &[$($second),*],
            }),*],
            note: $note,
        }),*]
    };
}

macro_rules! integer {
    () => {
        None
    };
    ($n:expr) => {
        Some($n)
    };
}

/// Methods of the scalar.
pub const TABLE: &[Row] = crate::elementary!(rows);

/// Arithmetic operators, under the names of their traits' methods.
pub const OPERATORS: &[Row] = crate::operators!(rows);

/// Special functions, called by their paths.
pub const SPECIAL: &[Row] = crate::special!(rows);

/// The row of a method, by name.
pub fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

macro_rules! evaluate {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// Value of a method of the table, for evaluators; `n` counts only where there is an integer.
        ///
        /// `None` if there is no such row or the number of arguments is not its own.
        #[allow(deprecated, reason = "abs_sub is a row as long as std has it")]
        pub fn evaluate(name: &str, x: &[f64], n: i32) -> Option<f64> {
            match (name, x) {
                $((stringify!($name), &[$x $(, $b)*]) => {
                    $(let $n = n;)?
                    Some(f64::$name($x $(, $b)* $(, $n)?))
                })*
                _ => None,
            }
        }
    };
}
crate::elementary!(evaluate);
