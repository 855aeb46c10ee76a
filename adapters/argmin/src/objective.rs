//! A function to a number: cost, gradient, Hessian.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Mutex;

use argmin::core::{CostFunction, Error, Gradient, Hessian};
use di::Matrix;
use di::extend::{Backend, Reusable, ReusableNumber};
use di::{Prep, Shared};

use crate::products::ByProducts;
use crate::vector::Vector;

/// An annotated function from `&[f64]` to `f64` as what argmin minimizes.
///
/// `F` is the function with its data, `B` the backend, `P` the type of the parameters.
pub struct Objective<F: Reusable, B: Backend<F::Key>, P = Vec<f64>> {
    f: F,
    backend: B,
    gradient: Shared<Prep<di::Gradient, F::Key, B>>,
    hessian: Shared<Prep<di::Hessian, F::Key, B>>,
    hvp: Shared<Prep<di::Hvp, F::Key, B>>,
    /// The error of a product, whose trait has no place for it: the next call returns it.
    failure: Mutex<Option<di::Error>>,
    vector: PhantomData<fn() -> P>,
}

impl<F, B, P> Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    /// Prepares gradients for parameters like `x`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`di::Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: F, backend: B, x: &P) -> Result<Self, di::Error> {
        let gradient = di::prepare_gradient(f.once(), &backend, x.view())?;
        Ok(Objective {
            f,
            backend,
            gradient: Shared::new(gradient),
            hessian: Shared::default(),
            hvp: Shared::default(),
            failure: Mutex::default(),
            vector: PhantomData,
        })
    }

    /// The same with a Hessian that is a linear map instead of a matrix: each product with a vector costs about as much
    /// as a gradient or two.
    pub fn by_products(self) -> ByProducts<F, B, P> {
        ByProducts::new(self)
    }

    /// Hessian at `x` times `v`.
    ///
    /// # Errors
    /// Those of [`di::hvp`].
    pub fn hessian_product(&self, x: &P, v: &P) -> Result<P, di::Error> {
        let (f, backend, x, v) = (&self.f, &self.backend, x.view(), v.view());
        let product = self.hvp.with_or(
            || di::prepare_hvp(f.once(), backend, x, v),
            |prep| di::hvp(f.once(), &*prep, backend, x, v),
        )??;
        Ok(P::from_numbers(product))
    }

    /// Keeps an error for the next call that can return one.
    pub(crate) fn fail(&self, error: di::Error) {
        let mut failure = self.failure.lock().unwrap_or_else(|held| held.into_inner());
        failure.get_or_insert(error);
    }

    /// The error that was kept.
    fn settle(&self) -> Result<(), di::Error> {
        let mut failure = self.failure.lock().unwrap_or_else(|held| held.into_inner());
        failure.take().map_or(Ok(()), Err)
    }
}

impl<F: Reusable, B: Backend<F::Key>, P> fmt::Debug for Objective<F, B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objective")
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl<F, B, P> CostFunction for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Output = f64;

    fn cost(&self, x: &P) -> Result<f64, Error> {
        self.settle()?;
        Ok(di::evaluate(self.f.once(), x.view())?)
    }
}

impl<F, B, P> Gradient for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Gradient = P;

    fn gradient(&self, x: &P) -> Result<P, Error> {
        self.settle()?;
        let g = self
            .gradient
            .with(|prep| di::gradient(self.f.once(), &*prep, &self.backend, x.view()))?;
        Ok(P::from_numbers(g))
    }
}

impl<F, B, P> Hessian for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key, Matrix = Matrix>,
    P: Vector,
{
    type Param = P;
    type Hessian = P::Matrix;

    fn hessian(&self, x: &P) -> Result<P::Matrix, Error> {
        self.settle()?;
        let (f, backend, x) = (&self.f, &self.backend, x.view());
        let h = self.hessian.with_or(
            || di::prepare_hessian(f.once(), backend, x),
            |prep| di::hessian(f.once(), &*prep, backend, x),
        )??;
        Ok(P::matrix(&h))
    }
}
