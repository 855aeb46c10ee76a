//! One recorded function: its numbers, and how it is recorded.

use super::replay::{Replay, Reuse};
use super::variable::Variable;
use crate::context::Snapshot;
use crate::error::Change;
use crate::function::{Call, Env, FormOf, Generic, Kind, XRef, XShape, YOwned, YShape};
use crate::rules::zero;
use crate::scalar::{Lanes, Scalar};
use crate::value::{Entry, Family};

use super::super::sweep::Lifted;

/// A recorded function.
pub(super) struct Recorded<K: Generic> {
    replay: Replay<K::Real>,
    /// The result, each number replaced by its flat index.
    pub(super) outputs: YOwned<K, u32>,
}

/// Values of one scalar.
pub(super) struct Values<K: Generic, S: Scalar<Real = K::Real>> {
    pub(super) v: Vec<S>,
    /// What the function is recorded with.
    lifted: Lifted<K, Variable<S>>,
}

impl<K: Generic, S: Scalar<Real = K::Real>> Values<K, S> {
    pub(super) fn new(x: &XShape<K>, y: &YShape<K>, call: Call<'_, FormOf<K>>) -> Self {
        Values {
            v: Vec::new(),
            lifted: Lifted::new(x, y, call),
        }
    }
}

impl<K: Generic, S: Scalar<Real = K::Real>> Clone for Values<K, S> {
    fn clone(&self) -> Self {
        Values {
            v: self.v.clone(),
            lifted: self.lifted.clone(),
        }
    }
}

impl<K: Generic> Clone for Recorded<K> {
    fn clone(&self) -> Self {
        Recorded {
            replay: self.replay.clone(),
            outputs: self.outputs.clone(),
        }
    }
}

/// What a function is recorded with, besides its inputs: passive parts of `x`, and the contexts.
pub(super) struct Like<'a, 'c, K: Generic + 'c, U: Entry> {
    pub(super) ctx: K::Ctx<'c>,
    pub(super) x: XRef<'a, K, U>,
    pub(super) fixed: <K::Fixed as Family>::Ref<'a, U>,
}

impl<'c, K: Generic + 'c, U: Entry> Clone for Like<'_, 'c, K, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'c, K: Generic + 'c, U: Entry> Copy for Like<'_, 'c, K, U> {}

impl<K: Generic> Recorded<K> {
    pub(super) fn new(reuse: Reuse, x: &XShape<K>, y: &YShape<K>) -> Self {
        Recorded {
            replay: Replay::new(reuse, K::X::len(x)),
            outputs: K::Kind::storage::<K::Y, u32>(y, 0),
        }
    }

    /// Room for the inputs, see [`Replay::inputs`].
    pub(super) fn inputs<'v, S: Scalar<Real = K::Real>>(
        &self,
        values: &'v mut Values<K, S>,
        fixed: usize,
    ) -> &'v mut [S] {
        self.replay.inputs(&mut values.v, fixed)
    }

    /// Places of the results, by their flat index.
    pub(super) fn places(&self) -> &[u32] {
        &self.replay.places
    }

    /// The same, and the result that holds the indices.
    pub(super) fn results(&mut self) -> (&[u32], &mut YOwned<K, u32>) {
        (&self.replay.places, &mut self.outputs)
    }

    /// All values of the function at the inputs, by a replay or by a recording.
    ///
    /// # Errors
    /// What has changed, if nothing may.
    pub(super) fn evaluate<'c, S: Scalar<Real = K::Real>, U: Entry>(
        &mut self,
        values: &mut Values<K, S>,
        like: Like<'_, 'c, K, U>,
    ) -> Result<(), Change>
    where
        K: 'c,
    {
        let constants = |snapshot: &mut Snapshot| constants(like, snapshot);
        if !self.replay.replay(&mut values.v, constants)? {
            self.record(values, like);
            self.replay.forward(&mut values.v);
        }
        Ok(())
    }

    /// See [`Replay::optimise`].
    pub(super) fn optimise(&mut self) {
        self.replay.optimise();
    }

    /// Records the function at the inputs.
    pub(super) fn record<'c, S: Scalar<Real = K::Real>, U: Entry>(
        &mut self,
        values: &mut Values<K, S>,
        like: Like<'_, 'c, K, U>,
    ) where
        K: 'c,
    {
        let Values { v, lifted } = values;
        let inputs = K::X::count::<Variable<S>>(&K::X::lanes_mut(&mut lifted.x))
            + K::Fixed::count::<Variable<S>>(&K::Fixed::lanes_mut(&mut lifted.fixed));
        let constants = |snapshot: &mut Snapshot| constants(like, snapshot);
        let session = self.replay.begin(inputs, constants);
        let level = session.level;
        let mut node = 0;
        let mut number = |to: &mut Variable<S>| {
            *to = Variable {
                value: v[node as usize],
                node,
                level,
            };
            node += 1;
        };
        K::X::each_mut(K::X::lanes_mut(&mut lifted.x), &mut number);
        K::Fixed::each_mut(K::Fixed::lanes_mut(&mut lifted.fixed), &mut number);
        let caches = K::Caches::lanes_mut(&mut lifted.values.caches);
        K::Caches::each_mut(caches, &mut |cache: &mut Variable<S>| *cache = zero());
        let env = Env {
            ctx: like.ctx,
            fixed: K::Fixed::get(&lifted.fixed, K::Fixed::shorten::<U>(like.fixed)),
            caches: &mut lifted.values.caches,
            pool: &mut lifted.values.pool,
        };
        let x = K::X::get(&lifted.x, K::X::shorten::<U>(like.x));
        let y = K::Kind::slot::<K::Y, Variable<S>>(&mut lifted.values.y);
        K::generic::<Variable<S>>(env, x, y);

        let roots = &mut self.replay.roots;
        let mut outputs = K::Kind::slot::<K::Y, u32>(&mut self.outputs);
        let number = &mut |y: Variable<S>| {
            roots.push(y.operand(level));
            roots.len() as u32 - 1
        };
        K::Kind::convert::<K::Y, Variable<S>, u32>(&lifted.values.y, &mut outputs, 0, number);
        self.replay.end(session);
    }

    /// See [`Replay::adjoints`].
    pub(super) fn adjoints<A: Lanes<S>, S: Scalar<Real = K::Real>>(&self, bar: &mut Vec<A>) {
        self.replay.adjoints::<A, S>(bar);
    }

    /// The reverse sweep at the values of the last evaluation.
    pub(super) fn reverse<S: Scalar<Real = K::Real>, A: Lanes<S>>(
        &self,
        values: &Values<K, S>,
        bar: &mut [A],
    ) {
        self.replay.reverse(&values.v, bar);
    }

    /// See [`Replay::lasting`].
    pub(super) fn lasting(&self) -> Option<Change> {
        self.replay.lasting()
    }
}

/// Everything that decides what is recorded, but for the numbers.
fn constants<'c, K: Generic + 'c, U: Entry>(like: Like<'_, 'c, K, U>, snapshot: &mut Snapshot) {
    K::constants(like.ctx, snapshot);
    K::X::constants::<U>(like.x, snapshot);
    K::Fixed::constants::<U>(like.fixed, snapshot);
}
