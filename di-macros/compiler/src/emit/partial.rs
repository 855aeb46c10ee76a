//! Partial sums: a loop of an adjoint sweep that adds to a variable in each trip, four trips at a time.
//!
//! Each addition waits for the one before, and nothing in such a loop is vectorized. A sum of the function has the
//! order of its terms, but sums of adjoints are ours: four of them run side by side, and are added up after the loop.
//! Where an adjoint is more than one number, there is something to do while an addition waits, and few registers.

use super::names::own;
use super::rows::{Parts, written_in};
use super::strip::is_free;
use super::{Emitter, Kind};
use crate::ir::{First, For, FrameMode, Lit, Op, Place, PlaceId, PlaceKind, Proj, Stmt, Type, Val};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// So few trips, if their number is known, run one by one.
const FEW: i128 = 8;

/// A variable that each trip adds to, and what four trips add to instead.
pub(super) struct Partial {
    place: PlaceId,
    sums: Ident,
}

impl Emitter<'_> {
    /// A loop that goes through its rows in parts, if there is a reason to: rows overlap, or sums can be split.
    pub(super) fn loop_in_parts(&mut self, f: &For) -> Option<TokenStream> {
        if f.overlapping {
            return Some(self.overlapping_loop(f));
        }
        let (rows, sums) = self.sums_of_adjoints(f)?;
        let [at, four, fours] = ["__at", "__four", "__fours"].map(own);
        let (trip, n) = (self.val(f.iv), self.val(f.hi));
        self.parts = Some(Parts {
            trip: f.iv,
            at: at.clone(),
            of: rows.clone(),
        });
        let single = self.loop_body(None, &f.body);
        self.partial = sums;
        let body = self.loop_body(None, &f.body);
        let sums = std::mem::take(&mut self.partial);
        self.parts = None;
        let zero = sums
            .iter()
            .map(|Partial { sums, .. }| quote!(let mut #sums = [__A::zero(); 4];));
        let total = sums.iter().map(|Partial { place, sums }| {
            let id = self.place_ident(*place);
            quote!(#id.acc(#sums[0].add(#sums[2]).add(#sums[1].add(#sums[3])));)
        });
        let [cut, take, give] = self.fours(&rows, f, &four, &fours);
        let rest = self.cut(&rows, &f.body, &quote!([4 * #fours..]));
        Some(quote!({
            let #fours = if ::core::mem::size_of::<__A>() > 8 { 0 } else { #n / 4 };
            if #fours > 0 {
                #(#zero)*
                #cut
                for #four in 0..#fours {
                    #take
                    for #at in 0..4usize {
                        let #trip = 4 * #four + #at;
                        #body
                    }
                    #give
                }
                #(#total)*
            }
            #rest
            for #at in 0..#n - 4 * #fours {
                let #trip = 4 * #fours + #at;
                #single
            }
        }))
    }

    /// Rows for a loop in fours; what a trip takes of them: all it reads is read before it writes; and gives back.
    fn fours(&self, rows: &Set<PlaceId>, f: &For, four: &Ident, fours: &Ident) -> [TokenStream; 3] {
        let (written, rt) = (written_in(&f.body), self.rt);
        let [mut cut, mut take, mut give] = [(); 3].map(|()| TokenStream::new());
        for (k, row) in rows.iter().enumerate() {
            let (id, part) = (self.place_ident(*row), own(&format!("__row{k}")));
            let guard = self.guard(*row);
            let live = guard
                .as_ref()
                .map(|marker| quote!(<#marker as #rt::Activity>::LIVE));
            let lane = self.body.place(*row).ty.is_lanes();
            let zero = if lane {
                quote!(__A::zero())
            } else {
                quote!(::core::default::Default::default())
            };
            let (of, none, mutable) = if written.contains(row) {
                give.extend(match &live {
                    Some(live) => quote!(if #live { #part[#four] = #id; }),
                    None => quote!(#part[#four] = #id;),
                });
                let of = quote!(&mut #id.as_chunks_mut::<4>().0[..#fours]);
                (of, quote!(&mut []), quote!(mut))
            } else {
                (
                    quote!(&#id.as_chunks::<4>().0[..#fours]),
                    quote!(&[]),
                    TokenStream::new(),
                )
            };
            match &live {
                Some(live) => {
                    cut.extend(quote!(let #part = if #live { #of } else { #none };));
                    take.extend(
                        quote!(let #mutable #id = if #live { #part[#four] } else { [#zero; 4] };),
                    );
                }
                None => {
                    cut.extend(quote!(let #part = #of;));
                    take.extend(quote!(let #mutable #id = #part[#four];));
                }
            }
        }
        [cut, take, give]
    }

    /// The rows that a loop goes through and the variables that it adds to, if it does nothing else that one trip has
    /// to wait for another with, and nothing that cannot be vectorized.
    fn sums_of_adjoints(&self, f: &For) -> Option<(Set<PlaceId>, Vec<Partial>)> {
        let plain = !f.reversed && !f.inclusive && f.frame.mode == FrameMode::None;
        let few = self.body.region.stmts.iter().any(
            |stmt| matches!(stmt, Stmt::Let(v, Op::Lit(Lit::Int(n))) if *v == f.hi && *n < FEW),
        );
        if self.kind != Kind::Reverse || !plain || few || self.in_order == Some(f.iv) {
            return None;
        }
        let rows = Parts::of(self.body, f, &own("__at"))?.of;
        let row = |root: &PlaceId| {
            let info = self.body.place(*root);
            info.kind == PlaceKind::Row && info.ty.element().is_some_and(Type::is_scalar)
        };
        if rows.is_empty() || !rows.iter().all(row) {
            return None;
        }
        let mut sums: Vec<Partial> = Vec::new();
        for stmt in &f.body.stmts {
            match stmt {
                Stmt::Accumulate { place, .. } if place.path.is_empty() => {
                    let known = sums.iter().any(|sum| sum.place == place.root);
                    if !known
                        && (self.body.place(place.root).ty != Type::Lane
                            || self.guard(place.root).is_some())
                    {
                        return None;
                    }
                    if !known {
                        sums.push(Partial {
                            place: place.root,
                            sums: own(&format!("__sums{}", sums.len())),
                        });
                    }
                }
                Stmt::Store(place, _)
                | Stmt::Accumulate { place, .. }
                | Stmt::First(First::Set { place, .. })
                    if !is_own(place, f.iv) =>
                {
                    return None;
                }
                stmt if !is_free(stmt, f) => return None,
                _ => {}
            }
        }
        let read = |sum: &Partial| {
            f.body
                .stmts
                .iter()
                .any(|stmt| matches!(stmt, Stmt::Load(_, p) if p.root == sum.place))
        };
        (!sums.is_empty() && !sums.iter().any(read)).then_some((rows, sums))
    }

    /// What a trip adds to instead of a variable.
    pub(super) fn partial_sum(&self, place: &Place) -> Option<TokenStream> {
        let Partial { sums, .. } = self.partial.iter().find(|sum| sum.place == place.root)?;
        let at = own("__at");
        Some(quote!(#sums[#at]))
    }
}

/// Whether it is an element that no other trip has.
fn is_own(place: &Place, trip: Val) -> bool {
    matches!(place.path.as_slice(), [Proj::Index(i)] if *i == trip)
}
