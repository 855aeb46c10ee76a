//! Partial derivatives of the elementary functions, from the rows of the table.
//!
//! One module for each row, one function for each argument that is not of class zero, arguments in
//! order and then the result. Here since dual numbers compute with them; `rules` shows them to others.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E, PI};

use crate::scalar::{Real, Scalar};

/// A constant of a formula, in the float type of the scalar.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lit<R: Real>(c: f64) -> R {
    R::from_f64(c)
}

/// The number one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn one<S: Scalar>() -> S {
    S::from_real(lit(1.0))
}

/// The number zero, constant.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn zero<S: Scalar>() -> S {
    S::default()
}

/// Is the value neither zero, subnormal, infinite nor NaN?
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn is_normal<S: Scalar>(x: S) -> bool {
    let size = x.abs();
    size.ge(S::from_real(S::Real::MIN_POSITIVE)) && size.le(S::from_real(S::Real::MAX))
}

macro_rules! modules {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(
            #[doc = concat!("Partial derivatives of `", stringify!($name), "`: ", $doc, ".")]
            #[allow(unused_imports, reason = "not every formula has every constant")]
            pub mod $name {
                use super::*;

                $(
                    #[doc = concat!("By argument ", stringify!($d), ": `", stringify!($body), "`")]
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    pub fn $d<S: Scalar>($($p: $t),+) -> S $body
                )*
            }
        )*
    };
}
di_elementary::elementary!(modules);
di_elementary::operators!(modules);

/// Derivatives of powers as two factors, for tangents and adjoints to be multiplied by one after the other: where an
/// exponent is negative the product may be too small for a float, and what it multiplies large.
macro_rules! factors {
    ($($name:ident $doc:literal ($x:ident: S, $p:ident: $t:ty, $y:tt: S) $body:block)*) => {$(
        #[doc = $doc]
        pub mod $name {
            use super::*;

            #[doc = concat!("`", stringify!($body), "`")]
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub fn d0<S: Scalar>($x: S, $p: $t, $y: S) -> S $body
        }
    )*};
}
factors! {
    powi_first "The first factor of the derivative of `powi`." (x: S, n: i32, y: S) {
        if n < 0 { x.powi(n) } else { powi::d0(x, n, y) }
    }
    powi_second "The second factor of the derivative of `powi`." (x: S, n: i32, _: S) {
        if n < 0 { S::real_div(lit(f64::from(n)), x) } else { one() }
    }
    powf_first "The first factor of the derivative of `powf` by its base." (x: S, p: S, y: S) {
        if p.lt(zero()) { y } else { powf::d0(x, p, y) }
    }
    powf_second "The second factor of the derivative of `powf` by its base." (x: S, p: S, _: S) {
        if p.lt(zero()) { p / x } else { one() }
    }
}
