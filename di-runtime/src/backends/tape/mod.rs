//! `AutoTape`: the function recorded once, and its recording replayed forward and backward.

mod directions;
mod engine;
mod forward;
mod layout;
mod nested;
mod op;
mod optimise;
mod outer;
mod program;
mod recording;
mod replay;
mod reroll;
mod reverse;
mod simplify;
mod sweeps;
mod variable;

use crate::backend::Backend;
use crate::batch::{WIDEST, chunk, even_batch};
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::value::Family;

use replay::Reuse;
use sweeps::Scratch;

/// A tape: the function is recorded at preparation, optimised, and replayed for each call.
///
/// The outcomes of comparisons, and integer parts that the function takes, belong to the recording. If one of them
/// differs in a replay, the replay is discarded, and the function is recorded again, or the call returns an error
/// ([`AutoTape::strict`]). The same happens when a `#[constant]` or a passive field of a struct has changed, because
/// their values are part of the recording. If a parameter changes with each call, make it active and hold it fixed
/// (`f::AD.fix_p(&p)`): it is then an input of the recording.
///
/// Only arithmetic is recorded: other effects of a function (printing, counting) happen when it is recorded, not when
/// it is replayed. With custom rules, or with constants whose type is not a [`Constant`](crate::context::Constant), a
/// recording is valid for one call only. Only arguments are compared: for a function that reads statics, clocks or
/// random numbers, use [`AutoTape::eager`].
///
/// Optimisation removes dead code and common subexpressions, fuses products with sums, and finds repetitions in loops.
/// A call that records again uses the new recording as it is; later calls optimise it first. So their last digits may
/// differ, and so may those of `gradient` and `value_and_gradient` at one point if a branch has changed between them.
/// This is the only engine of the library where that can happen. Second order is forward over reverse: dual numbers run
/// on the same recording. A gradient costs one forward and one reverse sweep. A Jacobian costs one reverse sweep for
/// each 8 rows, or one forward sweep of dual numbers for each 4 columns.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     if x[0] > 0.0 { x[0] * x[1] } else { x[1] * x[1] }
/// }
///
/// let backend = AutoTape::new();
/// let prep = prepare_gradient(f::AD, &backend, &[1.0, 2.0])?;
/// assert_eq!(gradient(f::AD, &prep, &backend, &[3.0, 2.0])?, [2.0, 3.0]);
/// // another branch: recorded again
/// assert_eq!(gradient(f::AD, &prep, &backend, &[-3.0, 2.0])?, [0.0, 4.0]);
/// # Ok::<(), di::Error>(())
/// ```
///
/// Reference: A. Griewank, A. Walther: evaluating derivatives (2008), chapters 4 and 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoTape {
    reuse: Reuse,
    chunk: Option<usize>,
}

impl AutoTape {
    /// Records once, and again when the recording is no longer valid.
    pub fn new() -> Self {
        AutoTape::default()
    }

    /// Records in each call. For functions whose branches change all the time.
    pub fn eager() -> Self {
        AutoTape {
            reuse: Reuse::Never,
            chunk: None,
        }
    }

    /// Returns an error ([`Error::Recorded`]) if the recording is no longer valid, instead of recording again.
    pub fn strict(self) -> Self {
        AutoTape {
            reuse: Reuse::OrFail,
            ..self
        }
    }

    /// With a fixed number of directions or adjoints in one sweep, 8 at most. Preparation returns an error if it is
    /// larger than the number of inputs.
    pub fn chunk(self, directions: usize) -> Self {
        AutoTape {
            chunk: Some(directions),
            ..self
        }
    }

    /// Limits a fixed chunk to `most`. An automatic chunk stays automatic.
    pub fn threshold_batchsize(self, most: usize) -> Self {
        AutoTape {
            chunk: self.chunk.map(|chunk| chunk.min(most)),
            ..self
        }
    }

    /// The chunk for `n` directions.
    ///
    /// # Errors
    /// [`Error::Chunk`] if the fixed one does not fit.
    pub fn pick_batchsize(self, n: usize) -> Result<usize, Error> {
        chunk(self.chunk, n, WIDEST)
    }
}

impl Capabilities for AutoTape {
    fn name(&self) -> &'static str {
        "AutoTape"
    }
    fn mode_outside(&self) -> Mode {
        Mode::Reverse
    }
    fn mode(&self) -> Mode {
        Mode::ForwardOrReverse
    }
    fn batch(&self, n: usize) -> usize {
        self.chunk.unwrap_or_else(|| even_batch(n, WIDEST))
    }
}

impl<K: Generic> Backend<K> for AutoTape {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let chunk = match plan.operator {
            Operator::Gradient | Operator::Jacobian | Operator::Hessian => {
                self.pick_batchsize(K::X::len(plan.x))?
            }
            Operator::Derivative
            | Operator::Taylor
            | Operator::SecondDerivative
            | Operator::Pushforward
            | Operator::Pullback
            | Operator::Hvp => even_batch(plan.batch, WIDEST),
        };
        Scratch::new(self.reuse, plan, chunk, call, x)
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Matrix<K::Real> {
        Matrix::zeros((rows, columns))
    }

    fn linearize(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<bool, Error> {
        space.scratch.linearize(call, x)
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
        space.scratch.pushforward(&space.y, call, x, dx, y, dy)
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
        let same_point = space.same_point;
        let scratch = &mut space.scratch;
        scratch.pullback(same_point, &space.y, call, x, dy, y, dx)
    }

    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        space.scratch.gradient(call, x, g)
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        space.scratch.jacobian(&space.y, call, x, y, j)
    }

    fn second_derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let scratch = &mut space.scratch;
        scratch.second_derivative(&space.y, call, x, y, dy, ddy)
    }

    fn hvp(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        space.scratch.hvp(call, x, dx, g, products)
    }

    fn hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        space.scratch.hessian(call, x, g, h)
    }
}
