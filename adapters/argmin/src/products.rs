//! Hessians that are multiplied and never written down.

use std::fmt;
use std::sync::Arc;

use argmin::core::{CostFunction, Error, Gradient, Hessian};
use argmin_math::ArgminDot;
use di::extend::{Backend, Reusable, ReusableNumber};

use crate::objective::Objective;
use crate::vector::Vector;

/// An [`Objective`] whose Hessian is [`HessianAt`]. Made by [`Objective::by_products`].
pub struct ByProducts<F: Reusable, B: Backend<F::Key>, P = Vec<f64>>(Arc<Objective<F, B, P>>);

/// The Hessian at one point: a linear map.
///
/// A product that fails is NaN in all entries, since argmin's trait has no place for an error; the error itself is
/// returned by the next cost, gradient or Hessian.
pub struct HessianAt<F: Reusable, B: Backend<F::Key>, P = Vec<f64>> {
    objective: Arc<Objective<F, B, P>>,
    x: P,
}

impl<F: Reusable, B: Backend<F::Key>, P> ByProducts<F, B, P> {
    pub(crate) fn new(objective: Objective<F, B, P>) -> Self {
        ByProducts(Arc::new(objective))
    }
}

impl<F: Reusable, B: Backend<F::Key>, P: Clone> Clone for HessianAt<F, B, P> {
    fn clone(&self) -> Self {
        HessianAt {
            objective: Arc::clone(&self.objective),
            x: self.x.clone(),
        }
    }
}

impl<F: Reusable, B: Backend<F::Key>, P> fmt::Debug for ByProducts<F, B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ByProducts").field(&self.0).finish()
    }
}

impl<F: Reusable, B: Backend<F::Key>, P: fmt::Debug> fmt::Debug for HessianAt<F, B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HessianAt")
            .field("objective", &self.objective)
            .field("x", &self.x)
            .finish()
    }
}

impl<F, B, P> CostFunction for ByProducts<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Output = f64;

    fn cost(&self, x: &P) -> Result<f64, Error> {
        self.0.cost(x)
    }
}

impl<F, B, P> Gradient for ByProducts<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Gradient = P;

    fn gradient(&self, x: &P) -> Result<P, Error> {
        self.0.gradient(x)
    }
}

impl<F, B, P> Hessian for ByProducts<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    type Param = P;
    type Hessian = HessianAt<F, B, P>;

    fn hessian(&self, x: &P) -> Result<HessianAt<F, B, P>, Error> {
        Ok(HessianAt {
            objective: Arc::clone(&self.0),
            x: x.clone(),
        })
    }
}

impl<F, B, P> ArgminDot<P, P> for HessianAt<F, B, P>
where
    F: ReusableNumber,
    B: Backend<F::Key>,
    P: Vector,
{
    fn dot(&self, v: &P) -> P {
        self.objective
            .hessian_product(&self.x, v)
            .unwrap_or_else(|error| {
                self.objective.fail(error);
                P::from_numbers(vec![f64::NAN; v.view().len()])
            })
    }
}
