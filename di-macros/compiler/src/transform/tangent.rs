//! Tangent code: beside each value that varies, its tangent.
//!
//! Forward mode on the IR: the body keeps its control flow, early exits included; each definition
//! is followed by that of its tangent, each write by the write of the tangent. (Griewank and
//! Walther, Evaluating Derivatives, 2008, section 3.1.)

use super::apart::lanes_apart;
use crate::analysis::activity::{Activity, activity};
use crate::analysis::elementary::{factors, is_exponent, partials};
use crate::analysis::views::Views;
use crate::ir::{
    Arg, BinOp, Body, Call, Exit, For, Init, Leaf, Lit, Op, Part, Place, PlaceId, PlaceKind,
    Region, Scaling, Stmt, Storage, TangentCall, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// Tangent code of a function.
pub(crate) struct Tangent {
    pub(crate) body: Body,
    pub(crate) activity: Activity,
    /// Lane values and places, by primal: what the emitter returns beside the primal leaf.
    pub(crate) vals: Map<Val, Val>,
    pub(crate) places: Map<PlaceId, PlaceId>,
}

/// Tangent code of `body`.
pub(crate) fn tangent(body: &Body) -> Tangent {
    let views = Views::of(body);
    let activity = activity(body, &views);
    let mut cx = Cx {
        body: Body {
            region: Region::default(),
            ..body.clone()
        },
        primal: body,
        views: &views,
        activity,
        vals: Map::new(),
        places: Map::new(),
        slots: Map::new(),
        exponents: Set::new(),
    };
    let mut region = cx.region(&body.region);
    let mut head = Vec::new();
    // A parameter by value that may be overwritten: a tangent of its own, read from the slot.
    for (k, param) in body.params.iter().enumerate() {
        let Some(p) = param.place else { continue };
        if body.place(p).kind == PlaceKind::ValueParam(k) && cx.activity.is_generic_place(p) {
            let tangent = cx.tangent_place(p);
            let slot = cx.slot(k);
            head.push(Stmt::Declare(tangent, Init::CopyOf(Place::from(slot))));
        }
    }
    head.append(&mut region.stmts);
    region.stmts = head;
    let Cx {
        body,
        activity,
        vals,
        places,
        ..
    } = cx;
    Tangent {
        body: Body { region, ..body },
        activity,
        vals,
        places,
    }
}

struct Cx<'a> {
    body: Body,
    primal: &'a Body,
    views: &'a Views,
    activity: Activity,
    vals: Map<Val, Val>,
    places: Map<PlaceId, PlaceId>,
    slots: Map<usize, PlaceId>,
    /// Literals that are not negative.
    exponents: Set<Val>,
}

impl Cx<'_> {
    fn region(&mut self, region: &Region) -> Region {
        let mut out = Vec::new();
        for stmt in &region.stmts {
            self.stmt(stmt, &mut out);
        }
        let mut region = Region {
            stmts: out,
            exit: region.exit.clone(),
        };
        lanes_apart(&self.body, &mut region);
        region
    }

    /// A region whose yields are followed by the tangents of those that `with` names.
    fn arm(&mut self, region: &Region, with: &[bool]) -> Region {
        let mut region = self.region(region);
        if let Exit::Yield(ys) = &region.exit {
            let mut all = ys.clone();
            for (y, with) in ys.iter().zip(with) {
                if *with && seeded!(TangentYieldLost) {
                    let t = self.lane(Op::LaneZero, &mut region.stmts);
                    all.push(t);
                } else if *with {
                    let t = self.tangent_or_zero(*y, &mut region.stmts);
                    all.push(t);
                }
            }
            region.exit = Exit::Yield(all);
        }
        region
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Let(v, op) => {
                out.push(stmt.clone());
                if matches!(op, Op::Lit(lit) if is_exponent(lit)) {
                    self.exponents.insert(*v);
                }
                if self.activity.is_varied(*v) {
                    self.tangent_of_op(*v, op, out);
                }
            }
            Stmt::Load(v, place) => {
                out.push(stmt.clone());
                if self.activity.is_varied(*v) {
                    let place = self.tangent(place, out);
                    let t = self.new_tangent(*v);
                    out.push(Stmt::Load(t, place));
                }
            }
            Stmt::Store(place, v) => {
                out.push(stmt.clone());
                let kept = seeded!(TangentOfConstantKept) && !self.vals.contains_key(v);
                let float = self.primal.val(*v).ty == Type::Float;
                if !kept && float && self.is_float_place(place.root) {
                    let t = self.tangent_or_zero(*v, out);
                    let place = self.tangent(place, out);
                    out.push(Stmt::Store(place, t));
                }
            }
            Stmt::Accumulate { place, negate, val } => {
                out.push(stmt.clone());
                if let Some(t) = self.vals.get(val).copied() {
                    let place = self.tangent(place, out);
                    out.push(Stmt::Accumulate {
                        place,
                        negate: *negate && !seeded!(TangentSubtractionAdded),
                        val: t,
                    });
                }
            }
            Stmt::Declare(p, init) => {
                out.push(stmt.clone());
                if self.is_float_place(*p) {
                    let tangent = self.tangent_place(*p);
                    let init = self.tangent_init(*p, init, out);
                    out.push(Stmt::Declare(tangent, init));
                }
            }
            Stmt::View { .. } | Stmt::Effect(_) => out.push(stmt.clone()),
            Stmt::Block { label, body } => {
                let body = self.region(body);
                out.push(Stmt::Block {
                    label: label.clone(),
                    body,
                });
            }
            Stmt::CopyPlace { dst, src } => {
                out.push(stmt.clone());
                if self.is_float_place(dst.root) && self.primal.copies_floats(dst, src) {
                    let to = self.tangent(dst, out);
                    if self.is_float_place(src.root) {
                        let from = self.tangent(src, out);
                        out.push(Stmt::CopyPlace { dst: to, src: from });
                    } else if !seeded!(TangentOfCopyKept) {
                        out.push(Stmt::Zero(to));
                    }
                }
            }
            Stmt::Storage(s) => {
                out.push(stmt.clone());
                self.storage(s, out);
            }
            Stmt::Call(call) => self.call(call, out),
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let with: Vec<bool> = results
                    .iter()
                    .map(|r| self.activity.is_varied(*r))
                    .collect();
                let then = self.arm(then, &with);
                let els = self.arm(els, &with);
                let mut all = results.clone();
                for (r, with) in results.iter().zip(&with) {
                    if *with {
                        all.push(self.new_tangent(*r));
                    }
                }
                out.push(Stmt::If {
                    cond: *cond,
                    then,
                    els,
                    results: all,
                });
            }
            Stmt::For(f) => {
                let body = self.region(&f.body);
                out.push(Stmt::For(For { body, ..f.clone() }));
            }
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                frame,
            } => {
                let body = self.region(body);
                out.push(Stmt::While {
                    label: label.clone(),
                    cond: cond.clone(),
                    body,
                    trip: *trip,
                    trips: *trips,
                    frame: frame.clone(),
                });
            }
            Stmt::Record(..)
            | Stmt::Tape(_)
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::TangentCall(_)
            | Stmt::AugmentedCall(_)
            | Stmt::ReverseCall(_) => unreachable!("lower: makes none of these"),
        }
    }

    /// What happens to a vector happens to its tangent.
    fn storage(&mut self, s: &Storage, out: &mut Vec<Stmt>) {
        let has_floats = |p: &Place| self.primal.type_at(p).is_none_or(|t| t.has_floats());
        let has_tangent = |p: &&Place| self.is_float_place(p.root) && has_floats(p);
        let tangent = match s {
            _ if !s.paths().iter().all(has_tangent) => return,
            Storage::Push(p, v) => {
                let t = if seeded!(TangentPushLost) {
                    self.lane(Op::LaneZero, out)
                } else {
                    self.tangent_or_zero(*v, out)
                };
                Storage::Push(self.tangent(p, out), t)
            }
            Storage::Pop(v, p) => {
                let p = self.tangent(p, out);
                Storage::Pop(self.new_tangent(*v), p)
            }
            Storage::Resize {
                vec,
                old,
                len,
                kept,
                fill,
            } => Storage::Resize {
                fill: fill.map(|fill| self.tangent_or_zero(fill, out)),
                vec: self.tangent(vec, out),
                old: *old,
                len: *len,
                kept: *kept,
            },
            Storage::Swap(..) if seeded!(TangentExchangeLost) => return,
            Storage::Swap(a, b) => Storage::Swap(self.tangent(a, out), self.tangent(b, out)),
        };
        out.push(Stmt::Storage(tangent));
    }

    fn call(&mut self, call: &Call, out: &mut Vec<Stmt>) {
        let mut tangents = Vec::new();
        for arg in &call.args {
            tangents.push(match arg {
                Arg::Value(v) => self.vals.get(v).map(|t| Arg::Value(*t)),
                Arg::Place(p) | Arg::Ref(p) if self.activity.has_lanes(self.primal, p) => {
                    Some(Arg::Ref(self.tangent(p, out)))
                }
                Arg::Mut(p) if self.is_float_place(p.root) => Some(Arg::Mut(self.tangent(p, out))),
                Arg::Place(_) | Arg::Ref(_) | Arg::Mut(_) | Arg::Verbatim { .. } => None,
            });
        }
        let result = call.result.map(&mut |leaf| match leaf {
            Leaf::Val(v) => {
                (self.primal.val(*v).ty == Type::Float).then(|| Leaf::Val(self.new_tangent(*v)))
            }
            Leaf::Place(p) => self
                .is_float_place(*p)
                .then(|| Leaf::Place(self.tangent_place(*p))),
        });
        if tangents.iter().all(Option::is_none) && result.leaves().into_iter().all(Option::is_none)
        {
            out.push(Stmt::Call(call.clone()));
            return;
        }
        out.push(Stmt::TangentCall(TangentCall {
            call: call.clone(),
            tangents,
            result,
        }));
    }

    // ---- places ----

    fn is_float_place(&self, p: PlaceId) -> bool {
        self.activity.is_generic_place(p)
    }

    fn tangent_place(&mut self, p: PlaceId) -> PlaceId {
        if let Some(t) = self.places.get(&p) {
            return *t;
        }
        let info = self.primal.place(p).clone();
        let t = self
            .body
            .new_place(info.ty.lanes(), &info.hint, PlaceKind::Local, info.span);
        self.places.insert(p, t);
        t
    }

    fn slot(&mut self, k: usize) -> PlaceId {
        if let Some(t) = self.slots.get(&k) {
            return *t;
        }
        let param = self.primal.params[k].clone();
        let t = self.body.new_place(
            param.ty.lanes(),
            &param.name,
            PlaceKind::Slot(k),
            param.span,
        );
        self.slots.insert(k, t);
        t
    }

    /// The tangent's path, through views.
    fn tangent(&mut self, place: &Place, out: &mut Vec<Stmt>) -> Place {
        let Place { root, path } = self.views.resolve(&mut self.body, place, out);
        let root = match self.primal.place(root).kind {
            PlaceKind::SharedParam(k) | PlaceKind::MutParam(k) => self.slot(k),
            _ => self.tangent_place(root),
        };
        Place { root, path }
    }

    fn tangent_init(&mut self, p: PlaceId, init: &Init, out: &mut Vec<Stmt>) -> Init {
        match init {
            Init::None => Init::None,
            Init::Scalar(v) => Init::Scalar(self.tangent_or_zero(*v, out)),
            Init::ArrayFill(v) => Init::ArrayFill(self.tangent_or_zero(*v, out)),
            Init::VecFill(v, n) => Init::VecFill(self.tangent_or_zero(*v, out), *n),
            Init::List(vs) => {
                Init::List(vs.iter().map(|v| self.tangent_or_zero(*v, out)).collect())
            }
            Init::CopyOf(src) if self.is_float_place(src.root) => {
                Init::CopyOf(self.tangent(src, out))
            }
            Init::CopyOf(_) => Init::ZeroLike(Place::from(p)),
            Init::Struct { fields, base } => {
                let mut lanes = Vec::new();
                for (name, part) in fields {
                    let part = match part {
                        Part::Val(v) => Part::Val(self.tangent_or_zero(*v, out)),
                        Part::Place(p) if self.is_float_place(p.root) => {
                            Part::Place(self.tangent(p, out))
                        }
                        Part::Place(_) => Part::Val(self.lane(Op::LaneZero, out)),
                    };
                    lanes.push((name.clone(), part));
                }
                let base = base.as_ref().map(|p| self.tangent(p, out));
                Init::Struct {
                    fields: lanes,
                    base,
                }
            }
            Init::MoveOf(src) => Init::MoveOf(self.tangent_place(*src)),
            Init::ZeroLen(n) | Init::AnyLen(n) => Init::ZeroLen(*n),
            Init::Zero => Init::Zero,
            Init::Sorted { .. } => unreachable!("verify: an order is made of integers"),
            Init::ZeroLike(_) => unreachable!("lower: makes none of these"),
        }
    }

    // ---- values ----

    fn new_tangent(&mut self, v: Val) -> Val {
        let info = self.primal.val(v).clone();
        let t = self
            .body
            .new_val(Type::Lane, info.hint.as_deref(), info.span);
        self.vals.insert(v, t);
        t
    }

    fn tangent_or_zero(&mut self, v: Val, out: &mut Vec<Stmt>) -> Val {
        if let Some(t) = self.vals.get(&v) {
            return *t;
        }
        self.lane(Op::LaneZero, out)
    }

    fn lane(&mut self, op: Op, out: &mut Vec<Stmt>) -> Val {
        let v = self.body.new_val(Type::Lane, None, Span::call_site());
        out.push(Stmt::Let(v, op));
        v
    }

    fn float(&mut self, op: Op, generic: bool, out: &mut Vec<Stmt>) -> Val {
        let v = self.body.new_val(Type::Float, None, Span::call_site());
        if generic {
            self.activity.mark_generic(v);
        }
        out.push(Stmt::Let(v, op));
        v
    }

    fn tangent_of_op(&mut self, v: Val, op: &Op, out: &mut Vec<Stmt>) {
        let of = |cx: &Self, a: &Val| cx.vals.get(a).copied();
        let mut sum: Option<Val> = None;
        match op {
            Op::Copy(a) => sum = of(self, a),
            Op::Neg(a) => {
                if let Some(t) = of(self, a) {
                    sum = Some(self.lane(Op::Neg(t), out));
                }
            }
            Op::Param(k) => {
                let root = self.slot(*k);
                let t = self.body.new_val(Type::Lane, None, Span::call_site());
                out.push(Stmt::Load(t, Place::from(root)));
                sum = Some(t);
            }
            Op::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                sum = match (of(self, a), of(self, b)) {
                    (Some(s), Some(t)) => Some(self.lane(Op::Bin(*op, s, t), out)),
                    (Some(s), None) => Some(s),
                    (None, Some(t)) if *op == BinOp::Add || seeded!(TangentDifferenceAdded) => {
                        Some(t)
                    }
                    (None, Some(t)) => Some(self.lane(Op::Neg(t), out)),
                    (None, None) => None,
                };
            }
            Op::Bin(BinOp::Mul, a, b) if a == b => {
                if let Some(t) = of(self, a) {
                    let twice = self.float(Op::Bin(BinOp::Add, *a, *a), true, out);
                    self.add(&mut sum, t, twice, Scaling::Plain, false, out);
                }
            }
            Op::Bin(BinOp::Mul, a, b) => {
                for (x, other) in [(a, b), (b, a)] {
                    if let Some(t) = of(self, x) {
                        self.add(&mut sum, t, *other, Scaling::Plain, false, out);
                    }
                }
            }
            Op::Bin(BinOp::Div, a, b) => {
                let one = self.float(Op::Lit(Lit::Float(1.0)), false, out);
                let recip = self.float(
                    Op::Bin(BinOp::Div, one, *b),
                    self.activity.is_generic(*b),
                    out,
                );
                if let Some(t) = of(self, a) {
                    self.add(&mut sum, t, recip, self.primal.pole(), false, out);
                }
                if let Some(t) = of(self, b) {
                    let t = self.lane(
                        Op::LaneScale {
                            lane: t,
                            scale: recip,
                            by: self.primal.pole(),
                        },
                        out,
                    );
                    self.add(&mut sum, t, v, self.primal.pole(), true, out);
                }
            }
            Op::Bin(BinOp::Rem, a, b) => {
                sum = of(self, a);
                if let Some(t) = of(self, b) {
                    let quotient = self.float(Op::Bin(BinOp::Div, *a, *b), true, out);
                    let whole = self.float(Op::Elementary("trunc", vec![quotient]), true, out);
                    self.add(&mut sum, t, whole, Scaling::Plain, true, out);
                }
            }
            Op::Elementary("recip", args) => {
                // y = 1 / x   =>   dy = -(dx y) y
                if let Some(lane) = of(self, &args[0]) {
                    let by = self.primal.pole();
                    let scaled = Op::LaneScale { lane, scale: v, by };
                    let t = self.lane(scaled, out);
                    self.add(&mut sum, t, v, by, true, out);
                }
            }
            Op::Elementary(name, args) => {
                for partial in partials(name, self.primal.pole()) {
                    if let Some(mut t) = of(self, &args[partial.argument]) {
                        let operands = args
                            .iter()
                            .copied()
                            .chain([v])
                            .enumerate()
                            .map(|(i, a)| partial.reads(i, args.len()).then_some(a))
                            .collect::<Vec<_>>();
                        let mut last = *name;
                        let by = partial.by;
                        if let [first, second] =
                            *factors(name, partial.argument, args, &self.exponents)
                        {
                            let first = Op::Partial(first, partial.argument, operands.clone());
                            let scale = self.float(first, true, out);
                            let lane = t;
                            t = self.lane(Op::LaneScale { lane, scale, by }, out);
                            last = second;
                        }
                        let d =
                            self.float(Op::Partial(last, partial.argument, operands), true, out);
                        self.add(&mut sum, t, d, by, false, out);
                    }
                }
            }
            Op::Bin(BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr, ..)
            | Op::Lit(_)
            | Op::Not(_)
            | Op::Cmp(..)
            | Op::Cast(_)
            | Op::Len(_)
            | Op::Verbatim { .. }
            | Op::LaneZero
            | Op::LaneScale { .. }
            | Op::Partial(..)
            | Op::Reload(_)
            | Op::Trips { .. }
            | Op::Induction { .. }
            | Op::ResultSeed(_)
            | Op::LaneSum(_) => unreachable!("activity: only floats computed from floats vary"),
        }
        if let Some(sum) = sum {
            self.body.name_derivative(sum, v);
            self.vals.insert(v, sum);
        }
    }

    /// `sum += lane * scale`, or `-=`.
    fn add(
        &mut self,
        sum: &mut Option<Val>,
        lane: Val,
        scale: Val,
        by: Scaling,
        negate: bool,
        out: &mut Vec<Stmt>,
    ) {
        let t = self.lane(Op::LaneScale { lane, scale, by }, out);
        *sum = Some(match (*sum, negate) {
            (None, false) => t,
            (Some(_), false) if seeded!(TangentSumOverwritten) => t,
            (None, true) => self.lane(Op::Neg(t), out),
            (Some(s), false) => self.lane(Op::Bin(BinOp::Add, s, t), out),
            (Some(s), true) => self.lane(Op::Bin(BinOp::Sub, s, t), out),
        });
    }
}
