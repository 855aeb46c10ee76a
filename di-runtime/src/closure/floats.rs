//! Closures on floats, for backends of differences.

use core::borrow::Borrow;
use core::marker::PhantomData;

#[cfg(feature = "ndarray")]
use ndarray::{ArrayView, ArrayViewMut, Dimension};

use super::{Hold, Running, Writing};
use crate::bound::{Evaluate, Function};
use crate::error::fail;
use crate::function::{Env, InPlace, Kind, Primal, Returning, Signature, Slot, XRef};
use crate::scalar::Real;
#[cfg(feature = "ndarray")]
use crate::value::Nd;
use crate::value::{Array, ContainerMut, Family, Number, One, Outcome, Slice};

/// Wraps a closure on floats, for backends of differences.
///
/// Its parameters, whose types must be written:
/// - `x`: `f64`, `&[f64]`, `&[f64; N]`, or a view of ndarray, `ArrayView1<f64>`;
/// - up to three constants, `&T`, which are bound with [`Closure::with`];
/// - if it returns nothing, the output, `&mut [f64]` or `ArrayViewMut1<f64>`, bound with `output`.
///
/// It returns a number, a `Vec`, an array or an ndarray array, or a `Result` of these: operators return its error as
/// [`Error::Function`](crate::error::Error::Function). Captured variables are constant too, but a prep is valid for
/// one closure and its captures only; bound constants may change from call to call.
///
/// # Examples
/// ```
/// use di_runtime::{backends::AutoFiniteDiff, closure::closure, operators::gradient, prep::NoPrep};
///
/// let a = 3.0;
/// let f = closure(|x: &[f64]| a * x[0] * x[1]);
/// let g = gradient(f, NoPrep, &AutoFiniteDiff::new(), &[1.0, 2.0]).unwrap();
/// assert!((g[0] - 6.0).abs() < 1e-8 && (g[1] - 3.0).abs() < 1e-8);
///
/// let f = closure(|x: &[f64], a: &f64| a * x[0] * x[1]);
/// let g = gradient(f.with(&2.0), NoPrep, &AutoFiniteDiff::new(), &[1.0, 2.0]).unwrap();
/// assert!((g[0] - 4.0).abs() < 1e-8 && (g[1] - 2.0).abs() < 1e-8);
/// ```
pub fn closure<F: OnFloats<M>, M>(f: F) -> Closure<F, M> {
    Closure {
        f,
        signature: PhantomData,
    }
}

/// Returned by [`closure`].
pub struct Closure<F, M> {
    f: F,
    signature: PhantomData<fn() -> M>,
}

impl<F: Clone, M> Clone for Closure<F, M> {
    fn clone(&self) -> Self {
        Closure {
            f: self.f.clone(),
            signature: PhantomData,
        }
    }
}

impl<F: Copy, M> Copy for Closure<F, M> {}

/// A closure that [`closure`] can wrap. `M` encodes its parameters and is inferred.
#[diagnostic::on_unimplemented(
    message = "this is not a closure that operators can take",
    note = "write the types of its parameters: `|x: &[f64]| ..`, `|x: &[f64; 3]| ..`, `|x: f64| ..` or `|x: ArrayView1<f64>| ..`",
    note = "behind `x` stand up to three constants, `&T`, and then the output, `&mut [f64]`, if it returns nothing",
    note = "it returns a number, a `Vec`, an array or an ndarray array of floats"
)]
pub trait OnFloats<M> {
    /// Its float type.
    type Real: Real;
    /// Family of its argument.
    type X: Family;
    /// Family of its result.
    type Y: Outcome<Self::Real>;
    /// Does it return its result?
    type Kind: Kind;
    /// Its constants.
    type Data<'c>: Copy;

    /// Calls it.
    fn run(
        &self,
        data: Self::Data<'_>,
        x: <Self::X as Family>::Ref<'_, Self::Real>,
        y: <Self::Kind as Kind>::Slot<'_, Self::Y, Self::Real>,
    );
    /// The same constants, for a shorter time.
    fn shorten<'s, 'l: 's>(data: Self::Data<'l>) -> Self::Data<'s>;
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

#[cfg(feature = "ndarray")]
impl<R: Real, D: Dimension + Copy + 'static> Plain<R> for ndarray::Array<R, D> {
    type Family = Nd<D>;
}

/// Marker: takes a number.
pub struct ByValue<R>(PhantomData<R>);
/// Marker: takes a slice.
pub struct BySlice<R>(PhantomData<R>);
/// Marker: takes an array.
pub struct ByArray<R, const N: usize>(PhantomData<R>);
/// Marker: takes a view of ndarray.
#[cfg(feature = "ndarray")]
pub struct ByView<R, D>(PhantomData<(R, D)>);

/// Marker: no constants.
pub struct NoData;
/// Marker: one constant.
pub struct OneDatum<P: ?Sized>(PhantomData<fn(&P)>);
/// Marker: two constants.
pub struct TwoData<P: ?Sized, Q: ?Sized>(PhantomData<fn(&P, &Q)>);
/// Marker: three constants.
pub struct ThreeData<P: ?Sized, Q: ?Sized, T: ?Sized>(PhantomData<fn(&P, &Q, &T)>);

/// Marker: returns its result.
pub struct Returns<Y>(PhantomData<Y>);
/// Marker: returns its result or an error.
pub struct Tries<Y, E>(PhantomData<(Y, E)>);
/// Marker: writes its result to a slice.
pub struct WritesSlice;
/// Marker: writes its result to a view of ndarray.
#[cfg(feature = "ndarray")]
pub struct WritesView<E>(PhantomData<E>);

/// `OnFloats` for one kind of `x`, with every number of constants and every kind of result.
macro_rules! closures {
    ([$($g:tt)*] $x:ty, $marker:ty, $family:ty) => {
        closures!(@data [$($g)*] [] NoData, (), () => $x, $marker, $family);
        closures!(@data [$($g)*] [P] OneDatum<P>, (p,), (&'c P,) => $x, $marker, $family);
        closures!(@data [$($g)*] [P Q] TwoData<P, Q>, (p, q), (&'c P, &'c Q) => $x, $marker, $family);
        closures!(@data [$($g)*] [P Q T] ThreeData<P, Q, T>, (p, q, t), (&'c P, &'c Q, &'c T)
            => $x, $marker, $family);
    };
    (@data [$($g:tt)*] [$($p:ident)*] $data:ty, ($($c:ident),* $(,)?), $tuple:ty
        => $x:ty, $marker:ty, $family:ty) => {
        impl<F, R: Real, Y: Plain<R, Family: Outcome<R>>, $($g)* $($p: ?Sized + 'static,)*>
            OnFloats<($marker, $data, Returns<Y>)> for F
        where
            F: Fn($x $(, &$p)*) -> Y,
        {
            type Real = R;
            type X = $family;
            type Y = Y::Family;
            type Kind = Returning;
            type Data<'c> = $tuple;
            fn run(&self, ($($c,)*): Self::Data<'_>, x: <$family as Family>::Ref<'_, R>, y: &mut Y) {
                *y = self(x $(, $c)*);
            }
            fn shorten<'s, 'l: 's>(data: Self::Data<'l>) -> Self::Data<'s> {
                data
            }
        }

        impl<F, R: Real, Y: Plain<R, Family: Outcome<R>>, E, $($g)* $($p: ?Sized + 'static,)*>
            OnFloats<($marker, $data, Tries<Y, E>)> for F
        where
            F: Fn($x $(, &$p)*) -> Result<Y, E>,
            E: Into<Box<dyn std::error::Error + Send + Sync>>,
        {
            type Real = R;
            type X = $family;
            type Y = Y::Family;
            type Kind = Returning;
            type Data<'c> = $tuple;
            fn run(&self, ($($c,)*): Self::Data<'_>, x: <$family as Family>::Ref<'_, R>, y: &mut Y) {
                // What `y` holds after a failure is not read: the operator returns the error.
                match self(x $(, $c)*) {
                    Ok(value) => *y = value,
                    Err(error) => fail(error.into()),
                }
            }
            fn shorten<'s, 'l: 's>(data: Self::Data<'l>) -> Self::Data<'s> {
                data
            }
        }

        impl<F, R: Real, $($g)* $($p: ?Sized + 'static,)*> OnFloats<($marker, $data, WritesSlice)> for F
        where
            F: Fn($x $(, &$p)*, &mut [R]),
        {
            type Real = R;
            type X = $family;
            type Y = Slice<One>;
            type Kind = InPlace;
            type Data<'c> = $tuple;
            fn run(&self, ($($c,)*): Self::Data<'_>, x: <$family as Family>::Ref<'_, R>, y: &mut [R]) {
                self(x $(, $c)*, y);
            }
            fn shorten<'s, 'l: 's>(data: Self::Data<'l>) -> Self::Data<'s> {
                data
            }
        }

        #[cfg(feature = "ndarray")]
        impl<F, R: Real, E: Dimension + Copy + 'static, $($g)* $($p: ?Sized + 'static,)*>
            OnFloats<($marker, $data, WritesView<E>)> for F
        where
            F: Fn($x $(, &$p)*, ArrayViewMut<'_, R, E>),
        {
            type Real = R;
            type X = $family;
            type Y = Nd<E>;
            type Kind = InPlace;
            type Data<'c> = $tuple;
            fn run(
                &self,
                ($($c,)*): Self::Data<'_>,
                x: <$family as Family>::Ref<'_, R>,
                y: ArrayViewMut<'_, R, E>,
            ) {
                self(x $(, $c)*, y);
            }
            fn shorten<'s, 'l: 's>(data: Self::Data<'l>) -> Self::Data<'s> {
                data
            }
        }
    };
}

closures!([] R, ByValue<R>, Number);
closures!([] & [R], BySlice<R>, Slice<One>);
closures!([const N: usize,] &[R; N], ByArray<R, N>, Array<N, One>);
#[cfg(feature = "ndarray")]
closures!([D: Dimension + Copy + 'static,] ArrayView<'_, R, D>, ByView<R, D>, Nd<D>);

/// The key of a closure: its own type.
pub struct ClosureKey<F, M>(PhantomData<fn() -> (F, M)>);

impl<F: OnFloats<M>, M> Signature for ClosureKey<F, M> {
    type Real = F::Real;
    type X = F::X;
    type Y = F::Y;
    type Kind = F::Kind;
    type Fixed = ();
    type Caches = ();
    type Ctx<'c>
        = (&'c F, F::Data<'c>)
    where
        Self: 'c;

    fn caches<'c>(_: Self::Ctx<'c>)
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
        let (f, data) = env.ctx;
        let mut y = y;
        F::Kind::clear::<F::Y, F::Real>(&mut y, F::Real::default());
        f.run(data, x, y);
    }
}

/// A closure with its constants, owned or borrowed.
pub struct Held<'c, H, F: OnFloats<M>, M> {
    f: H,
    data: F::Data<'c>,
}

impl<H: Clone, F: OnFloats<M>, M> Clone for Held<'_, H, F, M> {
    fn clone(&self) -> Self {
        Held {
            f: self.f.clone(),
            data: self.data,
        }
    }
}

impl<H: Copy, F: OnFloats<M>, M> Copy for Held<'_, H, F, M> {}

impl<H: Borrow<F>, F: OnFloats<M>, M> Hold for Held<'_, H, F, M> {
    type Key = ClosureKey<F, M>;
    fn ctx(&self) -> (&F, F::Data<'_>) {
        (self.f.borrow(), F::shorten(self.data))
    }
}

type Ready<'c, F, M> = Running<Held<'c, F, F, M>>;

#[diagnostic::do_not_recommend]
impl<F, A, O> Function for Closure<F, (A, NoData, O)>
where
    F: for<'c> OnFloats<(A, NoData, O), Data<'c> = ()>,
    Ready<'static, F, (A, NoData, O)>: Evaluate,
{
    type Bound = Ready<'static, F, (A, NoData, O)>;
    fn bind(self) -> Self::Bound {
        Running(Held {
            f: self.f,
            data: (),
        })
    }
}

#[diagnostic::do_not_recommend]
impl<'f, F, A, O> Function for &'f Closure<F, (A, NoData, O)>
where
    F: for<'c> OnFloats<(A, NoData, O), Data<'c> = ()>,
    Running<Held<'static, &'f F, F, (A, NoData, O)>>: Evaluate,
{
    type Bound = Running<Held<'static, &'f F, F, (A, NoData, O)>>;
    fn bind(self) -> Self::Bound {
        Running(Held {
            f: &self.f,
            data: (),
        })
    }
}

impl<F, A, O> Closure<F, (A, NoData, O)>
where
    F: for<'c> OnFloats<(A, NoData, O), Data<'c> = (), Kind = InPlace>,
{
    /// Binds the buffer that the closure writes to. It is set to zero before each evaluation.
    #[allow(clippy::type_complexity, reason = "markers are inferred")]
    pub fn output<C: ContainerMut<F::Y, F::Real> + ?Sized>(
        self,
        y: &mut C,
    ) -> Writing<'_, Held<'static, F, F, (A, NoData, O)>, C> {
        let held = Held {
            f: self.f,
            data: (),
        };
        Running(held).output(y)
    }
}

/// `with` for one number of constants.
macro_rules! with {
    ($marker:ident, $tuple:ty, $($p:ident $c:ident),+) => {
        impl<F, A, O, $($p: ?Sized + 'static),+> Closure<F, (A, $marker<$($p),+>, O)>
        where
            F: for<'c> OnFloats<(A, $marker<$($p),+>, O), Data<'c> = $tuple>,
        {
            /// Binds the constants. They may differ from call to call.
            pub fn with<'d>(
                self,
                $($c: &'d $p),+
            ) -> Ready<'d, F, (A, $marker<$($p),+>, O)> {
                Running(Held {
                    f: self.f,
                    data: ($($c,)+),
                })
            }
        }
    };
}

with!(OneDatum, (&'c P,), P p);
with!(TwoData, (&'c P, &'c Q), P p, Q q);
with!(ThreeData, (&'c P, &'c Q, &'c T), P p, Q q, T t);
