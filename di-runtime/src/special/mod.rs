//! Special functions: plain functions of floats that annotated code calls like any other, each a row
//! of the table of elementary functions or a custom rule. They have handles for operators, too.
//!
//! Values are those of the `libm` crate where it has them.

mod series;
mod slices;
mod value;

pub use slices::{log_softmax, log_sum_exp, softmax};

/// Partial derivatives of the rows, one module for each.
pub mod partials {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

    use super::of::{digamma, j0, j1, jn, polygamma, sigmoid, y0, y1, yn};
    use crate::scalar::Scalar;
    use crate::scalar::partials::lit;

    macro_rules! modules {
        ($($name:ident $args:tt $doc:literal
            [$($class:ident),+] [$($cross:tt),*]
            { $($d:ident $product:ident ($($p:tt : $t:tt),+) $body:block)* }
            on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
            $(
                #[doc = concat!("Partial derivatives of `", stringify!($name), "`: ", $doc, ".")]
                #[allow(unused_imports, reason = "not every formula has everything")]
                pub mod $name {
                    use super::*;

                    $(
                        #[doc = concat!("By argument ", stringify!($d), ": `", stringify!($body), "`")]
                        #[inline]
                        pub fn $d<S: Scalar<Real = f64>>($($p: $t),+) -> S $body
                    )*
                }
            )*
        };
    }
    di_elementary::special!(modules);
}

macro_rules! functions {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(
            #[doc = concat!($doc, ".")]
            ///
            /// Its derivatives and conventions are in the table of elementary functions.
            #[di_macros::custom_rule(crate = crate, row = partials::$name)]
            #[inline]
            pub fn $name($($n: i32,)? $x: f64 $(, $b: f64)*) -> f64 {
                value::$name($($n,)? $x $(, $b)*)
            }
        )*

        /// The functions over any scalar, an integer last.
        pub(crate) mod of {
            use crate::scalar::Scalar;

            $(
                #[doc = concat!($doc, ".")]
                #[allow(dead_code, reason = "formulas do not need all")]
                #[inline]
                pub(crate) fn $name<S: Scalar<Real = f64>>($x: S $(, $b: S)* $(, $n: i32)?) -> S {
                    super::$name::__primal($($n,)? $x $(, $b)*, &mut crate::generated::Pool::new())
                }
            )*
        }

        /// A function by its name, for evaluators and tests; `n` counts only where there is an
        /// integer. `None` if there is no such row or the number of arguments is not its own.
        pub fn by_name<S: crate::scalar::Scalar<Real = f64>>(name: &str, x: &[S], n: i32) -> Option<S> {
            match (name, x) {
                $((stringify!($name), &[$x $(, $b)*]) => {
                    $(let $n = n;)?
                    Some(of::$name($x $(, $b)* $(, $n)?))
                })*
                _ => None,
            }
        }
    };
}
di_elementary::special!(functions);
