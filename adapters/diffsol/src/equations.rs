//! Right-hand sides and outputs: functions of state, parameters and time.

use std::fmt;

use di::extend::{
    Backend, Bind, Bound, ContainerMut, Dead, Given, Handle, InPlace, Live, Number, Open, Slice,
    WithOutput,
};
use di::{Error, Prep, Pullback, Pushforward, Shared, evaluate};

use crate::failure::Failure;

/// State, parameters and time.
type Parameters = (Slice, (Slice, (Number, ())));
/// None of them fixed.
type AllOpen = (Open, (Open, (Open, ())));
/// The function of the state.
type OfState<'a, H> = Bound<'a, H, (Open, (Given<&'a [f64]>, (Given<f64>, ())))>;
/// The function of the parameters.
type OfParameters<'a, H> = Bound<'a, H, (Given<&'a [f64]>, (Open, (Given<f64>, ())))>;
/// Key of [`OfState`].
type ByState<H> = Bind<H, (Live, (Dead, (Dead, ())))>;
/// Key of [`OfParameters`].
type ByParameters<H> = Bind<H, (Dead, (Live, (Dead, ())))>;

/// The handle of `fn f(x: &[f64], p: &[f64], t: f64, dx: &mut [f64])`, which may also have constants and caches.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of state, parameters and time that writes",
    note = "annotate `fn f(x: &[f64], p: &[f64], t: f64, dx: &mut [f64])`, with constants behind `t` if there are any"
)]
pub trait Rhs: Handle<Args = Parameters, Kind = InPlace, Y = Slice, Real = f64> {}
impl<H: Handle<Args = Parameters, Kind = InPlace, Y = Slice, Real = f64>> Rhs for H {}

/// A backend that differentiates the function by its state and by its parameters.
pub trait RhsBackend<H: Rhs>: Backend<ByState<H>> + Backend<ByParameters<H>> {}
impl<H: Rhs, B: Backend<ByState<H>> + Backend<ByParameters<H>>> RhsBackend<H> for B {}

/// A right-hand side or an output, with all products that diffsol asks for.
///
/// `H` is the handle of the function, whose constants live for `'c`; `B` the backend.
pub struct Equations<'c, H: Rhs, B: RhsBackend<H>> {
    f: Bound<'c, H, AllOpen>,
    backend: B,
    rows: usize,
    push_state: Shared<Work<Prep<Pushforward, ByState<H>, B>>>,
    push_parameters: Shared<Work<Prep<Pushforward, ByParameters<H>, B>>>,
    pull_state: Shared<Work<Prep<Pullback, ByState<H>, B>>>,
    pull_parameters: Shared<Work<Prep<Pullback, ByParameters<H>, B>>>,
    failure: Failure,
}

/// A prep, and a place for values that were not requested.
#[derive(Clone)]
pub(crate) struct Work<P> {
    pub(crate) prep: P,
    pub(crate) y: Vec<f64>,
}

impl<'c, H: Rhs, B: RhsBackend<H>> Equations<'c, H, B> {
    /// Prepares Jacobian products for states like `x` and parameters like `p`; all other products are prepared by the
    /// first call. The length of the output is the number of equations.
    ///
    /// # Errors
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function and it fails.
    pub fn new<Y>(
        f: WithOutput<'_, 'c, H, AllOpen, Y>,
        backend: B,
        x: &[f64],
        p: &[f64],
    ) -> Result<Self, Error>
    where
        Y: ContainerMut<Slice, f64> + ?Sized,
    {
        let (f, rows) = f.release();
        let mut new = Equations {
            f,
            backend,
            rows,
            push_state: Shared::default(),
            push_parameters: Shared::default(),
            pull_state: Shared::default(),
            pull_parameters: Shared::default(),
            failure: Failure::default(),
        };
        new.push_state = Shared::new(new.work(|y| {
            let f = new.of_state(p, 0.0).output(y);
            di::prepare_pushforward(f, &new.backend, x, x)
        })?);
        Ok(new)
    }

    /// Number of results.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The first error of a call that could not return it; its result was NaN.
    pub fn failure(&self) -> Option<Error> {
        self.failure.get()
    }

    /// The function itself: `f(x, p, t)`.
    pub fn value(&self) -> impl Fn(&[f64], &[f64], f64, &mut [f64]) {
        move |x, p, t, y| {
            let done = evaluate(self.of_state(p, t).output(y), x).map(|_| ());
            self.failure.settle(Ok(done), y);
        }
    }

    /// Products with the Jacobian by the state, `J v`.
    pub fn jacobian(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) {
        move |x, p, t, v, out| {
            let (f, backend) = (self.of_state(p, t), &self.backend);
            let done = self.push_state.with_or(
                || self.work(|y| di::prepare_pushforward(f.output(y), backend, x, v)),
                |Work { prep, y }| {
                    di::pushforward_into(f.output(&mut y[..]), out, &*prep, backend, x, v)
                },
            );
            self.failure.settle(done, out);
        }
    }

    /// Products with the Jacobian by the parameters, `J_p v`.
    pub fn sens(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) {
        move |x, p, t, v, out| {
            let (f, backend) = (self.of_parameters(x, t), &self.backend);
            let done = self.push_parameters.with_or(
                || self.work(|y| di::prepare_pushforward(f.output(y), backend, p, v)),
                |Work { prep, y }| {
                    di::pushforward_into(f.output(&mut y[..]), out, &*prep, backend, p, v)
                },
            );
            self.failure.settle(done, out);
        }
    }

    /// Negative products with the transposed Jacobian by the state, `-J^T v`: diffsol expects this sign.
    pub fn adjoint(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) {
        move |x, p, t, v, out| {
            let (f, backend) = (self.of_state(p, t), &self.backend);
            let done = self.pull_state.with_or(
                || self.work(|y| di::prepare_pullback(f.output(y), backend, x, v)),
                |Work { prep, y }| {
                    di::pullback_into(f.output(&mut y[..]), out, &*prep, backend, x, v)
                },
            );
            negate(out);
            self.failure.settle(done, out);
        }
    }

    /// Negative products with the transposed Jacobian by the parameters, `-J_p^T v`.
    pub fn sens_adjoint(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64]) {
        move |x, p, t, v, out| {
            let (f, backend) = (self.of_parameters(x, t), &self.backend);
            let done = self.pull_parameters.with_or(
                || self.work(|y| di::prepare_pullback(f.output(y), backend, p, v)),
                |Work { prep, y }| {
                    di::pullback_into(f.output(&mut y[..]), out, &*prep, backend, p, v)
                },
            );
            negate(out);
            self.failure.settle(done, out);
        }
    }

    fn of_state<'a>(&self, p: &'a [f64], t: f64) -> OfState<'a, H>
    where
        'c: 'a,
    {
        self.f.fixing((Open, (Given(p), (Given(t), ()))))
    }

    fn of_parameters<'a>(&self, x: &'a [f64], t: f64) -> OfParameters<'a, H>
    where
        'c: 'a,
    {
        self.f.fixing((Given(x), (Open, (Given(t), ()))))
    }

    /// A prep with a place for values.
    fn work<P>(
        &self,
        prepare: impl FnOnce(&mut [f64]) -> Result<P, Error>,
    ) -> Result<Work<P>, Error> {
        let mut y = vec![0.0; self.rows];
        Ok(Work {
            prep: prepare(&mut y)?,
            y,
        })
    }
}

impl<H: Rhs, B: RhsBackend<H>> fmt::Debug for Equations<'_, H, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Equations")
            .field("rows", &self.rows)
            .field("failure", &self.failure)
            .finish_non_exhaustive()
    }
}

/// What adjoint equations of diffsol are written with.
pub(crate) fn negate(out: &mut [f64]) {
    out.iter_mut().for_each(|v| *v = -*v);
}
