//! Rows: parts of a slice that are borrowed for one loop.

use super::Emitter;
use super::names::own;
use crate::ir::{Body, First, For, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Type, Val};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// What a loop goes through element by element, in parts.
pub(super) struct Parts {
    /// The number of the trip.
    pub(super) trip: Val,
    /// The index in a part.
    pub(super) at: Ident,
    pub(super) of: Set<PlaceId>,
}

impl Parts {
    /// All that a loop without nested regions has at an index that depends on the trip, if it is the number of the trip,
    /// and the only index: then a trip needs no more than its part.
    pub(super) fn of(body: &Body, f: &For, at: &Ident) -> Option<Parts> {
        let (mut of, mut others) = (Set::new(), Set::new());
        for stmt in &f.body.stmts {
            stmt.clone().each_place(&mut |place| {
                match place.path.as_slice() {
                    [] => {}
                    [Proj::Index(i)] if *i == f.iv => drop(of.insert(place.root)),
                    _ => drop(others.insert(place.root)),
                };
            });
        }
        let whole = |root: &PlaceId| {
            let info = body.place(*root);
            let slice = matches!(info.ty, Type::Slice(_) | Type::Vec(_) | Type::Array(..));
            slice && info.kind != PlaceKind::View && !others.contains(root)
        };
        of.iter().all(whole).then(|| Parts {
            trip: f.iv,
            at: at.clone(),
            of,
        })
    }
}

impl Emitter<'_> {
    /// A part that is borrowed for one loop; nothing of a dead slot.
    pub(super) fn row(&mut self, row: PlaceId, of: &Place, mutable: bool) -> TokenStream {
        self.rows.insert(row, of.root);
        let (id, rt) = (self.place_ident(row), self.rt);
        let path = self.path_read(of, self.body.place(row).span);
        let ty = self.ty(&self.body.place(row).ty, self.generic_place(row));
        let and = if mutable { quote!(&mut) } else { quote!(&) };
        match self.guard(of.root) {
            Some(marker) => quote!(
                let #id: #and #ty = if <#marker as #rt::Activity>::LIVE { #and #path } else { #and [] };
            ),
            None => quote!(let #id: #and #ty = #and #path;),
        }
    }

    /// A loop that writes to rows which overlap those of the next trip around. A vector that straddles two
    /// stores of the row before waits until they have left the store buffer; this matters where rows are
    /// short: 44 % of the augmented sweep of `gmm` with 10 dimensions was spent waiting. So the vectoriser gets
    /// multiples of 16 trips, and what is left is known to be too little for it.
    pub(super) fn overlapping_loop(&mut self, f: &For) -> TokenStream {
        let (trip, n) = (self.val(f.iv), self.val(f.hi));
        let [at, head, tail] = ["__at", "__head", "__tail"].map(own);
        let mut rows = Set::new();
        for stmt in &f.body.stmts {
            stmt.clone().each_place(&mut |p| {
                if self.rows.contains_key(&p.root) {
                    rows.insert(p.root);
                }
            });
        }
        let first = self.cut(&rows, &f.body, &quote!([..#head]));
        let rest = self.cut(&rows, &f.body, &quote!([#head..][..#tail]));
        self.parts = Some(Parts {
            trip: f.iv,
            at: at.clone(),
            of: rows,
        });
        let body = self.loop_body(f.label.as_deref(), &f.body);
        self.parts = None;
        quote!({
            let #tail = #n & 15;
            let #head = #n - #tail;
            {
                #first
                for #at in 0..#head {
                    let #trip = #at;
                    #body
                }
            }
            #rest
            for #at in 0..#tail {
                let #trip = #head + #at;
                #body
            }
        })
    }

    /// Parts of what a loop goes through; nothing of dead slots.
    pub(super) fn cut(&self, of: &Set<PlaceId>, body: &Region, range: &TokenStream) -> TokenStream {
        let (written, rt) = (written_in(body), self.rt);
        let part = |root: &PlaceId| {
            let id = self.place_ident(*root);
            let and = if written.contains(root) {
                quote!(&mut)
            } else {
                quote!(&)
            };
            match self.guard(*root) {
                Some(marker) => quote!(
                    let #id = if <#marker as #rt::Activity>::LIVE { #and #id #range } else { #and #id[..] };
                ),
                None => quote!(let #id = #and #id #range;),
            }
        };
        of.iter().map(part).collect()
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

/// Places that statements of a loop without nested regions write elements of.
pub(super) fn written_in(body: &Region) -> Set<PlaceId> {
    let roots = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Store(place, _)
        | Stmt::Accumulate { place, .. }
        | Stmt::First(First::Set { place, .. }) => Some(place.root),
        _ => None,
    });
    roots.collect()
}
