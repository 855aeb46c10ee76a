//! Closures on floats and functions on any scalar, as operators take them.

use core::borrow::Borrow;
use core::marker::PhantomData;

use crate::bound::{Evaluate, Function, Room};
use crate::capability::Operator;
use crate::error::{Error, check_shape};
use crate::function::{Call, Env, Generic, Primal, Returning, Signature, Slot, XRef, YShape};
use crate::scalar::{Real, Scalar};
use crate::value::{Array, ContainerMut, Family, Number, One, Slice};

/// Wraps a closure on floats, for backends that take differences.
///
/// It takes one argument, `f64`, `&[f64]` or `&[f64; N]` (with its type written), and returns a number,
/// a `Vec` or an array. What it captures is constant.
///
/// # Examples
/// ```
/// use di_runtime::{backends::AutoFiniteDiff, closure::closure, operators::gradient, prep::NoPrep};
///
/// let a = 3.0;
/// let f = closure(|x: &[f64]| a * x[0] * x[1]);
/// let g = gradient(f, NoPrep, &AutoFiniteDiff::new(), &[1.0, 2.0]).unwrap();
/// assert!((g[0] - 6.0).abs() < 1e-8 && (g[1] - 3.0).abs() < 1e-8);
/// ```
pub fn closure<F: OnFloats<M>, M>(f: F) -> Closure<F, M> {
    Closure {
        f,
        argument: PhantomData,
    }
}

/// Made by [`closure`].
pub struct Closure<F, M> {
    f: F,
    argument: PhantomData<fn() -> M>,
}

impl<F: Clone, M> Clone for Closure<F, M> {
    fn clone(&self) -> Self {
        Closure {
            f: self.f.clone(),
            argument: PhantomData,
        }
    }
}

impl<F: Copy, M> Copy for Closure<F, M> {}

/// A closure that [`closure`] can wrap. `M` tells its argument and is inferred.
#[diagnostic::on_unimplemented(
    message = "this is not a closure that operators can take",
    note = "write the type of its one argument: `|x: &[f64]| ..`, `|x: &[f64; 3]| ..` or `|x: f64| ..`",
    note = "it returns a number, a `Vec` or an array of floats"
)]
pub trait OnFloats<M> {
    /// Its float type.
    type Real: Real;
    /// Family of its argument.
    type X: Family;
    /// Family of its result.
    type Y: Family<Owned<Self::Real>: ContainerMut<Self::Y, Self::Real>>;

    /// Calls it.
    fn run(
        &self,
        x: <Self::X as Family>::Ref<'_, Self::Real>,
    ) -> <Self::Y as Family>::Owned<Self::Real>;
}

/// What a closure may return.
pub trait Plain<R: Real> {
    /// Its family.
    type Family: Family<Owned<R> = Self>;
}

impl<R: Real> Plain<R> for R {
    type Family = Number;
}

impl<R: Real> Plain<R> for Vec<R> {
    type Family = Slice<One>;
}

impl<R: Real, const N: usize> Plain<R> for [R; N] {
    type Family = Array<N, One>;
}

/// Marker: takes a number.
pub struct ByValue<R, Y>(PhantomData<(R, Y)>);
/// Marker: takes a slice.
pub struct BySlice<R, Y>(PhantomData<(R, Y)>);
/// Marker: takes an array.
pub struct ByArray<R, Y, const N: usize>(PhantomData<(R, Y)>);

impl<F, R: Real, Y: Plain<R> + ContainerMut<Y::Family, R>> OnFloats<ByValue<R, Y>> for F
where
    F: Fn(R) -> Y,
{
    type Real = R;
    type X = Number;
    type Y = Y::Family;
    fn run(&self, x: R) -> Y {
        self(x)
    }
}

impl<F, R: Real, Y: Plain<R> + ContainerMut<Y::Family, R>> OnFloats<BySlice<R, Y>> for F
where
    F: Fn(&[R]) -> Y,
{
    type Real = R;
    type X = Slice<One>;
    type Y = Y::Family;
    fn run(&self, x: &[R]) -> Y {
        self(x)
    }
}

impl<F, R: Real, Y: Plain<R> + ContainerMut<Y::Family, R>, const N: usize>
    OnFloats<ByArray<R, Y, N>> for F
where
    F: Fn(&[R; N]) -> Y,
{
    type Real = R;
    type X = Array<N, One>;
    type Y = Y::Family;
    fn run(&self, x: &[R; N]) -> Y {
        self(x)
    }
}

/// The key of a closure: its own type.
pub struct ClosureKey<F, M>(PhantomData<fn() -> (F, M)>);

impl<F: OnFloats<M>, M> Signature for ClosureKey<F, M> {
    type Real = F::Real;
    type X = F::X;
    type Y = F::Y;
    type Kind = Returning;
    type Fixed = ();
    type Caches = ();
    type Ctx<'c>
        = &'c F
    where
        Self: 'c;

    fn caches<'c>(_: &'c F)
    where
        Self: 'c,
    {
    }
}

impl<F: OnFloats<M>, M> Primal for ClosureKey<F, M> {
    fn primal<'c>(
        env: Env<'_, 'c, Self, F::Real>,
        x: XRef<'_, Self, F::Real>,
        y: Slot<'_, Self, F::Real>,
    ) where
        Self: 'c,
    {
        *y = env.ctx.run(x);
    }
}

impl<F: OnFloats<M>, M> Function for Closure<F, M> {
    type Bound = Running<F, F, M>;
    fn bind(self) -> Self::Bound {
        Running(self.f, PhantomData)
    }
}

impl<'f, F: OnFloats<M>, M> Function for &'f Closure<F, M> {
    type Bound = Running<&'f F, F, M>;
    fn bind(self) -> Self::Bound {
        Running(&self.f, PhantomData)
    }
}

/// A closure while an operator runs, owned or borrowed.
pub struct Running<H, F, M>(H, PhantomData<fn() -> (F, M)>);

impl<H: Borrow<F>, F: OnFloats<M>, M> Evaluate for Running<H, F, M> {
    type Key = ClosureKey<F, M>;
    type Value = <F::Y as Family>::Owned<F::Real>;
    type Like = <F::Y as Family>::Owned<F::Real>;

    fn call(&self) -> Call<'_, Self::Key> {
        Call {
            ctx: self.0.borrow(),
            fixed: (),
        }
    }
    fn output_shape(&self) -> Option<YShape<Self::Key>> {
        None
    }
    fn like(&self, shape: &YShape<Self::Key>) -> Self::Like {
        F::Y::store(shape, F::Real::default())
    }
    fn with_slot<O>(
        &mut self,
        operator: Operator,
        expected: &YShape<Self::Key>,
        room: &mut Room<Self::Key>,
        run: impl FnOnce(Call<'_, Self::Key>, &mut Self::Value) -> Result<O, Error>,
    ) -> Result<(Self::Value, O), Error> {
        let kept = room.kept.take();
        let mut y = kept.unwrap_or_else(|| F::Y::vacant(F::Real::default()));
        let out = run(self.call(), &mut y)?;
        check_shape::<F::Y>(operator, "value", expected, &F::Y::shape_of(&y))?;
        Ok((y, out))
    }
    fn keep(value: Self::Value, room: &mut Room<Self::Key>) {
        room.kept = Some(value);
    }
}

/// A function on any scalar, implemented by hand for a type that holds its constants.
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
    type Y: Family<Owned<Self::Real>: ContainerMut<Self::Y, Self::Real>>;

    /// The function.
    fn run<S: Scalar<Real = Self::Real>>(
        &self,
        x: <Self::X as Family>::Ref<'_, S>,
    ) -> <Self::Y as Family>::Owned<S>;
}

/// Wraps a function on any scalar.
pub fn generic<G: OnScalars>(f: G) -> OverScalars<G> {
    OverScalars(f)
}

/// Made by [`generic`].
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
    type Ctx<'c>
        = &'c G
    where
        Self: 'c;

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

impl<G: OnScalars> Function for OverScalars<G> {
    type Bound = RunningScalars<G, G>;
    fn bind(self) -> Self::Bound {
        RunningScalars(self.0, PhantomData)
    }
}

impl<'g, G: OnScalars> Function for &'g OverScalars<G> {
    type Bound = RunningScalars<&'g G, G>;
    fn bind(self) -> Self::Bound {
        RunningScalars(&self.0, PhantomData)
    }
}

/// A function on any scalar while an operator runs, owned or borrowed.
pub struct RunningScalars<H, G>(H, PhantomData<fn() -> G>);

impl<H: Borrow<G>, G: OnScalars> Evaluate for RunningScalars<H, G> {
    type Key = ScalarsKey<G>;
    type Value = <G::Y as Family>::Owned<G::Real>;
    type Like = <G::Y as Family>::Owned<G::Real>;

    fn call(&self) -> Call<'_, Self::Key> {
        Call {
            ctx: self.0.borrow(),
            fixed: (),
        }
    }
    fn output_shape(&self) -> Option<YShape<Self::Key>> {
        None
    }
    fn like(&self, shape: &YShape<Self::Key>) -> Self::Like {
        G::Y::store(shape, G::Real::default())
    }
    fn with_slot<O>(
        &mut self,
        operator: Operator,
        expected: &YShape<Self::Key>,
        room: &mut Room<Self::Key>,
        run: impl FnOnce(Call<'_, Self::Key>, &mut Self::Value) -> Result<O, Error>,
    ) -> Result<(Self::Value, O), Error> {
        let kept = room.kept.take();
        let mut y = kept.unwrap_or_else(|| G::Y::vacant(G::Real::default()));
        let out = run(self.call(), &mut y)?;
        check_shape::<G::Y>(operator, "value", expected, &G::Y::shape_of(&y))?;
        Ok((y, out))
    }
    fn keep(value: Self::Value, room: &mut Room<Self::Key>) {
        room.kept = Some(value);
    }
}
