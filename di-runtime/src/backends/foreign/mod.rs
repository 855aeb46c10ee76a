//! Backends of foreign engines: the function runs on their numbers, driven by our operators.
//!
//! An engine is a [`Chain`] that is either a [`ForwardNumber`] or a [`ReverseNumber`]; then it supports all
//! operators, with our dual numbers inside its own for second order, and can be the outer engine in `SecondOrder`.
//! The function runs in each call, so that branches and constants are always up to date.

#[cfg(feature = "echidna")]
mod echidna;
mod forward;
#[cfg(feature = "num-dual")]
mod num_dual;
mod reverse;

use crate::function::{Call, Generic, XRef};
use crate::scalar::{Chain, Foreign};
use crate::value::Family;

use super::sweep::Lifted;

#[cfg(feature = "echidna")]
pub use self::echidna::{AutoEchidna, Echidna};
#[cfg(feature = "num-dual")]
pub use self::num_dual::{AutoNumDual, NumDual};
pub use forward::{AutoForeignForward, ForwardNumber};
pub use reverse::{AutoForeignReverse, ReverseNumber};

/// Takes over the values of a call: `x` by `input`, the rest without derivatives.
fn load<K: Generic, T: Chain<Real = K::Real>>(
    lifted: &mut Lifted<K, Foreign<T>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    mut input: impl FnMut(K::Real) -> T,
) {
    let lanes = K::X::lanes_mut(&mut lifted.x);
    K::X::zip_values::<Foreign<T>, K::Real>(lanes, x, &mut |to, v| *to = Foreign(input(v)));
    let fixed = K::Fixed::lanes_mut(&mut lifted.fixed);
    K::Fixed::zip_values::<Foreign<T>, K::Real>(fixed, call.fixed, &mut |to, v| {
        *to = Foreign(T::lift(v));
    });
}

/// What a backend of one type and no data has.
macro_rules! unit {
    ($name:ident) => {
        impl<T> $name<T> {
            /// The backend.
            pub fn new() -> Self {
                $name(PhantomData)
            }
        }

        impl<T> Default for $name<T> {
            fn default() -> Self {
                $name::new()
            }
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        impl<T> PartialEq for $name<T> {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl<T: Chain> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::NAME)
            }
        }
    };
}
use unit;
