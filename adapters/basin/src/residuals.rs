//! A function to a vector: residuals and their Jacobian.

use std::fmt;
use std::marker::PhantomData;

use basin::{Jacobian, Residual};
use di::extend::{Backend, IntoReusable, ReusableVector, Signature, Slice};
use di::{Error, Prep, Shared};

use crate::matrix::Computed;
use crate::vector::Vector;

/// An annotated function from `&[f64]` to a vector, whose squares basin sums.
///
/// `F` is the function with its data, `B` the backend, `P` the type of the parameters and of the residuals. The Jacobian
/// is dense, or sparse if the backend is an `AutoSparse` and the parameters are a `Col` of faer. Errors are those of the
/// function ([`Error::Function`]) and of the operators; all of them end the solver.
pub struct Residuals<F, B, P = Vec<f64>>
where
    F: ReusableVector,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    f: F,
    backend: B,
    work: Shared<Work<F, B, P>>,
    vector: PhantomData<fn() -> P>,
}

/// What one thread works in.
struct Work<F, B, P>
where
    F: ReusableVector,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    prep: Prep<di::Jacobian, F::Key, B>,
    r: Vec<f64>,
    j: Kept<F, B, P>,
}

/// Where the numbers of a Jacobian are before they go to the solver's.
type Kept<F, B, P> = <<B as Backend<<F as ReusableVector>::Key>>::Matrix as Computed<P>>::Kept;

impl<F, B, P> Clone for Work<F, B, P>
where
    F: ReusableVector,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    fn clone(&self) -> Self {
        Work {
            prep: self.prep.clone(),
            r: self.r.clone(),
            j: self.j.clone(),
        }
    }
}

impl<F, B, P> Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    /// Prepares Jacobians for parameters like `x`. Pass a function that writes with its output, whose length is the
    /// number of residuals: `f::AD.with(&data).output(&mut r)`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: impl IntoReusable<Reusable = F>, backend: B, x: &P) -> Result<Self, Error> {
        let x = x.view();
        let f = f.into_reusable(x)?;
        let mut r = vec![0.0; f.rows()];
        let prep = di::prepare_jacobian(f.once(&mut r), &backend, x)?;
        let size = (r.len(), x.len());
        let j = Computed::keep(size, || di::jacobian(f.once(&mut r), &prep, &backend, x))?;
        Ok(Residuals {
            work: Shared::new(Work { prep, r, j }),
            f,
            backend,
            vector: PhantomData,
        })
    }
}

impl<F, B, P> fmt::Debug for Residuals<F, B, P>
where
    F: ReusableVector,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals")
            .field("residuals", &self.f.rows())
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl<F, B, P> Residual for Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    type Param = P;
    type Output = P;
    type Error = Error;

    fn residual(&self, x: &P) -> Result<P, Error> {
        let mut r = P::zeros(self.f.rows());
        self.residual_into(x, &mut r)?;
        Ok(r)
    }

    fn residual_into(&self, x: &P, r: &mut P) -> Result<(), Error> {
        let r = r.room(self.f.rows());
        self.f.run(r, |f| di::evaluate(f, x.view()))
    }
}

impl<F, B, P> Jacobian for Residuals<F, B, P>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix: Computed<P>>,
    P: Vector,
{
    type Jacobian = <B::Matrix as Computed<P>>::Matrix;

    fn jacobian(&self, x: &P) -> Result<Self::Jacobian, Error> {
        self.work.with(|Work { prep, r, j }| {
            di::jacobian_into(self.f.once(r), j, &*prep, &self.backend, x.view())?;
            Ok(B::Matrix::matrix(j))
        })
    }

    fn jacobian_into(&self, x: &P, out: &mut Self::Jacobian) -> Result<(), Error> {
        self.work.with(|Work { prep, r, j }| {
            di::jacobian_into(self.f.once(r), j, &*prep, &self.backend, x.view())?;
            B::Matrix::write(j, out);
            Ok(())
        })
    }

    fn residual_and_jacobian(&self, x: &P) -> Result<(P, Self::Jacobian), Error> {
        let mut r = P::zeros(self.f.rows());
        self.work.with(|Work { prep, j, .. }| {
            self.f.run(r.room(self.f.rows()), |f| {
                di::value_and_jacobian_into(f, j, &*prep, &self.backend, x.view())
            })?;
            Ok((r, B::Matrix::matrix(j)))
        })
    }

    fn residual_and_jacobian_into(
        &self,
        x: &P,
        r: &mut P,
        out: &mut Self::Jacobian,
    ) -> Result<(), Error> {
        let r = r.room(self.f.rows());
        self.work.with(|Work { prep, j, .. }| {
            self.f.run(r, |f| {
                di::value_and_jacobian_into(f, j, &*prep, &self.backend, x.view())
            })?;
            B::Matrix::write(j, out);
            Ok(())
        })
    }
}
