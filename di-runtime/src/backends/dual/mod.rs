//! `AutoDual`: the function run on dual numbers, a chunk of directions at a time.

mod nested;
mod run;

use crate::backend::Backend;
use crate::batch::{WIDEST, chunk, even_batch, lane_width};
use crate::capability::{Capabilities, Mode, Operator};
use crate::compressed::{Reader, Seeds};
use crate::error::Error;
use crate::function::{
    Call, FormOf, Generic, NumberValued, OfNumber, Signature, Slot, XLanes, XLanesMut, XRef,
    XShape, YLanesMut, YShape,
};
use crate::held::Held;
use crate::matrix::Matrix;
use crate::pool::mix;
use crate::prep::Op;
#[cfg(not(debug_assertions))]
use crate::primitive::choice::may;
use crate::primitive::choice::{Any, Choice, Only, may_be_first_order, may_be_second_order};
use crate::primitive::{Plan, Space};
use crate::scalar::Dual;
use crate::second_order::{ForwardOver, forward_over};
use crate::value::Family;

use super::lanes::{MANY, many, widths};
use super::sweep::Lifted;
use nested::Inners;

/// Dual numbers: forward mode for any function on scalars, second order by nesting.
///
/// The chunk is the number of directions in one evaluation. By default it is `n` for up to 8 inputs, and `ceil(n /
/// ceil(n / 8))` for more. A gradient with nine or ten inputs still takes one evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoDual {
    chunk: Option<usize>,
}

impl AutoDual {
    /// With a chunk that fits the number of inputs.
    pub fn new() -> Self {
        AutoDual::default()
    }

    /// With a fixed chunk, 8 at most. Preparation returns an error if it is larger than the number of inputs.
    pub fn chunk(self, directions: usize) -> Self {
        AutoDual {
            chunk: Some(directions),
        }
    }

    /// Limits a fixed chunk to `most`. An automatic chunk stays automatic.
    pub fn threshold_batchsize(self, most: usize) -> Self {
        AutoDual {
            chunk: self.chunk.map(|chunk| chunk.min(most)),
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

impl Capabilities for AutoDual {
    fn name(&self) -> &'static str {
        "AutoDual"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn batch(&self, n: usize) -> usize {
        self.chunk.unwrap_or_else(|| even_batch(n, WIDEST))
    }
}

/// The function's arguments as dual numbers in one of the compiled widths. One direction takes no memory of its own.
enum Duals<K: Signature> {
    One(Lifted<K, Dual<K::Real, 1>>),
    #[cfg(not(debug_assertions))]
    Two(Held<Lifted<K, Dual<K::Real, 2>>>),
    #[cfg(not(debug_assertions))]
    Four(Held<Lifted<K, Dual<K::Real, 4>>>),
    Eight(Held<Lifted<K, Dual<K::Real, 8>>>),
}

impl<K: Signature + 'static> Duals<K> {
    fn new(count: usize, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        match lane_width(count) {
            1 => Duals::One(Lifted::new(x, y, call.form())),
            #[cfg(not(debug_assertions))]
            2 => Duals::Two(Held::new(Lifted::new(x, y, call.form()))),
            #[cfg(not(debug_assertions))]
            4 => Duals::Four(Held::new(Lifted::new(x, y, call.form()))),
            _ => Duals::Eight(Held::new(Lifted::new(x, y, call.form()))),
        }
    }
}

impl<K: Signature + 'static> Clone for Duals<K> {
    fn clone(&self) -> Self {
        match self {
            Duals::One(duals) => Duals::One(duals.clone()),
            #[cfg(not(debug_assertions))]
            Duals::Two(duals) => Duals::Two(duals.clone()),
            #[cfg(not(debug_assertions))]
            Duals::Four(duals) => Duals::Four(duals.clone()),
            Duals::Eight(duals) => Duals::Eight(duals.clone()),
        }
    }
}

/// Directions of a gradient by nine or ten inputs. Ten inputs are common, and one run with ten tangents takes less time
/// than two with eight each. A debug build does without, see [`lane_width`].
#[cfg(not(debug_assertions))]
const TEN: usize = 10;

/// Dual numbers for them.
#[cfg(not(debug_assertions))]
type Ten<K> = Held<Lifted<K, Dual<<K as Signature>::Real, TEN>>>;

/// Scratch of dual numbers; holds what the operator needs.
pub struct Scratch<K: Signature> {
    chunk: usize,
    duals: Option<Duals<K>>,
    #[cfg(not(debug_assertions))]
    ten: Option<Ten<K>>,
    second: Option<Held<ForwardOver<K, Inners>>>,
}

impl<K: Signature + 'static> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            chunk: self.chunk,
            duals: self.duals.clone(),
            #[cfg(not(debug_assertions))]
            ten: self.ten.clone(),
            second: self.second.clone(),
        }
    }
}

impl<K: Signature + 'static> Scratch<K> {
    fn buffers(&self) -> u64 {
        let duals = |duals: &Duals<K>| widths!(Duals, duals, duals => duals.values.pool.state());
        let first = self.duals.as_ref().map_or(0, duals);
        #[cfg(not(debug_assertions))]
        let first = self
            .ten
            .as_ref()
            .map_or(first, |ten| ten.values.pool.state());
        mix(
            first,
            self.second.as_ref().map_or(0, |second| second.buffers()),
        )
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl AutoDual {
    /// What the operators that `C` allows need: of no other is anything compiled.
    fn scratch_in<C: Choice, K: Signature + 'static>(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
    ) -> Result<Scratch<K>, Error> {
        let n = K::X::len(plan.x);
        let chunk = match plan.operator {
            Operator::Derivative | Operator::SecondDerivative | Operator::Taylor => 1,
            Operator::Pushforward | Operator::Hvp => even_batch(plan.batch, WIDEST),
            Operator::Pullback | Operator::Gradient | Operator::Jacobian | Operator::Hessian => {
                self.pick_batchsize(n)?
            }
        };
        let mut scratch = Scratch {
            chunk,
            duals: None,
            #[cfg(not(debug_assertions))]
            ten: None,
            second: None,
        };
        #[cfg(not(debug_assertions))]
        if const { may::<C>(Operator::Gradient) }
            && plan.operator == Operator::Gradient
            && self.chunk.is_none()
            && (WIDEST + 1..=TEN).contains(&n)
        {
            scratch.ten = Some(Held::new(Lifted::new(plan.x, plan.y, call.form())));
            return Ok(scratch);
        }
        if const { may_be_first_order::<C>() } && !plan.operator.is_second_order() {
            let least = match plan.operator {
                Operator::Gradient | Operator::Jacobian => MANY,
                _ => 1,
            };
            scratch.duals = Some(Duals::new(chunk.max(least), plan.x, plan.y, call));
        }
        if const { may_be_second_order::<C>() } {
            // the width for three colors is compiled for generated code alone
            let plan = &Plan {
                seeds: None,
                ..*plan
            };
            let second = ForwardOver::for_plan::<C>((), chunk, plan, call);
            scratch.second = second.map(Held::new);
        }
        Ok(scratch)
    }
}

impl<K: Generic> Backend<K> for AutoDual {
    type Scratch = Scratch<FormOf<K>>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        self.scratch_in::<Any, FormOf<K>>(&plan.form(), call.form())
    }

    fn scratch_of<O: Op>(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        self.scratch_in::<Only<O>, FormOf<K>>(&plan.form(), call.form())
    }

    fn warms_up(&self, operator: Operator) -> bool {
        operator == Operator::Pullback || K::BUFFERS || K::Y::COPIED
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        scratch.buffers()
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
        mut y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        widths!(Duals, space.scratch.duals.as_mut().expect(MADE), duals => {
            run::pushforward(duals, call, x, dx, &mut y, dy);
        });
        Ok(())
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
        let n = K::X::len(&space.x);
        #[cfg(not(debug_assertions))]
        if let Some(duals) = &mut space.scratch.ten {
            return Ok(run::gradient(duals, call, x, n, n, g));
        }
        let Scratch { chunk, duals, .. } = &mut space.scratch;
        Ok(many!(Duals, duals.as_mut().expect(MADE), duals => {
            run::gradient(duals, call, x, n, *chunk, g)
        }))
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        let Scratch { chunk, duals, .. } = &mut space.scratch;
        many!(Duals, duals.as_mut().expect(MADE), duals => {
            run::jacobian(duals, call, x, *chunk, &mut y, j);
        });
        Ok(())
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
        let second = space.scratch.second.as_mut().expect(MADE);
        forward_over::second_derivative(second, self, call, x, y, dy, ddy);
        Ok(())
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
        let second = space.scratch.second.as_mut().expect(MADE);
        Ok(forward_over::hvp(second, self, call, x, dx, g, products))
    }

    fn compressed_hessian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        g: Option<XLanesMut<'_, K, K::Real>>,
        reader: &mut impl Reader<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let second = space.scratch.second.as_mut().expect(MADE);
        Ok(forward_over::compressed(
            second, self, call, x, seeds, g, true, reader,
        ))
    }

    fn compressed_hessian_alone(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        reader: &mut impl Reader<K::Real>,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        let second = space.scratch.second.as_mut().expect(MADE);
        forward_over::compressed(second, self, call, x, seeds, None, false, reader);
        Ok(())
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
        let second = space.scratch.second.as_mut().expect(MADE);
        Ok(forward_over::hessian(
            second,
            self,
            call,
            x,
            K::X::len(&space.x),
            g,
            true,
            h,
        ))
    }
}
