//! Strips: a loop with both sweeps, eight trips at a time.
//!
//! A sum has the terms in their order, so that it is that of the function bit by bit, and each addition waits for the
//! one before. A loop that adds up cannot be vectorized, and neither can the adjoints in it. So the terms of a strip
//! are kept, and added up after it: everything else is vectorized. Sums and gradients are the same, and a panic for an
//! index comes before the strip instead of inside.

use super::Emitter;
use super::names::own;
use crate::analysis::record::lets_of;
use crate::ir::{BinOp, First, For, Op, Place, PlaceId, Proj, Stmt, Type, Val};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

/// Trips of a strip. It is a constant in the code, and so are the lengths of the parts of slices that a strip goes
/// through: so all of a strip is one piece of code without a test, which is vectorized.
const STRIP: usize = 8;

/// The number of a trip in its strip.
pub(super) const AT: &str = "__at";

/// Operations on numbers in a trip from which a strip is worth while. Fewer fit in the time that an addition takes.
const LEAST: usize = 8;

/// A variable that each trip adds to.
pub(super) struct Sum {
    place: PlaceId,
    negate: bool,
    /// What the trips of a strip add.
    pub(super) terms: Ident,
}

/// The variables that a loop adds to, if its two halves do nothing else that one trip has to wait for another with,
/// and nothing that cannot be vectorized.
pub(super) fn sums(e: &Emitter<'_>, forward: &For, adjoint: &For) -> Vec<Sum> {
    let mut sums = Vec::new();
    for stmt in &forward.body.stmts {
        match stmt {
            Stmt::Accumulate { place, negate, val } if place.path.is_empty() => {
                let number = e.body.place(place.root).ty == Type::Float;
                if !(number && e.generic_place(place.root) && e.generic(*val)) {
                    return Vec::new();
                }
                sums.push(Sum {
                    place: place.root,
                    negate: *negate,
                    terms: own(&format!("__terms{}", sums.len())),
                });
            }
            Stmt::Record(..) => {}
            stmt if is_free(stmt, forward) && !stores_number(stmt) => {}
            _ => return Vec::new(),
        }
    }
    let once = |sum: &Sum| {
        let uses = forward.body.stmts.iter().map(|stmt| uses(stmt, sum.place));
        uses.sum::<usize>() == 1
    };
    let free = |stmt: &Stmt| is_free(stmt, adjoint) && !adds_up(stmt);
    let work = |f: &For| f.body.stmts.iter().filter(|stmt| is_work(stmt)).count();
    if work(forward) + work(adjoint) < LEAST {
        return Vec::new();
    }
    if sums.iter().all(once) && adjoint.body.stmts.iter().all(free) {
        sums
    } else {
        Vec::new()
    }
}

/// How often a statement without nested regions names a place.
fn uses(stmt: &Stmt, place: PlaceId) -> usize {
    let mut found = 0;
    stmt.clone()
        .each_place(&mut |p| found += usize::from(p.root == place));
    found
}

/// Whether a statement computes with numbers of its own trip alone, and processors have vectors for it.
pub(super) fn is_free(stmt: &Stmt, f: &For) -> bool {
    let own = |place: &Place| match place.path.as_slice() {
        [] => true,
        [Proj::Index(i)] => {
            *i == f.iv || !f.body.stmts.iter().any(|stmt| lets_of(stmt).contains(i))
        }
        _ => false,
    };
    match stmt {
        Stmt::Let(_, op) => match op {
            Op::Elementary(name, _) | Op::Partial(name, ..) => {
                matches!(*name, "abs" | "mul_add" | "powi" | "recip" | "sqrt")
            }
            Op::Bin(op, ..) => *op != BinOp::Rem,
            Op::Verbatim { .. } | Op::LaneSum(_) => false,
            _ => true,
        },
        Stmt::Load(_, place)
        | Stmt::Store(place, _)
        | Stmt::Accumulate { place, .. }
        | Stmt::First(First::Set { place, .. }) => own(place),
        _ => false,
    }
}

/// Whether a statement is an operation on numbers; where one of integers is among them, it is as much work.
fn is_work(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Let(
            _,
            Op::Bin(..) | Op::Neg(_) | Op::Elementary(..) | Op::LaneScale { .. } | Op::Partial(..)
        )
    )
}

/// Whether a statement writes to a variable, which the next trip may read.
fn stores_number(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Store(place, _) if place.path.is_empty())
}

/// Whether a statement adds to a variable.
fn adds_up(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Accumulate { place, .. } if place.path.is_empty())
}

impl Emitter<'_> {
    /// What a trip adds to a sum, in a strip.
    pub(super) fn term(&self, place: &Place, val: Val) -> Option<TokenStream> {
        let sum = self.sums.iter().find(|sum| sum.place == place.root)?;
        let (terms, val, at) = (&sum.terms, self.val(val), own(AT));
        Some(quote!(#terms[#at] = #val;))
    }

    /// Adds up what a trip of a strip adds to sums.
    pub(super) fn add_up(&self, sums: &[Sum]) -> TokenStream {
        let at = own(AT);
        let adds = sums.iter().map(|sum| {
            let (id, terms) = (self.place_ident(sum.place), &sum.terms);
            let sign = if sum.negate { quote!(-) } else { quote!(+) };
            quote!(#id = #id #sign #terms[#at];)
        });
        adds.collect()
    }
}

/// The range of a strip.
pub(super) fn part() -> TokenStream {
    quote!([__start..][..__TRIPS])
}

/// A loop over `trip`, in strips, and the trips that are left one by one. `cut` takes the parts of a strip.
pub(super) fn strips(
    (lo, hi): (&TokenStream, &TokenStream),
    sums: &[Ident],
    cut: &TokenStream,
    trip: &TokenStream,
    add_up: &TokenStream,
) -> TokenStream {
    let (most, at) = (STRIP, own(AT));
    let strip = |trips: usize| {
        quote!(
            const __TRIPS: usize = #trips;
            #(let mut #sums = [<__S as ::core::default::Default>::default(); __TRIPS];)*
            #cut
            for #at in 0..__TRIPS {
                let __trip = __start + #at;
                #trip
            }
            for #at in 0..__TRIPS { #add_up }
        )
    };
    let (whole, single) = (strip(most), strip(1));
    quote!(
        let (mut __start, __end) = (#lo, #hi);
        while __end.saturating_sub(__start) >= #most {
            { #whole }
            __start += #most;
        }
        for __start in __start..__end { #single }
    )
}
