//! `AutoSparse` as a backend: sparse matrices are its own, everything else is its engine's.

use di_runtime::backend::{Backend, Stored};
use di_runtime::backends::PowerSeries;
use di_runtime::capability::{Capabilities, HvpMode, Mode, Operator};
use di_runtime::error::Error;
use di_runtime::function::{Call, NumberValued, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut};
use di_runtime::primitive::{Plan, Space};
use sprs::CsMat;

use super::{AutoSparse, Scratch};
use crate::mixed::space;
use crate::{ColoringAlgorithm, Detector};

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

/// What an operator works in: its own for sparse matrices, the engine's for all else.
pub enum Inside<K: Primal, B: Backend<K>> {
    /// Jacobians and Hessians.
    Sparse(Box<Scratch<K, B>>),
    /// All other operators.
    Dense(Box<Space<K, B>>),
}

impl<K: Primal, B: Backend<K>> Clone for Inside<K, B> {
    fn clone(&self) -> Self {
        match self {
            Inside::Sparse(scratch) => Inside::Sparse(scratch.clone()),
            Inside::Dense(space) => Inside::Dense(space.clone()),
        }
    }
}

impl<K: Primal, B: Backend<K>> Inside<K, B> {
    pub(super) fn sparse(&self) -> &Scratch<K, B> {
        match self {
            Inside::Sparse(scratch) => scratch,
            Inside::Dense(_) => unreachable!("{MADE}"),
        }
    }

    fn sparse_mut(&mut self) -> &mut Scratch<K, B> {
        match self {
            Inside::Sparse(scratch) => scratch,
            Inside::Dense(_) => unreachable!("{MADE}"),
        }
    }

    fn dense_mut(&mut self, same_point: bool) -> &mut Space<K, B> {
        match self {
            Inside::Dense(space) => {
                space.same_point = same_point;
                space
            }
            Inside::Sparse(_) => unreachable!("{MADE}"),
        }
    }
}

/// Hands an operator on to the engine.
macro_rules! hand_on {
    ($self:ident, $space:ident, $operator:ident, $($arg:ident),*) => {{
        let same_point = $space.same_point;
        $self.dense.$operator($space.scratch.dense_mut(same_point), $($arg),*)
    }};
}

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
        self.dense.check_operator(operator)
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
    type Scratch = Inside<K, B>;
    type Matrix = CsMat<K::Real>;
    const HAS_PUSHFORWARD: bool = B::HAS_PUSHFORWARD;
    const HAS_PULLBACK: bool = B::HAS_PULLBACK;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        Ok(match plan.operator {
            Operator::Jacobian | Operator::Hessian => {
                Inside::Sparse(Box::new(Scratch::new(self, plan, call, x)?))
            }
            operator => Inside::Dense(Box::new(space(&self.dense, plan, operator, call, x)?)),
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        let sparse = matches!(operator, Operator::Jacobian | Operator::Hessian);
        sparse || self.dense.warms_up(operator)
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        match scratch {
            Inside::Sparse(scratch) => scratch.buffers(&self.dense),
            Inside::Dense(space) => self.dense.buffers(&space.scratch),
        }
    }

    di_runtime::__methods!(hand_on:
        linearize pushforward pullback derivative gradient gradient_alone second_derivative hvp hessian_diagonal
    );

    fn matrix(&self, scratch: &Self::Scratch, _: usize, _: usize) -> CsMat<K::Real> {
        scratch.sparse().structure().layout().zeros()
    }

    fn check_matrix(&self, scratch: &Self::Scratch, matrix: &CsMat<K::Real>) -> Result<(), Error> {
        Ok(scratch.sparse().structure().layout().check(matrix)?)
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
        space
            .scratch
            .sparse_mut()
            .jacobian(&self.dense, call, x, y, values)
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
        space
            .scratch
            .sparse_mut()
            .hessian(&self.dense, call, x, g, values)
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
        space
            .scratch
            .sparse_mut()
            .hessian_alone(&self.dense, call, x, values)
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
        scratch.sparse().structure().layout().len()
    }

    fn jacobian_values(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error> {
        space
            .scratch
            .sparse_mut()
            .jacobian(&self.dense, call, x, y, values)
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
        space
            .scratch
            .sparse_mut()
            .hessian_alone(&self.dense, call, x, values)
    }
}

impl<K, B, D, C> PowerSeries<K> for AutoSparse<B, D, C>
where
    K: Primal,
    B: PowerSeries<K>,
    D: Detector<K>,
    C: ColoringAlgorithm,
{
    fn expand(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
        order: usize,
        y: Slot<'_, K, K::Real>,
    ) -> Result<(), Error> {
        hand_on!(self, space, expand, call, x, dx, order, y)
    }

    fn coefficient(
        &self,
        space: &mut Space<K, Self>,
        power: usize,
        factor: f64,
        to: YLanesMut<'_, K, K::Real>,
    ) {
        hand_on!(self, space, coefficient, power, factor, to);
    }
}
