//! Methods of active numbers: one for each row of the table.

use super::Active;
use super::machine::{ask, operate};
use crate::scalar::{Real, Scalar};

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
                    if self.is_constant() $(&& $b.is_constant())* {
                        return Active::constant(Scalar::$name(self.value() $(, $b.value())* $(, $n)?));
                    }
                    operate([self $(, $b)*], |m| m.$name(self $(, $b)* $(, $n)?))
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
        let Some(index) = self.index() else {
            let (sin, cos) = Scalar::sin_cos(self.value());
            return (Active::constant(sin), Active::constant(cos));
        };
        let (sin, cos) = ask([self], |m| m.sin_cos(index));
        (self.beside(sin), self.beside(cos))
    }
}
