//! The rows of the table of elementary functions as operation codes.

use di_elementary::TABLE;

use crate::rules;
use crate::rules::by_name::{apply, digit};
use crate::scalar::{Dual, Scalar};

macro_rules! rows {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        /// One row of the table, in its order.
        #[allow(non_camel_case_types, reason = "they are the names of the methods")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Row {
            $($name),*
        }

        impl Row {
            /// The function.
            #[inline]
            pub(super) fn value<S: Scalar>(self, x: [S; 3], n: i32) -> S {
                let _ = n;
                match self {
                    $(Row::$name => apply!(value $name $args x n)),*
                }
            }

            /// Its derivative by argument `k`, where its value is `y`; zero if the class is zero.
            pub(super) fn partial<S: Scalar>(self, k: u8, x: [S; 3], n: i32, y: S) -> S {
                let _ = (n, y);
                match (self, k) {
                    $($((Row::$name, digit!($d)) => apply!($d $name $args x n y),)*)*
                    _ => S::default(),
                }
            }
        }
    };
}
di_elementary::elementary!(rows);

impl Row {
    /// What the table says.
    pub(super) fn entry(self) -> &'static di_elementary::Row {
        &TABLE[self as usize]
    }

    /// The derivative by argument `k` differentiated by argument `j`.
    pub(super) fn second<S: Scalar>(self, k: u8, j: u8, x: [S; 3], n: i32) -> S {
        let mut x = x.map(Dual::<S, 1>::constant);
        x[j as usize].tangents[0] = rules::one();
        let y = self.value(x, n);
        self.partial(k, x, n, y).tangents[0]
    }
}
