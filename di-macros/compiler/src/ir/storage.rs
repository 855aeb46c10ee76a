//! Changes of storage as a whole: lengths of vectors, and contents that change places.

use super::{PlaceId, Val};

/// What happens to vectors and arrays as a whole. In transformed bodies the same is done to tangents
/// and shadows, whose lengths follow those of the primal.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    /// `v.push(x)` of a scalar.
    Push(PlaceId, Val),
    /// `x = v.pop()` of a scalar; the vector is not empty.
    Pop(Val, PlaceId),
    /// `v.resize(len, fill)`: every scalar of a new element is `fill`. Structs have none: new ones are
    /// zero, and written right after.
    Resize {
        vec: PlaceId,
        /// Length before.
        old: Val,
        len: Val,
        /// The smaller of the two.
        kept: Val,
        fill: Option<Val>,
    },
    /// The contents of two places of one type change places. Vectors exchange their storage.
    Swap(PlaceId, PlaceId),
}

impl Storage {
    /// The places whose lengths may change.
    pub fn places(&self) -> Vec<PlaceId> {
        match self {
            Storage::Push(p, _) | Storage::Pop(_, p) | Storage::Resize { vec: p, .. } => vec![*p],
            Storage::Swap(a, b) => vec![*a, *b],
        }
    }

    /// Visits the values that it reads.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        match self {
            Storage::Push(_, v) => f(v),
            Storage::Resize {
                old,
                len,
                kept,
                fill,
                ..
            } => [old, len, kept].into_iter().chain(fill).for_each(f),
            Storage::Pop(..) | Storage::Swap(..) => {}
        }
    }

    /// The value that it defines.
    pub fn defines(&self) -> Option<Val> {
        match self {
            Storage::Pop(v, _) => Some(*v),
            Storage::Push(..) | Storage::Resize { .. } | Storage::Swap(..) => None,
        }
    }
}
