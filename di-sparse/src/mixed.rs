//! `MixedMode`: one engine for pushforwards, another for pullbacks.

use di_runtime::backend::Backend;
use di_runtime::capability::{Capabilities, Mode, Operator};
use di_runtime::compressed::{Reader, Seeds};
use di_runtime::error::Error;
use di_runtime::function::{Call, Primal, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut};
use di_runtime::matrix::Matrix;
use di_runtime::pool::mix;
use di_runtime::primitive::{Plan, Space, Workspace};
/// Two engines for Jacobians: one computes columns, the other rows.
///
/// Inside [`AutoSparse`](crate::AutoSparse), Jacobians are colored in both directions. First order only.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{AutoSparse, MixedMode, SparsePrep};
///
/// #[differentiable]
/// fn arrow(x: &[f64], y: &mut [f64]) {
///     y[0] = x[0];
///     for i in 1..x.len() {
///         y[0] += x[i] * x[i];
///         y[i] = x[0] * x[i];
///     }
/// }
///
/// let backend = AutoSparse::new(MixedMode::new(AutoDual::new(), AutoSource::new().reverse()));
/// let (x, mut y) = (vec![1.0; 50], vec![0.0; 50]);
/// let prep = prepare_jacobian(arrow::AD.output(&mut y), &backend, &x)?;
/// assert_eq!(prep.structure()?.coloring().ncolors(), 3);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixedMode<F, R> {
    forward: F,
    reverse: R,
}

impl<F: Capabilities, R: Capabilities> MixedMode<F, R> {
    /// `forward` computes pushforwards, `reverse` pullbacks.
    pub fn new(forward: F, reverse: R) -> Self {
        MixedMode { forward, reverse }
    }
}

impl<F: Capabilities, R: Capabilities> Capabilities for MixedMode<F, R> {
    fn name(&self) -> &'static str {
        "MixedMode"
    }
    fn mode(&self) -> Mode {
        match (
            self.forward.mode().pushforward_is_fast(),
            self.reverse.mode().pullback_is_fast(),
        ) {
            (true, false) => Mode::Forward,
            (false, true) => Mode::Reverse,
            (true, true) | (false, false) => Mode::ForwardOrReverse,
        }
    }
    fn check_available(&self) -> bool {
        self.forward.check_available() && self.reverse.check_available()
    }
    fn check_operator(&self, operator: Operator) -> bool {
        matches!(
            operator,
            Operator::Jacobian | Operator::Pushforward | Operator::Pullback
        )
    }
    fn accuracy(&self, _: Operator) -> f64 {
        let forward = self.forward.accuracy(Operator::Pushforward);
        forward.max(self.reverse.accuracy(Operator::Pullback))
    }
    fn check_inplace(&self) -> bool {
        self.forward.check_inplace() && self.reverse.check_inplace()
    }
    fn batch(&self, n: usize) -> usize {
        self.forward.batch(n).min(self.reverse.batch(n))
    }
}

/// Spaces of both engines, as far as the operator needs them.
pub struct Scratch<K: Primal, F: Backend<K>, R: Backend<K>> {
    forward: Option<Box<Space<K, F>>>,
    reverse: Option<Box<Space<K, R>>>,
}

impl<K: Primal, F: Backend<K>, R: Backend<K>> Clone for Scratch<K, F, R> {
    fn clone(&self) -> Self {
        Scratch {
            forward: self.forward.clone(),
            reverse: self.reverse.clone(),
        }
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

/// A space for one primitive.
pub(crate) fn space<K: Primal, B: Backend<K>>(
    backend: &B,
    plan: &Plan<'_, K>,
    operator: Operator,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<Space<K, B>, Error> {
    let plan = Plan { operator, ..*plan };
    Ok(Workspace::new(
        backend.scratch(&plan, call, x)?,
        plan.x,
        plan.y,
    ))
}

impl<K: Primal, F: Backend<K>, R: Backend<K>> Backend<K> for MixedMode<F, R> {
    type Scratch = Scratch<K, F, R>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        let (forward, reverse) = match plan.operator {
            Operator::Pushforward => (true, false),
            Operator::Pullback => (false, true),
            Operator::Jacobian => (true, true),
            operator => {
                return Err(Backend::<K>::unsupported(
                    self,
                    operator,
                    "it is for Jacobians, pushforwards and pullbacks",
                ));
            }
        };
        // a Jacobian asks for several directions at once
        let plan = Plan {
            batch: plan.batch.max(di_runtime::batch::WIDEST),
            ..*plan
        };
        let forward = forward.then(|| space(&self.forward, &plan, Operator::Pushforward, call, x));
        let reverse = reverse.then(|| space(&self.reverse, &plan, Operator::Pullback, call, x));
        Ok(Scratch {
            forward: forward.transpose()?.map(Box::new),
            reverse: reverse.transpose()?.map(Box::new),
        })
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        let forward = scratch.forward.as_ref();
        let reverse = scratch.reverse.as_ref();
        mix(
            forward.map_or(0, |space| self.forward.buffers(&space.scratch)),
            reverse.map_or(0, |space| self.reverse.buffers(&space.scratch)),
        )
    }

    fn matrix(&self, _: &Self::Scratch, rows: usize, columns: usize) -> Matrix<K::Real> {
        Matrix::zeros((rows, columns))
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
        let space = space.scratch.forward.as_mut().expect(MADE);
        self.forward.pushforward(space, call, x, dx, y, dy)
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
        let space = space.scratch.reverse.as_mut().expect(MADE);
        self.reverse.pullback(space, call, x, dy, y, dx)
    }

    fn compressed_columns(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        y: Slot<'_, K, K::Real>,
        reader: &mut impl Reader<K::Real>,
    ) -> Result<(), Error> {
        let space = space.scratch.forward.as_mut().expect(MADE);
        self.forward
            .compressed_columns(space, call, x, seeds, y, reader)
    }

    fn compressed_rows(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        y: Slot<'_, K, K::Real>,
        reader: &mut impl Reader<K::Real>,
    ) -> Result<(), Error> {
        let space = space.scratch.reverse.as_mut().expect(MADE);
        self.reverse
            .compressed_rows(space, call, x, seeds, y, reader)
    }
}
