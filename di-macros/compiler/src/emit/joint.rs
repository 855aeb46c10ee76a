//! Both sweeps in one pass over a loop: the adjoint of each trip right after the trip.
//!
//! A sum over data is such a loop. What a trip records is read at once, so that it stays in registers instead of
//! a tape as long as the data. (Hascoët, Fidanova and Held, Adjoining Independent Computations, in: Automatic
//! Differentiation of Algorithms, 2002.)
//!
//! The trips of the adjoint loop must commute, and adjoints that it starts from must not depend on what the forward
//! sweep does in the loop: what is recorded after it is made before it, where the loop has nothing to do with that.

use super::frame::{Open, sizes, uses_tape};
use super::function::{Signature, is_generic};
use super::names::own;
use super::rows::Parts;
use super::strip;
use super::{Context, Emitter, Kind};
use crate::analysis::earlier::earlier;
use crate::analysis::renewed::NEVER;
use crate::analysis::views::Views;
use crate::ir::{
    Body, Exit, For, FrameMode, Leaf, Lit, Mode, Op, PlaceId, Region, Stmt, Tape, Type, Val,
};
use crate::sorted::Set;
use crate::template::quote;
use crate::transform::reverse::Reverse;
use proc_macro2::{Ident, TokenStream};

/// A loop of the forward sweep whose adjoint can be had trip by trip.
struct Joint<'r> {
    /// Its place among the statements of the function.
    at: usize,
    /// Whether there is a trip, and what is done before the first, where that is tested.
    guard: Option<(Val, &'r [Stmt])>,
    forward: &'r For,
    adjoint: &'r For,
    /// Statements after it that are run before it.
    earlier: Vec<usize>,
}

/// What the forward sweep does in the loop, for the emitter of the adjoint sweep.
pub(super) struct Inside {
    pub(super) trip: Val,
    /// Opens the loop, if it stands under a test.
    test: TokenStream,
    /// What is done before the first trip.
    before: TokenStream,
    /// A trip.
    body: TokenStream,
    /// What is done after the last trip.
    after: TokenStream,
    /// Trips may leave something on the tape.
    tape: bool,
    /// What the trips of a strip add to sums, and how it is added up; nothing where the loop is not run in strips.
    terms: Vec<Ident>,
    add_up: TokenStream,
    /// Parts of what the forward half goes through in a strip, and what the adjoint half goes through.
    cut: TokenStream,
    parts: Option<Parts>,
}

/// The loop that the code of both sweeps runs trip by trip.
pub(super) fn trip_by_trip(r: &Reverse) -> Option<Val> {
    joint(r).map(|joint| joint.forward.iv)
}

/// What callees must say of themselves for that, if it depends on them.
pub(super) fn condition(r: &Reverse) -> Option<TokenStream> {
    let joint = joint(r)?;
    let renewals = joint.adjoint.frame.renewals.iter().map(|renewal| {
        let (callee, k) = (&renewal.callee.0, renewal.argument);
        let varying = renewal.varying | NEVER;
        quote!(<#callee>::__RENEWS[#k] & #varying == 0)
    });
    let renewals: Vec<TokenStream> = renewals.collect();
    (!renewals.is_empty()).then(|| quote!(#(#renewals)&&*))
}

/// The code of both sweeps, if the function has such a loop.
pub(super) fn both_sweeps(r: &Reverse, sweep: &Body, cx: Context<'_>) -> Option<TokenStream> {
    let joint = joint(r)?;
    let forward = joint.in_order(&r.augmented);
    let at = joint.at + joint.earlier.len();
    let mut e = Emitter::new(&forward, &r.activity, Kind::Augmented, cx).with_frame(&r.frame);
    e.in_place = kept(&r.reverse);
    let Region { stmts, exit } = &forward.region;
    e.open();
    let before = e.statements(&stmts[..at]);
    let inside = e.forward_half(&joint, sweep);
    let adjoint = adjoint_sweep(r, sweep, inside, cx);
    let mut after = e.statements(&stmts[at + 1..]);
    after.extend(e.close(exit, None));
    let (words, ints) = sizes(&r.frame, e.rt);
    let split = e
        .frame()
        .split(&quote!(__rec), &quote!(__irec), &r.frame, true);
    let (bind, fields) = (e.bind_values(), e.field_traits());
    Some(quote!(
        #fields
        let mut __rec = [__S::default(); #words];
        let mut __irec = [0usize; #ints];
        #split
        #bind
        #before
        { #adjoint }
        #after
    ))
}

fn adjoint_sweep(r: &Reverse, sweep: &Body, inside: Inside, cx: Context<'_>) -> TokenStream {
    let mut e = Emitter::new(sweep, &r.activity, Kind::Reverse, cx).with_frame(&r.frame);
    e.needs = r.needs.clone();
    e.mark = "r";
    e.joint = Some(inside);
    e.in_place = kept(sweep);
    let code = e.region(&sweep.region);
    let sig = Signature { e: &e };
    let mut bind = TokenStream::new();
    for (k, p) in sweep.params.iter().enumerate() {
        let number = p.ty.is_scalar() || is_generic(p);
        let Some(place) = p.place.filter(|_| p.mode == Mode::Ref || !number) else {
            continue;
        };
        let (id, arg) = (e.place_ident(place), e.arg(k));
        let ty = is_generic(p).then(|| match p.ty {
            Type::Struct(_) => e.if_sound(&sig.reverse_value(p)),
            _ => sig.reverse_value(p),
        });
        let ty = ty.map(|ty| quote!(: #ty));
        bind.extend(quote!(let #id #ty = #arg;));
    }
    let split = e
        .frame()
        .split(&quote!(__rec), &quote!(__irec), &r.frame, false);
    let (seeds, (slots, after)) = (e.bind_seeds(), e.bind_slots());
    let cursor = uses_tape(&r.augmented.region).then(|| {
        quote!(
            let mut __cursor = __tape.cursor();
            let __cur = &mut __cursor;
        )
    });
    quote!(#split #bind #seeds #slots #cursor #code #after)
}

impl Emitter<'_> {
    /// The forward half of the loop.
    fn forward_half(&mut self, joint: &Joint<'_>, sweep: &Body) -> Inside {
        let f = joint.forward;
        let (test, rows) = match joint.guard {
            Some((cond, rows)) => {
                let cond = self.val(cond);
                (quote!(if #cond), rows)
            }
            None => (TokenStream::new(), &[][..]),
        };
        self.open();
        let before = self.statements(rows);
        let open = Open::named(&self.next_suffix(), &f.frame);
        let split = open.split(&quote!(__record), &quote!(__irecord), &f.frame, true);
        self.frames.push(open);
        let at = own(strip::AT);
        let of = |body, f| Parts::of(body, f, &at);
        let (mut cut, mut parts) = (TokenStream::new(), None);
        if let (Some(own), Some(adjoint)) = (of(self.body, f), of(sweep, joint.adjoint)) {
            self.sums = strip::sums(self, f, joint.adjoint);
            if !self.sums.is_empty() {
                cut = self.cut(&own.of, &f.body, &strip::part());
                (self.parts, parts) = (Some(own), Some(adjoint));
            }
        }
        let body = self.loop_body(None, &f.body);
        let sums = std::mem::take(&mut self.sums);
        self.parts = None;
        self.frames.pop();
        let add_up = self.add_up(&sums);
        let after = self.close(&Exit::default(), None);
        let (words, ints) = sizes(&f.frame, self.rt);
        let trip = self.val(f.iv);
        let record = (f.frame.mode != FrameMode::None).then(|| {
            quote!(
                let mut __record = [__S::default(); #words];
                let mut __irecord = [0usize; #ints];
            )
        });
        let tape = uses_tape(&f.body);
        let mark = tape.then(|| quote!(let __mark = __tape.cursor();));
        Inside {
            trip: f.iv,
            test,
            before,
            after,
            tape,
            terms: sums.into_iter().map(|sum| sum.terms).collect(),
            add_up,
            cut,
            parts,
            body: quote!(
                let #trip = __trip;
                #mark
                #record
                { #split #body }
            ),
        }
    }

    /// The loop with both halves.
    pub(super) fn joint_loop(&mut self, f: &For, inside: Inside) -> TokenStream {
        let rt = self.rt;
        let (trip, lo, hi) = (self.val(f.iv), &self.val(f.lo), &self.val(f.hi));
        let Inside {
            test,
            before,
            body,
            after,
            terms,
            add_up,
            mut cut,
            parts,
            tape,
            ..
        } = inside;
        let open = Open::named(&self.next_suffix(), &f.frame);
        let split = open.split(&quote!(__record), &quote!(__irecord), &f.frame, false);
        self.frames.push(open);
        if let Some(parts) = &parts {
            cut.extend(self.cut(&parts.of, &f.body, &strip::part()));
        }
        self.parts = parts;
        let adjoint = self.loop_body(None, &f.body);
        self.parts = None;
        self.frames.pop();
        let (cursor, forget) = if tape {
            (
                quote!(
                    let __tape: &#rt::Tape<__S> = &*__tape;
                    let mut __cursor = __tape.cursor();
                    let __cur = &mut __cursor;
                ),
                quote!(__tape.forget(__mark);),
            )
        } else {
            (TokenStream::new(), TokenStream::new())
        };
        let both = quote!(
            #body
            {
                let #trip = __trip;
                #cursor
                #split
                #adjoint
            }
            #forget
        );
        let all = if terms.is_empty() {
            quote!(for __trip in #lo..#hi { #both })
        } else {
            strip::strips((lo, hi), &terms, &cut, &both, &add_up)
        };
        quote!(#test {
            #before
            #all
            #after
        })
    }
}

/// The loop of a function whose sweeps can be made together: the last that records something, or the last.
fn joint(r: &Reverse) -> Option<Joint<'_>> {
    let forward = &r.augmented;
    let changes = forward.params.iter().any(|p| p.mode == Mode::Mut);
    let numbers = match &forward.region.exit {
        Exit::Return(leaves) => leaves.iter().all(|leaf| matches!(leaf, Leaf::Val(_))),
        _ => false,
    };
    if changes || !numbers {
        return None;
    }
    let stmts = &forward.region.stmts;
    let views = Views::of(forward);
    let mut found = None;
    for (at, stmt) in stmts.iter().enumerate().rev() {
        let both = counted(stmt).and_then(|(f, guard)| Some((f, guard, adjoint_of(f, r)?)));
        if let Some((f, guard, adjoint)) = both
            && let Some(earlier) = earlier(stmts, at, &views, leaves_trace)
        {
            let joint = Joint {
                at,
                guard,
                forward: f,
                adjoint,
                earlier,
            };
            if f.frame.mode != FrameMode::None {
                return Some(joint);
            }
            found = found.or(Some(joint));
        }
        if found.is_some() && stmt.all().any(leaves_trace) {
            break;
        }
    }
    found
}

impl Joint<'_> {
    /// The forward sweep with the loop behind what is run before it.
    fn in_order(&self, forward: &Body) -> Body {
        let mut forward = forward.clone();
        let mut after = forward.region.stmts.split_off(self.at);
        let mut at = self.at..;
        let (earlier, later) = after
            .drain(..)
            .partition::<Vec<_>, _>(|_| at.next().is_some_and(|at| self.earlier.contains(&at)));
        forward.region.stmts.extend(earlier);
        forward.region.stmts.extend(later);
        forward
    }
}

/// Vectors that the adjoint sweep reads all along on the tape. The code of both sweeps reads them where they are:
/// nobody writes to them any more, and trips may put something on the tape.
fn kept(sweep: &Body) -> Set<PlaceId> {
    let kept = sweep.region.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Tape(Tape::Kept { place, .. } | Tape::Release { place, .. }) => Some(*place),
        _ => None,
    });
    kept.filter(|p| !sweep.place(*p).ty.is_structs()).collect()
}

/// The condition of a loop, and what stands before the loop under it.
type Guard<'a> = (Val, &'a [Stmt]);

/// A loop from zero, as it is or under a test with nothing after it. What stands before it there is run in the adjoint
/// sweep, which has read by then what the forward sweep records.
fn counted(stmt: &Stmt) -> Option<(&For, Option<Guard<'_>>)> {
    match stmt {
        Stmt::For(f) => Some((f, None)),
        Stmt::If {
            cond,
            then,
            els,
            results,
        } if results.is_empty() && els.stmts.is_empty() => match then.stmts.split_last()? {
            (Stmt::For(f), rows) if !rows.iter().flat_map(Stmt::all).any(leaves_trace) => {
                Some((f, Some((*cond, rows))))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The same loop of the adjoint sweep, if its trips commute.
fn adjoint_of<'r>(f: &For, r: &'r Reverse) -> Option<&'r For> {
    let plain = |f: &For| !f.inclusive && !f.overlapping && f.frame.mode != FrameMode::Pushed;
    let stmts = &r.reverse.region.stmts;
    let mut loops = stmts.iter().flat_map(|stmt| match stmt {
        Stmt::If { then, .. } => then.stmts.iter(),
        stmt => std::slice::from_ref(stmt).iter(),
    });
    let adjoint = loops.find_map(|stmt| match stmt {
        Stmt::For(g) if g.iv == f.iv => Some(g),
        _ => None,
    });
    let same = |g: &&For| plain(g) && g.hi == f.hi && g.frame.independent;
    // what is read on the tape all along stands in the way of trips that put something there
    let in_place = kept(&r.reverse);
    let borrowed = stmts.iter().any(|stmt| match stmt {
        Stmt::Tape(Tape::Kept { place, .. } | Tape::Release { place, .. }) => {
            !in_place.contains(place)
        }
        stmt => matches!(stmt, Stmt::Tape(_)),
    });
    let fits =
        plain(f) && begins_at_zero(f, &r.augmented.region) && !(borrowed && uses_tape(&f.body));
    adjoint.filter(|g| fits && same(g))
}

fn begins_at_zero(f: &For, region: &Region) -> bool {
    let zero = Op::Lit(Lit::Int(0));
    region
        .stmts
        .iter()
        .any(|stmt| matches!(stmt, Stmt::Let(v, op) if *v == f.lo && *op == zero))
}

/// Whether the adjoint sweep may read what a statement of the forward sweep recorded.
fn leaves_trace(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Record(..) | Stmt::AugmentedCall(_) | Stmt::Tape(_) => true,
        Stmt::For(For { frame, .. }) | Stmt::While { frame, .. }
            if frame.mode != FrameMode::None =>
        {
            true
        }
        _ => false,
    }
}
