//! Forward engines of others: a number with tangents.

use core::fmt;
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::backends::AutoDual;
use crate::batch::passes;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, Kind, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::rules::{one, zero};
use crate::scalar::{Chain, Foreign};
use crate::second_order::Nested;
use crate::value::Family;

use super::super::level::{Level, Seeded, outer, over_dual};
use super::super::methods::methods;
use super::super::sweep::Lifted;

/// A number that carries tangents.
pub trait ForwardNumber: Chain {
    /// How many it carries.
    const WIDTH: usize;

    /// A number with these tangents, [`ForwardNumber::WIDTH`] of them.
    fn with_tangents(value: Self::Real, tangents: &[Self::Real]) -> Self;
    /// Tangent number `k`.
    fn tangent(self, k: usize) -> Self::Real;
}

/// The backend of a [`ForwardNumber`].
///
/// Second order runs our dual numbers inside it; in `SecondOrder` it can be the outer engine over any of
/// ours.
pub struct AutoForeignForward<T>(PhantomData<fn() -> T>);

super::unit!(AutoForeignForward);

impl<T: ForwardNumber> Capabilities for AutoForeignForward<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn batch(&self, n: usize) -> usize {
        crate::batch::even_batch(n, T::WIDTH)
    }
}

/// The widest numbers that seeds are laid out for on the stack.
const WIDEST: usize = 64;

/// Gives the inputs of `x` tangents by direction.
fn seed<K: Generic, T: ForwardNumber<Real = K::Real>>(
    lifted: &mut Lifted<K, Foreign<T>>,
    dx: &[XLanes<'_, K, K::Real>],
) {
    for (k, dx) in dx.iter().enumerate() {
        let lanes = K::X::lanes_mut(&mut lifted.x);
        K::X::zip(lanes, *dx, &mut |to: &mut Foreign<T>, v: K::Real| {
            *to = with_tangent(*to, k, v);
        });
    }
}

/// The same number with another tangent `k`.
fn with_tangent<T: ForwardNumber>(x: Foreign<T>, k: usize, v: T::Real) -> Foreign<T> {
    let mut tangents = [zero::<T::Real>(); WIDEST];
    for (j, to) in tangents[..T::WIDTH].iter_mut().enumerate() {
        *to = if j == k { v } else { x.0.tangent(j) };
    }
    Foreign(T::with_tangents(x.0.value(), &tangents[..T::WIDTH]))
}

/// Writes the value to its place.
fn value<K: Generic, T: ForwardNumber<Real = K::Real>>(
    lifted: &Lifted<K, Foreign<T>>,
    y: &mut Slot<'_, K, K::Real>,
) {
    let map = &mut |v: Foreign<T>| v.0.value();
    K::Kind::convert::<K::Y, _, K::Real>(&lifted.values.y, y, zero(), map);
}

/// Scratch of another forward engine.
pub struct Scratch<K: Generic, T: ForwardNumber<Real = K::Real>> {
    first: Option<Lifted<K, Foreign<T>>>,
    second: Option<Level<K, Foreign<T>, AutoDual>>,
}

impl<K: Generic, T: ForwardNumber<Real = K::Real>> Clone for Scratch<K, T> {
    fn clone(&self) -> Self {
        Scratch {
            first: self.first.clone(),
            second: self.second.clone(),
        }
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<T: ForwardNumber, K: Generic<Real = T::Real>> Backend<K> for AutoForeignForward<T> {
    type Scratch = Scratch<K, T>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K, T>, Error> {
        const {
            assert!(
                T::WIDTH > 0 && T::WIDTH <= WIDEST,
                "expected 1 to 64 tangents"
            )
        };
        let second = plan.operator.is_second_order();
        Ok(Scratch {
            first: (!second).then(|| Lifted::new(plan.x, plan.y, call.form())),
            second: second.then(|| Level::new(&AutoDual::new(), plan, call)),
        })
    }

    fn warms_up(&self, operator: Operator) -> bool {
        matches!(operator, Operator::Pullback | Operator::Jacobian) || K::BUFFERS
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
        let lifted = space.scratch.first.as_mut().expect(MADE);
        let empty = dx.is_empty().then_some((0, 0));
        for (at, count) in passes(dx.len(), T::WIDTH).chain(empty) {
            super::load(lifted, call, x, T::lift);
            seed(lifted, &dx[at..at + count]);
            lifted.run(call, x);
            for (k, dy) in dy[at..at + count].iter_mut().enumerate() {
                let (to, from) = (K::Y::reborrow_lanes(dy), K::Y::lanes(&lifted.values.y));
                K::Y::zip(to, from, &mut |to: &mut K::Real, v: Foreign<T>| {
                    *to = v.0.tangent(k)
                });
            }
        }
        value(lifted, &mut y);
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
        let n = K::X::len(&space.x);
        let lifted = space.scratch.first.as_mut().expect(MADE);
        super::load(lifted, call, x, T::lift);
        let empty = (n == 0).then_some((0, 0));
        for (at, count) in passes(n, self.batch(n)).chain(empty) {
            for k in 0..count {
                let entry = K::X::entry(K::X::lanes_mut(&mut lifted.x), at + k);
                *entry = with_tangent(*entry, k, one());
            }
            lifted.run(call, x);
            for k in 0..count {
                let entry = K::X::entry(K::X::lanes_mut(&mut lifted.x), at + k);
                *entry = Foreign(T::lift(entry.0.value()));
                let to = K::X::entry(K::X::reborrow_lanes(&mut g), at + k);
                *to = lifted.values.y.0.tangent(k);
            }
        }
        Ok(lifted.values.y.0.value())
    }

    methods!(over_dual: matrix second_derivative hvp hessian);
}

impl<T: ForwardNumber> Seeded for Foreign<T> {
    const LANES: usize = T::WIDTH;

    fn with_lane(self, k: usize, v: T::Real) -> Self {
        with_tangent(self, k, v)
    }
    fn lane(self, k: usize) -> T::Real {
        self.0.tangent(k)
    }
}

outer!([T: ForwardNumber, K: Generic<Real = T::Real>] AutoForeignForward<T>, Foreign<T>, |_: &Self| one::<K::Real>());
