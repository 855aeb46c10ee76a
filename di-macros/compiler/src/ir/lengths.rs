//! Types with lengths that are known only when the program runs: vectors, and structs with vectors in them; and types
//! that nobody looks into.

use super::{Body, Param, Place, PlaceId, PlaceKind, Role, Type};

/// Name of what is in a struct that stands for an array: the array, of which the struct is another name.
pub const ITSELF: &str = "";

/// Name by which passive code reads a constant in a struct that is differentiated.
pub const OPAQUE_PART: &str = "__part_of";

/// What the name of the bool ends with that says whether an option in a parameter holds a number.
pub const PRESENCE: &str = "_is_some";

impl Body {
    /// Whether values of this type may have lengths, so that storage is exchanged where one is assigned.
    pub fn has_lengths(&self, ty: &Type) -> bool {
        matches!(ty, Type::Vec(_)) || self.lengths_in(ty).is_some()
    }

    /// Whether values of this type are moved, and never copied.
    pub fn is_moved(&self, ty: &Type) -> bool {
        matches!(ty, Type::Vec(_)) || self.lengths_in(ty) == Some(true)
    }

    /// Whether this vector or array, whose elements have lengths, is there for what comes in or goes out alone: a parameter, the
    /// result of a call, or what is returned. The elements are in a list before or after.
    pub fn passes_on(&self, place: PlaceId) -> bool {
        let info = self.place(place);
        matches!(info.kind, PlaceKind::Local | PlaceKind::ValueParam(_))
            && matches!(&info.ty, Type::Vec(of) | Type::Array(of, _) if self.lengths_in(of) == Some(true))
    }

    /// Whether a path leads to a constant that nobody looks into: no derivative goes through it, whatever is around it.
    pub fn is_opaque(&self, place: &Place) -> bool {
        let is_part = self.place(place.root).ty.is_structs();
        self.type_at(place)
            .is_some_and(|ty| matches!(ty, Type::Opaque(_)) || is_part && ty.is_constant_sequence())
    }

    /// The same, or to integers.
    pub fn is_constant_part(&self, place: &Place) -> bool {
        let is_constant = |ty: Type| ty.is_constant_sequence();
        self.is_opaque(place) || self.type_at(place).is_some_and(is_constant)
    }

    fn lengths_in(&self, ty: &Type) -> Option<bool> {
        match ty {
            Type::Struct(path) | Type::Lanes(path) => {
                let found = self.lengths.iter().find(|(of, _)| of == path);
                found.map(|(_, certain)| *certain)
            }
            Type::Array(of, _) if matches!(**of, Type::Struct(_)) => self.lengths_in(of),
            _ => None,
        }
    }

    /// Float storage that is no constant parameter has the generic scalar type in generated code.
    pub(crate) fn is_generic(&self, p: PlaceId) -> bool {
        let is_constant = |param: &Param| param.place == Some(p) && param.role == Role::Constant;
        self.place(p).ty.has_floats() && !self.params.iter().any(is_constant)
    }

    /// Whether constant code reads a place as a copy of its values: a list of floats that is not constant.
    pub(crate) fn reads_values(&self, p: PlaceId) -> bool {
        let ty = &self.place(p).ty;
        let is_list = ty.element().is_some() && *ty.leaf() == Type::Float;
        is_list && self.generic.is_none() && self.is_generic(p)
    }
}
