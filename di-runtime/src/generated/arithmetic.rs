//! Arithmetic and elementary functions of numbers as calls, beside operators and methods of structs: what they are
//! applied to may be either, and the type that it turns out to have chooses the impl.

use std::marker::PhantomData;

use super::{Activity, Cursor, Infer, Method, Operator, Returns, Seed, Seen, Shadow, Tape};
use crate::pool::Pool;
use crate::scalar::partials::one;
use crate::scalar::{Abstract, Dual, Lanes, Real, Scalar, Undecided};

/// An operator of two numbers.
pub trait Arithmetic {
    /// The value, the derivative by the left side and a factor of that by the right side.
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3];

    /// Tangents or adjoints times the derivative by the right side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_right<S: Scalar, A: Lanes<S>>(t: A, _by_left: S, factor: S) -> A {
        t.scale(factor)
    }
}

/// `a + b`
#[derive(Debug)]
pub struct Sum;

/// `a - b`
#[derive(Debug)]
pub struct Difference;

/// `a * b`
#[derive(Debug)]
pub struct Product;

/// `a / b`
#[derive(Debug)]
pub struct Quotient;

/// `a % b`
#[derive(Debug)]
pub struct Remainder;

impl Arithmetic for Sum {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3] {
        [a + b, one(), one()]
    }
}

impl Arithmetic for Difference {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3] {
        [a - b, one(), -one::<S>()]
    }
}

impl Arithmetic for Product {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3] {
        [a * b, b, a]
    }
}

impl Arithmetic for Quotient {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3] {
        let value = a / b;
        [value, one::<S>() / b, -value]
    }

    // the product of both may be too small for a float
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_right<S: Scalar, A: Lanes<S>>(t: A, by_left: S, factor: S) -> A {
        t.scale(factor).scale(by_left)
    }
}

impl Arithmetic for Remainder {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts<S: Scalar>(a: S, b: S) -> [S; 3] {
        [a % b, one(), -(a / b).trunc()]
    }
}

/// What callers ask of the handles: one word for each argument, no tape.
macro_rules! contract {
    ($arguments:literal, mutable: $mutable:expr) => {
        pub const __WORDS: usize = $arguments;
        pub const __INTS: usize = 0;
        pub const __RECORDS: bool = true;
        pub const __TAPE: bool = false;
        pub const __BUFFERS: bool = false;
        pub const __CONSTANT: [bool; $arguments] = [false; $arguments];
        pub const __NEEDS: [bool; $arguments] = [false; $arguments];
        pub const __RENEWS: [u64; $arguments] = [1 << 63; $arguments];
        pub const __MUT: [bool; $arguments] = $mutable;
        pub const __SOUND: usize = 0;
        pub const __GIVES: &'static [u8] = &[];

        pub const fn __visit(_: &mut Seen) {}
    };
}

/// The handle of an operator of two numbers. The contract is that of generated code.
#[derive(Debug)]
pub struct OfTwo<O, R>(PhantomData<(O, R)>);

#[doc(hidden)]
#[allow(missing_docs, clippy::too_many_arguments)]
impl<O: Arithmetic, R: Real> OfTwo<O, R> {
    contract!(2, mutable: [false, false]);

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __primal<S: Scalar<Real = R>>(a: S, b: S, _: &mut Pool) -> S {
        O::parts(a, b)[0]
    }

    pub fn __pattern<S: Abstract<Real = R>>(a: S, b: S, _: &mut Pool) -> Result<S, Undecided> {
        Ok(O::parts(a, b)[0])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __tangent<S: Scalar<Real = R>, A: Lanes<S>, P: Activity, Q: Activity>(
        a: S,
        da: Seed<'_, A, P>,
        b: S,
        db: Seed<'_, A, Q>,
        _: &mut Pool,
    ) -> (S, A) {
        let [value, by_a, factor] = O::parts(a, b);
        let mut dy = A::zero();
        if P::LIVE {
            dy.acc(da.value().scale(by_a));
        }
        if Q::LIVE {
            dy.acc(O::by_right(db.value(), by_a, factor));
        }
        (value, dy)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __augmented<S: Scalar<Real = R>>(
        a: S,
        b: S,
        words: &mut [S],
        _: &mut [usize],
        _: &mut Tape<S>,
        _: &mut Pool,
    ) -> S {
        let [value, by_a, factor] = O::parts(a, b);
        words.copy_from_slice(&[by_a, factor]);
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __reverse<S: Scalar<Real = R>, A: Lanes<S>, P: Activity, Q: Activity>(
        (): (),
        a: Shadow<'_, A, P>,
        (): (),
        b: Shadow<'_, A, Q>,
        adjoint: A,
        words: &[S],
        _: &[usize],
        _: &Tape<S>,
        _: &mut Cursor,
        _: &mut Pool,
    ) {
        b.give::<S>(O::by_right(adjoint, words[0], words[1]));
        a.give::<S>(adjoint.scale(words[0]));
    }
}

/// The handle of an operator that changes its left side, `a += b`. The contract is that of generated code.
#[derive(Debug)]
pub struct Assigned<O, R>(PhantomData<(O, R)>);

#[doc(hidden)]
#[allow(missing_docs, clippy::too_many_arguments)]
impl<O: Arithmetic, R: Real> Assigned<O, R> {
    contract!(2, mutable: [true, false]);

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __primal<S: Scalar<Real = R>>(a: &mut S, b: S, _: &mut Pool) {
        *a = O::parts(*a, b)[0];
    }

    pub fn __pattern<S: Abstract<Real = R>>(
        a: &mut S,
        b: S,
        _: &mut Pool,
    ) -> Result<(), Undecided> {
        *a = O::parts(*a, b)[0];
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __tangent<S: Scalar<Real = R>, A: Lanes<S>, Q: Activity>(
        a: &mut S,
        da: &mut A,
        b: S,
        db: Seed<'_, A, Q>,
        _: &mut Pool,
    ) -> ((), ()) {
        let [value, by_a, factor] = O::parts(*a, b);
        *a = value;
        *da = da.scale(by_a).add(O::by_right(db.value(), by_a, factor));
        ((), ())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __augmented<S: Scalar<Real = R>>(
        a: &mut S,
        b: S,
        words: &mut [S],
        _: &mut [usize],
        _: &mut Tape<S>,
        _: &mut Pool,
    ) {
        let [value, by_a, factor] = O::parts(*a, b);
        words.copy_from_slice(&[by_a, factor]);
        *a = value;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __reverse<S: Scalar<Real = R>, A: Lanes<S>, Q: Activity>(
        (): (),
        a: &mut A,
        (): (),
        b: Shadow<'_, A, Q>,
        (): (),
        words: &[S],
        _: &[usize],
        _: &Tape<S>,
        _: &mut Cursor,
        _: &mut Pool,
    ) {
        b.give::<S>(O::by_right(*a, words[0], words[1]));
        *a = a.scale(words[0]);
    }
}

/// A function of one number.
pub trait Elementary {
    /// The value.
    fn value<S: Scalar>(x: S) -> S;
}

/// `-x`
#[derive(Debug)]
pub struct Opposite;

impl Elementary for Opposite {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<S: Scalar>(x: S) -> S {
        -x
    }
}

/// The value, and the derivative.
#[cfg_attr(not(debug_assertions), inline(always))]
fn both<F: Elementary, S: Scalar>(x: S) -> (S, S) {
    let y = F::value(Dual::new(x, [one()]));
    (y.value, y.tangents[0])
}

/// The handle of a function of one number. The contract is that of generated code.
#[derive(Debug)]
pub struct OfOne<F, R>(PhantomData<(F, R)>);

#[doc(hidden)]
#[allow(missing_docs, clippy::too_many_arguments)]
impl<F: Elementary, R: Real> OfOne<F, R> {
    contract!(1, mutable: [false]);

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __primal<S: Scalar<Real = R>>(x: S, _: &mut Pool) -> S {
        F::value(x)
    }

    pub fn __pattern<S: Abstract<Real = R>>(x: S, _: &mut Pool) -> Result<S, Undecided> {
        Ok(F::value(x))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __tangent<S: Scalar<Real = R>, A: Lanes<S>, P: Activity>(
        x: S,
        dx: Seed<'_, A, P>,
        _: &mut Pool,
    ) -> (S, A) {
        let (y, by_x) = both::<F, S>(x);
        (y, dx.value().scale(by_x))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __augmented<S: Scalar<Real = R>>(
        x: S,
        words: &mut [S],
        _: &mut [usize],
        _: &mut Tape<S>,
        _: &mut Pool,
    ) -> S {
        let (y, by_x) = both::<F, S>(x);
        words[0] = by_x;
        y
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __reverse<S: Scalar<Real = R>, A: Lanes<S>, P: Activity>(
        (): (),
        x: Shadow<'_, A, P>,
        adjoint: A,
        words: &[S],
        _: &[usize],
        _: &Tape<S>,
        _: &mut Cursor,
        _: &mut Pool,
    ) {
        x.give::<S>(adjoint.scale(words[0]));
    }
}

impl<T, O, R> Infer<T> for OfTwo<O, R> {
    type Of = Self;
}

impl<T, O, R> Infer<T> for Assigned<O, R> {
    type Of = Self;
}

impl<T, F, R> Infer<T> for OfOne<F, R> {
    type Of = Self;
}

impl<O, R> Returns for OfTwo<O, R> {
    type Result = R;
}

impl<F, R> Returns for OfOne<F, R> {
    type Result = R;
}

macro_rules! operators {
    ($($real:ty)*) => {$(
        operators!($real, "add", "add_assign", Sum);
        operators!($real, "sub", "sub_assign", Difference);
        operators!($real, "mul", "mul_assign", Product);
        operators!($real, "div", "div_assign", Quotient);
        operators!($real, "rem", "rem_assign", Remainder);
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash("neg") }, ()> for $real {
            type Handle = OfOne<Opposite, $real>;
            type Instance = OfOne<Opposite, $real>;
            type Code = OfOne<Opposite, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash("neg") }, ()> for &'static $real {
            type Handle = OfOne<Opposite, $real>;
            type Instance = OfOne<Opposite, $real>;
            type Code = OfOne<Opposite, $real>;
        }
    )*};
    ($real:ty, $name:literal, $assign:literal, $of:ident) => {
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($name) }, $real> for $real {
            type Handle = OfTwo<$of, $real>;
            type Instance = OfTwo<$of, $real>;
            type Code = OfTwo<$of, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($name) }, &'static $real> for $real {
            type Handle = OfTwo<$of, $real>;
            type Instance = OfTwo<$of, $real>;
            type Code = OfTwo<$of, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($name) }, $real> for &'static $real {
            type Handle = OfTwo<$of, $real>;
            type Instance = OfTwo<$of, $real>;
            type Code = OfTwo<$of, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($name) }> for &'static $real {
            type Handle = OfTwo<$of, $real>;
            type Instance = OfTwo<$of, $real>;
            type Code = OfTwo<$of, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($assign) }, $real> for $real {
            type Handle = Assigned<$of, $real>;
            type Instance = Assigned<$of, $real>;
            type Code = Assigned<$of, $real>;
        }
        #[diagnostic::do_not_recommend]
        impl Operator<{ hash($assign) }, &'static $real> for $real {
            type Handle = Assigned<$of, $real>;
            type Instance = Assigned<$of, $real>;
            type Code = Assigned<$of, $real>;
        }
    };
}
operators!(f64 f32);

/// Rows of the table with one argument or two, as methods of numbers: structs may have some of the same names.
macro_rules! methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(method!($name $args $doc);)*
    };
}

/// The value of a function of two numbers, and its derivatives.
#[cfg_attr(not(debug_assertions), inline(always))]
fn all<S: Scalar>(a: S, b: S, f: impl Fn(Dual<S, 2>, Dual<S, 2>) -> Dual<S, 2>) -> [S; 3] {
    let y = f(Dual::variable(a, 0), Dual::variable(b, 1));
    [y.value, y.tangents[0], y.tangents[1]]
}

macro_rules! method {
    ($name:ident ($x:ident, $b:ident) $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug)]
        #[allow(non_camel_case_types, reason = "named as the row of the table")]
        pub struct $name;

        impl Arithmetic for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn parts<S: Scalar>($x: S, $b: S) -> [S; 3] {
                all($x, $b, |$x, $b| $x.$name($b))
            }
        }

        #[diagnostic::do_not_recommend]
        impl Method<{ hash(stringify!($name)) }> for f64 {
            type Handle = OfTwo<$name, f64>;
            type Instance = OfTwo<$name, f64>;
            type Code = OfTwo<$name, f64>;
        }

        #[diagnostic::do_not_recommend]
        impl Method<{ hash(stringify!($name)) }> for f32 {
            type Handle = OfTwo<$name, f32>;
            type Instance = OfTwo<$name, f32>;
            type Code = OfTwo<$name, f32>;
        }
    };
    ($name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug)]
        #[allow(non_camel_case_types, reason = "named as the row of the table")]
        pub struct $name;

        impl Elementary for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn value<S: Scalar>($x: S) -> S {
                $x.$name()
            }
        }

        #[diagnostic::do_not_recommend]
        impl Method<{ hash(stringify!($name)) }> for f64 {
            type Handle = OfOne<$name, f64>;
            type Instance = OfOne<$name, f64>;
            type Code = OfOne<$name, f64>;
        }

        #[diagnostic::do_not_recommend]
        impl Method<{ hash(stringify!($name)) }> for f32 {
            type Handle = OfOne<$name, f32>;
            type Instance = OfOne<$name, f32>;
            type Code = OfOne<$name, f32>;
        }
    };
    ($($other:tt)*) => {};
}
di_elementary::elementary!(methods);

/// The hash by which the compiler finds a method: FNV-1a (Fowler, Noll and Vo).
const fn hash(name: &str) -> u64 {
    let (name, mut h, mut k) = (name.as_bytes(), 0xcbf2_9ce4_8422_2325_u64, 0);
    while k < name.len() {
        h = (h ^ name[k] as u64).wrapping_mul(0x0100_0000_01b3);
        k += 1;
    }
    h
}
