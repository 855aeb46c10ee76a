//! What operators take as `prep`: one that was prepared, or nothing.

use super::{BodyOf, Op, Prep, make};
use crate::backend::Backend;
use crate::bound::Evaluate;
use crate::error::Error;
use crate::function::Primal;
use crate::value::{Container, Count};

/// Used in place of a prep: prepares on the fly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoPrep;

/// What operators take as `prep`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prep of this operator, for this function and this backend",
    label = "expected a `&Prep` of the same operator, function and backend, or `NoPrep`",
    note = "preps come from `prepare_*(f, &backend, &x)` with the same `f` and `backend`"
)]
pub trait Prepared<O, K: Primal, B: Backend<K>> {
    /// Room for a prep that is made on the fly.
    type Made: Default;

    /// The prep that is given, or one for a call with so many tangents.
    ///
    /// # Errors
    /// Those of making a prep.
    fn ready<'p, F, X, N>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        count: N,
    ) -> Result<&'p BodyOf<K, B>, Error>
    where
        O: Op,
        N: Count,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized;
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for &Prep<O, K, B> {
    type Made = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ready<'p, F, X, N>(
        &'p self,
        (): &'p mut (),
        _: &mut F,
        _: &B,
        _: &X,
        _: N,
    ) -> Result<&'p BodyOf<K, B>, Error>
    where
        O: Op,
        N: Count,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        Ok(&self.body)
    }
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for NoPrep {
    type Made = Option<BodyOf<K, B>>;

    fn ready<'p, F, X, N>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        count: N,
    ) -> Result<&'p BodyOf<K, B>, Error>
    where
        O: Op,
        N: Count,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        Ok(made.insert(make::<O, K, B, F, X, N>(f, backend, x, count, false)?))
    }
}

impl<O, K: Primal, B: Backend<K>> Prepared<O, K, B> for &NoPrep {
    type Made = Option<BodyOf<K, B>>;

    fn ready<'p, F, X, N>(
        &'p self,
        made: &'p mut Self::Made,
        f: &mut F,
        backend: &B,
        x: &X,
        count: N,
    ) -> Result<&'p BodyOf<K, B>, Error>
    where
        O: Op,
        N: Count,
        F: Evaluate<Key = K>,
        X: Container<K::X, K::Real> + ?Sized,
    {
        Prepared::<O, K, B>::ready(*self, made, f, backend, x, count)
    }
}
