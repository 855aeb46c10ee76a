//! A function to a vector: residuals and their Jacobian.

use std::fmt;
use std::marker::PhantomData;

use argmin::core::{Error, Jacobian, Operator};
use di::Matrix;
use di::extend::{Backend, IntoReusable, ReusableVector, Signature, Slice};
use di::{Prep, Shared};

use crate::vector::Vector;

/// An annotated function from `&[f64]` to a vector, whose squares argmin sums.
///
/// `F` is the function with its data, `B` the backend, `P` the type of the parameters.
pub struct Residuals<F: ReusableVector, B: Backend<F::Key>, P = Vec<f64>> {
    f: F,
    backend: B,
    work: Shared<Work<F, B>>,
    vector: PhantomData<fn() -> P>,
}

/// What one thread works in.
struct Work<F: ReusableVector, B: Backend<F::Key>> {
    prep: Prep<di::Jacobian, F::Key, B>,
    r: Vec<f64>,
}

impl<F: ReusableVector, B: Backend<F::Key>> Clone for Work<F, B> {
    fn clone(&self) -> Self {
        Work {
            prep: self.prep.clone(),
            r: self.r.clone(),
        }
    }
}

impl<F, B, P> Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
    P: Vector,
{
    /// Prepares Jacobians for parameters like `x`. Pass a function that writes with its output, whose length is the
    /// number of residuals: `f::AD.with(&data).output(&mut r)`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`di::Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: impl IntoReusable<Reusable = F>, backend: B, x: &P) -> Result<Self, di::Error> {
        let f = f.into_reusable(x.view())?;
        let mut r = vec![0.0; f.rows()];
        let prep = di::prepare_jacobian(f.once(&mut r), &backend, x.view())?;
        Ok(Residuals {
            work: Shared::new(Work { prep, r }),
            f,
            backend,
            vector: PhantomData,
        })
    }
}

impl<F: ReusableVector, B: Backend<F::Key>, P> fmt::Debug for Residuals<F, B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals")
            .field("residuals", &self.f.rows())
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl<F, B, P> Operator for Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Output = P;

    fn apply(&self, x: &P) -> Result<P, Error> {
        let mut r = vec![0.0; self.f.rows()];
        self.f.run(&mut r, |f| di::evaluate(f, x.view()))?;
        Ok(P::from_numbers(r))
    }
}

impl<F, B, P> Jacobian for Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
    P: Vector,
{
    type Param = P;
    type Jacobian = P::Matrix;

    fn jacobian(&self, x: &P) -> Result<P::Matrix, Error> {
        let j = self.work.with(|Work { prep, r }| {
            di::jacobian(self.f.once(r), &*prep, &self.backend, x.view())
        })?;
        Ok(P::matrix(&j))
    }
}
