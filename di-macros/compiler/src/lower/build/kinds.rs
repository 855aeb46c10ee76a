//! What types are in the IR.

use super::Builder;
use crate::error;
use crate::ir::{Place, Type};
use crate::lower::stored::is_within;
use crate::lower::ty::{Ty, from_ir, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// The IR's type; an error if it was not inferred.
    pub(super) fn ir_type(&mut self, ty: &Ty, span: Extent) -> Type {
        match to_ir(&self.peeled(ty), self.float) {
            Some(t) => t,
            None if is_within(&self.peeled(ty)) => {
                self.cx.error(span, &error::LIST_OF_TUPLES);
                Type::Float
            }
            None => {
                self.unknown_type(ty, span);
                Type::Float
            }
        }
    }

    /// Reports a type that cannot be inferred, once for each.
    pub(super) fn unknown_type(&mut self, ty: &Ty, span: Extent) {
        let first = match self.types.peel(ty) {
            Ty::Var(v) => self.unknown.insert(v),
            _ => true,
        };
        if first {
            self.cx.error(span, &error::UNKNOWN_TYPE);
        }
    }

    /// The IR's scalar type; an error if it was not inferred.
    pub(super) fn scalar_type(&mut self, ty: &Ty, span: Extent) -> Type {
        let t = self.ir_type(ty, span);
        if !t.is_scalar() {
            self.cx.mismatch();
        }
        t
    }

    pub(super) fn is_scalar(&self, ty: &Ty) -> bool {
        matches!(self.peeled(ty), Ty::Float | Ty::Int(_) | Ty::Bool)
    }

    /// The same, but for values without floats: as long as they are constants these are carried along as they are.
    pub(super) fn is_number(&self, ty: &Ty) -> bool {
        self.is_scalar(ty) && !self.is_data(ty)
    }

    pub(super) fn ty_of_place(&self, place: &Place) -> Option<Ty> {
        self.body.type_at(place).map(|t| from_ir(&t))
    }
}
