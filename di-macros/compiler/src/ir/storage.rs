//! Changes of storage as a whole: lengths of vectors, and contents that change places.

use super::{Place, PlaceId, Val};

/// What happens to vectors and arrays as a whole: variables, or fields of structs. In transformed bodies the same is
/// done to tangents and shadows, whose lengths follow those of the primal.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    /// `v.push(x)` of a scalar.
    Push(Place, Val),
    /// `x = v.pop()` of a scalar; the vector is not empty.
    Pop(Val, Place),
    /// `v.resize(len, fill)`: every scalar of a new element is `fill`. Structs have none: new ones are
    /// zero, and written right after.
    Resize {
        vec: Place,
        /// Length before.
        old: Val,
        len: Val,
        /// The smaller of the two.
        kept: Val,
        fill: Option<Val>,
    },
    /// The contents of two places of one type change places. Vectors exchange their storage.
    Swap(Place, Place),
}

impl Storage {
    /// What changes.
    pub fn paths(&self) -> Vec<&Place> {
        match self {
            Storage::Push(p, _) | Storage::Pop(_, p) | Storage::Resize { vec: p, .. } => vec![p],
            Storage::Swap(a, b) => vec![a, b],
        }
    }

    /// The same, to be rewritten.
    pub(crate) fn paths_mut(&mut self) -> Vec<&mut Place> {
        match self {
            Storage::Push(p, _) | Storage::Pop(_, p) | Storage::Resize { vec: p, .. } => vec![p],
            Storage::Swap(a, b) => vec![a, b],
        }
    }

    /// The places whose lengths may change.
    pub fn places(&self) -> Vec<PlaceId> {
        self.paths().into_iter().map(|p| p.root).collect()
    }

    /// Visits the values that it reads, indices of places included.
    pub(crate) fn each_use(&mut self, f: &mut dyn FnMut(&mut Val)) {
        for place in self.paths_mut() {
            place.each_use(f);
        }
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

impl From<PlaceId> for Place {
    /// The place itself.
    fn from(root: PlaceId) -> Place {
        Place {
            root,
            path: Vec::new(),
        }
    }
}
