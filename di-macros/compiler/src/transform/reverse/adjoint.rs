//! Adjoints of statements and operations: the rules of reverse mode, one arm for each.

use super::Cx;
use super::order::{Order, order};
use crate::analysis::elementary::{factors, partials};
use crate::ir::{
    BinOp, For, Frame, FrameMode, Init, Known, Lit, Op, Part, Place, PlaceId, Proj, Region,
    Renewal, Scaling, Stmt, Storage, Tape, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Set;
use proc_macro2::Span;

impl<'a> Cx<'a> {
    pub(super) fn adjoint_of(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Let(v, op) => {
                if let Some(lane) = self.take(*v) {
                    self.where_reached(*v, |cx| cx.adjoint_of_op(*v, op, lane));
                }
            }
            // v = x[i]   =>   x_b[i] += v_b
            Stmt::Load(v, place) => {
                if let Some(lane) = self.take(*v)
                    && self.activity.is_active_place(place.root)
                {
                    let place = self.shadow(place);
                    self.push(Stmt::Accumulate {
                        place,
                        negate: false,
                        val: lane,
                    });
                }
            }
            // x[i] = v   =>   v_b += x_b[i]; x_b[i] = 0
            Stmt::Store(place, v) => {
                let float = self.primal.val(*v).ty == Type::Float || seeded!(PassiveFieldReversed);
                if float && self.activity.is_active_place(place.root) {
                    let shadow = self.shadow(place);
                    let lane = self.load(&shadow);
                    let zero = self.lane(Op::LaneZero);
                    if !seeded!(StoreNotZeroed) {
                        self.push(Stmt::Store(shadow, zero));
                    }
                    if !seeded!(StoreLost) {
                        self.contribute(*v, lane, false);
                    }
                }
            }
            // x[i] += v   =>   v_b += x_b[i]
            Stmt::Accumulate { place, negate, val } => {
                if self.activity.is_active_place(place.root) && self.activity.is_active(*val) {
                    let shadow = self.shadow(place);
                    let lane = self.load(&shadow);
                    self.contribute(*val, lane, *negate && !seeded!(SubtractionAdded));
                }
            }
            Stmt::Declare(p, init) => {
                let moved = matches!(init, Init::MoveOf(_));
                if self.activity.is_active_place(*p) && (moved || self.shadows.contains_key(p)) {
                    self.adjoint_of_init(Place::from(*p), init);
                }
            }
            // dst = src   =>   src_b += dst_b; dst_b = 0
            Stmt::CopyPlace { dst, src } => {
                let floats = self.primal.copies_floats(dst, src);
                if floats && self.activity.is_active_place(dst.root) {
                    let dst = self.shadow(dst);
                    if self.activity.is_active_place(src.root) {
                        let src = self.shadow(src);
                        let (dst, src) = (src, dst.clone());
                        self.push(if seeded!(CopyOverwrites) {
                            Stmt::CopyPlace { dst, src }
                        } else {
                            Stmt::AccumulatePlace { dst, src }
                        });
                    }
                    if !seeded!(CopyNotZeroed) {
                        self.push(Stmt::Zero(dst));
                    }
                }
            }
            Stmt::Storage(s) => self.adjoint_of_storage(s),
            Stmt::AugmentedCall(c) => self.adjoint_of_call(c),
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let lanes: Vec<Option<Val>> = results.iter().map(|r| self.take(*r)).collect();
                let then = self.region(then, &lanes, true);
                let els = self.region(els, &lanes, true);
                if then.is_none() && els.is_none() {
                    return;
                }
                let (then, els) = if seeded!(ArmsExchanged) {
                    (els, then)
                } else {
                    (then, els)
                };
                self.need(*cond);
                self.declare_touched();
                self.push(Stmt::If {
                    cond: *cond,
                    then: then.unwrap_or_default(),
                    els: els.unwrap_or_default(),
                    results: Vec::new(),
                });
            }
            Stmt::For(f) => self.adjoint_of_loop(f.iv, f.hi, &f.body),
            Stmt::While {
                body,
                trip: Some(trip),
                trips: Some(trips),
                ..
            } => {
                self.adjoint_of_loop(*trip, *trips, body);
            }
            Stmt::While { .. } => unreachable!("structure: each while counts its trips"),
            Stmt::Tape(Tape::Keep { place, asked, .. }) => {
                let len = self.kept[place].len;
                self.need(len);
                let (place, asked) = (*place, asked.clone());
                self.push(Stmt::Tape(Tape::Release { place, len, asked }));
            }
            Stmt::Tape(Tape::Shape { place, .. }) => {
                self.push(Stmt::Tape(Tape::ReleaseShape { place: *place }));
            }
            Stmt::View { .. } | Stmt::Effect(_) => {}
            Stmt::Call(_)
            | Stmt::Block { .. }
            | Stmt::Record(..)
            | Stmt::Tape(Tape::Kept { .. } | Tape::Release { .. } | Tape::ReleaseShape { .. })
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::TangentCall(_)
            | Stmt::ReverseCall(_) => unreachable!("structure: makes none of these"),
        }
    }

    pub(super) fn load(&mut self, shadow: &Place) -> Val {
        let lane = self.body.new_val(Type::Lane, None, Span::call_site());
        self.push(Stmt::Load(lane, shadow.clone()));
        lane
    }

    /// for trip in 0..n { s }   =>   for trip in (0..n).rev() { s' }
    /// (upwards where the order cannot matter)
    fn adjoint_of_loop(&mut self, trip: Val, n: Val, body: &'a Region) {
        self.depth.insert(trip, self.scopes.len());
        let Some(region) = self.region(body, &[], false) else {
            if !seeded!(IdleLoopRecorded) {
                self.idle.insert(trip);
            }
            return;
        };
        self.need(n);
        self.declare_touched();
        let frame = match self.plan {
            Some((_, plan)) => plan.frames.get(&trip).cloned().unwrap_or_default(),
            None => Frame::default(),
        };
        let counted = frame.mode != FrameMode::Pushed;
        let none = Set::new();
        let mut found = match counted {
            true if seeded!(OrderTakenForFree) => Order::Free,
            true => order(&region, trip, &none),
            false => Order::Dependent,
        };
        let free = found == Order::Free;
        let mut frame = frame;
        frame.commutes = free && frame.mode == FrameMode::Records;
        if counted && found == Order::Dependent {
            let (scratch, renewals) = self.scratch_of(trip);
            found = order(&region, trip, &scratch);
            frame.renewals = renewals;
        }
        frame.independent = found != Order::Dependent;
        let reversed = (!free || frame.commutes) && !seeded!(TripsForwards);
        let lo = self.body.new_val(Type::usize(), None, Span::call_site());
        let first = i128::from(seeded!(FirstTripLost));
        self.push(Stmt::Let(lo, Op::Lit(Lit::Int(first))));
        self.push(Stmt::For(For {
            label: None,
            iv: trip,
            lo,
            hi: n,
            inclusive: false,
            reversed,
            body: region,
            frame,
            overlapping: false,
        }));
    }

    /// Shadows of what the trips of a loop renew, and the calls that must do so.
    fn scratch_of(&self, trip: Val) -> (Set<PlaceId>, Vec<Renewal>) {
        let scratch = self.plan.and_then(|(_, plan)| plan.scratch.get(&trip));
        let of_shadow = |(p, renewal)| Some((*self.shadows.get(p)?, renewal));
        let found = scratch.into_iter().flatten().filter_map(of_shadow);
        let (shadows, renewals): (Vec<PlaceId>, Vec<&Option<Renewal>>) = found.unzip();
        let renewals = renewals.into_iter().flatten().cloned();
        (shadows.into_iter().collect(), renewals.collect())
    }

    /// Shadows have the lengths that their vectors have in the forward sweep.
    fn adjoint_of_storage(&mut self, s: &Storage) {
        let has_floats = |p: &Place| self.primal.type_at(p).is_none_or(|t| t.has_floats());
        if !s
            .paths()
            .into_iter()
            .all(|p| self.activity.is_active_place(p.root) && has_floats(p))
        {
            return;
        }
        match s {
            // v.push(x)   =>   x_b += v_b.pop()
            Storage::Push(p, v) => {
                let shadow = self.shadow(p);
                let lane = self.body.new_val(Type::Lane, None, Span::call_site());
                self.push(Stmt::Storage(Storage::Pop(lane, shadow)));
                if !seeded!(PushLost) {
                    self.contribute(*v, lane, false);
                }
            }
            // x = v.pop()   =>   v_b.push(x_b)
            Storage::Pop(v, p) => {
                let lane = match self.take(*v) {
                    Some(lane) if !seeded!(PopLost) => lane,
                    Some(_) | None => self.lane(Op::LaneZero),
                };
                let shadow = self.shadow(p);
                self.push(Stmt::Storage(Storage::Push(shadow, lane)));
            }
            // v.resize(n, x)   =>   x_b += sum of the new elements; v_b.resize(old, 0)
            Storage::Resize {
                vec,
                old,
                len,
                kept,
                fill,
            } => {
                let vec = self.shadow(vec);
                for n in [old, len, kept] {
                    self.need(*n);
                }
                if let Some(fill) = fill
                    && !seeded!(GrowthLost)
                    && self.activity.is_active(*fill)
                {
                    let mut new = vec.clone();
                    new.path.push(Proj::Range(*kept, *len));
                    let lane = self.lane(Op::LaneSum(new));
                    self.contribute(*fill, lane, false);
                }
                let zero = fill.map(|_| self.lane(Op::LaneZero));
                self.push(Stmt::Storage(Storage::Resize {
                    vec,
                    old: *len,
                    len: *old,
                    kept: *kept,
                    fill: zero,
                }));
            }
            Storage::Swap(..) if seeded!(ExchangeNotReversed) => {}
            Storage::Swap(a, b) => {
                let (a, b) = (self.shadow(a), self.shadow(b));
                self.push(Stmt::Storage(Storage::Swap(a, b)));
            }
        }
    }

    fn adjoint_of_init(&mut self, place: Place, init: &Init) {
        match init {
            Init::None
            | Init::Zero
            | Init::ZeroLen(_)
            | Init::AnyLen(_)
            | Init::ZeroLike(_)
            | Init::Sorted { .. } => {}
            Init::Scalar(v) => {
                if self.activity.is_active(*v) {
                    let shadow = self.shadow(&place);
                    let lane = self.load(&shadow);
                    self.contribute(*v, lane, false);
                }
            }
            Init::ArrayFill(v) | Init::VecFill(v, _) => {
                if !seeded!(FillLost) && self.activity.is_active(*v) {
                    let shadow = self.shadow(&place);
                    let lane = self.lane(Op::LaneSum(shadow));
                    self.contribute(*v, lane, false);
                }
            }
            Init::List(vs) => {
                for (i, v) in vs.iter().enumerate() {
                    if self.activity.is_active(*v) {
                        let mut shadow = self.shadow(&place);
                        let index = self.body.new_val(Type::usize(), None, Span::call_site());
                        self.push(Stmt::Let(
                            index,
                            Op::Lit(Lit::Int(if seeded!(ListShifted) { 0 } else { i as i128 })),
                        ));
                        shadow.path.push(Proj::Flat(index));
                        let lane = self.load(&shadow);
                        self.contribute(*v, lane, false);
                    }
                }
            }
            Init::Struct { fields, base } => self.adjoint_of_struct(&place, fields, base.as_ref()),
            Init::CopyOf(src) => self.adjoint_of_copy(&place, src),
            // w = v   =>   v_b = w_b
            Init::MoveOf(src) => {
                if self.activity.is_active_place(*src) && !seeded!(MoveNotReversed) {
                    let (src, dst) = (self.shadow_root(*src), self.shadow_root(place.root));
                    self.push(Stmt::Storage(Storage::Swap(src.into(), dst.into())));
                }
            }
        }
    }

    /// p = P { a: v, ..q }   =>   v_b += p_b.a; p_b.a = 0; q_b += p_b
    fn adjoint_of_struct(
        &mut self,
        place: &Place,
        fields: &[(String, Part)],
        base: Option<&Place>,
    ) {
        for (name, part) in fields {
            let ty = match part {
                Part::Val(v) => Some(self.primal.val(*v).ty.clone()),
                Part::Place(p) => self.primal.type_at(p),
            };
            let float = ty.as_ref().is_none_or(Type::has_floats);
            let mut field = place.clone();
            field.path.push(Proj::Field(name.clone(), Known(ty)));
            match part {
                Part::Val(v) if self.activity.is_active(*v) => {
                    let shadow = self.shadow(&field);
                    let lane = self.load(&shadow);
                    self.contribute(*v, lane, false);
                }
                Part::Place(p) if float => self.adjoint_of_copy(&field, p),
                Part::Val(_) | Part::Place(_) => {}
            }
            if base.is_some() && float && !seeded!(FieldNotZeroed) {
                let shadow = self.shadow(&field);
                self.push(Stmt::Zero(shadow));
            }
        }
        if let Some(base) = base
            && !seeded!(BaseLost)
        {
            self.adjoint_of_copy(place, base);
        }
    }

    fn adjoint_of_copy(&mut self, dst: &Place, src: &Place) {
        if !seeded!(CopiedArrayLost) && self.activity.is_active_place(src.root) {
            let src = self.shadow(src);
            let dst = self.shadow(dst);
            self.push(Stmt::AccumulatePlace { dst: src, src: dst });
        }
    }

    // ---- operations ----

    fn adjoint_of_op(&mut self, v: Val, op: &Op, lane: Val) {
        match op {
            Op::Copy(a) => self.contribute(*a, lane, false),
            Op::Neg(a) => self.contribute(*a, lane, true),
            Op::Param(k) => {
                let root = self.slot(*k);
                let place = Place::from(root);
                self.push(if seeded!(ParameterOverwritten) {
                    Stmt::Store(place, lane)
                } else {
                    Stmt::Accumulate {
                        place,
                        negate: false,
                        val: lane,
                    }
                });
            }
            Op::Bin(BinOp::Add, a, b) => {
                self.contribute(*a, lane, false);
                self.contribute(*b, lane, false);
            }
            Op::Bin(BinOp::Sub, a, b) => {
                self.contribute(*a, lane, false);
                self.contribute(*b, lane, !seeded!(DifferenceAdded));
            }
            Op::Bin(BinOp::Mul, a, b) if a == b => {
                // y = a a   =>   a_b += y_b (a + a)
                self.need(*a);
                let twice = if seeded!(SquareHalved) {
                    *a
                } else {
                    self.twice(*a)
                };
                self.scaled(*a, lane, twice, Scaling::Plain, false);
            }
            Op::Bin(BinOp::Mul, a, b) if self.square(*a, *b).is_some() => {
                // y = (c v) v, c passive   =>   v_b += y_b (c v + c v), and y_b v if c is a half
                let (product, v, c) = self.square(*a, *b).expect("tested above");
                let half = Some(&Lit::Float(0.5));
                let is_half = self.literals.get(&c) == half || seeded!(SquareHalved);
                self.need(if is_half { v } else { product });
                let twice = if is_half { v } else { self.twice(product) };
                self.scaled(v, lane, twice, Scaling::Plain, false);
            }
            Op::Bin(BinOp::Mul, a, b) => {
                for (x, other) in [(*a, *b), (*b, *a)] {
                    if self.activity.is_active(x) {
                        let other = if seeded!(FactorsExchanged) { x } else { other };
                        self.need(other);
                        self.scaled(x, lane, other, Scaling::Plain, false);
                    }
                }
            }
            Op::Bin(BinOp::Div, a, b) if self.literals.get(a) == Some(&Lit::Float(1.0)) => {
                // y = 1 / b   =>   b_b -= y_b y y
                self.need(v);
                let t = self.lane(Op::LaneScale {
                    lane,
                    scale: v,
                    by: self.primal.pole(),
                });
                self.scaled(*b, t, v, self.primal.pole(), true);
            }
            Op::Bin(BinOp::Div, a, b) => {
                // y = a / b   =>   t = y_b / b; a_b += t; b_b -= t y
                self.need(*b);
                let generic = self.activity.is_generic(*b);
                let one = self.float(Op::Lit(Lit::Float(1.0)), false);
                let recip = self.float(Op::Bin(BinOp::Div, one, *b), generic);
                let t = self.lane(Op::LaneScale {
                    lane,
                    scale: recip,
                    by: self.primal.pole(),
                });
                self.contribute(*a, t, false);
                if self.activity.is_active(*b) {
                    self.need(v);
                    if seeded!(QuotientForgotten) {
                        self.contribute(*b, t, true);
                    } else {
                        self.scaled(*b, t, v, self.primal.pole(), !seeded!(DivisorAdded));
                    }
                }
            }
            Op::Bin(BinOp::Rem, a, b) => {
                // y = a % b   =>   a_b += y_b; b_b -= y_b trunc(a / b)
                self.contribute(*a, lane, false);
                if self.activity.is_active(*b) {
                    self.need(*a);
                    self.need(*b);
                    let quotient = self.float(Op::Bin(BinOp::Div, *a, *b), true);
                    let whole = self.float(Op::Elementary("trunc", vec![quotient]), true);
                    self.scaled(*b, lane, whole, Scaling::Plain, !seeded!(RemainderAdded));
                }
            }
            Op::Elementary("recip", args) => {
                // y = 1 / x   =>   x_b -= y_b y y
                self.need(v);
                let by = self.primal.pole();
                let t = self.lane(Op::LaneScale { lane, scale: v, by });
                self.scaled(args[0], t, v, by, true);
            }
            Op::Elementary(name, args) => {
                for partial in partials(name, self.primal.pole()) {
                    let x = args[partial.argument];
                    let lost = seeded!(SecondArgumentLost) && partial.argument > 0;
                    if lost || !self.activity.is_active(x) {
                        continue;
                    }
                    if let Some(d) = self.partners.get(&v).copied() {
                        // y = cos(x)   =>   x_b -= y_b sin(x)
                        self.need(d);
                        self.scaled(x, lane, d, partial.by, *name == "cos");
                        continue;
                    }
                    let mut operands = Vec::new();
                    for (i, a) in args.iter().copied().chain([v]).enumerate() {
                        let read = partial.reads(i, args.len());
                        if read {
                            self.need(a);
                        }
                        operands.push(read.then_some(a));
                    }
                    let (mut lane, mut last) = (lane, *name);
                    if let [first, second] = *factors(name, partial.argument, args, &self.exponents)
                    {
                        let first = Op::Partial(first, partial.argument, operands.clone());
                        let (scale, by) = (self.float(first, true), partial.by);
                        lane = self.lane(Op::LaneScale { lane, scale, by });
                        last = second;
                    }
                    let d = self.float(Op::Partial(last, partial.argument, operands), true);
                    if partial.by == Scaling::Select {
                        self.where_chosen(x, d, |cx| cx.scaled(x, lane, d, partial.by, false));
                    } else {
                        self.scaled(x, lane, d, partial.by, false);
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
            | Op::LaneSum(_) => {
                unreachable!("activity: only floats computed from floats are active")
            }
        }
    }

    /// The factors of a product `(c v) v`, the product `c v` first and `c` last, if `c` has no adjoint.
    fn square(&self, a: Val, b: Val) -> Option<(Val, Val, Val)> {
        [(a, b), (b, a)].into_iter().find_map(|(product, v)| {
            let c = match self.products.get(&product) {
                Some((x, y)) if *x == v => *y,
                Some((x, y)) if *y == v => *x,
                _ => return None,
            };
            (self.activity.is_active(v) && !self.activity.is_generic(c)).then_some((product, v, c))
        })
    }

    /// `v + v`
    fn twice(&mut self, v: Val) -> Val {
        self.float(Op::Bin(BinOp::Add, v, v), self.activity.is_generic(v))
    }

    /// `x_b += lane * scale`, or `-=`.
    fn scaled(&mut self, x: Val, lane: Val, scale: Val, by: Scaling, negate: bool) {
        let lane = self.lane(Op::LaneScale { lane, scale, by });
        self.contribute(x, lane, negate);
    }

    /// A primal quantity of the adjoint sweep's own.
    pub(super) fn float(&mut self, op: Op, generic: bool) -> Val {
        let v = self.body.new_val(Type::Float, None, Span::call_site());
        if generic {
            self.activity.mark_generic(v);
        }
        self.push(Stmt::Let(v, op));
        v
    }
}
