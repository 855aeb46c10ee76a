//! Sweeps of dual numbers over a recording: directions for first order, and products with the Hessian.

use super::engine::{Recorded, Values};
use super::sweeps::{check_result, like, load, take, write_value};
use crate::batch::passes;
use crate::capability::Operator;
use crate::error::Error;
use crate::function::{
    Call, Generic, NumberValued, Slot, XLanes, XLanesMut, XRef, YLanesMut, YShape,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::value::Family;

/// Values of one scalar, and adjoints beside them.
pub(super) struct Swept<K: Generic, S: Scalar<Real = K::Real>> {
    pub(super) values: Values<K, S>,
    pub(super) bar: Vec<S>,
}

impl<K: Generic, S: Scalar<Real = K::Real>> Clone for Swept<K, S> {
    fn clone(&self) -> Self {
        Swept {
            values: self.values.clone(),
            bar: self.bar.clone(),
        }
    }
}

impl<K: Generic, S: Scalar<Real = K::Real>> Swept<K, S> {
    pub(super) fn new(plan: &Plan<'_, K>, call: Call<'_, K>) -> Self {
        Swept {
            values: Values::new(plan.x, plan.y, call.form()),
            bar: Vec::new(),
        }
    }
}

/// As many forward sweeps as the tangents need.
#[allow(clippy::too_many_arguments, reason = "those of the operator")]
pub(super) fn push<K: Generic, const W: usize>(
    recorded: &mut Recorded<K>,
    fixed: usize,
    swept: &mut Swept<K, Dual<K::Real, W>>,
    shape: &YShape<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    y: &mut Slot<'_, K, K::Real>,
    dy: &mut [YLanesMut<'_, K, K::Real>],
) -> Result<(), Error> {
    const OPERATOR: Operator = Operator::Pushforward;
    let values = &mut swept.values;
    // Without tangents the value is still wanted.
    let empty = dx.is_empty().then_some((0, 0));
    for (at, count) in passes(dx.len(), W).chain(empty) {
        load(recorded, fixed, values, call, x);
        for (k, dx) in dx[at..at + count].iter().enumerate() {
            seed::<K, W>(recorded.inputs(values, fixed), k, *dx);
        }
        let outcome = recorded.evaluate(values, like(call, x));
        outcome.map_err(|change| Error::Recorded {
            operator: OPERATOR,
            change,
        })?;
        check_result(OPERATOR, recorded, shape)?;
        let (v, places) = (&values.v, recorded.places());
        for (k, dy) in dy[at..at + count].iter_mut().enumerate() {
            let (to, from) = (K::Y::reborrow_lanes(dy), K::Y::lanes(&recorded.outputs));
            K::Y::zip::<K::Real, u32>(to, from, &mut |to, i| {
                *to = v[places[i as usize] as usize].tangents[k];
            });
        }
    }
    write_value(recorded, &values.v, y, |v| v.value);
    Ok(())
}

/// Tangents of the inputs, in one lane.
fn seed<K: Generic, const W: usize>(
    inputs: &mut [Dual<K::Real, W>],
    lane: usize,
    dx: XLanes<'_, K, K::Real>,
) {
    let mut to = inputs.iter_mut();
    K::X::each(dx, &mut |v: K::Real| {
        if let Some(to) = to.next() {
            to.tangents[lane] = v;
        }
    });
}

/// The Jacobian by columns.
#[allow(clippy::too_many_arguments, reason = "those of the operator")]
pub(super) fn columns<K: Generic, const W: usize>(
    recorded: &mut Recorded<K>,
    fixed: usize,
    chunk: usize,
    swept: &mut Swept<K, Dual<K::Real, W>>,
    shape: &YShape<K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: &mut Slot<'_, K, K::Real>,
    j: &mut Matrix<K::Real>,
) -> Result<(), Error> {
    const OPERATOR: Operator = Operator::Jacobian;
    let (values, n) = (&mut swept.values, j.ncols());
    load(recorded, fixed, values, call, x);
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, chunk.min(W)).chain(empty) {
        unit(recorded.inputs(values, fixed), at, count, one());
        let outcome = recorded.evaluate(values, like(call, x));
        outcome.map_err(|change| Error::Recorded {
            operator: OPERATOR,
            change,
        })?;
        check_result(OPERATOR, recorded, shape)?;
        for (row, place) in recorded.places().iter().enumerate() {
            let tangents = &values.v[*place as usize].tangents;
            for (k, v) in tangents.iter().enumerate().take(count) {
                j[[row, at + k]] = *v;
            }
        }
        unit(recorded.inputs(values, fixed), at, count, zero());
    }
    write_value(recorded, &values.v, y, |v| v.value);
    Ok(())
}

/// Writes `value` to the tangents of the inputs from `at`, one in each lane.
fn unit<R: Scalar, const W: usize>(inputs: &mut [Dual<R, W>], at: usize, count: usize, value: R) {
    for (k, input) in inputs[at..at + count].iter_mut().enumerate() {
        input.tangents[k] = value;
    }
}

/// Value, and adjoints of the inputs with their tangents.
fn gradient<K: Generic + NumberValued, const W: usize>(
    operator: Operator,
    recorded: &mut Recorded<K>,
    swept: &mut Swept<K, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<K::Real, Error> {
    let Swept { values, bar } = swept;
    let outcome = recorded.evaluate(values, like(call, x));
    outcome.map_err(|change| Error::Recorded { operator, change })?;
    let place = recorded.places()[0] as usize;
    recorded.adjoints::<_, Dual<K::Real, W>>(bar);
    bar[place] = one();
    recorded.reverse(values, bar);
    Ok(values.v[place].value)
}

/// One sweep forward and one back for each pass over the tangents.
#[allow(clippy::too_many_arguments, reason = "those of the operator")]
pub(super) fn hvp<K: Generic + NumberValued, const W: usize>(
    recorded: &mut Recorded<K>,
    fixed: usize,
    swept: &mut Swept<K, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> Result<K::Real, Error> {
    let mut y = zero();
    let empty = dx.is_empty().then_some((0, 0));
    for (at, count) in passes(dx.len(), W).chain(empty) {
        load(recorded, fixed, &mut swept.values, call, x);
        for (k, dx) in dx[at..at + count].iter().enumerate() {
            seed::<K, W>(recorded.inputs(&mut swept.values, fixed), k, *dx);
        }
        y = gradient(Operator::Hvp, recorded, swept, call, x)?;
        for (k, product) in products[at..at + count].iter_mut().enumerate() {
            let product = K::X::reborrow_lanes(product);
            take::<K, Dual<K::Real, W>, K::Real>(product, &swept.bar, |bar| bar.tangents[k]);
        }
    }
    if let Some(g) = g {
        take::<K, Dual<K::Real, W>, K::Real>(g, &swept.bar, |bar| bar.value);
    }
    Ok(y)
}

/// One sweep forward and one back for each pass over the columns.
#[allow(clippy::too_many_arguments, reason = "those of the operator")]
pub(super) fn hessian<K: Generic + NumberValued, const W: usize>(
    recorded: &mut Recorded<K>,
    fixed: usize,
    chunk: usize,
    swept: &mut Swept<K, Dual<K::Real, W>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    g: Option<XLanesMut<'_, K, K::Real>>,
    h: &mut Matrix<K::Real>,
) -> Result<K::Real, Error> {
    let n = h.ncols();
    let mut y = zero();
    load(recorded, fixed, &mut swept.values, call, x);
    let empty = (n == 0).then_some((0, 0));
    for (at, count) in passes(n, chunk.min(W)).chain(empty) {
        unit(recorded.inputs(&mut swept.values, fixed), at, count, one());
        let found = gradient(Operator::Hessian, recorded, swept, call, x);
        unit(recorded.inputs(&mut swept.values, fixed), at, count, zero());
        y = found?;
        // What lies on and below the diagonal is written on both sides.
        for (row, bar) in swept.bar.iter().enumerate().take(n).skip(at) {
            let columns = at..(at + count).min(row + 1);
            for (column, v) in columns.zip(bar.tangents) {
                h[[row, column]] = v;
                h[[column, row]] = v;
            }
        }
    }
    if let Some(g) = g {
        take::<K, Dual<K::Real, W>, K::Real>(g, &swept.bar, |bar| bar.value);
    }
    Ok(y)
}
