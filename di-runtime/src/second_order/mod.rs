//! Second order: one engine over another.
//!
//! Either the outer engine is a scalar, and the inner one runs on it ([`Nested`]), or the outer engine takes
//! differences of the inner one's results. Generated reverse code cannot run over generated reverse code, because it
//! is not a scalar.

mod differences;
pub(crate) mod forward_over;
mod level;

use crate::backend::Backend;
use crate::backends::{AutoDual, AutoFiniteDiff};
use crate::capability::{Capabilities, HvpMode, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::choice::Any;
use crate::primitive::{Plan, Space};
use crate::value::Family;

pub use forward_over::{ForwardOver, InsideOf, Nested, SizeOf};
pub use level::Inside;

use forward_over::Over;

/// Two engines for second order: the outer one differentiates the derivatives that the inner one computes.
///
/// The outer one is [`AutoDual`], [`AutoTape`](crate::backends::AutoTape),
/// [`AutoSymbolic`](crate::backends::AutoSymbolic), [`AutoComplexStep`](crate::backends::AutoComplexStep) or an
/// adapter, over any inner one that is [`Nested`]; or [`AutoFiniteDiff`] or
/// [`AutoFiniteDifferences`](crate::backends::AutoFiniteDifferences) over anything. First-order operators return an
/// error. An outer tape records the inner engine's derivatives once, and again when the recording is no longer valid.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
/// let h = hessian(f::AD, NoPrep, &backend, &[3.0, 2.0])?;
/// assert_eq!(h, [[4.0, 6.0], [6.0, 0.0]]);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondOrder<O, I> {
    outer: O,
    inner: I,
}

impl<O, I> SecondOrder<O, I> {
    /// `outer` over `inner`.
    pub fn new(outer: O, inner: I) -> Self {
        SecondOrder { outer, inner }
    }

    /// The outer engine, which differentiates derivatives.
    pub fn outer(&self) -> &O {
        &self.outer
    }

    /// The inner engine, which differentiates the function.
    pub fn inner(&self) -> &I {
        &self.inner
    }
}

impl<O: Capabilities, I: Capabilities> Capabilities for SecondOrder<O, I> {
    fn name(&self) -> &'static str {
        "SecondOrder"
    }
    fn mode(&self) -> Mode {
        self.outer.mode()
    }
    fn check_operator(&self, operator: Operator) -> bool {
        operator.is_second_order()
    }
    fn accuracy(&self, operator: Operator) -> f64 {
        let outer = self.outer.accuracy(Operator::Gradient);
        outer.max(self.inner.accuracy(operator))
    }
    fn check_inplace(&self) -> bool {
        self.outer.check_inplace() && self.inner.check_inplace()
    }
    fn hvp_mode(&self) -> HvpMode {
        // the inner gradient is by pullback wherever that is fast
        match (
            self.outer.mode_outside(),
            self.inner.mode().pullback_is_fast(),
        ) {
            (Mode::Reverse, true) => HvpMode::ReverseOverReverse,
            (Mode::Reverse, false) => HvpMode::ReverseOverForward,
            (_, true) => HvpMode::ForwardOverReverse,
            (_, false) => HvpMode::ForwardOverForward,
        }
    }
    fn batch(&self, n: usize) -> usize {
        self.outer.batch(n)
    }
    fn outer(&self) -> &dyn Capabilities {
        &self.outer
    }
    fn inner(&self) -> &dyn Capabilities {
        &self.inner
    }
    fn forward_counterpart(&self) -> Option<Self>
    where
        Self: Clone,
    {
        None
    }
    fn reverse_counterpart(&self) -> Option<Self>
    where
        Self: Clone,
    {
        None
    }
}

/// An engine that can be the outer one over the engine `I`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the outer engine over `{I}` for this function",
    note = "the outer engine is `AutoDual`, `AutoTape`, `AutoSymbolic`, `AutoComplexStep`, `AutoNumDual` or `AutoEchidna`, over `AutoSource`, `AutoDual`, `AutoTape` or a primitive of theirs; or `AutoFiniteDiff` or `AutoFiniteDifferences` over anything",
    note = "generated reverse code cannot be nested in itself, and `AutoSource` alone does forward over reverse"
)]
pub trait Outer<K: Primal, I: Backend<K>>:
    Capabilities + Clone + PartialEq + core::fmt::Debug
{
    /// What both engines work in.
    type Scratch: Clone;

    /// Everything that `plan` needs, for so many directions at once.
    ///
    /// # Errors
    /// Those of the inner engine.
    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error>;

    /// [`Backend::buffers`].
    fn buffers(&self, _scratch: &Self::Scratch) -> u64 {
        0
    }

    /// Value, first and second derivative.
    ///
    /// # Errors
    /// Those of the inner engine.
    #[allow(clippy::too_many_arguments, reason = "two engines and three results")]
    fn second_derivative(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber;

    /// Value, the gradient if requested, and products with the Hessian.
    ///
    /// # Errors
    /// Those of the inner engine.
    #[allow(clippy::too_many_arguments, reason = "two engines and two results")]
    fn hvp(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued;

    /// Value, the gradient if requested, and the Hessian, exactly symmetric.
    ///
    /// # Errors
    /// Those of the inner engine.
    fn hessian(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued;
}

#[diagnostic::do_not_recommend]
impl<K: Generic, I: Nested<K> + Backend<K>> Outer<K, I> for AutoDual {
    type Scratch = (Over<K, I>, usize);

    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        let n = K::X::len(plan.x);
        let columns = match plan.operator {
            Operator::Hessian => self.pick_batchsize(n)?,
            _ => 1,
        };
        let plan = &Plan {
            seeds: None,
            ..*plan
        };
        let levels = ForwardOver::for_plan::<Any>(inner.size(), columns, &plan.form(), call.form());
        Ok((levels.expect("plans of first order are refused"), n))
    }

    fn buffers(&self, (levels, _): &Self::Scratch) -> u64 {
        levels.buffers()
    }

    fn second_derivative(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        forward_over::second_derivative(&mut scratch.0, inner, call, x, y, dy, ddy);
        Ok(())
    }

    fn hvp(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        Ok(forward_over::hvp(
            &mut scratch.0,
            inner,
            call,
            x,
            dx,
            g,
            products,
        ))
    }

    fn hessian(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let (levels, n) = scratch;
        Ok(forward_over::hessian(
            levels, inner, call, x, *n, g, true, h,
        ))
    }
}

#[diagnostic::do_not_recommend]
impl<K: Primal, I: Backend<K>> Outer<K, I> for AutoFiniteDiff {
    type Scratch = differences::Scratch<K, I>;

    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self::Scratch, Error> {
        differences::Scratch::new(inner, plan, call, x)
    }

    fn second_derivative(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        scratch.second_derivative(*self, inner, call, x, y, dy, ddy)
    }

    fn hvp(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        scratch.hvp(*self, inner, call, x, dx, g, products)
    }

    fn hessian(
        &self,
        inner: &I,
        scratch: &mut Self::Scratch,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        scratch.hessian(*self, inner, call, x, g, h)
    }
}

impl<K, O, I> Backend<K> for SecondOrder<O, I>
where
    K: Primal,
    O: Outer<K, I>,
    I: Backend<K>,
{
    type Scratch = O::Scratch;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<O::Scratch, Error> {
        match plan.operator {
            Operator::SecondDerivative | Operator::Hvp | Operator::Hessian => {
                self.outer.scratch(&self.inner, plan, call, x)
            }
            operator => Err(Backend::<K>::unsupported(
                self,
                operator,
                "it is for second order; use `backend.inner()`",
            )),
        }
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn buffers(&self, scratch: &O::Scratch) -> u64 {
        self.outer.buffers(scratch)
    }

    fn matrix(&self, _: &O::Scratch, rows: usize, columns: usize) -> Matrix<K::Real> {
        Matrix::zeros((rows, columns))
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
        self.outer
            .second_derivative(&self.inner, scratch, call, x, y, dy, ddy)
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
        let scratch = &mut space.scratch;
        self.outer
            .hvp(&self.inner, scratch, call, x, dx, g, products)
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
        let scratch = &mut space.scratch;
        self.outer.hessian(&self.inner, scratch, call, x, g, h)
    }
}
