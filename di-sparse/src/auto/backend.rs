//! `AutoSparse` as a backend.

use di_runtime::backend::{Backend, Stored};
use di_runtime::capability::{Capabilities, HvpMode, Mode, Operator};
use di_runtime::error::Error;
use di_runtime::function::{Call, NumberValued, Primal, Slot, XLanesMut, XRef};
use di_runtime::primitive::{Plan, Space};
use sprs::CsMat;

use super::{AutoSparse, Scratch};
use crate::{ColoringAlgorithm, Detector};

impl<B: Capabilities, D, C> Capabilities for AutoSparse<B, D, C> {
    fn name(&self) -> &'static str {
        "AutoSparse"
    }
    fn mode(&self) -> Mode {
        self.dense.mode()
    }
    fn check_available(&self) -> bool {
        self.dense.check_available()
    }
    fn check_operator(&self, operator: Operator) -> bool {
        matches!(operator, Operator::Jacobian | Operator::Hessian)
            && self.dense.check_operator(operator)
    }
    fn accuracy(&self, operator: Operator) -> f64 {
        self.dense.accuracy(operator)
    }
    fn check_inplace(&self) -> bool {
        self.dense.check_inplace()
    }
    fn hvp_mode(&self) -> HvpMode {
        self.dense.hvp_mode()
    }
    fn batch(&self, n: usize) -> usize {
        self.dense.batch(n)
    }
}

impl<K, B, D, C> Backend<K> for AutoSparse<B, D, C>
where
    K: Primal,
    B: Backend<K>,
    D: Detector<K>,
    C: ColoringAlgorithm,
{
    type Scratch = Scratch<K, B>;
    type Matrix = CsMat<K::Real>;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        match plan.operator {
            Operator::Jacobian | Operator::Hessian => Scratch::new(self, plan, call, x),
            operator => Err(Backend::<K>::unsupported(
                self,
                operator,
                "it makes sparse Jacobians and Hessians; use `backend.dense()`",
            )),
        }
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        scratch.buffers(&self.dense)
    }

    fn matrix(&self, scratch: &Self::Scratch, _: usize, _: usize) -> CsMat<K::Real> {
        scratch.structure().layout().zeros()
    }

    fn check_matrix(&self, scratch: &Self::Scratch, matrix: &CsMat<K::Real>) -> Result<(), Error> {
        Ok(scratch.structure().layout().check(matrix)?)
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut CsMat<K::Real>,
    ) -> Result<(), Error> {
        let values = j.data_mut();
        space.scratch.jacobian(&self.dense, call, x, y, values)
    }

    fn hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut CsMat<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let values = h.data_mut();
        space.scratch.hessian(&self.dense, call, x, g, values)
    }

    fn hessian_alone(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        h: &mut CsMat<K::Real>,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        let values = h.data_mut();
        space.scratch.hessian_alone(&self.dense, call, x, values)
    }
}

impl<K, B, D, C> Stored<K> for AutoSparse<B, D, C>
where
    K: Primal,
    B: Backend<K>,
    D: Detector<K>,
    C: ColoringAlgorithm,
{
    fn stored(&self, scratch: &Self::Scratch) -> usize {
        scratch.structure().layout().len()
    }

    fn jacobian_values(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error> {
        space.scratch.jacobian(&self.dense, call, x, y, values)
    }

    fn hessian_values(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        space.scratch.hessian_alone(&self.dense, call, x, values)
    }
}
