//! Initial values: functions of parameters and the first time.

use std::fmt;

use di::extend::{
    Backend, Bind, Bound, ContainerMut, Dead, Given, Handle, InPlace, Live, Number, Open, Slice,
    WithOutput,
};
use di::{Error, Prep, Pullback, Pushforward, Shared, evaluate};

use crate::equations::{Work, negate};
use crate::failure::Failure;

/// Parameters and time.
type Parameters = (Slice, (Number, ()));
/// None of them fixed.
type AllOpen = (Open, (Open, ()));
/// The function of the parameters.
type OfParameters<'a, H> = Bound<'a, H, (Open, (Given<f64>, ()))>;
/// Key of [`OfParameters`].
type ByParameters<H> = Bind<H, (Live, (Dead, ()))>;

/// The handle of `fn x0(p: &[f64], t: f64, x: &mut [f64])`, which may also have constants and caches.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of parameters and time that writes",
    note = "annotate `fn x0(p: &[f64], t: f64, x: &mut [f64])`, with constants behind `t` if there are any"
)]
pub trait Start: Handle<Args = Parameters, Kind = InPlace, Y = Slice, Real = f64> {}
impl<H: Handle<Args = Parameters, Kind = InPlace, Y = Slice, Real = f64>> Start for H {}

/// A backend that differentiates the function by its parameters.
pub trait StartBackend<H: Start>: Backend<ByParameters<H>> {}
impl<H: Start, B: Backend<ByParameters<H>>> StartBackend<H> for B {}

/// Initial values, with the products that diffsol asks for.
///
/// `H` is the handle of the function, whose constants live for `'c`; `B` the backend.
pub struct Initial<'c, H: Start, B: StartBackend<H>> {
    f: Bound<'c, H, AllOpen>,
    backend: B,
    rows: usize,
    push: Shared<Work<Prep<Pushforward, ByParameters<H>, B>>>,
    pull: Shared<Work<Prep<Pullback, ByParameters<H>, B>>>,
    failure: Failure,
}

impl<'c, H: Start, B: StartBackend<H>> Initial<'c, H, B> {
    /// Prepares products for parameters like `p`; transposed ones are prepared by the first call. The length of the
    /// output is that of the state.
    ///
    /// # Errors
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function and it fails.
    pub fn new<Y>(
        f: WithOutput<'_, 'c, H, AllOpen, Y>,
        backend: B,
        p: &[f64],
    ) -> Result<Self, Error>
    where
        Y: ContainerMut<Slice, f64> + ?Sized,
    {
        let (f, rows) = f.release();
        let mut y = vec![0.0; rows];
        let at: OfParameters<'_, H> = f.fixing((Open, (Given(0.0), ())));
        let prep = di::prepare_pushforward(at.output(&mut y[..]), &backend, p, p)?;
        Ok(Initial {
            f,
            backend,
            rows,
            push: Shared::new(Work { prep, y }),
            pull: Shared::default(),
            failure: Failure::default(),
        })
    }

    /// Length of the state.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The first error of a call that could not return it; its result was NaN.
    pub fn failure(&self) -> Option<Error> {
        self.failure.get()
    }

    /// The function itself: `x0(p, t)`.
    pub fn value(&self) -> impl Fn(&[f64], f64, &mut [f64]) {
        move |p, t, x| {
            let done = evaluate(self.at(t).output(x), p).map(|_| ());
            self.failure.settle(Ok(done), x);
        }
    }

    /// Products with the Jacobian, `J v`.
    pub fn sens(&self) -> impl Fn(&[f64], f64, &[f64], &mut [f64]) {
        move |p, t, v, out| {
            let done = self.push.with(|Work { prep, y }| {
                let f = self.at(t).output(&mut y[..]);
                di::pushforward_into(f, out, &*prep, &self.backend, p, v)
            });
            self.failure.settle(Ok(done), out);
        }
    }

    /// Negative products with the transposed Jacobian, `-J^T v`: diffsol expects this sign.
    pub fn adjoint(&self) -> impl Fn(&[f64], f64, &[f64], &mut [f64]) {
        move |p, t, v, out| {
            let (f, backend) = (self.at(t), &self.backend);
            let make = || {
                let mut y = vec![0.0; self.rows];
                let prep = di::prepare_pullback(f.output(&mut y[..]), backend, p, v)?;
                Ok(Work { prep, y })
            };
            let done = self.pull.with_or(make, |Work { prep, y }| {
                di::pullback_into(f.output(&mut y[..]), out, &*prep, backend, p, v)
            });
            negate(out);
            self.failure.settle(done, out);
        }
    }

    fn at<'a>(&self, t: f64) -> OfParameters<'a, H>
    where
        'c: 'a,
    {
        self.f.fixing((Open, (Given(t), ())))
    }
}

impl<H: Start, B: StartBackend<H>> fmt::Debug for Initial<'_, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Initial")
            .field("rows", &self.rows)
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}
