//! Generated code in the scalar of an outer engine.

use crate::function::{
    CachesOwned, Call, Env, FormOf, LaneSlot, NumberValued, OfNumber, Signature, Slot, Source,
    XLanesMut, XRef, XShape, YShape,
};
use crate::generated::FreshTangents;
use crate::rules::{one, zero};
use crate::scalar::Scalar;
use crate::second_order::{Inside, Nested};

use super::super::sweep::{Memory, Size, caches, clear_caches};
use super::AutoSource;

/// What generated code needs in the scalar `S`.
pub struct Inner<K: Signature, S: Scalar<Real = K::Real>> {
    memory: Memory<S>,
    adjoints: CachesOwned<K, S>,
}

impl<K: Signature, S: Scalar<Real = K::Real>> Clone for Inner<K, S> {
    fn clone(&self) -> Self {
        Inner {
            memory: self.memory.clone(),
            adjoints: self.adjoints.clone(),
        }
    }
}

/// [`Inner`] in each scalar.
pub struct Inners;

impl<K: Signature> Inside<K> for Inners {
    type In<S: Scalar<Real = K::Real>> = Inner<K, S>;
    type Size = Size;

    fn new<S: Scalar<Real = K::Real>>(
        size: Size,
        _x: &XShape<K>,
        _y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Inner<K, S> {
        Inner {
            memory: Memory::new(size),
            adjoints: caches::<K, S>(call),
        }
    }
}

impl<K: Source> Nested<K> for AutoSource {
    type Inside = Inners;

    fn size(&self) -> Size {
        Size::of::<K>()
    }

    fn gradient_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Inner<FormOf<K>, S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
        _from: usize,
        valued: bool,
    ) -> S
    where
        K: NumberValued + 'c,
    {
        let Inner { memory, adjoints } = inner;
        clear_caches::<K::Caches, S>(adjoints);
        memory.tape.reset();
        let mut y = zero::<S>();
        if K::RECORDS || valued {
            K::fused::<S, S>(env, x, g, adjoints, &mut y, one::<S>(), &mut memory.tape);
            return y;
        }
        // the reverse sweep reads nothing but the arguments; without the value the gradient is not asked for either
        K::reverse::<S, S, FreshTangents>(
            env.ctx,
            env.fixed,
            x,
            g,
            adjoints,
            one::<S>(),
            memory.kept(),
            env.pool,
        );
        y
    }

    fn derivative_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Inner<FormOf<K>, S>,
        env: Env<'_, 'c, K, S>,
        x: S,
        y: Slot<'_, K, S>,
        dy: LaneSlot<'_, K, S>,
    ) where
        K: OfNumber + 'c,
    {
        K::tangent::<S, S>(env, x, &one::<S>(), &mut inner.adjoints, y, dy);
    }
}
