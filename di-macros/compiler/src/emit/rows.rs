//! Rows: parts of a slice that are borrowed for one loop.

use super::Emitter;
use crate::ir::{Place, PlaceId, PlaceKind, Proj, Stmt, Type};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// A part that is borrowed for one loop; nothing of a dead slot.
    pub(super) fn row(&mut self, row: PlaceId, of: &Place, mutable: bool) -> TokenStream {
        self.rows.insert(row, of.root);
        let (id, path, rt) = (self.place_ident(row), self.path(of), self.rt);
        let ty = self.ty(&self.body.place(row).ty, self.generic_place(row));
        let and = if mutable { quote!(&mut) } else { quote!(&) };
        match self.guard(of.root) {
            Some(marker) => quote!(
                let #id: #and #ty = if <#marker as #rt::Activity>::LIVE { #and #path } else { #and [] };
            ),
            None => quote!(let #id: #and #ty = #and #path;),
        }
    }

    /// The mutable rows of one root that these statements begin with.
    pub(super) fn rows_from<'s>(&self, stmts: &'s [Stmt]) -> Vec<(PlaceId, &'s Place)> {
        let mut rows: Vec<(PlaceId, &Place)> = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::View {
                    view,
                    of,
                    mutable: true,
                } if self.body.place(*view).kind == PlaceKind::Row
                    && rows.first().is_none_or(|(_, first)| first.root == of.root) =>
                {
                    rows.push((*view, of));
                }
                _ => break,
            }
        }
        rows
    }

    /// Several of them at once: they do not overlap.
    pub(super) fn disjoint_rows(&mut self, rows: &[(PlaceId, &Place)]) -> TokenStream {
        let rt = self.rt;
        let root = rows[0].1.root;
        let whole = self.place_ident(root);
        self.rows.extend(rows.iter().map(|(row, _)| (*row, root)));
        let ids = rows.iter().map(|(row, _)| self.place_ident(*row));
        let ranges = rows.iter().map(|(_, of)| match of.path.as_slice() {
            [Proj::Range(lo, hi)] => {
                let (lo, hi) = (self.val(*lo), self.val(*hi));
                quote!(#lo..#hi)
            }
            _ => unreachable!("rows: ranges of a slice"),
        });
        let row = rows[0].0;
        let ty: &Type = &self.body.place(row).ty;
        let (ty, n) = (self.ty(ty, self.generic_place(row)), rows.len());
        let lent = quote!(#rt::rows(&mut #whole[..], [#(#ranges),*]));
        let lent = match self.guard(root) {
            Some(marker) => quote!(
                if <#marker as #rt::Activity>::LIVE { #lent } else { [(); #n].map(|_| &mut [][..]) }
            ),
            None => lent,
        };
        quote!(let [#(#ids),*]: [&mut #ty; #n] = #lent;)
    }
}
