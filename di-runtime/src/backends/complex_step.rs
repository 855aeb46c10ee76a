//! `AutoComplexStep`: the function run on complex numbers.

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, Kind, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::rules::zero;
use crate::scalar::{Complex, Real};
use crate::second_order::Nested;
use crate::value::Family;

use super::AutoDual;
use super::level::{Level, Seeded, outer, over_dual};
use super::methods::methods;
use super::sweep::Lifted;

/// Complex steps: `Im f(x + i h v) / h`, accurate to the last digits, because nothing is subtracted.
///
/// An imaginary part is a derivative times the step, so it may underflow. With the default step, derivatives of
/// intermediate values have all digits above `4e-289` (`5e-29` in single precision), and are zero below `1e-304`.
///
/// It accepts functions over any scalar, and runs them once for each direction. Second order takes the complex step of
/// dual numbers. In `SecondOrder` it can be the outer engine over any engine of this library.
///
/// W. Squire, G. Trapp: Using complex variables to estimate derivatives of real functions (1998).
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0].sin() * x[1].exp()
/// }
///
/// let g = gradient(f::AD, NoPrep, &AutoFiniteDiff::new().complex_step(), &[0.5, 2.0])?;
/// assert_eq!(g[0], 0.5_f64.cos() * 2.0_f64.exp());
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AutoComplexStep {
    step: Option<f64>,
}

impl AutoComplexStep {
    /// With a step of `2^-64`, or `2^-32` in single precision, for a direction of size 1.
    pub fn new() -> Self {
        AutoComplexStep::default()
    }

    /// Sets the step. Its square must be negligible compared with 1.
    pub fn step(self, step: f64) -> Self {
        AutoComplexStep { step: Some(step) }
    }

    /// A power of two rounds nothing, neither on the way in nor out. Its square is to be lost beside 1, `h^2 < eps / 2`;
    /// functions of [`Complex`] are of first order, so that a smaller one gains nothing. It costs range: `h f'` is a
    /// float with all digits while `f'` is above `MIN_POSITIVE / h`. `h = 2^-64` has `h^2 = 3e-39` and leaves `f'` down
    /// to `2.2e-308 / 5.4e-20`; `2^-32` in single precision has `5e-20` and `1.2e-38 / 2.3e-10`. Second order takes the
    /// step once, of what dual numbers compute, and nested steps come one after the other: `h k f''` for small `h` and `k`.
    fn step_of<R: Real>(self) -> R {
        let exponent = if R::MAX.to_f64() > 1e100 { -64 } else { -32 };
        let usual = 2.0_f64.powi(exponent);
        R::from_f64(self.step.unwrap_or(usual))
    }
}

impl Capabilities for AutoComplexStep {
    fn name(&self) -> &'static str {
        "AutoComplexStep"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
}

/// The function's arguments as complex numbers, or an inner engine in them.
pub struct Scratch<K: Generic> {
    first: Option<Lifted<K, Complex<K::Real>>>,
    second: Option<Level<K, Complex<K::Real>, AutoDual>>,
}

impl<K: Generic> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            first: self.first.clone(),
            second: self.second.clone(),
        }
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<K: Generic> Backend<K> for AutoComplexStep {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let second = plan.operator.is_second_order();
        Ok(Scratch {
            first: (!second).then(|| Lifted::new(plan.x, plan.y, call.form())),
            second: second.then(|| Level::new(&AutoDual::new(), plan, call)),
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        matches!(operator, Operator::Pullback | Operator::Jacobian) || K::BUFFERS
    }

    methods!(over_dual: matrix second_derivative hvp hessian);

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        mut y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let lifted = space.scratch.first.as_mut().expect(MADE);
        let step = self.step_of::<K::Real>();
        lifted.load(call, x);
        if dx.is_empty() {
            lifted.run(call, x);
        }
        for (dx, dy) in dx.iter().zip(dy) {
            let lanes = K::X::lanes_mut(&mut lifted.x);
            K::X::zip(lanes, *dx, &mut |z: &mut Complex<K::Real>, v: K::Real| {
                z.im = step * v
            });
            lifted.run(call, x);
            let (to, from) = (K::Y::reborrow_lanes(dy), K::Y::lanes(&lifted.values.y));
            K::Y::zip(to, from, &mut |to: &mut K::Real, z: Complex<K::Real>| {
                *to = z.im / step
            });
        }
        let value = &mut |z: Complex<K::Real>| z.re;
        K::Kind::convert::<K::Y, _, K::Real>(&lifted.values.y, &mut y, zero(), value);
        Ok(())
    }

    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let lifted = space.scratch.first.as_mut().expect(MADE);
        let step = self.step_of::<K::Real>();
        lifted.load(call, x);
        let n = K::X::len(&space.x);
        if n == 0 {
            lifted.run(call, x);
        }
        for at in 0..n {
            K::X::entry(K::X::lanes_mut(&mut lifted.x), at).im = step;
            lifted.run(call, x);
            K::X::entry(K::X::lanes_mut(&mut lifted.x), at).im = zero();
            *K::X::entry(K::X::reborrow_lanes(&mut g), at) = lifted.values.y.im / step;
        }
        Ok(lifted.values.y.re)
    }
}

impl<R: Real> Seeded for Complex<R> {
    const LANES: usize = 1;

    fn with_lane(self, _: usize, v: R) -> Self {
        Complex::new(self.re, v)
    }
    fn lane(self, _: usize) -> R {
        self.im
    }
}

outer!([K: Generic] AutoComplexStep, Complex<K::Real>, |b: &Self| b.step_of::<K::Real>());
