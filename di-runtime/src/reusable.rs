//! Functions that solvers keep, and borrow for each call. No operator and no solver is known here.

use core::fmt;

use crate::bound::{
    Bound, Evaluate, Fixings, Float, Function, HandleKey, Input, Key, Open, Value, WithOutput,
};
use crate::capability::Operator;
use crate::closure::{Hold, Running, Writing};
use crate::error::{Error, check_count};
use crate::function::{InPlace, NumberValued, Primal, Returning, Signature};
use crate::generated::Live;
use crate::handle::{Bind, Handle};
use crate::operators::evaluate;
use crate::value::{Arguments, Container, ContainerMut, Family, Leaf, Outcome, Select, Slice};

/// A function with its data that can be kept and called repeatedly.
///
/// Whatever operators take is one if it is `Copy`: handles, and handles with borrowed constants. So is the result of
/// [`owning`], which borrows nothing. Functions from vectors to vectors, which may write their result, are
/// [`ReusableVector`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that can be kept",
    note = "pass `f::AD`, `f::AD.with(&data)` or `di::owning(data, |d| f::AD.with(&d.x))`, and annotate `f` with `#[differentiable]`"
)]
pub trait Reusable {
    /// The key of the function, which preps are for.
    type Key: Primal;
    /// What it returns.
    type Value;
    /// The function for one call.
    type Once<'a>: Function<Bound: Evaluate<Key = Self::Key, Value = Self::Value>>
    where
        Self: 'a;

    /// Borrows the function for one call.
    fn once(&self) -> Self::Once<'_>;
}

impl<F: Function + Copy> Reusable for F {
    type Key = Key<F>;
    type Value = Value<F>;
    type Once<'a>
        = F
    where
        F: 'a;

    #[inline]
    fn once(&self) -> F {
        *self
    }
}

/// A function of a slice of `f64` to an `f64` that can be kept: what is minimized or sampled.
///
/// Short for the bounds on [`Reusable`] that it implies.
pub trait ReusableNumber:
    Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>, Value = f64>
{
}

impl<F> ReusableNumber for F where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>, Value = f64>
{
}

/// A function of one active parameter together with its data, which it owns. Made by [`owning`].
pub struct Owning<D, H: Handle> {
    data: D,
    bind: for<'a> fn(&'a D) -> Single<'a, H>,
}

/// A handle of one active parameter with its contexts.
type Single<'a, H> = Bound<'a, H, (Open, ())>;

/// Keeps data together with the function whose constants they are, for owners that cannot borrow.
///
/// `bind` captures nothing, and is called before each evaluation. Solvers keep the result, see [`Reusable`]. For a
/// function that writes, bind the output afterwards: `owning(data, |d| f::AD.with(&d.t)).output(&mut y)`.
///
/// # Examples
/// ```
/// use di::extend::Reusable;
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64], #[constant] a: &[f64]) -> f64 {
///     a[0] * x[0] * x[0] + a[1] * x[1]
/// }
///
/// struct Model {
///     a: Vec<f64>,
/// }
///
/// let model = Model { a: vec![2.0, 3.0] };
/// let f = di::owning(model, |model| f::AD.with(&model.a));
/// assert_eq!(gradient(f.once(), NoPrep, &AutoSource::new(), &[1.0, 1.0])?, [4.0, 3.0]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn owning<D, H: Handle>(
    data: D,
    bind: for<'a> fn(&'a D) -> Bound<'a, H, (Open, ())>,
) -> Owning<D, H> {
    Owning { data, bind }
}

impl<D, H: Handle> Owning<D, H> {
    /// The data.
    pub fn data(&self) -> &D {
        &self.data
    }
}

impl<D, H: Handle<Kind = InPlace>> Owning<D, H> {
    /// Sets the length of the output that the function writes to.
    pub fn output<Y>(self, y: &Y) -> Written<Self>
    where
        Y: Container<H::Y, H::Real> + ?Sized,
    {
        let rows = H::Y::len(&y.shape());
        Written { f: self, rows }
    }
}

impl<D: Clone, H: Handle> Clone for Owning<D, H> {
    fn clone(&self) -> Self {
        Owning {
            data: self.data.clone(),
            bind: self.bind,
        }
    }
}

impl<D: fmt::Debug, H: Handle> fmt::Debug for Owning<D, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Owning").field(&self.data).finish()
    }
}

impl<D, A, H> Reusable for Owning<D, H>
where
    A: Leaf,
    H: Handle<Args = (A, ()), Kind = Returning>,
    H::Y: Outcome<H::Real>,
{
    type Key = Bind<H, (Live, ())>;
    type Value = <H::Y as Outcome<H::Real>>::Value;
    type Once<'a>
        = Single<'a, H>
    where
        D: 'a;

    #[inline]
    fn once(&self) -> Single<'_, H> {
        (self.bind)(&self.data)
    }
}

/// A function from a vector to a vector that can be kept, whether it returns its result or writes it.
pub trait ReusableVector {
    /// The key of the function, which preps are for.
    type Key: Primal;
    /// The function for one call.
    type Once<'a>: Function<Bound: Evaluate<Key = Self::Key>>
    where
        Self: 'a;

    /// Number of results.
    fn rows(&self) -> usize;

    /// Borrows the function for one call. One that returns its result leaves `y` alone.
    fn once<'a>(&'a self, y: &'a mut [Real<Self>]) -> Self::Once<'a>;

    /// Runs an operator that returns the value of the function, which is then in `y`.
    ///
    /// # Errors
    /// Those of the operator; [`Error::Shape`] if `y` differs in length from the value.
    fn run<'a>(
        &'a self,
        y: &'a mut [Real<Self>],
        operator: impl FnOnce(Self::Once<'a>) -> Result<Value<Self::Once<'a>>, Error>,
    ) -> Result<(), Error>;
}

/// The float type of a function.
type Real<F> = <<F as ReusableVector>::Key as Signature>::Real;

/// What can become a [`ReusableVector`]: functions that return a vector or an array and are `Copy` or [`owning`], and
/// functions that write, with an output that says how long it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function from a vector to a vector that can be kept",
    note = "pass `f::AD`, `f::AD.with(&data)` or `di::owning(data, |d| f::AD.with(&d.x))`, and annotate `f` with `#[differentiable]`",
    note = "a function that writes comes with an output of the right length: `f::AD.with(&data).output(&mut y)`"
)]
pub trait IntoReusable {
    /// The function that is kept.
    type Reusable: ReusableVector;

    /// Releases the output if there is one; otherwise evaluates the function at `x` to find the length of its
    /// result.
    ///
    /// # Errors
    /// [`Error::Function`] if the function fails.
    fn into_reusable<X>(self, x: &X) -> Result<Self::Reusable, Error>
    where
        X: Container<<VectorKey<Self> as Signature>::X, <VectorKey<Self> as Signature>::Real>
            + ?Sized;
}

/// The key of a function that is kept.
type VectorKey<F> = <<F as IntoReusable>::Reusable as ReusableVector>::Key;

/// A function that returns its result, and the length of that.
#[derive(Clone, Copy, Debug)]
pub struct Returned<F> {
    f: F,
    rows: usize,
}

/// A function that writes its result, and the length of that.
#[derive(Clone, Copy, Debug)]
pub struct Written<F> {
    f: F,
    rows: usize,
}

impl<F> Written<F> {
    /// The function without an output.
    pub fn function(&self) -> &F {
        &self.f
    }
}

impl<F> IntoReusable for F
where
    F: Function<Bound: Evaluate<Key: Signature<Kind = Returning>, Value: AsRef<[Float<F>]>>> + Copy,
{
    type Reusable = Returned<F>;

    fn into_reusable<X>(self, x: &X) -> Result<Returned<F>, Error>
    where
        X: Container<Input<F>, Float<F>> + ?Sized,
    {
        let rows = evaluate(self, x)?.as_ref().len();
        Ok(Returned { f: self, rows })
    }
}

fn write<R: Copy>(value: &[R], y: &mut [R]) -> Result<(), Error> {
    check_count(Operator::Jacobian, "value", y.len(), value.len())?;
    y.copy_from_slice(value);
    Ok(())
}

impl<F> ReusableVector for Returned<F>
where
    F: Function<Bound: Evaluate<Key: Signature<Kind = Returning>, Value: AsRef<[Float<F>]>>> + Copy,
{
    type Key = Key<F>;
    type Once<'a>
        = F
    where
        F: 'a;

    fn rows(&self) -> usize {
        self.rows
    }

    fn once<'a>(&'a self, _: &'a mut [Float<F>]) -> F {
        self.f
    }

    fn run<'a>(
        &'a self,
        y: &'a mut [Float<F>],
        operator: impl FnOnce(Self::Once<'a>) -> Result<Value<Self::Once<'a>>, Error>,
    ) -> Result<(), Error> {
        write(operator(self.f)?.as_ref(), y)
    }
}

impl<D, A, H> IntoReusable for Owning<D, H>
where
    A: Leaf,
    H: Handle<Args = (A, ()), Kind = Returning>,
    H::Y: Outcome<H::Real, Value: AsRef<[H::Real]>>,
{
    type Reusable = Returned<Self>;

    fn into_reusable<X>(self, x: &X) -> Result<Returned<Self>, Error>
    where
        X: Container<A, H::Real> + ?Sized,
    {
        let rows = evaluate(Reusable::once(&self), x)?.as_ref().len();
        Ok(Returned { f: self, rows })
    }
}

impl<D, A, H> ReusableVector for Returned<Owning<D, H>>
where
    A: Leaf,
    H: Handle<Args = (A, ()), Kind = Returning>,
    H::Y: Outcome<H::Real, Value: AsRef<[H::Real]>>,
{
    type Key = Bind<H, (Live, ())>;
    type Once<'a>
        = Single<'a, H>
    where
        D: 'a;

    fn rows(&self) -> usize {
        self.rows
    }

    fn once<'a>(&'a self, _: &'a mut [H::Real]) -> Single<'a, H> {
        Reusable::once(&self.f)
    }

    fn run<'a>(
        &'a self,
        y: &'a mut [H::Real],
        operator: impl FnOnce(Self::Once<'a>) -> Result<Value<Self::Once<'a>>, Error>,
    ) -> Result<(), Error> {
        write(operator(Reusable::once(&self.f))?.as_ref(), y)
    }
}

impl<'c, H, V, Y> IntoReusable for WithOutput<'_, 'c, H, V, Y>
where
    H: Handle<Kind = InPlace, Y = Slice>,
    V: Fixings<'c, H::Args, H::Real>,
    H::Args: Select<V::Marks, Off = V::Off>,
    <H::Args as Select<V::Marks>>::On: Arguments,
    Y: ContainerMut<Slice, H::Real> + ?Sized,
{
    type Reusable = Written<Bound<'c, H, V>>;

    fn into_reusable<X>(self, _: &X) -> Result<Self::Reusable, Error>
    where
        X: Container<<HandleKey<'c, H, V> as Signature>::X, H::Real> + ?Sized,
    {
        let (f, rows) = self.release();
        Ok(Written { f, rows })
    }
}

impl<'c, H, V> ReusableVector for Written<Bound<'c, H, V>>
where
    H: Handle<Kind = InPlace, Y = Slice>,
    V: Fixings<'c, H::Args, H::Real>,
    H::Args: Select<V::Marks, Off = V::Off>,
    <H::Args as Select<V::Marks>>::On: Arguments,
{
    type Key = HandleKey<'c, H, V>;
    type Once<'a>
        = WithOutput<'a, 'c, H, V, [H::Real]>
    where
        Self: 'a;

    fn rows(&self) -> usize {
        self.rows
    }

    fn once<'a>(&'a self, y: &'a mut [H::Real]) -> Self::Once<'a> {
        self.f.output(y)
    }

    fn run<'a>(
        &'a self,
        y: &'a mut [H::Real],
        operator: impl FnOnce(Self::Once<'a>) -> Result<&'a mut [H::Real], Error>,
    ) -> Result<(), Error> {
        operator(self.f.output(y))?;
        Ok(())
    }
}

impl<H, C> IntoReusable for Writing<'_, H, C>
where
    H: Hold<Key: Signature<Kind = InPlace, Y = Slice>> + Copy,
    C: ContainerMut<Slice, <H::Key as Signature>::Real> + ?Sized,
{
    type Reusable = Written<Running<H>>;

    fn into_reusable<X>(self, _: &X) -> Result<Self::Reusable, Error>
    where
        X: Container<<H::Key as Signature>::X, <H::Key as Signature>::Real> + ?Sized,
    {
        let (f, rows) = self.release();
        Ok(Written { f, rows })
    }
}

impl<H> ReusableVector for Written<Running<H>>
where
    H: Hold<Key: Signature<Kind = InPlace, Y = Slice>> + Copy,
{
    type Key = H::Key;
    type Once<'a>
        = Writing<'a, H, [Real<Self>]>
    where
        Self: 'a;

    fn rows(&self) -> usize {
        self.rows
    }

    fn once<'a>(&'a self, y: &'a mut [Real<Self>]) -> Self::Once<'a> {
        self.f.output(y)
    }

    fn run<'a>(
        &'a self,
        y: &'a mut [Real<Self>],
        operator: impl FnOnce(Self::Once<'a>) -> Result<&'a mut [Real<Self>], Error>,
    ) -> Result<(), Error> {
        operator(self.f.output(y))?;
        Ok(())
    }
}

impl<D, A, H> IntoReusable for Written<Owning<D, H>>
where
    A: Leaf,
    H: Handle<Args = (A, ()), Kind = InPlace, Y = Slice>,
{
    type Reusable = Self;

    fn into_reusable<X>(self, _: &X) -> Result<Self, Error>
    where
        X: Container<A, H::Real> + ?Sized,
    {
        Ok(self)
    }
}

impl<D, A, H> ReusableVector for Written<Owning<D, H>>
where
    A: Leaf,
    H: Handle<Args = (A, ()), Kind = InPlace, Y = Slice>,
{
    type Key = Bind<H, (Live, ())>;
    type Once<'a>
        = WithOutput<'a, 'a, H, (Open, ()), [H::Real]>
    where
        D: 'a;

    fn rows(&self) -> usize {
        self.rows
    }

    fn once<'a>(&'a self, y: &'a mut [H::Real]) -> Self::Once<'a> {
        (self.f.bind)(&self.f.data).output(y)
    }

    fn run<'a>(
        &'a self,
        y: &'a mut [H::Real],
        operator: impl FnOnce(Self::Once<'a>) -> Result<&'a mut [H::Real], Error>,
    ) -> Result<(), Error> {
        operator(self.once(y))?;
        Ok(())
    }
}
