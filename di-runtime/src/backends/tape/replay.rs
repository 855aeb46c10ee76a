//! A recording, and when it is used again.

use super::program::{Program, place};
use super::recording::{Recording, Session};
use super::variable::kept;
use crate::context::Snapshot;
use crate::error::{Change, has_failed};
use crate::rules::zero;
use crate::scalar::{Lanes, Real, Scalar};

/// When a recording is used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// While it holds; else there is another one.
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

/// A recording with its program.
pub(super) struct Replay<R> {
    reuse: Reuse,
    state: State,
    recording: Recording,
    /// Results of the recording, in flat order: inputs, nodes, reals.
    pub(super) roots: Vec<u32>,
    program: Program<R>,
    /// Their places.
    pub(super) places: Vec<u32>,
    snapshot: Snapshot,
    /// Number of inputs that are differentiated; those that were fixed follow.
    active: usize,
}

impl<R: Real> Clone for Replay<R> {
    fn clone(&self) -> Self {
        Replay {
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
            snapshot: self.snapshot.clone(),
            active: self.active,
        }
    }
}

impl<R: Real> Replay<R> {
    /// Nothing yet, of so many inputs.
    pub(super) fn new(reuse: Reuse, active: usize) -> Self {
        Replay {
            reuse,
            state: State::Empty,
            recording: Recording::default(),
            roots: Vec::new(),
            program: Program::new(),
            places: Vec::new(),
            snapshot: Snapshot::default(),
            active,
        }
    }

    /// Room for the inputs, which the caller fills: those that are differentiated, then those that
    /// were fixed.
    pub(super) fn inputs<'v, S: Scalar<Real = R>>(
        &self,
        v: &'v mut Vec<S>,
        fixed: usize,
    ) -> &'v mut [S] {
        let count = self.active + fixed;
        if v.len() < count {
            v.resize(count, zero());
        }
        &mut v[..count]
    }

    /// All values at the inputs, if there is a recording that holds; else says no.
    ///
    /// # Errors
    /// What has changed, if nothing may.
    pub(super) fn replay<S: Scalar<Real = R>>(
        &mut self,
        v: &mut Vec<S>,
        constants: impl FnOnce(&mut Snapshot),
    ) -> Result<bool, Change> {
        if self.state == State::Empty || self.reuse == Reuse::Never {
            return Ok(false);
        }
        let change = if self.program.has_foreign {
            Change::Foreign
        } else if !self.snapshot.matches(constants) {
            if self.snapshot.is_opaque() {
                Change::Opaque
            } else {
                Change::Constants
            }
        } else {
            self.optimise();
            self.forward(v);
            if self.program.holds(v) {
                return Ok(true);
            }
            Change::Branch
        };
        if self.reuse == Reuse::OrFail {
            return Err(change);
        }
        Ok(false)
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

    /// Begins a recording with so many inputs in all. What comes of it is pushed to `roots` before it ends.
    pub(super) fn begin(
        &mut self,
        inputs: usize,
        constants: impl FnOnce(&mut Snapshot),
    ) -> Session {
        self.state = State::Empty;
        if self.reuse != Reuse::Never {
            self.snapshot.take(constants);
        }
        self.roots.clear();
        Session::begin(std::mem::take(&mut self.recording), inputs)
    }

    /// Ends it.
    pub(super) fn end(&mut self, session: Session) {
        self.recording = session.end();
        self.program.flat(&self.recording, &self.roots);
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

    /// All values at the inputs.
    pub(super) fn forward<S: Scalar<Real = R>>(&self, v: &mut Vec<S>) {
        self.program.fit(v);
        let kept = kept::<S>(self.recording.foreign.as_deref());
        self.program.forward(v, kept);
    }

    /// Adjoints of all places, zero.
    pub(super) fn adjoints<A: Lanes<S>, S: Scalar<Real = R>>(&self, bar: &mut Vec<A>) {
        bar.clear();
        bar.resize(self.program.places, A::zero());
    }

    /// The reverse sweep at these values.
    pub(super) fn reverse<S: Scalar<Real = R>, A: Lanes<S>>(&self, v: &[S], bar: &mut [A]) {
        let kept = kept::<S>(self.recording.foreign.as_deref());
        self.program.reverse(v, bar, kept);
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
