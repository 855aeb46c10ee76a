//! A tape over the scalar of an outer engine.

use core::marker::PhantomData;

use super::AutoTape;
use super::engine::{Like, Recorded, Values};
use super::replay::Reuse;
use crate::function::{
    Call, Env, FormOf, Generic, Kind, LaneSlot, NumberValued, OfNumber, Slot, XLanesMut, XRef,
    XShape, YShape,
};
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::second_order::{Inside, Nested};
use crate::value::Family;

/// What a tape needs in the scalar `S`.
pub struct Inner<K: Generic, S: Scalar<Real = K::Real>> {
    recorded: Recorded<K>,
    fixed: usize,
    values: Values<K, S>,
    bar: Vec<S>,
    tangents: Values<K, Dual<S, 1>>,
}

impl<K: Generic, S: Scalar<Real = K::Real>> Clone for Inner<K, S> {
    fn clone(&self) -> Self {
        Inner {
            recorded: self.recorded.clone(),
            fixed: self.fixed,
            values: self.values.clone(),
            bar: self.bar.clone(),
            tangents: self.tangents.clone(),
        }
    }
}

/// The numbers of a call in the scalar `S` as inputs.
fn load<'c, K: Generic + 'c, S: Scalar<Real = K::Real>, T: Scalar<Real = K::Real>>(
    inputs: &mut [T],
    env: &Env<'_, 'c, K, S>,
    x: XRef<'_, K, S>,
    lift: impl Fn(S) -> T,
) {
    let put = &mut |v: S, to: &mut T| *to = lift(v);
    let left = K::X::values_and::<S, T>(x, inputs, put);
    K::Fixed::values_and::<S, T>(env.fixed, left, put);
}

/// [`Inner`] in each scalar.
pub struct Inners<K>(PhantomData<fn() -> K>);

impl<K: Generic> Inside<FormOf<K>> for Inners<K> {
    type In<S: Scalar<Real = K::Real>> = Inner<K, S>;
    type Size = Reuse;

    fn new<S: Scalar<Real = K::Real>>(
        reuse: Reuse,
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, FormOf<K>>,
    ) -> Inner<K, S> {
        Inner {
            recorded: Recorded::new(reuse, x, y),
            fixed: K::Fixed::len(&K::Fixed::shape::<K::Real>(call.fixed)),
            values: Values::new(x, y, call),
            bar: Vec::new(),
            tangents: Values::new(x, y, call),
        }
    }
}

impl<K: Generic> Nested<K> for AutoTape {
    type Inside = Inners<K>;

    fn size(&self) -> Reuse {
        // an outer engine has no way to hear of an error
        match self.reuse {
            Reuse::Never => Reuse::Never,
            Reuse::WhileItHolds | Reuse::OrFail => Reuse::WhileItHolds,
        }
    }

    fn gradient_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Inner<K, S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
        _from: usize,
        _valued: bool,
    ) -> S
    where
        K: NumberValued + 'c,
    {
        let Inner {
            recorded,
            fixed,
            values,
            bar,
            ..
        } = inner;
        load(recorded.inputs(values, *fixed), &env, x, |v| v);
        let like = Like {
            ctx: env.ctx,
            x: K::X::shorten::<S>(x),
            fixed: K::Fixed::shorten::<S>(env.fixed),
        };
        let outcome = recorded.evaluate::<S, S>(values, like);
        outcome.expect("a tape that is not strict is recorded again");
        let place = recorded.places()[0] as usize;
        recorded.adjoints::<S, S>(bar);
        bar[place] = one();
        recorded.reverse(values, bar);
        let mut from = bar.iter();
        K::X::each_mut::<S>(g, &mut |to| {
            if let Some(from) = from.next() {
                *to = *from;
            }
        });
        values.v[place]
    }

    fn derivative_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Inner<K, S>,
        env: Env<'_, 'c, K, S>,
        x: S,
        mut y: Slot<'_, K, S>,
        dy: LaneSlot<'_, K, S>,
    ) where
        K: OfNumber + 'c,
    {
        let Inner {
            recorded,
            fixed,
            tangents,
            ..
        } = inner;
        let inputs = recorded.inputs(tangents, *fixed);
        load(inputs, &env, x, Dual::<S, 1>::constant);
        inputs[0].tangents[0] = one();
        let like = Like {
            ctx: env.ctx,
            x: K::X::shorten::<S>(x),
            fixed: K::Fixed::shorten::<S>(env.fixed),
        };
        let outcome = recorded.evaluate::<Dual<S, 1>, S>(tangents, like);
        outcome.expect("a tape that is not strict is recorded again");
        let at = |k: u32| tangents.v[recorded.places()[k as usize] as usize];
        let outputs = &recorded.outputs;
        K::Kind::convert::<K::Y, u32, S>(outputs, &mut y, zero(), &mut |k| at(k).value);
        let tangent = &mut |k: u32| at(k).tangents[0];
        K::Kind::convert_lanes::<K::Y, u32, S>(outputs, dy, zero(), tangent);
    }
}
