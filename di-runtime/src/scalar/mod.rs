//! What generated code computes with: the scalar trait and the engines' scalars.
//!
//! [`Scalar`] is implemented by `f64` and `f32`, by dual numbers over any scalar, by tracers, and by
//! the scalars of other engines. Nothing here knows operators, backends or containers.

pub(crate) mod active;
mod complex;
mod dual;
mod dual_scalar;
mod foreign;
mod join;
mod lanes;
mod missing_primal;
pub(crate) mod partials;
pub(crate) mod products;
mod real;
pub(crate) mod rule;
mod series;
mod series_scalar;
mod tracer;
mod tree;

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

pub use active::Active;
pub use complex::Complex;
pub use dual::Dual;
pub use foreign::{Chain, Foreign};
pub use join::{Abstract, Hand, Join, Undecided, demand, hand, join_results};
pub use lanes::{Lanes, Zero};
pub(crate) use missing_primal::unnoted;
pub use missing_primal::{MissingPrimal, PrimalAnswers, note_missing_primal, take_error};
pub use real::Real;
pub use rule::Rule;
pub use series::Series;
pub use tracer::{
    Bits, Dependence, IndexPairs, IndexSet, Knowledge, Known, Trace, Tracer, Unknown,
};
pub use tree::Tree;

/// A type built over a scalar: `&[T]`, `Vec<T>`, `[[T; 3]; 3]`, ..
///
/// It names the type for every scalar, so that [`Scalar::same`] can say of a whole container that
/// its scalar is the float itself.
pub trait Shape {
    /// The type over the scalar `T`.
    type Of<T: Copy + Send + 'static>;
}

macro_rules! scalar_trait {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// A number that generated code computes with: `f64`, `f32`, a dual number, a tracer, ..
        ///
        /// `Default` is zero. Elementary functions, one method for each row of the table, are at
        /// the end; none has a default, so that a new row reaches every engine.
        pub trait Scalar:
            Copy
            + Debug
            + Default
            + Send
            + 'static
            + Add<Output = Self>
            + Sub<Output = Self>
            + Mul<Output = Self>
            + Div<Output = Self>
            + Rem<Output = Self>
            + Neg<Output = Self>
        {
            /// The float type that the user wrote.
            type Real: Real;

            /// Lifts a passive value.
            fn from_real(c: Self::Real) -> Self;
            /// The innermost value. Engines without one note a typed error ([`take_error`]).
            fn primal(self) -> Self::Real;
            /// The innermost value, of which only the integer part will be looked at.
            fn integer(self) -> Self::Real {
                self.primal()
            }
            /// Are the value and every tangent zero? Never an error; `false` where it is not known.
            fn is_zero(self) -> bool;
            /// Is the innermost value zero? Never an error; `true` where it is not known.
            fn vanishes(self) -> bool;
            /// Product in which a zero of `self` wins over infinities and NaN in `o`: in the value
            /// and in each tangent, every elementary product with a zero from `self` is zero.
            /// Equal to `self * o` wherever `o` is finite.
            fn mul_strong(self, o: Self) -> Self;
            /// `self * c` where `c` does not vary: its tangents are zero, and are not looked at.
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn mul_steady(self, c: Self) -> Self {
                self * c
            }
            /// May it be the `c` of [`Scalar::mul_steady`]?
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn is_steady(self) -> bool {
                true
            }

            /// Takes over the tangents of `o`. The value stays, or is taken over too.
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn set_tangents(&mut self, o: Self) {
                *self = o;
            }

            /// `self + self`
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn twice(self) -> Self {
                self + self
            }
            /// `self + c`
            fn add_real(self, c: Self::Real) -> Self;
            /// `self - c`
            fn sub_real(self, c: Self::Real) -> Self;
            /// `self * c`
            fn mul_real(self, c: Self::Real) -> Self;
            /// `self / c`
            fn div_real(self, c: Self::Real) -> Self;
            /// `self % c`
            fn rem_real(self, c: Self::Real) -> Self;
            /// `c - x`
            fn real_sub(c: Self::Real, x: Self) -> Self;
            /// `c / x`
            fn real_div(c: Self::Real, x: Self) -> Self;
            /// `c % x`
            fn real_rem(c: Self::Real, x: Self) -> Self;

            /// `self < o`, of primal values. An engine that cannot compare notes a typed error and
            /// returns false and true alternately; so do the other comparisons.
            fn lt(self, o: Self) -> bool;
            /// `self <= o`
            fn le(self, o: Self) -> bool;
            /// `self > o`
            fn gt(self, o: Self) -> bool;
            /// `self >= o`
            fn ge(self, o: Self) -> bool;
            /// `self == o`
            fn eq(self, o: Self) -> bool;
            /// `self != o`
            fn ne(self, o: Self) -> bool;

            /// `x` where `self < o`, else `y`. For sets of inputs, the union of both, without an
            /// error.
            fn select_lt(self, o: Self, x: Self, y: Self) -> Self {
                if self.lt(o) { x } else { y }
            }
            /// `x` where `self <= o`, else `y`; see [`Scalar::select_lt`].
            fn select_le(self, o: Self, x: Self, y: Self) -> Self {
                if self.le(o) { x } else { y }
            }
            /// `x` where `self == o`, else `y`; see [`Scalar::select_lt`].
            fn select_eq(self, o: Self, x: Self, y: Self) -> Self {
                if self.eq(o) { x } else { y }
            }

            /// Foreign functions and custom rules: `y = rule(x)`.
            fn call_rule<R: Rule<Self::Real, N, M>, const N: usize, const M: usize>(
                rule: &R,
                x: [&[Self]; N],
                y: [&mut [Self]; M],
            );

            /// A container of floats as a container of this scalar, at no cost, if this scalar is
            /// the float itself; otherwise returns the container.
            fn same<C: Shape>(x: C::Of<Self::Real>) -> Result<C::Of<Self>, C::Of<Self::Real>> {
                Err(x)
            }

            /// Sine and cosine.
            fn sin_cos(self) -> (Self, Self) {
                (self.sin(), self.cos())
            }

            $(
                #[doc = concat!("`", stringify!($name), "`: ", $doc, ".")]
                fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self;
            )*
        }
    };
}
di_elementary::elementary!(scalar_trait);
