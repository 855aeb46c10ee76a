//! Storage of one function in one scalar, and of tangents or adjoints beside it.

use crate::entries;
use crate::function::{
    CachesOwned, Call, Env, FixedOwned, FormOf, Kept, Kind, Record, Signature, Source, XOwned,
    XRef, XShape, YOwned, YShape,
};
use crate::generated::{Pool, Tape};
use crate::rules::zero;
use crate::scalar::{Scalar, Zero};
use crate::value::Family;

use super::inputs::Inputs;

/// Caches and the result in the scalar `S`, and buffers.
pub(crate) struct Values<K: Signature, S: Scalar> {
    pub(crate) caches: CachesOwned<K, S>,
    pub(crate) y: YOwned<K, S>,
    pub(crate) pool: Pool,
}

/// `x` and fixed parameters in a scalar that is not the float itself.
pub struct Lifted<K: Signature, S: Scalar> {
    pub(crate) x: XOwned<K, S>,
    pub(crate) fixed: FixedOwned<K, S>,
    pub(crate) values: Values<K, S>,
}

/// Tape and fixed record.
#[derive(Clone)]
pub(crate) struct Memory<S> {
    words: Vec<S>,
    ints: Vec<usize>,
    pub(crate) tape: Tape<S>,
}

/// Length of the fixed record of a function.
#[derive(Clone, Copy)]
pub struct Size {
    words: usize,
    ints: usize,
}

impl Size {
    pub(crate) fn of<K: Source>() -> Self {
        Size {
            words: K::WORDS,
            ints: K::INTS,
        }
    }
}

/// Tangents or adjoints of everything.
pub(crate) struct Tangents<K: Signature, A: Zero> {
    pub(crate) x: Inputs<K::X, A>,
    pub(crate) y: YOwned<K, A>,
    pub(crate) caches: CachesOwned<K, A>,
    pub(crate) pool: Pool,
}

/// Shape of the caches of a call.
fn caches_shape<K: Signature>(call: Call<'_, K>) -> <K::Caches as Family>::Shape {
    K::Caches::shape::<K::Real>(K::caches(call.ctx))
}

impl<K: Signature, S: Scalar<Real = K::Real>> Values<K, S> {
    pub(crate) fn new(y: &YShape<K>, call: Call<'_, FormOf<K>>) -> Self {
        Values {
            caches: K::Caches::store(&caches_shape(call), zero()),
            y: K::Kind::storage::<K::Y, S>(y, zero()),
            pool: Pool::new(),
        }
    }
}

impl<K: Signature, S: Scalar<Real = K::Real>> Lifted<K, S> {
    pub(crate) fn new(x: &XShape<K>, y: &YShape<K>, call: Call<'_, FormOf<K>>) -> Self {
        let fixed = K::Fixed::shape::<K::Real>(call.fixed);
        Lifted {
            x: K::X::store(x, zero()),
            fixed: K::Fixed::store(&fixed, zero()),
            values: Values::new(y, call),
        }
    }

    /// Takes over the values of a call; tangents become zero.
    pub(crate) fn load(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>) {
        let lift = &mut entries::lift::<S>();
        K::X::zip_values::<S, K::Real>(K::X::lanes_mut(&mut self.x), x, lift);
        let fixed = K::Fixed::lanes_mut(&mut self.fixed);
        K::Fixed::zip_values::<S, K::Real>(fixed, call.fixed, lift);
    }
}

impl<S: Scalar> Memory<S> {
    /// For records of this size.
    pub(crate) fn new(size: Size) -> Self {
        Memory {
            words: vec![zero(); size.words],
            ints: vec![0; size.ints],
            tape: Tape::new(),
        }
    }

    /// An empty tape, to record on.
    pub(crate) fn record(&mut self) -> Record<'_, S> {
        self.tape.reset();
        Record {
            words: &mut self.words,
            ints: &mut self.ints,
            tape: &mut self.tape,
        }
    }

    /// What was recorded.
    pub(crate) fn kept(&self) -> Kept<'_, S> {
        Kept {
            words: &self.words,
            ints: &self.ints,
            tape: &self.tape,
        }
    }
}

impl<K: Signature, A: Zero> Tangents<K, A> {
    pub(crate) fn new(x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        Tangents {
            x: Inputs::new(x),
            y: K::Y::store(y, A::zero()),
            caches: caches::<K, A>(call),
            pool: Pool::new(),
        }
    }
}

/// Tangents or adjoints of caches alone: `x` and result are elsewhere.
pub(crate) fn caches<K: Signature, A: Zero>(call: Call<'_, K>) -> CachesOwned<K, A> {
    K::Caches::store(&caches_shape(call), A::zero())
}

/// Zero for adjoints of caches, which a sweep leaves dirty.
#[inline]
pub(crate) fn clear_caches<C: Family, A: Zero>(caches: &mut C::Owned<A>) {
    C::each_mut::<A>(C::lanes_mut(caches), &mut entries::clear());
}

/// The environment of a call on floats.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn env<'a, 'c, K: Signature>(
    call: Call<'c, K>,
    caches: &'a mut CachesOwned<K, K::Real>,
    pool: &'a mut Pool,
) -> Env<'a, 'c, K, K::Real> {
    Env {
        ctx: call.ctx,
        fixed: K::Fixed::shorten::<K::Real>(call.fixed),
        caches,
        pool,
    }
}

impl<K: Signature, S: Scalar> Clone for Values<K, S> {
    fn clone(&self) -> Self {
        Values {
            caches: self.caches.clone(),
            y: self.y.clone(),
            pool: Pool::new(),
        }
    }
}

impl<K: Signature, S: Scalar> Clone for Lifted<K, S> {
    fn clone(&self) -> Self {
        Lifted {
            x: self.x.clone(),
            fixed: self.fixed.clone(),
            values: self.values.clone(),
        }
    }
}

impl<K: Signature, A: Zero> Clone for Tangents<K, A> {
    fn clone(&self) -> Self {
        Tangents {
            x: self.x.clone(),
            y: self.y.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
        }
    }
}
