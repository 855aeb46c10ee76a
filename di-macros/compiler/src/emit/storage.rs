//! Changes of storage as a whole.

use super::Emitter;
use crate::analysis::activity::regions_of;
use crate::ir::{PlaceId, Region, Stmt, Storage, Type};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;

impl Emitter<'_> {
    pub(crate) fn storage(&self, s: &Storage) -> TokenStream {
        match s {
            Storage::Push(p, v) => {
                let id = self.place_ident(*p);
                let value = self.lift_if(*v, self.holds_generic(*p));
                quote!(#id.push(#value);)
            }
            Storage::Pop(v, p) => {
                let (id, ty, from) = (self.val(*v), self.val_ty(*v), self.place_ident(*p));
                quote!(let #id: #ty = #from.pop().expect("a vector that is popped is not empty");)
            }
            Storage::Resize { vec, len, fill, .. } => {
                let (id, len) = (self.place_ident(*vec), self.val(*len));
                let Type::Vec(element) = &self.body.place(*vec).ty else {
                    unreachable!("verify: a vector")
                };
                let generic = self.holds_generic(*vec);
                let value = match fill {
                    Some(fill) => self.filled(element, &self.lift_if(*fill, generic)),
                    None => self.zero_value(element, generic),
                };
                quote!(#id.resize(#len, #value);)
            }
            Storage::Swap(a, b) => {
                let (a, b) = (self.place_ident(*a), self.place_ident(*b));
                quote!(::core::mem::swap(&mut #a, &mut #b);)
            }
        }
    }

    /// Whether the place holds primal values of the generic scalar.
    fn holds_generic(&self, p: crate::ir::PlaceId) -> bool {
        !self.body.place(p).ty.is_lanes() && self.generic_place(p)
    }
}

/// Vectors that are pushed to or resized.
pub(super) fn growing(region: &Region) -> BTreeSet<PlaceId> {
    let stmts = region.stmts.iter();
    stmts
        .flat_map(|stmt| {
            let grows = match stmt {
                Stmt::Storage(Storage::Push(p, _) | Storage::Resize { vec: p, .. }) => Some(*p),
                _ => None,
            };
            let inner = regions_of(stmt).into_iter().flat_map(growing);
            grows.into_iter().chain(inner)
        })
        .collect()
}
