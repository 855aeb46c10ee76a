//! Functions on any scalar: types that implement [`OnScalars`], and the handles that `#[generic]` writes.

use core::borrow::Borrow;
use core::marker::PhantomData;

use super::{Hold, Running};
use crate::bound::Function;
use crate::context::{Probe, Snapshot, Unseen};
use crate::function::{Env, Generic, Primal, Returning, Signature, Slot, XRef};
use crate::scalar::{Real, Scalar};
use crate::value::{Family, Outcome};

/// A function on any scalar, implemented by hand for a type that holds its constants.
///
/// For a function, the attribute `#[generic]` generates such a handle.
///
/// # Examples
/// ```
/// use di_runtime::closure::{OnScalars, generic};
/// use di_runtime::{backends::AutoDual, operators::gradient, prep::NoPrep};
/// use di_runtime::{scalar::Scalar, value::{Number, Slice}};
///
/// struct Scaled(f64);
///
/// impl OnScalars for Scaled {
///     type Real = f64;
///     type X = Slice;
///     type Y = Number;
///     fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
///         (x[0] * x[1]).mul_real(self.0)
///     }
/// }
///
/// let g = gradient(generic(Scaled(3.0)), NoPrep, &AutoDual::new(), &[1.0, 2.0]).unwrap();
/// assert_eq!(g, [6.0, 3.0]);
/// ```
pub trait OnScalars {
    /// Its float type.
    type Real: Real;
    /// Family of its argument.
    type X: Family;
    /// Family of its result.
    type Y: Outcome<Self::Real>;

    /// Adds the constants that it holds, for backends whose recordings depend on them
    /// ([`Constant`](crate::context::Constant)). Unless they are added, a tape is recorded in each call.
    fn constants(&self, snapshot: &mut Snapshot) {
        Unseen::snapshot(&Probe(self), snapshot);
    }

    /// The function.
    fn run<S: Scalar<Real = Self::Real>>(
        &self,
        x: <Self::X as Family>::Ref<'_, S>,
    ) -> <Self::Y as Family>::Owned<S>;
}

/// Wraps a function on any scalar, for backends that need no generated code.
pub fn generic<G: OnScalars>(f: G) -> OverScalars<G> {
    OverScalars(f)
}

/// Returned by [`generic`].
#[derive(Clone, Copy, Debug)]
pub struct OverScalars<G>(G);

/// The key of a function on any scalar: its own type.
pub struct ScalarsKey<G>(PhantomData<fn() -> G>);

impl<G: OnScalars> Signature for ScalarsKey<G> {
    type Real = G::Real;
    type X = G::X;
    type Y = G::Y;
    type Kind = Returning;
    type Fixed = ();
    type Caches = ();
    const DATA: bool = size_of::<G>() > 0;
    type Ctx<'c>
        = &'c G
    where
        Self: 'c;

    fn constants<'c>(f: &'c G, snapshot: &mut Snapshot)
    where
        Self: 'c,
    {
        f.constants(snapshot);
    }

    fn caches<'c>(_: &'c G)
    where
        Self: 'c,
    {
    }
}

impl<G: OnScalars> Primal for ScalarsKey<G> {
    fn primal<'c>(
        env: Env<'_, 'c, Self, G::Real>,
        x: XRef<'_, Self, G::Real>,
        y: Slot<'_, Self, G::Real>,
    ) where
        Self: 'c,
    {
        *y = env.ctx.run(x);
    }
}

#[diagnostic::do_not_recommend]
impl<G: OnScalars> Generic for ScalarsKey<G> {
    fn generic<'c, S: Scalar<Real = G::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) where
        Self: 'c,
    {
        *y = env.ctx.run(x);
    }
}

/// A function on any scalar while an operator runs, owned or borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Owned<H, G>(H, PhantomData<fn() -> G>);

impl<H: Borrow<G>, G: OnScalars> Hold for Owned<H, G> {
    type Key = ScalarsKey<G>;
    fn ctx(&self) -> &G {
        self.0.borrow()
    }
}

#[diagnostic::do_not_recommend]
impl<G: OnScalars> Function for OverScalars<G> {
    type Bound = Running<Owned<G, G>>;
    fn bind(self) -> Self::Bound {
        Running(Owned(self.0, PhantomData))
    }
}

#[diagnostic::do_not_recommend]
impl<'g, G: OnScalars> Function for &'g OverScalars<G> {
    type Bound = Running<Owned<&'g G, G>>;
    fn bind(self) -> Self::Bound {
        Running(Owned(&self.0, PhantomData))
    }
}

/// A handle that `#[generic]` has written: its own key. Not written by hand.
pub trait Supply: Generic<Fixed = ()> + 'static {
    /// The same contexts, for a shorter time.
    fn shorten<'s, 'l: 's>(ctx: Self::Ctx<'l>) -> Self::Ctx<'s>;
}

/// A handle with its contexts.
pub struct Supplied<'c, K: Supply>(K::Ctx<'c>);

impl<'c, K: Supply> Supplied<'c, K> {
    /// Called by generated code.
    #[doc(hidden)]
    pub fn new(ctx: K::Ctx<'c>) -> Self {
        Supplied(ctx)
    }
}

impl<K: Supply> Clone for Supplied<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Supply> Copy for Supplied<'_, K> {}

impl<K: Supply> Hold for Supplied<'_, K> {
    type Key = K;
    fn ctx(&self) -> K::Ctx<'_> {
        K::shorten(self.0)
    }
}
