//! Backends reduced to one primitive: everything else is derived. They test the derived operators, and show
//! what a backend of one primitive costs.

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{Call, Primal, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut};
use crate::primitive::{Plan, Space, Work};

/// Only the pushforward of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoForwardFromPrimitive<B>(pub B);

/// Only the pullback of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoReverseFromPrimitive<B>(pub B);

/// The wrapped backend's space.
pub struct Inner<K: Primal, B: Backend<K>>(Space<K, B>);

impl<K: Primal, B: Backend<K>> Clone for Inner<K, B> {
    fn clone(&self) -> Self {
        Inner(self.0.clone())
    }
}

/// The wrapped backend's space for one primitive, with as many directions as derived operators use.
fn inner<K: Primal, B: Backend<K>>(
    backend: &B,
    operator: Operator,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<Inner<K, B>, Error> {
    let plan = Plan {
        operator,
        x: plan.x,
        y: plan.y,
        batch: plan.batch.max(crate::batch::WIDEST),
        seeds: None,
        lasting: plan.lasting,
    };
    Ok(Inner(Space {
        scratch: backend.scratch(&plan, call, x)?,
        work: Work::default(),
        x: plan.x.clone(),
        y: plan.y.clone(),
        same_point: false,
    }))
}

impl<B: Capabilities> Capabilities for AutoForwardFromPrimitive<B> {
    fn name(&self) -> &'static str {
        "AutoForwardFromPrimitive"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    fn accuracy(&self, _: Operator) -> f64 {
        self.0.accuracy(Operator::Pushforward)
    }
    fn check_inplace(&self) -> bool {
        self.0.check_inplace()
    }
    fn batch(&self, n: usize) -> usize {
        self.0.batch(n)
    }
}

impl<B: Capabilities> Capabilities for AutoReverseFromPrimitive<B> {
    fn name(&self) -> &'static str {
        "AutoReverseFromPrimitive"
    }
    fn mode(&self) -> Mode {
        Mode::Reverse
    }
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    fn accuracy(&self, _: Operator) -> f64 {
        self.0.accuracy(Operator::Pullback)
    }
    fn check_inplace(&self) -> bool {
        self.0.check_inplace()
    }
    fn batch(&self, n: usize) -> usize {
        self.0.batch(n)
    }
}

impl<K: Primal, B: Backend<K>> Backend<K> for AutoForwardFromPrimitive<B> {
    type Scratch = Inner<K, B>;
    type Matrix = B::Matrix;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        inner(&self.0, Operator::Pushforward, plan, call, x)
    }

    fn matrix(&self, scratch: &Self::Scratch, rows: usize, columns: usize) -> B::Matrix {
        self.0.matrix(&scratch.0.scratch, rows, columns)
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let inner = &mut space.scratch.0;
        self.0.pushforward(inner, call, x, dx, y, dy)
    }
}

impl<K: Primal, B: Backend<K>> Backend<K> for AutoReverseFromPrimitive<B> {
    type Scratch = Inner<K, B>;
    type Matrix = B::Matrix;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        inner(&self.0, Operator::Pullback, plan, call, x)
    }

    fn matrix(&self, scratch: &Self::Scratch, rows: usize, columns: usize) -> B::Matrix {
        self.0.matrix(&scratch.0.scratch, rows, columns)
    }

    fn pullback(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dy: &[YLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let inner = &mut space.scratch.0;
        self.0.pullback(inner, call, x, dy, y, dx)
    }
}
