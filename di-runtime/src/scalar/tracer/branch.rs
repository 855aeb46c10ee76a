//! Branches on inputs: both arms, and their union.

use super::{Degree, Knowledge, Tracer, trace};
use crate::scalar::{Abstract, Join, Undecided};

impl<V: Knowledge, const SECOND: bool> Abstract for Tracer<V, SECOND> {
    fn unknown<T>() -> Option<T> {
        trace::note_look();
        None
    }
}

impl<V: Knowledge, const SECOND: bool> Join for Tracer<V, SECOND> {
    type Saved = Self;

    fn save(&self) -> Self {
        *self
    }

    fn swap(&mut self, other: &mut Self) {
        std::mem::swap(self, other);
    }

    fn join(&mut self, other: &Self) -> Result<(), Undecided> {
        *self = either(*self, *other);
        Ok(())
    }

    fn within(&self, other: &Self) -> bool {
        trace::is_subset(self.set, other.set)
            && trace::is_subset_of_seconds(self.second, other.second)
    }
}

/// One of two numbers, it is not known which.
fn either<V: Knowledge, const SECOND: bool>(
    x: Tracer<V, SECOND>,
    y: Tracer<V, SECOND>,
) -> Tracer<V, SECOND> {
    let mut either = x.union(y);
    // where one is taken it may be another polynomial than where the other is
    either.degree = Degree::Any;
    either
}

/// The one that the condition says, if it can be asked, else either.
pub(super) fn select<V: Knowledge, const SECOND: bool>(
    x: Tracer<V, SECOND>,
    y: Tracer<V, SECOND>,
    first: impl FnOnce() -> bool,
) -> Tracer<V, SECOND> {
    if !V::COMPARES {
        trace::note_look();
        either(x, y)
    } else if first() {
        x
    } else {
        y
    }
}
