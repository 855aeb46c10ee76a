//! One recorded function: when to record it, and its sweeps.

use super::program::{Program, place};
use super::recording::{Recording, Session};
use super::variable::{Variable, kept};
use crate::context::Snapshot;
use crate::error::{Change, has_failed};
use crate::function::{Call, Env, Generic, Kind, XRef, XShape, YOwned, YShape};
use crate::rules::zero;
use crate::scalar::{Lanes, Scalar};
use crate::value::{Entry, Family};

use super::super::sweep::Lifted;

/// When a recording is used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reuse {
    /// While it holds; else the function is recorded again.
    #[default]
    WhileItHolds,
    /// While it holds; else there is an error.
    OrFail,
    /// Never.
    Never,
}

/// How far the recording has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is none.
    Empty,
    /// As it was recorded.
    Flat,
    /// Optimised, since it was used again.
    Optimised,
}

/// A recorded function.
pub(super) struct Recorded<K: Generic> {
    reuse: Reuse,
    state: State,
    recording: Recording,
    /// Results of the recording, in flat order: inputs, nodes, reals.
    roots: Vec<u32>,
    program: Program<K::Real>,
    /// Their places.
    pub(super) places: Vec<u32>,
    /// The result, each number replaced by its flat index.
    pub(super) outputs: YOwned<K, u32>,
    snapshot: Snapshot,
    /// Number of inputs that are differentiated; those that were fixed follow.
    active: usize,
}

/// Values of one scalar.
pub(super) struct Values<K: Generic, S: Scalar<Real = K::Real>> {
    pub(super) v: Vec<S>,
    /// What the function is recorded with.
    lifted: Lifted<K, Variable<S>>,
}

impl<K: Generic, S: Scalar<Real = K::Real>> Values<K, S> {
    pub(super) fn new(x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
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
            reuse: self.reuse,
            // what is not optimised yet has to be recorded again
            state: match self.state {
                State::Optimised => State::Optimised,
                State::Flat | State::Empty => State::Empty,
            },
            recording: Recording::default(),
            roots: Vec::new(),
            program: self.program.clone(),
            places: self.places.clone(),
            outputs: self.outputs.clone(),
            snapshot: self.snapshot.clone(),
            active: self.active,
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
            reuse,
            state: State::Empty,
            recording: Recording::default(),
            roots: Vec::new(),
            program: Program::new(),
            places: Vec::new(),
            outputs: K::Kind::storage::<K::Y, u32>(y, 0),
            snapshot: Snapshot::default(),
            active: K::X::len(x),
        }
    }

    /// Room for the inputs, which the caller fills: those that are differentiated, then those that
    /// were fixed.
    pub(super) fn inputs<'v, S: Scalar<Real = K::Real>>(
        &self,
        values: &'v mut Values<K, S>,
        fixed: usize,
    ) -> &'v mut [S] {
        let count = self.active + fixed;
        if values.v.len() < count {
            values.v.resize(count, zero());
        }
        &mut values.v[..count]
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
        if self.state != State::Empty && self.reuse != Reuse::Never {
            let change = if self.program.has_foreign {
                Change::Foreign
            } else if !self.snapshot.matches(|snapshot| constants(like, snapshot)) {
                if self.snapshot.is_opaque() {
                    Change::Opaque
                } else {
                    Change::Constants
                }
            } else {
                self.optimise();
                self.forward(values);
                if self.program.holds(&values.v) {
                    return Ok(());
                }
                Change::Branch
            };
            if self.reuse == Reuse::OrFail {
                return Err(change);
            }
        }
        self.record(values, like);
        self.forward(values);
        Ok(())
    }

    /// Makes of the recording what is quick to replay, if that is not done.
    pub(super) fn optimise(&mut self) {
        if self.state == State::Flat && !self.program.has_foreign {
            self.places.clear();
            let places = &mut self.places;
            super::optimise::optimise(
                &self.recording,
                self.active,
                &self.roots,
                &mut self.program,
                places,
            );
            self.state = State::Optimised;
        }
    }

    /// Records the function at the inputs.
    pub(super) fn record<'c, S: Scalar<Real = K::Real>, U: Entry>(
        &mut self,
        values: &mut Values<K, S>,
        like: Like<'_, 'c, K, U>,
    ) where
        K: 'c,
    {
        self.state = State::Empty;
        if self.reuse != Reuse::Never {
            self.snapshot.take(|snapshot| constants(like, snapshot));
        }
        let Values { v, lifted } = values;
        let inputs = K::X::count::<Variable<S>>(&K::X::lanes_mut(&mut lifted.x))
            + K::Fixed::count::<Variable<S>>(&K::Fixed::lanes_mut(&mut lifted.fixed));
        let session = Session::begin(std::mem::take(&mut self.recording), inputs);
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

        let roots = &mut self.roots;
        roots.clear();
        let mut outputs = K::Kind::slot::<K::Y, u32>(&mut self.outputs);
        let number = &mut |y: Variable<S>| {
            roots.push(y.operand(level));
            roots.len() as u32 - 1
        };
        K::Kind::convert::<K::Y, Variable<S>, u32>(&lifted.values.y, &mut outputs, 0, number);
        self.recording = session.end();
        self.program.flat(&self.recording);
        let reals = self.recording.reals.len() as u32;
        let inputs = self.recording.inputs;
        self.places.clear();
        let roots = self.roots.iter().map(|root| place(*root, inputs, reals));
        self.places.extend(roots);
        // what led to an error of the function is no recording of it
        if !has_failed() {
            self.state = State::Flat;
        }
    }

    fn forward<S: Scalar<Real = K::Real>>(&self, values: &mut Values<K, S>) {
        self.program.fit(&mut values.v);
        let kept = kept::<S>(self.recording.foreign.as_deref());
        self.program.forward(&mut values.v, kept);
    }

    /// Adjoints of all places, zero.
    pub(super) fn adjoints<A: Lanes<S>, S: Scalar<Real = K::Real>>(&self, bar: &mut Vec<A>) {
        bar.clear();
        bar.resize(self.program.places, A::zero());
    }

    /// The reverse sweep at the values of the last evaluation.
    pub(super) fn reverse<S: Scalar<Real = K::Real>, A: Lanes<S>>(
        &self,
        values: &Values<K, S>,
        bar: &mut [A],
    ) {
        let kept = kept::<S>(self.recording.foreign.as_deref());
        self.program.reverse(&values.v, bar, kept);
    }

    /// Why the recording can never be used again, if so.
    pub(super) fn lasting(&self) -> Option<Change> {
        if self.program.has_foreign {
            Some(Change::Foreign)
        } else if self.snapshot.is_opaque() {
            Some(Change::Opaque)
        } else {
            None
        }
    }
}

/// Everything that decides what is recorded, but for the numbers.
fn constants<'c, K: Generic + 'c, U: Entry>(like: Like<'_, 'c, K, U>, snapshot: &mut Snapshot) {
    K::constants(like.ctx, snapshot);
    K::X::constants::<U>(like.x, snapshot);
    K::Fixed::constants::<U>(like.fixed, snapshot);
}
