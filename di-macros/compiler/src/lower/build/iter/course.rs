//! What the loops of one chain have in common.

use crate::ir::{PlaceId, Val};

/// How the loops of one chain go on and end.
#[derive(Clone, Default)]
pub(super) struct Course {
    /// Label of the innermost loop.
    pub(super) label: Option<String>,
    /// What ends the iteration, looked at before each item of each source.
    pub(super) guards: Vec<Guard>,
    /// Nothing but the end of its items ends it, and nobody asks for an item behind that: `fold` and its kin.
    pub(super) folds: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Guard {
    /// The bool is set.
    Set(PlaceId),
    /// The number is zero.
    Spent(PlaceId),
    /// The number has reached this one.
    Reached(PlaceId, Val),
}

impl Course {
    /// Of what takes all items, one after the other.
    pub(super) fn of_fold() -> Course {
        Course {
            folds: true,
            ..Course::default()
        }
    }

    /// Of a loop with this label.
    pub(super) fn of_loop(label: Option<String>) -> Course {
        Course {
            label,
            ..Course::default()
        }
    }

    /// Of one that this ends as well.
    pub(super) fn guarded(&self, guard: Guard) -> Course {
        let mut course = self.stopped();
        course.guards.push(guard);
        course
    }

    /// Of one that may end before its items do.
    pub(super) fn stopped(&self) -> Course {
        Course {
            folds: false,
            ..self.clone()
        }
    }

    /// Of the loops around the innermost one.
    pub(super) fn unlabelled(&self) -> Course {
        Course {
            label: None,
            ..self.stopped()
        }
    }
}
