//! Adjoints of results that nobody reads.

use crate::scalar::Zero;

/// The adjoint of a call's result that is dropped: zero, if its type alone tells how long it is.
#[diagnostic::on_unimplemented(
    message = "the result of this call cannot be dropped",
    label = "its length is not known",
    note = "bind it with its type: `let y: Vec<f64> = ..`, `let (t, _): (f64, Vec<f64>) = ..`"
)]
pub trait Unread {
    /// Zero.
    fn unread() -> Self;
}

/// Zero, of the type that the callee wants.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn unread<T: Unread>() -> T {
    T::unread()
}

impl<T: Zero> Unread for T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unread() -> Self {
        T::zero()
    }
}

impl Unread for () {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unread() {}
}

macro_rules! tuples {
    ($($part:ident)*) => {
        impl<$($part: Unread),*> Unread for ($($part,)*) {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn unread() -> Self {
                ($($part::unread(),)*)
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
