//! Reverse engines of others: a number on a tape.

use core::fmt;
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::backends::AutoDual;
use crate::batch::{WIDEST, even_batch};
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Generic, Kind, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::rules::{one, zero};
use crate::scalar::{Chain, Foreign};
use crate::second_order::{Nested, Outer};
use crate::value::Family;

use super::super::level::{Level, over_dual};
use super::super::methods::methods;
use super::super::sweep::Lifted;

/// A number that is recorded on a tape.
pub trait ReverseNumber: Chain {
    /// What it is recorded on.
    type Tape: Default;

    /// Runs something with an empty tape in place.
    fn record<O>(tape: &mut Self::Tape, run: impl FnOnce() -> O) -> O;
    /// A number on the tape that is in place, to be differentiated by.
    fn input(value: Self::Real) -> Self;
    /// Adjoints of inputs where some results have these.
    fn sweep(
        tape: &Self::Tape,
        results: &[(Self, Self::Real)],
        inputs: &[Self],
        adjoints: &mut [Self::Real],
    );
}

/// The backend of a [`ReverseNumber`]. Each call records a tape.
///
/// Second order runs our dual numbers inside it; in `SecondOrder` it can be the outer engine over any
/// of ours.
pub struct AutoForeignReverse<T>(PhantomData<fn() -> T>);

super::unit!(AutoForeignReverse);

impl<T: ReverseNumber> Capabilities for AutoForeignReverse<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }
    fn mode(&self) -> Mode {
        Mode::Reverse
    }
    /// Adjoints that share one recording.
    fn batch(&self, n: usize) -> usize {
        even_batch(n, WIDEST)
    }
}

/// A tape, the inputs on it, and what is swept.
struct Sweeps<T: ReverseNumber> {
    tape: T::Tape,
    inputs: Vec<T>,
    results: Vec<(T, T::Real)>,
    adjoints: Vec<T::Real>,
}

impl<T: ReverseNumber> Sweeps<T> {
    fn new(n: usize) -> Self {
        Sweeps {
            tape: T::Tape::default(),
            inputs: Vec::with_capacity(n),
            results: Vec::new(),
            adjoints: vec![zero(); n],
        }
    }

    /// Sweeps the results that were put down.
    fn sweep(&mut self) -> &[T::Real] {
        self.adjoints.fill(zero());
        let counts =
            |(y, seed): &(T, T::Real)| !y.is_passive() && !crate::scalar::Scalar::is_zero(*seed);
        self.results.retain(counts);
        if !self.results.is_empty() {
            T::sweep(&self.tape, &self.results, &self.inputs, &mut self.adjoints);
        }
        &self.adjoints
    }
}

impl<T: ReverseNumber> Clone for Sweeps<T> {
    fn clone(&self) -> Self {
        Sweeps::new(self.adjoints.len())
    }
}

/// Copies numbers to lanes of the shape of `x`.
fn copy<F: Family, R: crate::scalar::Real>(from: &[R], to: F::LanesMut<'_, R>) {
    let mut from = from.iter();
    F::each_mut(to, &mut |to: &mut R| {
        *to = from.next().copied().unwrap_or_default()
    });
}

/// Scratch of another reverse engine.
pub struct Scratch<K: Generic, T: ReverseNumber<Real = K::Real>> {
    sweeps: Sweeps<T>,
    first: Option<Lifted<K, Foreign<T>>>,
    second: Option<Both<K, T, AutoDual>>,
}

impl<K: Generic, T: ReverseNumber<Real = K::Real>> Clone for Scratch<K, T> {
    fn clone(&self) -> Self {
        Scratch {
            sweeps: self.sweeps.clone(),
            first: self.first.clone(),
            second: self.second.clone(),
        }
    }
}

/// An inner engine, and a tape for it.
pub struct Both<K: Generic, T: ReverseNumber<Real = K::Real>, I: Nested<K>> {
    level: Level<K, Foreign<T>, I>,
    sweeps: Sweeps<T>,
}

impl<K: Generic, T: ReverseNumber<Real = K::Real>, I: Nested<K>> Clone for Both<K, T, I> {
    fn clone(&self) -> Self {
        Both {
            level: self.level.clone(),
            sweeps: self.sweeps.clone(),
        }
    }
}

/// Message of an invariant: `scratch` makes what its operator uses.
const MADE: &str = "scratch is made for its operator";

impl<T: ReverseNumber, K: Generic<Real = T::Real>> Backend<K> for AutoForeignReverse<T> {
    type Scratch = Scratch<K, T>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = false;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K, T>, Error> {
        let second = plan.operator.is_second_order();
        let inner = &AutoDual::new();
        Ok(Scratch {
            sweeps: Sweeps::new(if second { 0 } else { K::X::len(plan.x) }),
            first: (!second).then(|| Lifted::new(plan.x, plan.y, call.form())),
            second: if second {
                Some(Outer::<K, AutoDual>::scratch(self, inner, plan, call, x)?)
            } else {
                None
            },
        })
    }

    fn warms_up(&self, _: Operator) -> bool {
        true
    }

    fn pullback(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dy: &[YLanes<'_, K, K::Real>],
        mut y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let Scratch { sweeps, first, .. } = &mut space.scratch;
        let lifted = first.as_mut().expect(MADE);
        let inputs = &mut sweeps.inputs;
        inputs.clear();
        T::record(&mut sweeps.tape, || {
            super::load(lifted, call, x, |v| {
                let input = T::input(v);
                inputs.push(input);
                input
            });
            lifted.run(call, x);
        });
        for (dy, dx) in dy.iter().zip(dx) {
            let results = &mut sweeps.results;
            results.clear();
            K::Y::each(K::Y::lanes(&lifted.values.y), &mut |y: Foreign<T>| {
                results.push((y.0, zero()));
            });
            let mut seeds = results.iter_mut();
            K::Y::each(*dy, &mut |v: K::Real| {
                if let Some((_, seed)) = seeds.next() {
                    *seed = v;
                }
            });
            copy::<K::X, K::Real>(sweeps.sweep(), K::X::reborrow_lanes(dx));
        }
        let value = &mut |v: Foreign<T>| v.0.value();
        K::Kind::convert::<K::Y, _, K::Real>(&lifted.values.y, &mut y, zero(), value);
        Ok(())
    }

    methods!(over_dual: matrix second_derivative hvp hessian);
}

impl<K: Generic, T: ReverseNumber<Real = K::Real>, I: Nested<K>> Both<K, T, I> {
    /// The gradient on the tape; returns the value.
    fn record(&mut self, inner: &I, call: Call<'_, K>, x: XRef<'_, K, K::Real>) -> K::Real
    where
        K: NumberValued,
    {
        let Both { level, sweeps } = self;
        let inputs = &mut sweeps.inputs;
        inputs.clear();
        let y = T::record(&mut sweeps.tape, || {
            super::load(&mut level.lifted, call, x, |v| {
                let input = T::input(v);
                inputs.push(input);
                input
            });
            level.gradient(inner, call, x)
        });
        y.0.value()
    }
}

impl<T, K, I> Outer<K, I> for AutoForeignReverse<T>
where
    T: ReverseNumber,
    K: Generic<Real = T::Real>,
    I: Nested<K> + Backend<K>,
{
    type Scratch = Both<K, T, I>;

    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Both<K, T, I>, Error> {
        Ok(Both {
            level: Level::new(inner, plan, call),
            sweeps: Sweeps::new(K::X::len(plan.x)),
        })
    }

    fn second_derivative(
        &self,
        inner: &I,
        both: &mut Both<K, T, I>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        mut ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Both { level, sweeps } = both;
        sweeps.inputs.clear();
        let inputs = &mut sweeps.inputs;
        level.load_fixed(call);
        T::record(&mut sweeps.tape, || {
            let x = T::input(x);
            inputs.push(x);
            level.derivative(inner, call, Foreign(x));
        });
        let mut at = 0;
        let count = K::Y::count::<K::Real>(&ddy);
        K::Y::each(K::Y::lanes(&level.dy), &mut |v: Foreign<T>| {
            sweeps.results.clear();
            sweeps.results.push((v.0, one()));
            let adjoint = sweeps.sweep()[0];
            // A result of another length is noticed by the operator.
            if at < count {
                *K::Y::entry(K::Y::reborrow_lanes(&mut ddy), at) = adjoint;
            }
            at += 1;
        });
        level.write_derivative(y, dy);
        Ok(())
    }

    /// Hessians are symmetric: the pullback of a tangent through the gradient.
    fn hvp(
        &self,
        inner: &I,
        both: &mut Both<K, T, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = both.record(inner, call, x);
        let Both { level, sweeps } = both;
        for (dx, product) in dx.iter().zip(products) {
            let results = &mut sweeps.results;
            results.clear();
            K::X::each(K::X::lanes(&level.g), &mut |g: Foreign<T>| {
                results.push((g.0, zero()));
            });
            let mut seeds = results.iter_mut();
            K::X::each(*dx, &mut |v: K::Real| {
                if let Some((_, seed)) = seeds.next() {
                    *seed = v;
                }
            });
            copy::<K::X, K::Real>(sweeps.sweep(), K::X::reborrow_lanes(product));
        }
        level.write_gradient(g);
        Ok(y)
    }

    fn hessian(
        &self,
        inner: &I,
        both: &mut Both<K, T, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = both.record(inner, call, x);
        let Both { level, sweeps } = both;
        let mut row = 0;
        K::X::each(K::X::lanes(&level.g), &mut |g: Foreign<T>| {
            sweeps.results.clear();
            sweeps.results.push((g.0, one()));
            for (column, v) in sweeps.sweep()[..=row].iter().enumerate() {
                h[[row, column]] = *v;
                h[[column, row]] = *v;
            }
            row += 1;
        });
        level.write_gradient(g);
        Ok(y)
    }
}
