//! Making values and places: the only way that passes grow a body's tables.

use super::{Body, Call, PlaceId, PlaceInfo, PlaceKind, Scaling, Type, Val, ValInfo};
use proc_macro2::Span;

impl Body {
    /// How tangents and adjoints are multiplied by a partial derivative that has poles.
    pub(crate) fn pole(&self) -> Scaling {
        if self.strong_zeros {
            Scaling::Strong
        } else {
            Scaling::Plain
        }
    }

    /// A fresh value.
    pub fn new_val(&mut self, ty: Type, hint: Option<&str>, span: Span) -> Val {
        self.vals.push(ValInfo {
            ty,
            hint: hint.map(str::to_owned),
            span,
        });
        Val(u32::try_from(self.vals.len() - 1).expect("fewer than 2^32 values"))
    }

    /// Gives the derivative of a value the name of the value, unless it has one.
    pub(crate) fn name_derivative(&mut self, derivative: Val, of: Val) {
        let hint = self.val(of).hint.clone();
        let info = &mut self.vals[derivative.0 as usize];
        info.hint = info.hint.take().or(hint);
    }

    /// A fresh place.
    pub fn new_place(&mut self, ty: Type, hint: &str, kind: PlaceKind, span: Span) -> PlaceId {
        self.places.push(PlaceInfo {
            ty,
            hint: hint.to_owned(),
            span,
            kind,
        });
        PlaceId(u32::try_from(self.places.len() - 1).expect("fewer than 2^32 places"))
    }
}

impl Call {
    /// Whether a function calls itself, by its own name.
    pub fn is_recursive(&self, caller: &Body) -> bool {
        let callee = self.callee.0.to_string();
        callee == caller.name || callee.strip_prefix("self :: ") == Some(&caller.name)
    }
}
