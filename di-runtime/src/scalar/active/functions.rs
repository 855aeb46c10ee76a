//! Methods of active numbers: one for each row of the table.

use super::Active;
use super::thread::{Operations, Thread};
use crate::scalar::Real;

macro_rules! methods {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        impl<F: Real> Active<F> {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $doc, ".")]
                #[inline]
                #[must_use]
                pub fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
                    Thread::<F>::$name(self $(, $b)* $(, $n)?)
                }
            )*
        }
    };
}
di_elementary::elementary!(methods);

impl<F: Real> Active<F> {
    /// Sine and cosine.
    #[must_use]
    pub fn sin_cos(self) -> (Self, Self) {
        Thread::<F>::sin_cos(self)
    }
}
