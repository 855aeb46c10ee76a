//! Keys without their functions: what memory is made for.
//!
//! What is generic over a form alone is compiled once for all functions of equal shapes.

use core::marker::PhantomData;

use crate::function::{Call, Kind, Signature};
use crate::scalar::Real;
use crate::value::Family;

/// A key of which only the shapes of calls are left: float type, `x`, result and its kind, fixed parameters, caches.
#[allow(clippy::type_complexity, reason = "six parts with names of their own")]
pub struct Form<R, X, Y, D, F, C>(PhantomData<fn() -> (R, X, Y, D, F, C)>);

/// The form of a function with this key.
pub type FormOf<K> = Form<
    <K as Signature>::Real,
    <K as Signature>::X,
    <K as Signature>::Y,
    <K as Signature>::Kind,
    <K as Signature>::Fixed,
    <K as Signature>::Caches,
>;

impl<R, X, Y, D, F, C> Signature for Form<R, X, Y, D, F, C>
where
    R: Real,
    X: Family,
    Y: Family,
    D: Kind,
    F: Family,
    C: Family,
{
    type Real = R;
    type X = X;
    type Y = Y;
    type Kind = D;
    type Fixed = F;
    type Caches = C;
    /// Examples of caches.
    type Ctx<'c> = C::Ref<'c, R>;

    fn caches<'c>(examples: C::Ref<'c, R>) -> C::Ref<'c, R> {
        examples
    }
}

impl<'c, K: Signature> Call<'c, K> {
    /// The shapes of this call.
    pub fn form(self) -> Call<'c, FormOf<K>> {
        Call {
            ctx: K::caches(self.ctx),
            fixed: self.fixed,
        }
    }
}
