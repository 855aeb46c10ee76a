//! Statements and regions as Rust code.

use super::frame::{Counted, with_first};
use super::names::Lifetime;
use super::{Emitter, Kind, Scope};
use crate::analysis::control::call_of;
use crate::ir::{
    Arg, Call, Exit, First, For, Leaf, Place, PlaceId, PlaceKind, Region, Stmt, Tape, Tree, Type,
    Val,
};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    /// The statements of a region and its exit, as the inside of a block.
    pub(crate) fn region(&mut self, region: &Region) -> TokenStream {
        self.region_as(region, None)
    }

    /// The body of a loop.
    pub(crate) fn loop_body(&mut self, label: Option<&str>, region: &Region) -> TokenStream {
        self.enters_loop = Some(label.map(str::to_owned));
        self.region(region)
    }

    /// Like [`Emitter::region`]; `results` are the values that the yields become, for lifting.
    pub(super) fn region_as(&mut self, region: &Region, results: Option<&[Val]>) -> TokenStream {
        self.open();
        let mut tokens = self.statements(&region.stmts);
        tokens.extend(self.close(&region.exit, results));
        tokens
    }

    /// Begins a region.
    pub(super) fn open(&mut self) {
        let enters = self.enters_loop.take();
        self.scopes.push(Scope {
            vectors: std::mem::take(&mut self.arm_keeps),
            is_loop: enters.is_some(),
            label: enters.flatten(),
        });
        if self.scopes.len() == 1 {
            self.scopes[0].vectors = self.vector_params();
        }
    }

    /// Statements of the region that was opened last.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) -> TokenStream {
        let mut tokens = TokenStream::new();
        let mut done = 0;
        for (k, stmt) in stmts.iter().enumerate() {
            if k < done {
                continue;
            }
            let rows = self.rows_from(&stmts[k..]);
            if rows.len() > 1 {
                done = k + rows.len();
                tokens.extend(self.disjoint_rows(&rows));
                continue;
            }
            tokens.extend(self.stmt(stmt));
            let made = self.vectors_of(stmt);
            if let Some(scope) = self.scopes.last_mut() {
                scope.vectors.extend(made);
            }
        }
        tokens
    }

    /// Ends the region that was opened last.
    pub(super) fn close(&mut self, exit: &Exit, results: Option<&[Val]>) -> TokenStream {
        let ends = self.scopes.len() == 1;
        let mut give = self.give_back(exit);
        if matches!(exit, Exit::Return(_)) {
            give.extend(self.leave.clone());
        }
        self.scopes.pop();
        let way_out = self.exit(exit, results);
        // The value is computed before buffers are given back, the way out is taken after.
        match exit {
            Exit::Return(leaves) if ends && give.is_empty() && self.kind != Kind::Reverse => {
                self.returned(leaves)
            }
            _ if give.is_empty() => way_out,
            Exit::Yield(vs) if !vs.is_empty() => quote!(let __left = { #way_out }; #give __left),
            Exit::Return(leaves) if self.kind != Kind::Reverse => {
                let value = self.returned(leaves);
                let left = if ends {
                    quote!(__left)
                } else {
                    quote!(return __left;)
                };
                quote!(let __left = #value; #give #left)
            }
            Exit::Yield(_) | Exit::Return(_) | Exit::Break(_) | Exit::Continue(_) => {
                quote!(#give #way_out)
            }
        }
    }

    fn exit(&self, exit: &Exit, results: Option<&[Val]>) -> TokenStream {
        match exit {
            Exit::Yield(vs) => {
                let values: Vec<TokenStream> = vs
                    .iter()
                    .enumerate()
                    .map(|(k, v)| {
                        let result = results.and_then(|r| r.get(k).copied());
                        if result.is_some_and(|r| self.may_be_unknown(r)) {
                            return self.opened(*v);
                        }
                        self.lift_if(*v, result.is_some_and(|r| self.generic(r)))
                    })
                    .collect();
                match values.as_slice() {
                    [] => TokenStream::new(),
                    [one] => one.clone(),
                    many => quote!((#(#many),*)),
                }
            }
            Exit::Break(label) => {
                let label = label.as_ref().map(|l| self.label(l));
                quote!(break #label;)
            }
            Exit::Continue(label) => {
                let label = label.as_ref().map(|l| self.label(l));
                quote!(continue #label;)
            }
            Exit::Return(leaves) => {
                if self.kind == Kind::Reverse {
                    return TokenStream::new();
                }
                let value = self.returned(leaves);
                quote!(return #value;)
            }
        }
    }

    fn returned(&self, leaves: &[Leaf]) -> TokenStream {
        if self.kind == Kind::Pattern {
            return self.pattern_result(leaves);
        }
        self.result_tree(leaves)
    }

    pub(super) fn label(&self, label: &str) -> Lifetime {
        Lifetime(label.trim_start_matches('\'').to_owned())
    }

    /// The result, and in tangent code its tangent.
    fn result_tree(&self, leaves: &[Leaf]) -> TokenStream {
        let mut rest = leaves.iter();
        let value = self.tree(&self.body.ret.map(&mut |_| {
            match rest.next().expect("verify: one leaf for each type") {
                Leaf::Val(v) => self.lifted(*v),
                Leaf::Place(p) => {
                    let p = self.place_ident(*p);
                    quote!(#p)
                }
            }
        }));
        if self.kind != Kind::Tangent {
            return value;
        }
        let mut rest = leaves.iter();
        let tangent = self.tree(&self.body.ret.map(&mut |ty: &Type| {
            let leaf = rest.next().expect("verify: one leaf for each type");
            if !ty.has_floats() {
                return quote!(());
            }
            match leaf {
                Leaf::Val(v) => match self.tangent_of.get(v) {
                    Some(t) => {
                        let t = self.val(*t);
                        quote!(#t)
                    }
                    None => quote!(__A::zero()),
                },
                Leaf::Place(p) => {
                    let t = self
                        .tangent_places
                        .get(p)
                        .expect("tangent: each returned place has a tangent");
                    let t = self.place_ident(*t);
                    quote!(#t)
                }
            }
        }));
        quote!((#value, #tangent))
    }

    /// Vectors of the scopes that are left go back to the pool, but for those that have moved on.
    fn give_back(&self, exit: &Exit) -> TokenStream {
        let (left, returned) = match exit {
            Exit::Yield(_) => (1, Vec::new()),
            Exit::Break(label) | Exit::Continue(label) => {
                let target = self
                    .scopes
                    .iter()
                    .rev()
                    .position(|s| s.is_loop && (label.is_none() || s.label == *label));
                (target.map_or(0, |depth| depth + 1), Vec::new())
            }
            Exit::Return(leaves) => (
                self.scopes.len(),
                leaves.iter().filter_map(place_of).collect(),
            ),
        };
        let scopes = self.scopes.iter().rev().take(left);
        let vectors: Set<PlaceId> = scopes.flat_map(|s| s.vectors.iter().copied()).collect();
        let mut tokens = TokenStream::new();
        // in the opposite order to their taking
        for p in vectors.into_iter().rev() {
            let stays = |r: &PlaceId| *r == p || self.tangent_places.get(r) == Some(&p);
            if !returned.iter().any(stays) && !self.moved.contains(&p) {
                let id = self.place_ident(p);
                tokens.extend(if self.growing.contains(&p) {
                    quote!(__pool.give_growing(#id);)
                } else {
                    quote!(__pool.give(#id);)
                });
            }
        }
        tokens
    }

    /// Vectors that came in by value, where the body has them.
    fn vector_params(&self) -> Vec<PlaceId> {
        if self.kind == Kind::Reverse {
            return Vec::new();
        }
        let places = self.body.params.iter().filter_map(|p| p.place);
        places
            .filter(|p| {
                let info = self.body.place(*p);
                matches!(
                    (&info.ty, info.kind),
                    (Type::Vec(_), PlaceKind::ValueParam(_))
                )
            })
            .collect()
    }

    /// Vectors that a statement makes.
    fn vectors_of(&self, stmt: &Stmt) -> Vec<PlaceId> {
        let results = |call: &Call| {
            call.result
                .leaves()
                .into_iter()
                .filter_map(place_of)
                .collect()
        };
        let mut made: Vec<PlaceId> = match stmt {
            Stmt::Declare(p, _) => vec![*p],
            Stmt::AugmentedCall(c) => results(&c.call),
            Stmt::Call(c) => results(c),
            Stmt::TangentCall(c) => {
                let mut made = results(&c.call);
                made.extend(c.result.leaves().into_iter().flatten().filter_map(place_of));
                made
            }
            _ => Vec::new(),
        };
        made.retain(|p| matches!(self.body.place(*p).ty, Type::Vec(_)));
        made
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        if let Some(tokens) = self.pattern_stmt(stmt) {
            return tokens;
        }
        match stmt {
            Stmt::Let(v, op) => self.let_op(*v, op),
            Stmt::Load(v, place) => self.load(*v, place),
            Stmt::Store(place, v) => self.store(place, *v),
            Stmt::Accumulate { place, negate, val } => self.accumulate(place, *negate, *val),
            Stmt::Declare(p, init) => self.declare(*p, init),
            Stmt::View { view, of, mutable } => self.view(*view, of, *mutable),
            Stmt::CopyPlace { dst, src } => self.copy_place(dst, src),
            Stmt::AccumulatePlace { dst, src } => self.accumulate_place(dst, src),
            Stmt::Zero(place) => self.zero(place),
            Stmt::Storage(s) => self.storage(s),
            Stmt::Call(call) => {
                self.note_moves(&call.args);
                self.call(call)
            }
            Stmt::TangentCall(c) => {
                self.note_moves(&c.call.args);
                self.tangent_call(c)
            }
            Stmt::AugmentedCall(c) => {
                self.note_moves(&c.call.args);
                self.augmented_call(c)
            }
            Stmt::ReverseCall(c) => self.reverse_call(c),
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => self.if_stmt(*cond, then, els, results),
            Stmt::Effect(e) => self.effect(e),
            Stmt::Block { label, body } => {
                let (label, body) = (self.label(label), self.region(body));
                quote!(#label: { #body })
            }
            Stmt::For(f) => self.for_stmt(f),
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                frame,
            } => {
                let cond = self.region(cond);
                let name = label.as_deref();
                let label = name.map(|l| self.label(l)).map(|l| quote!(#l:));
                let Some(trip) = trip else {
                    let body = self.loop_body(name, body);
                    return quote!(#label while { #cond } { #body });
                };
                let count = super::names::own(&format!("__count{}", self.next_suffix()));
                let id = self.val(*trip);
                let head = quote!(while { let #id = #count; #cond });
                let l = Counted {
                    frame,
                    label: name,
                    head: &head,
                    body,
                };
                let body = self.counted_loop(l, *trip, *trip);
                let bind = quote!(let #id = #count;);
                let body = with_first(body, &bind, &quote!(#count += 1;));
                let after = trips.map(|t| {
                    let t = self.val(t);
                    quote!(let #t = #count;)
                });
                quote!(let mut #count = 0usize; #body #after)
            }
            Stmt::First(first) => self.first(first),
            Stmt::Tape(tape) => self.tape(tape),
            Stmt::Record(slot, v) => self.record(*v, *slot),
        }
    }

    /// A vector that is kept as a whole.
    fn tape(&self, tape: &Tape) -> TokenStream {
        let (place, asked) = match tape {
            Tape::Keep { place, asked, .. }
            | Tape::Kept { place, asked, .. }
            | Tape::Release { place, asked, .. } => (place, asked.as_slice()),
            Tape::Shape { place, .. } | Tape::ReleaseShape { place } => (place, [].as_slice()),
        };
        if self.in_place.contains(place) {
            return self.read_in_place(tape, *place);
        }
        let asked = asked.iter().map(|a| {
            let (callee, k) = (&a.callee.0, a.argument);
            quote!(<#callee>::__NEEDS[#k])
        });
        let any = match asked.len() {
            0 => quote!(true),
            _ => quote!(#(#asked)||*),
        };
        if let Type::Struct(path) = &self.body.place(*place).ty {
            return self.whole_struct(tape, &path.0, &any);
        }
        let place = self.place_ident(*place);
        match tape {
            Tape::Keep { base, .. } => {
                let base = self.val(*base);
                quote!(
                    let #base: __p::usize = __tape.words.mark();
                    if #any { __tape.words.push_slice(&#place); }
                )
            }
            Tape::Kept { base, len, .. } => {
                let (base, len) = (self.val(*base), self.val(*len));
                quote!(let #place: &[__S] = if #any { __tape.words.read(#base, #len) } else { &[] };)
            }
            Tape::Release { len, .. } => {
                let len = self.val(*len);
                quote!(if #any { __cur.words(__tape, #len); })
            }
            Tape::Shape { .. } | Tape::ReleaseShape { .. } => {
                unreachable!("kept: shapes are those of structs")
            }
        }
    }

    fn note_moves(&mut self, args: &[Arg]) {
        self.moved.extend(args.iter().filter_map(moved));
    }

    /// Vectors of open scopes that go elsewhere in a region.
    pub(super) fn moves_in(&self, region: &Region) -> Set<PlaceId> {
        let calls = region.all().filter_map(call_of);
        let mut found: Set<PlaceId> = calls
            .flat_map(|c| c.args.iter().filter_map(moved))
            .collect();
        let open = |p: &PlaceId| self.scopes.iter().any(|s| s.vectors.contains(p));
        found.retain(|p| open(p) && !self.moved.contains(p));
        found
    }

    fn view(&mut self, view: PlaceId, of: &Place, mutable: bool) -> TokenStream {
        let path = self.path_read(of, self.body.place(view).span);
        if self.body.place(view).kind == PlaceKind::Row {
            return self.row(view, of, mutable);
        }
        // what is behind a mutable view may be borrowed beside it
        if mutable || self.mutable_views.contains_key(&of.root) || self.is_rewritten(of.root) {
            self.mutable_views.insert(view, of.clone());
            // the range is checked here, as in the original
            return quote!(let _ = &#path;);
        }
        let id = self.place_ident(view);
        self.shared_views.insert(view, of.clone());
        if self.in_struct(of) {
            if self.is_lent(view) {
                return quote!(let #id = #path;);
            }
            return match self.body.place(view).ty {
                // what a view holds by reference
                Type::Opaque(_) if self.leads_to_lent(of) => quote!(let #id = &*#path;),
                _ if self.leads_to_lent(of) => quote!(let #id = &#path[..];),
                Type::Vec(_) | Type::Slice(_) => quote!(let #id = &#path[..];),
                _ => quote!(let #id = &#path;),
            };
        }
        let whole = of.path.is_empty();
        let reference = match self.body.place(of.root).kind {
            PlaceKind::SharedParam(_) | PlaceKind::View
                if whole && !self.mutable_views.contains_key(&of.root) =>
            {
                path
            }
            PlaceKind::MutParam(_) if whole => quote!(&*#path),
            _ => quote!(&#path),
        };
        let ty = self.ty(&self.body.place(view).ty, self.generic_place(view));
        quote!(let #id: &#ty = #reference;)
    }

    /// What depends on whether a slot is fresh.
    fn first(&self, first: &First) -> TokenStream {
        let rt = self.rt;
        let fresh = |root| {
            let marker = self
                .marker_of(root)
                .expect("first: the slots of parameters with a marker");
            quote!(<#marker as #rt::Activity>::FRESH)
        };
        match first {
            First::Fill { slot, keep } => {
                let (fresh, id) = (fresh(*slot), self.place_ident(*slot));
                let zero = quote!(__A::zero());
                match keep {
                    None => quote!(if #fresh { #id.fill(#zero); }),
                    Some((lo, hi)) => {
                        let (lo, hi) = (self.val(*lo), self.val(*hi));
                        quote!(if #fresh { #id[..#lo].fill(#zero); #id[#hi..].fill(#zero); })
                    }
                }
            }
            First::Set { place, negate, val } => {
                if let Some(marker) = self.element_marker(place) {
                    return self.give_element(&marker, quote!(first), place, *negate, *val);
                }
                let fresh = fresh(place.root);
                let (path, v) = (self.path(place), self.val(*val));
                let value = if *negate {
                    quote!(#v.neg())
                } else {
                    quote!(#v)
                };
                let add = self.accumulate(place, *negate, *val);
                quote!(if #fresh { #path = #value; } else { #add })
            }
        }
    }

    /// let r = if c { .. } else { .. };
    fn if_stmt(&mut self, cond: Val, then: &Region, els: &Region, results: &[Val]) -> TokenStream {
        let cond = self.operand(cond);
        // what one arm gives away, the other gives back
        let (in_then, in_els) = (self.moves_in(then), self.moves_in(els));
        let before = self.moved.clone();
        self.arm_keeps = in_els.difference(&in_then).copied().collect();
        let then = self.region_as(then, Some(results));
        let after_then = std::mem::replace(&mut self.moved, before);
        self.arm_keeps = in_then.difference(&in_els).copied().collect();
        let els = self.region_as(els, Some(results));
        self.moved.extend(after_then);
        let otherwise = if els.is_empty() {
            TokenStream::new()
        } else {
            quote!(else { #els })
        };
        match results {
            [] => quote!(if #cond { #then } #otherwise),
            [r] => {
                let (id, ty, known) = (self.val(*r), self.result_ty(*r), self.demanded(results));
                quote!(let #id: #ty = if #cond { #then } else { #els }; #known)
            }
            many => {
                let ids = many.iter().map(|r| self.val(*r));
                let tys = many.iter().map(|r| self.result_ty(*r));
                let known = self.demanded(results);
                quote!(let (#(#ids),*): (#(#tys),*) = if #cond { #then } else { #els }; #known)
            }
        }
    }

    fn for_stmt(&mut self, f: &For) -> TokenStream {
        if let Some(inside) = self.joint.take_if(|inside| inside.trip == f.iv) {
            return self.joint_loop(f, inside);
        }
        if let Some(parts) = self.loop_in_parts(f) {
            return parts;
        }
        let (iv, lo, hi) = (self.val(f.iv), self.val(f.lo), self.val(f.hi));
        let dots = if f.inclusive { quote!(..=) } else { quote!(..) };
        let range = if f.reversed {
            quote!((#lo #dots #hi))
        } else {
            quote!(#lo #dots #hi)
        };
        let range = if f.reversed && f.frame.commutes {
            let deep = super::frame::uses_tape_now(&f.body);
            quote!(#range.map(|__k| if #deep { #lo + (#hi - 1 - __k) } else { __k }))
        } else if f.reversed {
            quote!(#range.rev())
        } else {
            range
        };
        let label = f.label.as_ref().map(|l| self.label(l)).map(|l| quote!(#l:));
        let head = quote!(#label for #iv in #range);
        let l = Counted {
            frame: &f.frame,
            label: f.label.as_deref(),
            head: &head,
            body: &f.body,
        };
        self.counted_loop(l, f.iv, f.hi)
    }

    /// The result type, from the types of its leaves.
    pub(crate) fn ret_ty(&self) -> TokenStream {
        self.tree(&self.body.ret.map(&mut |ty| self.ty(ty, true)))
    }

    /// The tangent of the result: lanes for floats, `()` for the rest.
    pub(crate) fn ret_lane_ty(&self, adjoint: bool) -> TokenStream {
        self.tree(&self.lane_ret(adjoint))
    }

    fn lane_ret(&self, adjoint: bool) -> Tree<TokenStream> {
        self.body.ret.map(&mut |ty: &Type| {
            if !ty.has_floats() {
                return quote!(());
            }
            let lane = ty.lanes();
            match (&lane, adjoint) {
                (Type::Lanes(_), true) => {
                    let lanes = self.ty(&lane, false);
                    quote!(&mut #lanes)
                }
                (Type::Array(t, _) | Type::Vec(t), true) => {
                    let t = self.ty(t, false);
                    quote!(&mut [#t])
                }
                _ => self.ty(&lane, false),
            }
        })
    }
}

/// The vector that an argument takes with it.
fn moved(arg: &Arg) -> Option<PlaceId> {
    match arg {
        Arg::Place(Place { root, path }) if path.is_empty() => Some(*root),
        _ => None,
    }
}

fn place_of(leaf: &Leaf) -> Option<PlaceId> {
    match leaf {
        Leaf::Place(p) => Some(*p),
        Leaf::Val(_) => None,
    }
}
