//! Branches on inputs: both arms, and their union.

use super::{Degree, Dependence, Knowledge, Tracer, Unknown, trace};
use crate::scalar::{Abstract, Hand, Join, Real, Scalar, Undecided};

impl<R: Real, D: Dependence> Abstract for Tracer<Unknown<R>, D> {
    fn unknown<T>() -> Option<T> {
        trace::note_look();
        None
    }
}

impl<R: Real, D: Dependence> Hand<Self> for Tracer<Unknown<R>, D> {
    fn hand(self) -> Self {
        self
    }
}

impl<R: Real, D: Dependence> Hand<R> for Tracer<Unknown<R>, D> {
    fn hand(self) -> R {
        self.primal()
    }
}

impl<V: Knowledge, D: Dependence> Join for Tracer<V, D> {
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
        self.on.within(other.on)
    }
}

/// One of two numbers, it is not known which.
fn either<V: Knowledge, D: Dependence>(x: Tracer<V, D>, y: Tracer<V, D>) -> Tracer<V, D> {
    let mut either = x.union(y);
    // where one is taken it may be another polynomial than where the other is
    either.degree = Degree::Any;
    either
}

/// The one that the condition says, if it can be asked, else either.
pub(super) fn select<V: Knowledge, D: Dependence>(
    x: Tracer<V, D>,
    y: Tracer<V, D>,
    first: impl FnOnce() -> bool,
) -> Tracer<V, D> {
    if !V::COMPARES {
        trace::note_look();
        either(x, y)
    } else if first() {
        x
    } else {
        y
    }
}
