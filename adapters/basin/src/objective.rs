//! A function to a number: cost, gradient, Hessian and its products.

use std::fmt;
use std::marker::PhantomData;

use basin::{CostFunction, Gradient, Hessian, HessianProduct};
use di::Matrix;
use di::extend::{Backend, Reusable, ReusableNumber};
use di::{Error, Prep, Shared};

use crate::vector::Vector;

/// An annotated function from `&[f64]` to `f64` as what basin minimizes.
///
/// `F` is the function with its data, `B` the backend, `P` the type of the parameters. Errors are those of the function
/// ([`Error::Function`]) and of the operators; all of them end the solver.
pub struct Objective<F: Reusable, B: Backend<F::Key>, P = Vec<f64>> {
    f: F,
    backend: B,
    gradient: Shared<Prep<di::Gradient, F::Key, B>>,
    hessian: Shared<Second<F::Key, B>>,
    hvp: Shared<Prep<di::Hvp, F::Key, B>>,
    vector: PhantomData<fn() -> P>,
}

/// What one thread makes Hessians in.
struct Second<K: di::extend::Primal, B: Backend<K>> {
    prep: Prep<di::Hessian, K, B>,
    h: Matrix,
}

impl<K: di::extend::Primal, B: Backend<K>> Clone for Second<K, B> {
    fn clone(&self) -> Self {
        Second {
            prep: self.prep.clone(),
            h: self.h.clone(),
        }
    }
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
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: F, backend: B, x: &P) -> Result<Self, Error> {
        let gradient = di::prepare_gradient(f.once(), &backend, x.view())?;
        Ok(Objective {
            f,
            backend,
            gradient: Shared::new(gradient),
            hessian: Shared::default(),
            hvp: Shared::default(),
            vector: PhantomData,
        })
    }

    /// Runs something on the prep of Hessians, which the first call makes.
    fn second<O>(
        &self,
        x: &[f64],
        run: impl FnOnce(&mut Second<F::Key, B>) -> Result<O, Error>,
    ) -> Result<O, Error> {
        let make = || -> Result<_, Error> {
            Ok(Second {
                prep: di::prepare_hessian(self.f.once(), &self.backend, x)?,
                h: Matrix::zeros((x.len(), x.len())),
            })
        };
        self.hessian.with_or(make, run)?
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
    type Error = Error;

    fn cost(&self, x: &P) -> Result<f64, Error> {
        di::evaluate(self.f.once(), x.view())
    }
}

impl<F, B, P> Gradient for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Gradient = P;

    fn gradient(&self, x: &P) -> Result<P, Error> {
        let mut g = P::zeros(x.view().len());
        self.gradient_into(x, &mut g)?;
        Ok(g)
    }

    fn gradient_into(&self, x: &P, g: &mut P) -> Result<(), Error> {
        let (x, f) = (x.view(), self.f.once());
        let g = g.room(x.len());
        self.gradient
            .with(|prep| di::gradient_into(f, g, &*prep, &self.backend, x))
    }

    fn cost_and_gradient(&self, x: &P) -> Result<(f64, P), Error> {
        let mut g = P::zeros(x.view().len());
        Ok((self.cost_and_gradient_into(x, &mut g)?, g))
    }

    fn cost_and_gradient_into(&self, x: &P, g: &mut P) -> Result<f64, Error> {
        let (x, f) = (x.view(), self.f.once());
        let g = g.room(x.len());
        self.gradient
            .with(|prep| di::value_and_gradient_into(f, g, &*prep, &self.backend, x))
    }
}

impl<F, B, P> Hessian for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key, Matrix = Matrix>,
    P: Vector,
{
    type Hessian = P::Matrix;

    fn hessian(&self, x: &P) -> Result<P::Matrix, Error> {
        let x = x.view();
        self.second(x, |Second { prep, h }| {
            di::hessian_into(self.f.once(), h, &*prep, &self.backend, x)?;
            Ok(P::matrix(h))
        })
    }

    fn hessian_into(&self, x: &P, out: &mut P::Matrix) -> Result<(), Error> {
        let x = x.view();
        self.second(x, |Second { prep, h }| {
            di::hessian_into(self.f.once(), h, &*prep, &self.backend, x)?;
            P::write(h, out);
            Ok(())
        })
    }

    fn cost_and_gradient_and_hessian(&self, x: &P) -> Result<(f64, P, P::Matrix), Error> {
        let x = x.view();
        let mut g = P::zeros(x.len());
        self.second(x, |Second { prep, h }| {
            let (f, into) = (self.f.once(), g.room(x.len()));
            let y = di::value_gradient_and_hessian_into(f, into, h, &*prep, &self.backend, x)?;
            Ok((y, P::matrix(h)))
        })
        .map(|(y, h)| (y, g, h))
    }

    fn cost_and_gradient_and_hessian_into(
        &self,
        x: &P,
        g: &mut P,
        out: &mut P::Matrix,
    ) -> Result<f64, Error> {
        let x = x.view();
        let g = g.room(x.len());
        self.second(x, |Second { prep, h }| {
            let f = self.f.once();
            let y = di::value_gradient_and_hessian_into(f, g, h, &*prep, &self.backend, x)?;
            P::write(h, out);
            Ok(y)
        })
    }
}

impl<F, B, P> HessianProduct for Objective<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    fn hessian_product(&self, x: &P, v: &P) -> Result<P, Error> {
        let mut product = P::zeros(x.view().len());
        self.hessian_product_into(x, v, &mut product)?;
        Ok(product)
    }

    fn hessian_product_into(&self, x: &P, v: &P, out: &mut P) -> Result<(), Error> {
        let (x, v, backend) = (x.view(), v.view(), &self.backend);
        let out = out.room(x.len());
        self.hvp.with_or(
            || di::prepare_hvp(self.f.once(), backend, x, v),
            |prep| di::hvp_into(self.f.once(), out, &*prep, backend, x, v),
        )?
    }
}
