//! `AutoSource`: the code that `#[differentiable]` generated.
//!
//! `forward` and `reverse` run it in lanes, here is the choice between them.

mod compressed;
mod forward;
mod nested;
mod reverse;

use crate::backend::Backend;
use crate::batch::{WIDEST, even_batch, passes};
use crate::capability::{Capabilities, HvpMode, Mode, Operator};
use crate::compressed::{Reader, Seeds};
use crate::error::Error;
use crate::function::{
    CachesOwned, Call, FormOf, Kind, NumberValued, OfNumber, Signature, Slot, Source, XLanes,
    XLanesMut, XRef, YLanes, YLanesMut, YShape,
};
use crate::held::Held;
use crate::matrix::Matrix;
use crate::pool::mix;
use crate::prep::Op;
use crate::primitive::choice::{
    Any, Choice, Only, is, may, may_be_first_order, may_be_second_order,
};
use crate::primitive::{Plan, Space};
use crate::rules::{one, zero};
use crate::second_order::{ForwardOver, forward_over};
use crate::value::Family;

use super::lanes::{MANY, Wide, widths};
use super::sweep::{Memory, Size, Values, caches, clear_caches, env};
use compressed::Swath;
use nested::Inners;

/// Generated forward and reverse code; the mode is chosen by operator and shape, unless it is set.
///
/// Gradients use reverse mode, except for few inputs and long loops; Jacobians are computed by columns or by rows,
/// whichever is less work; second order is forward over reverse.
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

/// Scratch of generated code; holds what the operator needs.
pub struct Scratch<K: Signature> {
    forward: bool,
    values: Values<K, K::Real>,
    memory: Memory<K::Real>,
    /// Adjoints of caches for gradients, whose other adjoints are the caller's.
    adjoints: Option<CachesOwned<K, K::Real>>,
    lanes: Option<Wide<K>>,
    second: Option<Held<ForwardOver<K, Inners>>>,
    swath: Option<Swath<K>>,
    /// Is the tape that of the point that was linearised?
    recorded: bool,
}

impl<K: Signature + 'static> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            forward: self.forward,
            values: self.values.clone(),
            memory: self.memory.clone(),
            adjoints: self.adjoints.clone(),
            lanes: self.lanes.clone(),
            second: self.second.clone(),
            swath: self.swath.clone(),
            recorded: self.recorded,
        }
    }
}

impl<K: Signature + 'static> Scratch<K> {
    /// Storage of values alone.
    fn new(size: Size, y: &YShape<K>, call: Call<'_, K>) -> Self {
        Scratch {
            forward: false,
            values: Values::new(y, call.form()),
            memory: Memory::new(size),
            adjoints: None,
            lanes: None,
            second: None,
            swath: None,
            recorded: false,
        }
    }

    /// What the operators that `C` allows need beside values: of no other is anything compiled.
    fn make_room<C: Choice>(
        &mut self,
        backend: AutoSource,
        size: Size,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
    ) {
        let (n, m) = (K::X::len(plan.x), K::Y::len(plan.y));
        let forward = backend.goes_forward(plan.operator, n, m, self.memory.tape.words.mark());
        self.forward = forward;
        if const { may_be_first_order::<C>() } {
            self.lanes = lanes::<C, K>(forward, plan, call);
            if plan.operator == Operator::Gradient && !forward {
                self.adjoints = Some(caches::<K, K::Real>(call));
            }
        }
        if const { may_be_second_order::<C>() } {
            let second = ForwardOver::for_plan::<C>(size, even_batch(n, WIDEST), plan, call);
            self.second = second.map(Held::new);
        }
        if const { C::ONLY.is_none() } {
            self.swath = plan.seeds.and_then(|seeds| match plan.operator {
                Operator::Pushforward => Some(Swath::new(seeds, true, plan.x, plan.y, call)),
                Operator::Pullback => Some(Swath::new(seeds, false, plan.x, plan.y, call)),
                _ => None,
            });
        }
    }

    fn buffers(&self) -> u64 {
        let lanes = |lanes: &Wide<K>| widths!(Wide, lanes, lanes => lanes.pool.state());
        let others = [
            self.lanes.as_ref().map_or(0, lanes),
            self.second.as_ref().map_or(0, |second| second.buffers()),
            self.swath.as_ref().map_or(0, Swath::buffers),
        ];
        others.into_iter().fold(self.values.pool.state(), mix)
    }
}

/// Lanes of first order, in the widths that the operators that `C` allows are compiled in.
fn lanes<C: Choice, K: Signature + 'static>(
    forward: bool,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
) -> Option<Wide<K>> {
    let (x, y) = (plan.x, plan.y);
    if const { may::<C>(Operator::Gradient) } && plan.operator == Operator::Gradient {
        return forward.then(|| Wide::few(x, y, call));
    }
    if const { is::<C>(Operator::Gradient) } {
        return None;
    }
    if const { C::ALONE } {
        return Some(Wide::one(x, y, call));
    }
    let count = match plan.operator {
        Operator::Derivative | Operator::Taylor => 1,
        Operator::Pushforward | Operator::Pullback => plan.batch,
        Operator::Jacobian => {
            let n = if forward { K::X::len(x) } else { K::Y::len(y) };
            even_batch(n, WIDEST).max(MANY)
        }
        Operator::Gradient | Operator::SecondDerivative | Operator::Hvp | Operator::Hessian => {
            return None;
        }
    };
    Some(Wide::new(count, x, y, call))
}

/// Scratch for the operators that `C` allows.
fn scratch_in<C: Choice, K: Source>(
    backend: AutoSource,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Scratch<FormOf<K>> {
    let size = Size::of::<K>();
    let mut scratch = Scratch::<FormOf<K>>::new(size, plan.y, call.form());
    if const { may::<C>(Operator::Gradient) }
        && plan.lasting
        && plan.operator == Operator::Gradient
        && K::X::len(plan.x) <= FEW_INPUTS
        && backend.only.is_none()
    {
        // What the sweeps leave on the tape is not known before they have run: a loop that has both in each trip
        // leaves nothing.
        let Scratch { values, memory, .. } = &mut scratch;
        let mut g = K::X::store(plan.x, zero::<K::Real>());
        let mut yb = K::Y::store(plan.y, zero::<K::Real>());
        memory.tape.reset();
        K::fused::<K::Real, K::Real>(
            env(call, &mut values.caches, &mut values.pool),
            x,
            K::X::lanes_mut(&mut g),
            &mut caches::<K, K::Real>(call),
            K::Kind::slot::<K::Y, K::Real>(&mut values.y),
            K::Y::adjoint::<K::Real>(K::Y::lanes_mut(&mut yb)),
            &mut memory.tape,
        );
    }
    scratch.make_room::<C>(backend, size, &plan.form(), call.form());
    scratch
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

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

    fn pushforward_alone(
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
        forward::pushforward_alone(&mut space.scratch, call, x, dx, y, dy);
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

    fn pullback_alone(
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
        reverse::pullback_alone(space, call, x, dy, y, dx)
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
        K::reverse::<K::Real, K::Real>(
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

    fn hvp_alone(
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
        Ok(forward_over::hvp_alone(
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
