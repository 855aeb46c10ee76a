//! `AutoSource`: the code that `#[differentiable]` generated.
//!
//! `forward` and `reverse` run it in lanes, here is the choice between them.

mod compressed;
mod forward;
mod nested;
mod reverse;
mod scratch;

use crate::backend::Backend;
use crate::batch::{WIDEST, even_batch, passes};
use crate::capability::{Capabilities, HvpMode, Mode, Operator};
use crate::compressed::{Reader, Seeds};
use crate::error::Error;
use crate::function::{
    Call, FormOf, Kind, NumberValued, OfNumber, Slot, Source, XLanes, XLanesMut, XRef, YLanes,
    YLanesMut,
};
use crate::generated::Fresh;
use crate::matrix::Matrix;
use crate::prep::Op;
use crate::primitive::choice::{Any, Only};
use crate::primitive::{Plan, Space};
use crate::rules::{one, zero};
use crate::second_order::forward_over;
use crate::value::Family;

use super::sweep::{clear_caches, env};
use scratch::{MADE, Scratch, scratch_in};

/// Generated forward and reverse code. By default, the operator and the shape determine the mode.
///
/// Gradients use reverse mode, except for few inputs and long loops. Jacobians are computed by columns or by rows,
/// whichever is less work. Second order is forward over reverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoSource {
    only: Option<Mode>,
}

impl AutoSource {
    /// Forward or reverse mode, whichever suits the operator and the shape.
    pub fn new() -> Self {
        AutoSource::default()
    }

    /// Tangent code only.
    pub fn forward(self) -> Self {
        AutoSource {
            only: Some(Mode::Forward),
        }
    }

    /// Adjoint code only.
    pub fn reverse(self) -> Self {
        AutoSource {
            only: Some(Mode::Reverse),
        }
    }

    /// Whether an operator from `n` inputs to `m` outputs goes forward, by an estimate of its cost in
    /// evaluations. `kept` is how much the reverse sweep needs from a tape that grows with loops.
    fn goes_forward(self, operator: Operator, n: usize, m: usize, kept: usize) -> bool {
        match self.only {
            Some(Mode::Forward) => return true,
            Some(Mode::Reverse) => return false,
            Some(Mode::ForwardOrReverse | Mode::Symbolic | Mode::None) | None => {}
        }
        match operator {
            Operator::Pushforward
            | Operator::Derivative
            | Operator::SecondDerivative
            | Operator::Taylor => true,
            Operator::Pullback | Operator::Hvp | Operator::Hessian => false,
            Operator::Gradient => n <= FEW_INPUTS && kept > LONG_TAPE,
            Operator::Jacobian => {
                let sum = |count, pass: fn(f64) -> f64| -> f64 {
                    let batch = even_batch(count, WIDEST);
                    passes(count, batch).map(|_| pass(batch as f64)).sum()
                };
                sum(n, |lanes| 1.0 + 0.25 * lanes) <= 1.3 + sum(m, |lanes| 0.8 + 0.5 * lanes)
            }
        }
    }
}

/// Forward gradients are considered up to here.
const FEW_INPUTS: usize = 4;

/// Words on the tape from which a gradient by few inputs goes forward.
const LONG_TAPE: usize = 256;

impl Capabilities for AutoSource {
    fn name(&self) -> &'static str {
        "AutoSource"
    }
    fn mode(&self) -> Mode {
        self.only.unwrap_or(Mode::ForwardOrReverse)
    }
    fn hvp_mode(&self) -> HvpMode {
        // dual numbers outside: generated reverse code is no scalar
        HvpMode::of(Mode::Forward, self.mode())
    }
    fn batch(&self, n: usize) -> usize {
        even_batch(n, WIDEST)
    }
    fn forward_counterpart(&self) -> Option<Self> {
        (self.only != Some(Mode::Reverse)).then(|| self.forward())
    }
    fn reverse_counterpart(&self) -> Option<Self> {
        (self.only != Some(Mode::Forward)).then(|| self.reverse())
    }
}

impl<K: Source> Backend<K> for AutoSource {
    type Scratch = Scratch<FormOf<K>>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        Ok(scratch_in::<Any, K>(*self, plan, call, x))
    }

    fn scratch_of<O: Op>(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        Ok(scratch_in::<Only<O>, K>(*self, plan, call, x))
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn buffers(&self, scratch: &Self::Scratch) -> u64 {
        scratch.buffers()
    }

    fn matrix(&self, _: &Self::Scratch, rows: usize, columns: usize) -> Matrix<K::Real> {
        Matrix::zeros((rows, columns))
    }

    fn linearize(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<bool, Error> {
        if self.only == Some(Mode::Forward) {
            return Ok(false);
        }
        let Scratch { values, memory, .. } = &mut space.scratch;
        let y = K::Kind::slot::<K::Y, K::Real>(&mut values.y);
        K::augmented::<K::Real>(
            env(call, &mut values.caches, &mut values.pool),
            x,
            y,
            memory.record(),
        );
        space.scratch.recorded = true;
        Ok(true)
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
        if self.only == Some(Mode::Reverse) {
            return crate::derived::pushforward(self, space, call, x, dx, y, dy);
        }
        forward::pushforward(&mut space.scratch, call, x, dx, y, dy);
        Ok(())
    }

    fn pushforward_one(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        if self.only == Some(Mode::Reverse) {
            return crate::derived::pushforward(self, space, call, x, dx, y, dy);
        }
        forward::pushforward_one(&mut space.scratch, call, x, dx, y, dy);
        Ok(())
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
        if self.only == Some(Mode::Forward) {
            return crate::derived::pullback(self, space, call, x, dy, y, dx);
        }
        reverse::pullback(space, call, x, dy, y, dx)
    }

    #[inline]
    fn derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        if self.only == Some(Mode::Reverse) {
            let dx = &[&one::<K::Real>()];
            return crate::derived::pushforward(self, space, call, x, dx, y, &mut [dy]);
        }
        forward::derivative(&mut space.scratch, call, x, y, dy);
        Ok(())
    }

    fn pullback_one(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dy: &[YLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        if self.only == Some(Mode::Forward) {
            return crate::derived::pullback(self, space, call, x, dy, y, dx);
        }
        reverse::pullback_one(space, call, x, dy, y, dx)
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
        if space.scratch.swath.is_none() || self.only == Some(Mode::Reverse) {
            return crate::derived::compressed_columns(self, space, call, x, seeds, y, reader);
        }
        compressed::columns(space, call, x, seeds, y, reader);
        Ok(())
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
        if space.scratch.swath.is_none() || self.only == Some(Mode::Forward) {
            return crate::derived::compressed_rows(self, space, call, x, seeds, y, reader);
        }
        compressed::rows(space, call, x, seeds, y, reader)
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

    #[inline]
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
        if space.scratch.forward {
            return Ok(forward::gradient(space, call, x, g));
        }
        let Scratch {
            values,
            memory,
            adjoints,
            ..
        } = &mut space.scratch;
        let adjoints = adjoints.as_mut().expect(MADE);
        clear_caches::<K::Caches, K::Real>(adjoints);
        memory.tape.reset();
        let mut y = zero::<K::Real>();
        K::fused::<K::Real, K::Real>(
            env(call, &mut values.caches, &mut values.pool),
            x,
            g,
            adjoints,
            &mut y,
            one::<K::Real>(),
            &mut memory.tape,
        );
        Ok(y)
    }

    #[inline]
    fn gradient_alone(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        if K::RECORDS || space.scratch.forward {
            self.gradient(space, call, x, g)?;
            return Ok(());
        }
        // the reverse sweep reads nothing but the arguments
        let Scratch {
            values,
            memory,
            adjoints,
            ..
        } = &mut space.scratch;
        let adjoints = adjoints.as_mut().expect(MADE);
        clear_caches::<K::Caches, K::Real>(adjoints);
        K::reverse::<K::Real, K::Real, Fresh>(
            call.ctx,
            call.fixed,
            x,
            g,
            adjoints,
            one::<K::Real>(),
            memory.kept(),
            &mut values.pool,
        );
        Ok(())
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        if space.scratch.forward {
            forward::jacobian(space, call, x, y, j);
            Ok(())
        } else {
            reverse::jacobian(space, call, x, y, j)
        }
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

    fn hvp_one(
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
        Ok(forward_over::hvp_one(
            second, self, call, x, dx, g, products,
        ))
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

    fn hessian_alone(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        h: &mut Matrix<K::Real>,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        let n = K::X::len(&space.x);
        let second = space.scratch.second.as_mut().expect(MADE);
        forward_over::hessian(second, self, call, x, n, None, false, h);
        Ok(())
    }
}
