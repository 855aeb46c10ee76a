//! Checks that a body is well-formed: one definition for each value, uses in scope, types that fit,
//! exits where they may stand. Run after each pass in debug builds.

use super::{
    Arg, BinOp, Body, Call, CmpOp, Exit, First, For, Gives, Init, Leaf, Op, Part, Place, PlaceId,
    PlaceKind, Proj, Region, Slot, Stmt, Storage, Tape, Tree, Type, Val, print,
};
use crate::sorted::Set;

/// What is wrong, and at which statement.
pub type Fault = String;

/// Checks a body as `lower` makes it, or as a transform makes it.
pub fn verify(body: &Body) -> Result<(), Fault> {
    let mut v = Verifier {
        body,
        defined: Set::new(),
        vals: Set::new(),
        places: Set::new(),
        loops: Vec::new(),
        labels: Vec::new(),
    };
    for (k, info) in body.places.iter().enumerate() {
        match info.kind {
            PlaceKind::SharedParam(_)
            | PlaceKind::MutParam(_)
            | PlaceKind::ValueParam(_)
            | PlaceKind::Slot(_)
            | PlaceKind::ResultSlot(_) => {
                v.places
                    .insert(PlaceId(u32::try_from(k).expect("fewer than 2^32 places")));
            }
            PlaceKind::Local | PlaceKind::State | PlaceKind::View | PlaceKind::Row => {}
        }
    }
    v.region(&body.region)?;
    match &body.region.exit {
        Exit::Return(_) | Exit::Yield(_) => Ok(()),
        Exit::Break(_) | Exit::Continue(_) => {
            Err("the function ends in the exit of a loop".to_owned())
        }
    }
}

struct Verifier<'a> {
    body: &'a Body,
    defined: Set<Val>,
    /// In scope.
    vals: Set<Val>,
    places: Set<PlaceId>,
    loops: Vec<Option<String>>,
    /// Labels of blocks.
    labels: Vec<String>,
}

impl Verifier<'_> {
    /// A region of its own scope; its exit is checked as far as it needs no context.
    fn region(&mut self, region: &Region) -> Result<(), Fault> {
        for stmt in &region.stmts {
            self.stmt(stmt).map_err(|f| {
                if f.contains("\n  in ") {
                    f
                } else {
                    format!("{f}\n  in `{}`", print::stmt_line(self.body, stmt))
                }
            })?;
        }
        match &region.exit {
            Exit::Yield(vals) => vals.iter().try_for_each(|v| self.usable(*v)),
            Exit::Break(label) | Exit::Continue(label) => {
                let known = match label {
                    None => !self.loops.is_empty(),
                    Some(name) => {
                        self.loops.contains(label)
                            || matches!(region.exit, Exit::Break(_)) && self.labels.contains(name)
                    }
                };
                if known {
                    Ok(())
                } else {
                    Err("exit of a loop outside of it".to_owned())
                }
            }
            Exit::Return(leaves) => self.returned(leaves),
        }
    }

    fn nested(&mut self, region: &Region, yields: &[Type]) -> Result<(), Fault> {
        let (vals, places) = (self.vals.clone(), self.places.clone());
        self.region(region)?;
        if let Exit::Yield(given) = &region.exit {
            let types: Vec<Type> = given.iter().map(|v| self.body.val(*v).ty.clone()).collect();
            if types != yields {
                return Err(format!("yields {types:?} where {yields:?} is wanted"));
            }
        }
        self.vals = vals;
        self.places = places;
        Ok(())
    }

    fn returned(&mut self, leaves: &[Leaf]) -> Result<(), Fault> {
        let wanted = self.body.ret.leaves();
        if wanted.len() != leaves.len() {
            return Err(format!(
                "returns {} leaves of {}",
                leaves.len(),
                wanted.len()
            ));
        }
        for (leaf, ty) in leaves.iter().zip(wanted) {
            let given = match leaf {
                Leaf::Val(v) => {
                    self.usable(*v)?;
                    &self.body.val(*v).ty
                }
                Leaf::Place(p) => {
                    self.usable_place(*p)?;
                    &self.body.place(*p).ty
                }
            };
            if !same(given, ty) && *given != Type::Lane {
                return Err(format!("returns {given} where {ty} is wanted"));
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Fault> {
        match stmt {
            Stmt::Let(v, op) => {
                self.op(*v, op)?;
                self.define(*v)
            }
            Stmt::Load(v, place) => {
                self.place(place)?;
                self.fits(place, &self.body.val(*v).ty)?;
                self.define(*v)
            }
            Stmt::Store(place, v) => {
                self.usable(*v)?;
                self.place(place)?;
                self.fits(place, &self.body.val(*v).ty)
            }
            Stmt::Accumulate { place, val, .. } => {
                self.usable(*val)?;
                self.place(place)
            }
            Stmt::Declare(p, init) => {
                self.init(init)?;
                self.declare(*p, PlaceKind::Local)
            }
            Stmt::View { view, of, .. } => {
                self.place(of)?;
                let kind = match self.body.places.get(view.0 as usize).map(|info| info.kind) {
                    Some(PlaceKind::Row) => PlaceKind::Row,
                    _ => PlaceKind::View,
                };
                self.declare(*view, kind)
            }
            Stmt::CopyPlace { dst, src } | Stmt::AccumulatePlace { dst, src } => {
                self.place(dst)?;
                self.place(src)
            }
            Stmt::Zero(place) => self.place(place),
            Stmt::Effect(e) => {
                self.verbatim(&e.operands, &e.places)?;
                if let Gives::State(p) = e.gives {
                    self.declare(p, PlaceKind::State)?;
                }
                e.vals().iter().try_for_each(|v| self.define(*v))
            }
            Stmt::Block { label, body } => {
                self.labels.push(label.clone());
                self.nested(body, &[])?;
                self.labels.pop();
                Ok(())
            }
            Stmt::Storage(s) => self.storage(s),
            Stmt::Call(call) => self.call(call),
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                self.typed(*cond, &Type::Bool)?;
                let types: Vec<Type> = results
                    .iter()
                    .map(|v| self.body.val(*v).ty.clone())
                    .collect();
                self.nested(then, &types)?;
                self.nested(els, &types)?;
                results.iter().try_for_each(|v| self.define(*v))
            }
            Stmt::For(For {
                label,
                iv,
                lo,
                hi,
                body,
                ..
            }) => {
                let ty = self.body.val(*iv).ty.clone();
                self.typed(*lo, &ty)?;
                self.typed(*hi, &ty)?;
                self.loops.push(label.clone());
                let vals = self.vals.clone();
                self.define(*iv)?;
                self.nested(body, &[])?;
                self.vals = vals;
                self.loops.pop();
                Ok(())
            }
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                ..
            } => {
                self.loops.push(label.clone());
                let vals = self.vals.clone();
                trip.iter().try_for_each(|v| self.define(*v))?;
                self.nested(cond, &[Type::Bool])?;
                self.nested(body, &[])?;
                self.vals = vals;
                self.loops.pop();
                trips.iter().try_for_each(|v| self.define(*v))
            }
            Stmt::Record(_, v) => self.usable(*v),
            Stmt::First(First::Fill { slot, keep }) => {
                self.usable_place(*slot)?;
                let mut bounds = keep.iter().flat_map(|(lo, hi)| [lo, hi]);
                bounds.try_for_each(|v| self.usable(*v))
            }
            Stmt::First(First::Set { place, val, .. }) => {
                self.usable(*val)?;
                self.place(place)
            }
            Stmt::Tape(Tape::Keep { base, place, .. } | Tape::Shape { end: base, place }) => {
                self.usable_place(*place)?;
                self.define(*base)
            }
            Stmt::Tape(Tape::Kept {
                place, base, len, ..
            }) => {
                self.usable(*base)?;
                self.usable(*len)?;
                self.declare(*place, PlaceKind::Local)
            }
            Stmt::Tape(Tape::Release { len, .. }) => self.usable(*len),
            Stmt::Tape(Tape::ReleaseShape { .. }) => Ok(()),
            Stmt::TangentCall(t) => {
                t.tangents.iter().flatten().try_for_each(|a| self.arg(a))?;
                self.call(&t.call)?;
                self.results(&t.result)
            }
            Stmt::AugmentedCall(a) => self.call(&a.call),
            Stmt::ReverseCall(r) => {
                r.args.iter().flatten().try_for_each(|a| self.arg(a))?;
                r.adjoints.iter().flatten().try_for_each(|a| self.arg(a))
            }
        }
    }

    fn storage(&mut self, s: &Storage) -> Result<(), Fault> {
        let vector = |p: &Place| match self.body.type_at(p) {
            Some(Type::Vec(_)) => Ok(()),
            _ => Err(format!("@{} is no vector", p.root.0)),
        };
        s.places()
            .into_iter()
            .try_for_each(|p| self.usable_place(p))?;
        match s {
            Storage::Push(p, v) => {
                vector(p)?;
                self.usable(*v)
            }
            Storage::Pop(v, p) => {
                vector(p)?;
                self.define(*v)
            }
            Storage::Resize {
                vec,
                old,
                len,
                kept,
                fill,
            } => {
                vector(vec)?;
                let usize = Type::usize();
                for n in [old, len, kept] {
                    self.typed(*n, &usize)?;
                }
                fill.map_or(Ok(()), |fill| self.usable(fill))
            }
            Storage::Swap(a, b) => match (self.body.type_at(a), self.body.type_at(b)) {
                (Some(a), Some(b)) if same(&a, &b) => Ok(()),
                (a, b) => Err(format!("{a:?} changes places with {b:?}")),
            },
        }
    }

    fn call(&mut self, call: &Call) -> Result<(), Fault> {
        call.args.iter().try_for_each(|a| self.arg(a))?;
        self.results(&call.result.map(&mut |l| Some(l.clone())))
    }

    fn results(&mut self, tree: &Tree<Option<Leaf>>) -> Result<(), Fault> {
        for leaf in tree.leaves().into_iter().flatten() {
            match leaf {
                Leaf::Val(v) => self.define(*v)?,
                Leaf::Place(p) => self.declare(*p, PlaceKind::Local)?,
            }
        }
        Ok(())
    }

    fn arg(&self, arg: &Arg) -> Result<(), Fault> {
        match arg {
            Arg::Value(v) => self.usable(*v),
            Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.place(p),
            Arg::Verbatim {
                operands, places, ..
            } => self.verbatim(operands, places),
        }
    }

    fn verbatim(
        &self,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
    ) -> Result<(), Fault> {
        operands.iter().try_for_each(|(_, v)| self.usable(*v))?;
        places.iter().try_for_each(|(_, p)| self.usable_place(*p))
    }

    fn op(&self, v: Val, op: &Op) -> Result<(), Fault> {
        let ty = &self.body.val(v).ty;
        let usize = Type::usize();
        match op {
            Op::Lit(_)
            | Op::Param(_)
            | Op::LaneZero
            | Op::ResultSeed(_)
            | Op::Reload(Slot::Word(_) | Slot::Int(_)) => Ok(()),
            Op::Copy(a) | Op::Neg(a) | Op::Not(a) => self.typed(*a, ty),
            Op::Bin(op, a, b) => {
                self.typed(*a, ty)?;
                match op {
                    BinOp::Shl | BinOp::Shr => self.usable(*b),
                    BinOp::Add
                    | BinOp::Sub
                    | BinOp::Mul
                    | BinOp::Div
                    | BinOp::Rem
                    | BinOp::And
                    | BinOp::Or
                    | BinOp::Xor => self.typed(*b, ty),
                }
            }
            Op::Cmp(op, a, b) => {
                self.usable(*a)?;
                if *op == CmpOp::TotalLt {
                    self.typed(*a, &Type::Float)?;
                }
                self.typed(*b, &self.body.val(*a).ty)?;
                if *ty == Type::Bool {
                    Ok(())
                } else {
                    Err("a comparison gives a bool".to_owned())
                }
            }
            Op::Elementary(_, args) => args.iter().try_for_each(|a| self.usable(*a)),
            Op::Cast(a) => self.usable(*a),
            Op::Len(place) => {
                self.place(place)?;
                if *ty == usize {
                    Ok(())
                } else {
                    Err("a length is usize".to_owned())
                }
            }
            Op::Verbatim {
                operands, places, ..
            } => self.verbatim(operands, places),
            Op::LaneScale { lane, scale, .. } => {
                self.usable(*lane)?;
                self.usable(*scale)
            }
            Op::Partial(_, _, operands) => {
                operands.iter().flatten().try_for_each(|a| self.usable(*a))
            }
            Op::Trips { lo, hi, .. } => {
                self.usable(*lo)?;
                self.usable(*hi)
            }
            Op::Induction { lo, hi, trip, .. } => {
                self.usable(*lo)?;
                self.usable(*hi)?;
                self.typed(*trip, &usize)
            }
            Op::LaneSum(place) => self.place(place),
        }
    }

    fn init(&self, init: &Init) -> Result<(), Fault> {
        match init {
            Init::None | Init::Zero => Ok(()),
            Init::Scalar(v) | Init::ArrayFill(v) | Init::ZeroLen(v) | Init::AnyLen(v) => {
                self.usable(*v)
            }
            Init::VecFill(v, n) => {
                self.usable(*v)?;
                self.usable(*n)
            }
            Init::List(vals) => vals.iter().try_for_each(|v| self.usable(*v)),
            Init::CopyOf(p) | Init::ZeroLike(p) | Init::Sorted { keys: p, .. } => self.place(p),
            Init::Struct { fields, base } => {
                base.iter().try_for_each(|p| self.place(p))?;
                fields.iter().try_for_each(|(_, leaf)| match leaf {
                    Part::Val(v) => self.usable(*v),
                    Part::Place(p) => self.place(p),
                })
            }
            Init::MoveOf(p) => self.usable_place(*p),
        }
    }

    fn place(&self, place: &Place) -> Result<(), Fault> {
        self.usable_place(place.root)?;
        let usize = Type::usize();
        place.path.iter().try_for_each(|step| match step {
            Proj::Index(i) | Proj::Flat(i) => self.typed(*i, &usize),
            Proj::Range(lo, hi) => {
                self.typed(*lo, &usize)?;
                self.typed(*hi, &usize)
            }
            Proj::Field(..) => Ok(()),
        })
    }

    /// What is behind the path has this type, if it is known.
    fn fits(&self, place: &Place, ty: &Type) -> Result<(), Fault> {
        match self.body.type_at(place) {
            Some(at) if !same(&at, ty) => Err(format!("{ty} where the place holds {at}")),
            Some(_) | None => Ok(()),
        }
    }

    fn define(&mut self, v: Val) -> Result<(), Fault> {
        if v.0 as usize >= self.body.vals.len() {
            return Err(format!("%{} is not in the table", v.0));
        }
        if !self.defined.insert(v) {
            return Err(format!("%{} is defined twice", v.0));
        }
        self.vals.insert(v);
        Ok(())
    }

    fn declare(&mut self, p: PlaceId, kind: PlaceKind) -> Result<(), Fault> {
        let info = self
            .body
            .places
            .get(p.0 as usize)
            .ok_or_else(|| format!("@{} is not in the table", p.0))?;
        if info.kind != kind {
            return Err(format!(
                "@{} is declared as {kind:?} but is {:?}",
                p.0, info.kind
            ));
        }
        if !self.places.insert(p) {
            return Err(format!("@{} is declared twice", p.0));
        }
        Ok(())
    }

    fn usable(&self, v: Val) -> Result<(), Fault> {
        if self.vals.contains(&v) {
            Ok(())
        } else {
            Err(format!("%{} is not in scope", v.0))
        }
    }

    fn usable_place(&self, p: PlaceId) -> Result<(), Fault> {
        if self.places.contains(&p) {
            Ok(())
        } else {
            Err(format!("@{} is not in scope", p.0))
        }
    }

    fn typed(&self, v: Val, ty: &Type) -> Result<(), Fault> {
        self.usable(v)?;
        let given = &self.body.val(v).ty;
        if same(given, ty) {
            Ok(())
        } else {
            Err(format!("%{} is {given} where {ty} is wanted", v.0))
        }
    }
}

/// Equal types; lengths of arrays may be written in more than one way.
fn same(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(x, _), Type::Array(y, _)) => same(x, y),
        (Type::Slice(x), Type::Slice(y)) | (Type::Vec(x), Type::Vec(y)) => same(x, y),
        // by what path a struct is known: rustc compares them
        (Type::Struct(_), Type::Struct(_)) | (Type::Lanes(_), Type::Lanes(_)) => true,
        _ => a == b,
    }
}
