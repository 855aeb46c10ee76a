//! `AutoTaylor`: the function run on truncated power series.

use super::AutoDual;
use super::sweep::Lifted;
use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, Kind, NumberValued, OfNumber, Primal, Slot, XLanes, XLanesMut, XRef, XShape,
    YLanes, YLanesMut, YShape,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space, Workspace};
use crate::rules::{one, zero};
use crate::scalar::{Real, Scalar, Series};
use crate::value::Family;

/// Power series in one variable, to any order up to [`AutoTaylor::HIGHEST`].
///
/// The function runs once, on `f(x + t dx)` as a polynomial in `t`. This yields all derivatives along a line. For `n`
/// derivatives it takes about `n^2 / 2` multiplications for each multiplication of the function. The operators for it
/// are [`taylor_coefficients`](crate::operators::taylor_coefficients) and
/// [`nth_derivative`](crate::operators::nth_derivative); second derivatives with respect to a number take one pass of
/// three coefficients. Operators with several directions use dual numbers, which are series of degree one in several
/// variables: gradients, Jacobians, Hessians.
///
/// Elementary functions have recurrences (Griewank and Walther 2008, chapter 13), or follow from their partial
/// derivatives; custom rules work to any order through their own tangent code. The cost of Bessel functions doubles
/// with each order, since their derivatives are two Bessel functions each.
///
/// # Examples
/// ```
/// use di::AutoTaylor;
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(t: f64) -> f64 {
///     t.exp() * t
/// }
///
/// // the fifth derivative of t e^t is (t + 5) e^t
/// let y = nth_derivative(f::AD, 5, NoPrep, &AutoTaylor::new(), &0.0)?;
/// assert!((y - 5.0).abs() < 1e-12);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoTaylor;

impl AutoTaylor {
    /// The highest order.
    pub const HIGHEST: usize = 32;

    /// Series as long as the operator needs them.
    pub fn new() -> Self {
        AutoTaylor
    }
}

impl Capabilities for AutoTaylor {
    fn name(&self) -> &'static str {
        "AutoTaylor"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn batch(&self, n: usize) -> usize {
        AutoDual::new().batch(n)
    }
}

/// A backend with power series.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no power series",
    label = "derivatives of any order are done by `AutoTaylor`",
    note = "pass `&AutoTaylor::new()`"
)]
pub trait PowerSeries<K: Primal>: Backend<K> {
    /// Expands the function along the line `x + t dx`, up to the power `order` of `t`; writes its value.
    ///
    /// # Errors
    /// Those of the engine.
    #[allow(clippy::too_many_arguments, reason = "a line and a result")]
    fn expand(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
        order: usize,
        y: Slot<'_, K, K::Real>,
    ) -> Result<(), Error>;

    /// The coefficient of a power of `t` in the last expansion, times a factor.
    fn coefficient(
        &self,
        space: &mut Space<K, Self>,
        power: usize,
        factor: f64,
        to: YLanesMut<'_, K, K::Real>,
    );
}

/// The function's arguments as series of one of the compiled lengths.
enum Lengths<K: Generic> {
    Three(Box<Lifted<K, Series<K::Real, 3>>>),
    Five(Box<Lifted<K, Series<K::Real, 5>>>),
    Nine(Box<Lifted<K, Series<K::Real, 9>>>),
    Seventeen(Box<Lifted<K, Series<K::Real, 17>>>),
    Longest(Box<Lifted<K, Series<K::Real, { AutoTaylor::HIGHEST + 1 }>>>),
}

/// Runs generic code on whichever length there is.
macro_rules! lengths {
    ($value:expr, $series:ident => $body:expr) => {
        match $value {
            Lengths::Three($series) => $body,
            Lengths::Five($series) => $body,
            Lengths::Nine($series) => $body,
            Lengths::Seventeen($series) => $body,
            Lengths::Longest($series) => $body,
        }
    };
}

impl<K: Generic> Lengths<K> {
    fn new(order: usize, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        match order {
            0..=2 => Lengths::Three(Box::new(Lifted::new(x, y, call.form()))),
            3..=4 => Lengths::Five(Box::new(Lifted::new(x, y, call.form()))),
            5..=8 => Lengths::Nine(Box::new(Lifted::new(x, y, call.form()))),
            9..=16 => Lengths::Seventeen(Box::new(Lifted::new(x, y, call.form()))),
            _ => Lengths::Longest(Box::new(Lifted::new(x, y, call.form()))),
        }
    }
}

impl<K: Generic> Clone for Lengths<K> {
    fn clone(&self) -> Self {
        match self {
            Lengths::Three(series) => Lengths::Three(series.clone()),
            Lengths::Five(series) => Lengths::Five(series.clone()),
            Lengths::Nine(series) => Lengths::Nine(series.clone()),
            Lengths::Seventeen(series) => Lengths::Seventeen(series.clone()),
            Lengths::Longest(series) => Lengths::Longest(series.clone()),
        }
    }
}

/// What an operator works in: series, or dual numbers.
pub enum Scratch<K: Generic> {
    /// Along a line.
    Line(Line<K>),
    /// In several directions.
    Directions(Box<Space<K, AutoDual>>),
}

/// Series of one length.
pub struct Line<K: Generic>(Lengths<K>);

impl<K: Generic> Clone for Line<K> {
    fn clone(&self) -> Self {
        Line(self.0.clone())
    }
}

impl<K: Generic> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        match self {
            Scratch::Line(line) => Scratch::Line(line.clone()),
            Scratch::Directions(space) => Scratch::Directions(space.clone()),
        }
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<K: Generic> Scratch<K> {
    fn line(&mut self) -> &mut Lengths<K> {
        match self {
            Scratch::Line(Line(lengths)) => lengths,
            Scratch::Directions(_) => unreachable!("{MADE}"),
        }
    }

    fn directions(&mut self) -> &mut Space<K, AutoDual> {
        match self {
            Scratch::Directions(space) => space,
            Scratch::Line(_) => unreachable!("{MADE}"),
        }
    }
}

/// One run along the line `x + t dx`, to a degree.
fn run<K: Generic, const N: usize>(
    series: &mut Lifted<K, Series<K::Real, N>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: XLanes<'_, K, K::Real>,
    degree: usize,
) {
    series.load(call, x);
    let to = K::X::lanes_mut(&mut series.x);
    K::X::zip(to, dx, &mut |to: &mut Series<K::Real, N>,
                            slope: K::Real| {
        *to = Series::line(to.primal(), slope, degree);
    });
    series.run(call, x);
}

/// The coefficient of a power to its place, times a factor.
fn write<K: Generic, const N: usize>(
    series: &Lifted<K, Series<K::Real, N>>,
    power: usize,
    factor: f64,
    to: YLanesMut<'_, K, K::Real>,
) {
    let factor = <K::Real as Real>::from_f64(factor);
    let from = K::Y::lanes(&series.values.y);
    K::Y::zip(to, from, &mut |to: &mut K::Real, v: Series<K::Real, N>| {
        *to = v
            .coefficients()
            .get(power)
            .map_or_else(zero, |c| *c * factor);
    });
}

/// The value to its place.
fn value<K: Generic, const N: usize>(
    series: &Lifted<K, Series<K::Real, N>>,
    y: &mut Slot<'_, K, K::Real>,
) {
    let map = &mut |v: Series<K::Real, N>| v.primal();
    K::Kind::convert::<K::Y, _, K::Real>(&series.values.y, y, zero(), map);
}

impl<K: Generic> PowerSeries<K> for AutoTaylor {
    fn expand(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
        order: usize,
        mut y: Slot<'_, K, K::Real>,
    ) -> Result<(), Error> {
        lengths!(space.scratch.line(), series => {
            run(series, call, x, dx, order);
            value(series, &mut y);
        });
        Ok(())
    }

    fn coefficient(
        &self,
        space: &mut Space<K, Self>,
        power: usize,
        factor: f64,
        to: YLanesMut<'_, K, K::Real>,
    ) {
        lengths!(space.scratch.line(), series => write(series, power, factor, to));
    }
}

impl<K: Generic> Backend<K> for AutoTaylor {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let order = match plan.operator {
            Operator::Taylor => plan.batch,
            Operator::SecondDerivative => 2,
            Operator::Pushforward
            | Operator::Pullback
            | Operator::Derivative
            | Operator::Gradient
            | Operator::Jacobian
            | Operator::Hvp
            | Operator::Hessian => {
                return Ok(Scratch::Directions(Box::new(Workspace::new(
                    AutoDual::new().scratch(plan, call, x)?,
                    plan.x,
                    plan.y,
                ))));
            }
        };
        if order > AutoTaylor::HIGHEST {
            return Err(Error::Order {
                order,
                highest: AutoTaylor::HIGHEST,
            });
        }
        Ok(Scratch::Line(Line(Lengths::new(
            order, plan.x, plan.y, call,
        ))))
    }

    fn warms_up(&self, operator: Operator) -> bool {
        operator == Operator::Pullback || K::BUFFERS
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Matrix<K::Real> {
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
        AutoDual::new().pushforward(space.scratch.directions(), call, x, dx, y, dy)
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
        AutoDual::new().pullback(space.scratch.directions(), call, x, dy, y, dx)
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
        AutoDual::new().gradient(space.scratch.directions(), call, x, g)
    }

    fn jacobian(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        AutoDual::new().jacobian(space.scratch.directions(), call, x, y, j)
    }

    fn second_derivative(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: K::Real,
        mut y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        lengths!(space.scratch.line(), series => {
            run(series, call, x, &one::<K::Real>(), 2);
            write(series, 1, 1.0, dy);
            write(series, 2, 2.0, ddy);
            value(series, &mut y);
        });
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
        AutoDual::new().hvp(space.scratch.directions(), call, x, dx, g, products)
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
        AutoDual::new().hessian(space.scratch.directions(), call, x, g, h)
    }
}
