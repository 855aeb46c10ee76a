//! The operators as sweeps over a recording.

use super::directions::{Swept, columns, hessian, hvp, push};
use super::engine::{Like, Recorded, Values};
use super::replay::Reuse;
use crate::batch::{WIDEST, passes};
use crate::capability::Operator;
use crate::error::{Error, check_lanes};
use crate::function::{
    Call, Generic, Kind, NumberValued, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut, YOwned,
    YShape,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::{one, zero};
use crate::scalar::{Dual, Lanes, Scalar};
use crate::value::{Entry, Family};

/// Directions in one forward sweep of dual numbers.
pub(super) const FORWARD: usize = 4;

/// Values of dual numbers in one of the compiled widths, and adjoints for second order.
enum Duals<K: Generic> {
    One(Box<Swept<K, Dual<K::Real, 1>>>),
    Four(Box<Swept<K, Dual<K::Real, FORWARD>>>),
}

/// A number with its first and second derivative.
type Twice<R> = Dual<Dual<R, 1>, 1>;

/// Adjoints in the compiled widths.
#[derive(Clone)]
struct Bars<R: Scalar> {
    one: Vec<R>,
    four: Vec<[R; 4]>,
    eight: Vec<[R; WIDEST]>,
}

/// What an operator works in.
pub struct Scratch<K: Generic> {
    recorded: Recorded<K>,
    chunk: usize,
    fixed: usize,
    plain: Option<Box<Values<K, K::Real>>>,
    bars: Bars<K::Real>,
    duals: Option<Duals<K>>,
    twice: Option<Box<Values<K, Twice<K::Real>>>>,
    /// Are the plain values those of the point that was linearised?
    at_point: bool,
}

/// Runs generic code on whichever width there is.
macro_rules! duals {
    ($value:expr, $swept:ident => $body:expr) => {
        match $value {
            Duals::One($swept) => $body,
            Duals::Four($swept) => $body,
        }
    };
}

impl<K: Generic> Clone for Duals<K> {
    fn clone(&self) -> Self {
        match self {
            Duals::One(swept) => Duals::One(swept.clone()),
            Duals::Four(swept) => Duals::Four(swept.clone()),
        }
    }
}

impl<K: Generic> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            recorded: self.recorded.clone(),
            chunk: self.chunk,
            fixed: self.fixed,
            plain: self.plain.clone(),
            bars: self.bars.clone(),
            duals: self.duals.clone(),
            twice: self.twice.clone(),
            // a recording that was not optimised is not cloned
            at_point: self.at_point && self.recorded.lasting().is_none(),
        }
    }
}

/// Message of an invariant: `new` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<K: Generic> Scratch<K> {
    pub(super) fn new(
        reuse: Reuse,
        plan: &Plan<'_, K>,
        chunk: usize,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let (n, m) = (K::X::len(plan.x), K::Y::len(plan.y));
        let values = || Some(Box::new(Values::new(plan.x, plan.y, call.form())));
        let duals = |count: usize| {
            Some(match count {
                0 | 1 => Duals::One(Box::new(Swept::new(plan, call))),
                _ => Duals::Four(Box::new(Swept::new(plan, call))),
            })
        };
        let mut scratch = Scratch {
            recorded: Recorded::new(reuse, plan.x, plan.y),
            chunk,
            fixed: K::Fixed::len(&K::Fixed::shape::<K::Real>(call.fixed)),
            plain: None,
            bars: Bars {
                one: Vec::new(),
                four: Vec::new(),
                eight: Vec::new(),
            },
            duals: None,
            twice: None,
            at_point: false,
        };
        match plan.operator {
            Operator::Gradient | Operator::Pullback => scratch.plain = values(),
            Operator::Jacobian if n <= m => scratch.duals = duals(chunk),
            Operator::Jacobian => scratch.plain = values(),
            Operator::Derivative | Operator::Taylor => scratch.duals = duals(1),
            Operator::Pushforward | Operator::Hvp | Operator::Hessian => {
                scratch.duals = duals(chunk);
            }
            Operator::SecondDerivative => {
                scratch.twice = Some(Box::new(Values::new(plan.x, plan.y, call.form())));
            }
        }
        if plan.lasting && reuse != Reuse::Never {
            scratch.record(plan.operator, reuse, call, x)?;
        }
        Ok(scratch)
    }

    /// The recording that later calls replay.
    fn record(
        &mut self,
        operator: Operator,
        reuse: Reuse,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        let (recorded, like) = (&mut self.recorded, like(call, x));
        if let Some(values) = &mut self.plain {
            load(recorded, self.fixed, values, call, x);
            recorded.record(values, like);
        } else if let Some(values) = &mut self.twice {
            load(recorded, self.fixed, values, call, x);
            recorded.record(values, like);
        } else {
            duals!(self.duals.as_mut().expect(MADE), swept => {
                load(recorded, self.fixed, &mut swept.values, call, x);
                recorded.record(&mut swept.values, like);
            });
        }
        match recorded.lasting() {
            Some(change) if reuse == Reuse::OrFail => Err(Error::Recorded { operator, change }),
            Some(_) => Ok(()),
            None => {
                recorded.optimise();
                Ok(())
            }
        }
    }

    /// Values at `x`.
    fn evaluate(
        &mut self,
        operator: Operator,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        let values = self.plain.as_mut().expect(MADE);
        self.at_point = false;
        load(&mut self.recorded, self.fixed, values, call, x);
        let outcome = self.recorded.evaluate(values, like(call, x));
        outcome.map_err(|change| Error::Recorded { operator, change })
    }

    pub(super) fn linearize(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<bool, Error> {
        if self.plain.is_some() {
            self.evaluate(Operator::Pullback, call, x)?;
            self.at_point = true;
        }
        Ok(true)
    }

    #[allow(clippy::too_many_arguments, reason = "those of the operator")]
    pub(super) fn pushforward(
        &mut self,
        shape: &YShape<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        mut y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let Scratch {
            recorded,
            fixed,
            duals,
            ..
        } = self;
        duals!(duals.as_mut().expect(MADE), swept => {
            push(recorded, *fixed, swept, shape, call, x, dx, &mut y, dy)
        })
    }

    #[allow(clippy::too_many_arguments, reason = "those of the operator")]
    pub(super) fn pullback(
        &mut self,
        same_point: bool,
        shape: &YShape<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dy: &[YLanes<'_, K, K::Real>],
        mut y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        const OPERATOR: Operator = Operator::Pullback;
        if !(same_point && self.at_point) {
            self.evaluate(OPERATOR, call, x)?;
        }
        let Scratch {
            recorded,
            plain,
            bars,
            ..
        } = self;
        let values = plain.as_deref().expect(MADE);
        check_result(OPERATOR, recorded, shape)?;
        write_value(recorded, &values.v, &mut y, |v| v);
        match dy.len() {
            0 => {}
            1 => pull(recorded, values, &mut bars.one, dy, dx),
            2..=4 => pull(recorded, values, &mut bars.four, dy, dx),
            _ => pull(recorded, values, &mut bars.eight, dy, dx),
        }
        Ok(())
    }

    pub(super) fn gradient(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        self.evaluate(Operator::Gradient, call, x)?;
        let (recorded, bar) = (&self.recorded, &mut self.bars.one);
        let values = self.plain.as_deref().expect(MADE);
        let place = recorded.places()[0] as usize;
        recorded.adjoints::<K::Real, K::Real>(bar);
        bar[place] = one::<K::Real>();
        recorded.reverse(values, bar);
        take::<K, K::Real, K::Real>(g, bar, |v| v);
        Ok(values.v[place])
    }

    pub(super) fn jacobian(
        &mut self,
        shape: &YShape<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        j: &mut Matrix<K::Real>,
    ) -> Result<(), Error> {
        const OPERATOR: Operator = Operator::Jacobian;
        if self.plain.is_none() {
            let Scratch {
                recorded,
                fixed,
                chunk,
                duals,
                ..
            } = self;
            return duals!(duals.as_mut().expect(MADE), swept => {
                columns(recorded, *fixed, *chunk, swept, shape, call, x, &mut y, j)
            });
        }
        self.evaluate(OPERATOR, call, x)?;
        let Scratch {
            recorded,
            plain,
            bars,
            ..
        } = self;
        let values = plain.as_deref().expect(MADE);
        check_result(OPERATOR, recorded, shape)?;
        write_value(recorded, &values.v, &mut y, |v| v);
        match j.nrows() {
            0 => {}
            1 => rows::<K, K::Real>(recorded, values, &mut bars.one, j),
            2..=4 => rows(recorded, values, &mut bars.four, j),
            _ => rows(recorded, values, &mut bars.eight, j),
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "those of the operator")]
    pub(super) fn second_derivative(
        &mut self,
        shape: &YShape<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error> {
        const OPERATOR: Operator = Operator::SecondDerivative;
        let (recorded, fixed) = (&mut self.recorded, self.fixed);
        let values = self.twice.as_deref_mut().expect(MADE);
        load(recorded, fixed, values, call, x);
        let inputs = recorded.inputs(values, fixed);
        let variable = Dual::variable(inputs[0].value.value, 0);
        inputs[0] = Dual::variable(variable, 0);
        let outcome = recorded.evaluate(values, like(call, x));
        outcome.map_err(|change| Error::Recorded {
            operator: OPERATOR,
            change,
        })?;
        check_result(OPERATOR, recorded, shape)?;
        let (v, places, outputs) = (&values.v, recorded.places(), K::Y::lanes(&recorded.outputs));
        K::Y::zip::<K::Real, u32>(dy, outputs, &mut |to, k| {
            *to = v[places[k as usize] as usize].value.tangents[0];
        });
        K::Y::zip::<K::Real, u32>(ddy, outputs, &mut |to, k| {
            *to = v[places[k as usize] as usize].tangents[0].tangents[0];
        });
        write_value(recorded, v, &mut y, |v| v.value.value);
        Ok(())
    }

    pub(super) fn hvp(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let (recorded, fixed) = (&mut self.recorded, self.fixed);
        duals!(self.duals.as_mut().expect(MADE), swept => {
            hvp(recorded, fixed, swept, call, x, dx, g, products)
        })
    }

    pub(super) fn hessian(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let (recorded, fixed, chunk) = (&mut self.recorded, self.fixed, self.chunk);
        duals!(self.duals.as_mut().expect(MADE), swept => {
            hessian(recorded, fixed, chunk, swept, call, x, g, h)
        })
    }
}

/// What a recording is made with, beside the inputs.
pub(super) fn like<'a, 'x: 'a, 'c: 'a, K: Generic>(
    call: Call<'c, K>,
    x: XRef<'x, K, K::Real>,
) -> Like<'a, 'c, K, K::Real> {
    Like {
        ctx: call.ctx,
        x: K::X::shorten::<K::Real>(x),
        fixed: K::Fixed::shorten::<K::Real>(call.fixed),
    }
}

/// The numbers of a call as inputs; tangents are zero.
pub(super) fn load<K: Generic, S: Scalar<Real = K::Real>>(
    recorded: &mut Recorded<K>,
    fixed: usize,
    values: &mut Values<K, S>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) {
    let put = &mut |v: K::Real, to: &mut S| *to = S::from_real(v);
    let left = K::X::values_and::<K::Real, S>(x, recorded.inputs(values, fixed), put);
    K::Fixed::values_and::<K::Real, S>(call.fixed, left, put);
}

/// A function that returns may have returned another length than it was prepared for.
pub(super) fn check_result<K: Generic>(
    operator: Operator,
    recorded: &Recorded<K>,
    expected: &YShape<K>,
) -> Result<(), Error> {
    check_lanes::<K::Y, u32>(operator, expected, K::Y::lanes(&recorded.outputs))
}

/// The value to its place.
pub(super) fn write_value<K: Generic, S: Entry>(
    recorded: &Recorded<K>,
    v: &[S],
    y: &mut Slot<'_, K, K::Real>,
    map: impl Fn(S) -> K::Real,
) {
    let outputs: &YOwned<K, u32> = &recorded.outputs;
    let read = &mut |k: u32| map(v[recorded.places()[k as usize] as usize]);
    K::Kind::convert::<K::Y, u32, K::Real>(outputs, y, zero(), read);
}

/// Something of the adjoints of the inputs.
pub(super) fn take<K: Generic, A: Entry, T: Entry>(
    to: XLanesMut<'_, K, T>,
    bar: &[A],
    map: impl Fn(A) -> T,
) {
    K::X::each_mut_and::<T, A>(to, bar, &mut |to, from| *to = map(from));
}

/// As many reverse sweeps as the adjoints need.
fn pull<K: Generic, A: Lanes<K::Real>>(
    recorded: &mut Recorded<K>,
    values: &Values<K, K::Real>,
    bar: &mut Vec<A>,
    dy: &[YLanes<'_, K, K::Real>],
    dx: &mut [XLanesMut<'_, K, K::Real>],
) {
    for (at, count) in passes(dy.len(), A::WIDTH) {
        recorded.adjoints::<A, K::Real>(bar);
        let (places, outputs) = recorded.results();
        for (k, dy) in dy[at..at + count].iter().enumerate() {
            let outputs = K::Y::lanes_mut(outputs);
            K::Y::zip::<u32, K::Real>(outputs, *dy, &mut |i, v| {
                let bar = &mut bar[places[*i as usize] as usize];
                let sum = bar.lane(k) + v;
                bar.set_lane(k, sum);
            });
        }
        recorded.reverse(values, bar);
        for (k, dx) in dx[at..at + count].iter_mut().enumerate() {
            take::<K, A, K::Real>(K::X::reborrow_lanes(dx), bar, |bar| bar.lane(k));
        }
    }
}

/// The Jacobian by rows.
fn rows<K: Generic, A: Lanes<K::Real>>(
    recorded: &Recorded<K>,
    values: &Values<K, K::Real>,
    bar: &mut Vec<A>,
    j: &mut Matrix<K::Real>,
) {
    let n = j.ncols();
    for (at, count) in passes(j.nrows(), A::WIDTH) {
        recorded.adjoints::<A, K::Real>(bar);
        for (k, place) in recorded.places()[at..at + count].iter().enumerate() {
            bar[*place as usize].set_lane(k, one());
        }
        recorded.reverse(values, bar);
        for k in 0..count {
            for (to, bar) in j.row_mut(at + k).iter_mut().zip(&bar[..n]) {
                *to = bar.lane(k);
            }
        }
    }
}
