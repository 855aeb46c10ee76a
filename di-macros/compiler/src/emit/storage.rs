//! Changes of storage as a whole.

use super::Emitter;
use crate::ir::{Init, Place, PlaceId, Region, Stmt, Storage, Type};
use crate::sorted::{Map, Set};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    pub(crate) fn storage(&self, s: &Storage) -> TokenStream {
        match s {
            Storage::Push(p, v) => {
                let id = self.path(p);
                let value = self.lift_if(*v, self.holds_generic(p));
                quote!(#id.push(#value);)
            }
            Storage::Pop(v, p) => {
                let (id, ty, from) = (self.val(*v), self.val_ty(*v), self.path(p));
                quote!(let #id: #ty = #from.pop().expect("a vector that is popped is not empty");)
            }
            Storage::Resize { vec, len, fill, .. } => {
                let (id, len) = (self.path(vec), self.val(*len));
                let Some(Type::Vec(element)) = &self.body.type_at(vec) else {
                    unreachable!("verify: a vector")
                };
                let generic = self.holds_generic(vec);
                let value = match fill {
                    Some(fill) => self.filled(element, &self.lift_if(*fill, generic)),
                    None => self.zero_value(element, generic),
                };
                quote!(#id.resize(#len, #value);)
            }
            Storage::Swap(a, b) => {
                let (a, b) = (self.path(a), self.path(b));
                quote!(::core::mem::swap(&mut #a, &mut #b);)
            }
        }
    }

    /// Whether the place holds primal values of the generic scalar.
    fn holds_generic(&self, p: &Place) -> bool {
        !self.body.place(p.root).ty.is_lanes() && self.generic_place(p.root)
    }
}

/// Vectors that are pushed to or resized, and those that hand their storage to such or take it over.
pub(super) fn growing(region: &Region) -> Set<PlaceId> {
    let (mut grow, mut pairs) = (Set::new(), Vec::new());
    look(region, &mut grow, &mut pairs);
    loop {
        let known = grow.len();
        for (a, b) in &pairs {
            if grow.contains(a) || grow.contains(b) {
                grow.extend([*a, *b]);
            }
        }
        if grow.len() == known {
            return grow;
        }
    }
}

/// Places that are declared like others.
pub(super) fn likes(region: &Region) -> Map<PlaceId, PlaceId> {
    let declared = |stmt: &Stmt| match stmt {
        Stmt::Declare(p, Init::ZeroLike(like)) => Some((*p, like.root)),
        _ => None,
    };
    region.all().filter_map(declared).collect()
}

/// Vectors that grow, and pairs of which one may get the other's storage.
fn look(region: &Region, grow: &mut Set<PlaceId>, pairs: &mut Vec<(PlaceId, PlaceId)>) {
    for stmt in region.all() {
        match stmt {
            Stmt::Storage(Storage::Push(p, _) | Storage::Resize { vec: p, .. }) => {
                grow.insert(p.root);
            }
            Stmt::Storage(Storage::Swap(a, b)) => pairs.push((a.root, b.root)),
            Stmt::Declare(a, Init::MoveOf(b)) => pairs.push((*a, *b)),
            _ => {}
        }
    }
}
