//! Control by inputs: which integers, bools and places may differ between arms of a branch that inputs decide.
//!
//! Flow-insensitive, iterated to a fixed point together with activity: a float that is written in such an
//! arm is generic. For pattern code, where both arms are run and joined.

use super::activity::{Activity, activity_with};
use super::views::Views;
use crate::ir::{
    Arg, Body, Call, Exit, For, Init, Leaf, Op, PlaceId, PlaceKind, Region, Stmt, Storage, Type,
    Val,
};
use crate::sorted::{Map, Set};

/// What inputs decide.
pub(crate) struct Control {
    pub(crate) activity: Activity,
    /// Without what inputs decide.
    plain: Activity,
    views: Views,
    /// Integers and bools of which it may not be known what they are.
    unknown: Set<Val>,
    unknown_places: Set<PlaceId>,
    /// Values that something needs to know: indices, bounds, arguments.
    needed: Set<Val>,
    /// Scalars that are lent.
    lent: Set<PlaceId>,
}

impl Control {
    /// Runs the analysis on a body with structured exits.
    pub(crate) fn of(body: &Body) -> Control {
        let views = Views::of(body);
        let plain = activity_with(body, &views, &Set::new(), &Set::new());
        let mut control = Control {
            activity: plain.clone(),
            plain,
            unknown: Set::new(),
            unknown_places: Set::new(),
            needed: Set::new(),
            lent: Set::new(),
            views,
        };
        control.needs(&body.region);
        let mut cx = Cx {
            body,
            control,
            floats: Set::new(),
            float_places: Set::new(),
            declared: Map::new(),
            changed: true,
        };
        while std::mem::take(&mut cx.changed) {
            cx.region(&body.region, 0);
            if cx.changed {
                let views = &cx.control.views;
                cx.control.activity = activity_with(body, views, &cx.floats, &cx.float_places);
            }
        }
        cx.control
    }

    /// Whether it is a constant, inputs decide which.
    pub(crate) fn is_chosen(&self, v: Val) -> bool {
        self.activity.is_generic(v) && !self.plain.is_generic(v)
    }

    /// Whether code has it with a mark for what is not known.
    pub(crate) fn is_open(&self, v: Val) -> bool {
        self.unknown.contains(&v) && !self.needed.contains(&v)
    }

    /// Whether it may not be known, and has to be.
    pub(crate) fn is_demanded(&self, v: Val) -> bool {
        self.unknown.contains(&v) && self.needed.contains(&v)
    }

    /// Whether the place holds an integer or bool with a mark for what is not known.
    pub(crate) fn is_open_place(&self, p: PlaceId) -> bool {
        self.unknown_places.contains(&p)
    }

    /// Whether inputs decide how many trips the loop with this condition has.
    pub(crate) fn is_open_loop(&self, cond: &Region) -> bool {
        matches!(&cond.exit, Exit::Yield(c) if c.iter().any(|c| self.is_open(*c)))
    }

    /// Whether anything is decided by inputs.
    pub(crate) fn is_any(&self) -> bool {
        !self.unknown.is_empty() || !self.unknown_places.is_empty()
    }

    pub(crate) fn root(&self, p: PlaceId) -> PlaceId {
        self.views.root(p)
    }

    /// Places from outside that a region writes.
    pub(crate) fn written(&self, region: &Region) -> Set<PlaceId> {
        let (mut written, mut own) = (Set::new(), Set::new());
        self.writes(region, &mut written, &mut own);
        written.difference(&own).copied().collect()
    }

    fn writes(&self, region: &Region, written: &mut Set<PlaceId>, own: &mut Set<PlaceId>) {
        for stmt in &region.stmts {
            match stmt {
                Stmt::Store(p, _)
                | Stmt::Accumulate { place: p, .. }
                | Stmt::CopyPlace { dst: p, .. }
                | Stmt::AccumulatePlace { dst: p, .. }
                | Stmt::Zero(p) => {
                    written.insert(self.root(p.root));
                }
                Stmt::Storage(s) => written.extend(s.places()),
                Stmt::Declare(p, init) => {
                    own.insert(*p);
                    if let Init::MoveOf(src) = init {
                        written.insert(*src);
                    }
                }
                _ => {}
            }
            if let Some(call) = call_of(stmt) {
                for leaf in call.result.leaves() {
                    if let Leaf::Place(p) = leaf {
                        own.insert(*p);
                    }
                }
                for arg in &call.args {
                    if let Arg::Mut(p) = arg {
                        written.insert(self.root(p.root));
                    }
                }
            }
            for inner in stmt.regions() {
                self.writes(inner, written, own);
            }
        }
    }

    /// What has to be known, whatever it depends on.
    fn needs(&mut self, region: &Region) {
        for stmt in &region.stmts {
            let mut stmt_ = stmt.clone();
            stmt_.each_place(&mut |place| {
                place.each_use(&mut |v| {
                    self.needed.insert(*v);
                });
            });
            match stmt {
                // what is computed from something unknown is unknown
                Stmt::Let(
                    _,
                    Op::Copy(_)
                    | Op::Neg(_)
                    | Op::Not(_)
                    | Op::Bin(..)
                    | Op::Cmp(..)
                    | Op::Cast(_)
                    | Op::Trips { .. }
                    | Op::Induction { .. },
                )
                | Stmt::Store(..)
                | Stmt::Accumulate { .. }
                | Stmt::Declare(_, Init::Scalar(_))
                | Stmt::Effect(_)
                | Stmt::If { .. } => {}
                _ => stmt_.each_use(&mut |v| {
                    self.needed.insert(*v);
                }),
            }
            if let Stmt::Store(p, v)
            | Stmt::Accumulate {
                place: p, val: v, ..
            } = stmt
                && !p.path.is_empty()
            {
                self.needed.insert(*v);
            }
            if let Stmt::Let(_, Op::Verbatim { places, .. }) = stmt {
                self.lent.extend(places.iter().map(|(_, p)| *p));
            }
            if let Some(call) = call_of(stmt) {
                for arg in &call.args {
                    match arg {
                        Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => {
                            self.lent.insert(self.views.root(p.root));
                        }
                        Arg::Verbatim { places, .. } => {
                            self.lent.extend(places.iter().map(|(_, p)| *p));
                        }
                        Arg::Value(_) => {}
                    }
                }
            }
            for inner in stmt.regions() {
                self.needs(inner);
            }
        }
        if let Exit::Return(leaves) = &region.exit {
            for leaf in leaves {
                if let Leaf::Place(p) = leaf {
                    self.lent.insert(*p);
                }
            }
        }
    }
}

pub(crate) fn call_of(stmt: &Stmt) -> Option<&Call> {
    match stmt {
        Stmt::Call(call) => Some(call),
        Stmt::AugmentedCall(c) => Some(&c.call),
        Stmt::TangentCall(c) => Some(&c.call),
        _ => None,
    }
}

struct Cx<'a> {
    body: &'a Body,
    control: Control,
    /// Floats that are generic since inputs decide what they are.
    floats: Set<Val>,
    float_places: Set<PlaceId>,
    /// By place: in how many arms it is declared.
    declared: Map<PlaceId, usize>,
    changed: bool,
}

impl Cx<'_> {
    /// `arms`: in how many arms of branches that inputs decide the region lies.
    fn region(&mut self, region: &Region, arms: usize) {
        for stmt in &region.stmts {
            self.stmt(stmt, arms);
        }
    }

    fn is_int(&self, v: Val) -> bool {
        matches!(self.body.val(v).ty, Type::Int(_) | Type::Bool)
    }

    fn is_generic(&self, v: Val) -> bool {
        self.body.val(v).ty == Type::Float && self.control.activity.is_generic(v)
    }

    /// Nobody may know what it is.
    fn open(&mut self, v: Val) {
        if self.is_int(v) {
            self.changed |= self.control.unknown.insert(v);
        } else if self.body.val(v).ty == Type::Float {
            self.changed |= self.floats.insert(v);
        }
    }

    fn open_place(&mut self, p: PlaceId) {
        let info = self.body.place(p);
        if info.ty.has_floats() {
            self.changed |= self.float_places.insert(p);
        } else if info.ty.is_scalar()
            && !self.control.lent.contains(&p)
            && matches!(info.kind, PlaceKind::Local | PlaceKind::ValueParam(_))
        {
            self.changed |= self.control.unknown_places.insert(p);
        }
    }

    /// Written in an arm, and seen outside of it.
    fn write(&mut self, place: PlaceId, arms: usize) {
        let root = self.control.root(place);
        if arms > self.declared.get(&root).copied().unwrap_or(0) {
            self.open_place(root);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, arms: usize) {
        match stmt {
            Stmt::Let(v, op) => self.op(*v, op),
            Stmt::Load(v, place) => {
                if self.control.is_open_place(place.root) {
                    self.open(*v);
                }
            }
            Stmt::Store(place, v) | Stmt::Accumulate { place, val: v, .. } => {
                self.write(place.root, arms);
                if self.control.is_open(*v) {
                    self.open_place(self.control.root(place.root));
                }
            }
            Stmt::Declare(p, init) => {
                self.declared.insert(*p, arms);
                match init {
                    Init::Scalar(v) if self.control.is_open(*v) => self.open_place(*p),
                    Init::MoveOf(src) => self.write(*src, arms),
                    _ => {}
                }
            }
            Stmt::CopyPlace { dst, .. } => self.write(dst.root, arms),
            Stmt::Storage(s) => {
                s.places().into_iter().for_each(|p| self.write(p, arms));
                // contents that change places
                if let Storage::Swap(a, b) = s {
                    for (a, b) in [(a, b), (b, a)] {
                        if self.control.is_open_place(a.root) {
                            self.open_place(b.root);
                        }
                    }
                }
            }
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let open = self.control.is_open(*cond);
                for arm in [then, els] {
                    self.region(arm, arms + usize::from(open));
                    let Exit::Yield(yields) = &arm.exit else {
                        continue;
                    };
                    for (result, v) in results.iter().zip(yields) {
                        if open || self.control.is_open(*v) {
                            self.open(*result);
                        }
                    }
                }
            }
            Stmt::For(For { body, .. }) | Stmt::Block { body, .. } => self.region(body, arms),
            Stmt::While {
                cond, body, trips, ..
            } => {
                let open = self.control.is_open_loop(cond);
                let inside = arms + usize::from(open);
                self.region(cond, inside);
                self.region(body, inside);
                if let (true, Some(trips)) = (open, trips) {
                    self.open(*trips);
                }
            }
            _ => {
                if let Some(call) = call_of(stmt) {
                    for arg in &call.args {
                        if let Arg::Mut(p) = arg {
                            self.write(p.root, arms);
                        }
                    }
                    for leaf in call.result.leaves() {
                        match leaf {
                            Leaf::Place(p) => {
                                self.declared.insert(*p, arms);
                            }
                            // the callee's inputs may decide it
                            Leaf::Val(v) if self.is_int(*v) => self.open(*v),
                            Leaf::Val(_) => {}
                        }
                    }
                }
            }
        }
    }

    fn op(&mut self, v: Val, op: &Op) {
        let open = |v: &Val| self.control.is_open(*v);
        let unknown = match op {
            Op::Cmp(_, a, b) => self.is_generic(*a) || self.is_generic(*b) || open(a) || open(b),
            Op::Cast(a) => open(a) || self.is_generic(*a) && self.is_int(v),
            Op::Copy(a) | Op::Neg(a) | Op::Not(a) => open(a),
            Op::Bin(_, a, b) => open(a) || open(b),
            Op::Trips { lo, hi, .. } => open(lo) || open(hi),
            Op::Induction { lo, hi, trip, .. } => open(lo) || open(hi) || open(trip),
            _ => false,
        };
        if unknown {
            self.open(v);
        }
    }
}
