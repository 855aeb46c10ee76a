//! Places that some code renews: what it writes there at all it has written before it reads it, and which elements
//! these are is the same each time. Nothing goes from one run to the next by way of such a place: the adjoints of the
//! elements are zero between two runs, and those of the others are only added to. (The places that are private to the
//! iterations of a loop: Tu and Padua, Automatic Array Privatization, 1993.)
//!
//! Code is the body of a loop, whose scratch it may be, or a function, which renews what it has behind `&mut`. Which
//! elements a function writes may depend on its other arguments: a caller must know that these do not vary.

use super::views::Views;
use crate::ir::{
    Arg, Body, Call, Exit, For, Init, Leaf, Mode, Op, Place, PlaceId, PlaceKind, Proj, Region,
    Renewal, Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// Bit of a parameter that is not renewed, in whatever way the arguments vary.
pub(crate) const NEVER: u64 = 1 << 63;

/// Parameters that have a bit of their own.
const BITS: usize = 63;

/// The elements that are written.
#[derive(PartialEq)]
enum Extent {
    All,
    /// `0..n`
    Below(Val),
    /// By literal indices.
    At(Set<i128>),
    /// What a callee writes.
    Call(Renewal),
}

/// The places of a loop that its trips renew, and what must hold of calls for that.
pub(crate) type Scratch = Map<PlaceId, Option<Renewal>>;

/// For each loop that is run once and by its induction variable, its scratch that nobody reads after it.
pub(crate) fn scratch(
    body: &Body,
    views: &Views,
    lens: &Map<PlaceId, Val>,
    region: &Region,
) -> Map<Val, Scratch> {
    let mut found = Map::new();
    for (at, stmt) in region.stmts.iter().enumerate() {
        let (f, rows) = match stmt {
            Stmt::For(f) => (f, [].as_slice()),
            Stmt::If { then, .. } => match then.stmts.split_last() {
                Some((Stmt::For(f), rows)) => (f, rows),
                _ => continue,
            },
            _ => continue,
        };
        let cx = Cx::new(body, views, lens, region, Some(f));
        let own: Set<PlaceId> = f.body.all().flat_map(declared).collect();
        let named = f.body.all().flat_map(Stmt::named);
        let mut places: Vec<PlaceId> = named.map(|p| views.root(p)).collect();
        places.sort_unstable();
        places.dedup();
        let is_local = |p: &PlaceId| body.place(*p).kind == PlaceKind::Local && !own.contains(p);
        let results: &[Leaf] = match &region.exit {
            Exit::Return(leaves) => leaves,
            _ => &[],
        };
        let after = |p: PlaceId| {
            let stmts = &region.stmts[at + 1..];
            let read = results.contains(&Leaf::Place(p)) || stmts.iter().any(|s| cx.names(s, p));
            read && !seeded!(ReadAfterwards)
        };
        let unread = |p: &PlaceId| !after(*p) && !rows.iter().any(|s| cx.names(s, *p));
        let places = places.into_iter().filter(is_local).filter(unread);
        let scratch = places.filter_map(|p| {
            let needs = match cx.renewed(&f.body, p)? {
                Extent::Below(n) if !cx.is_fixed(n) => return None,
                Extent::Call(renewal) => Some(renewal),
                Extent::All | Extent::Below(_) | Extent::At(_) => None,
            };
            Some((p, needs))
        });
        found.insert(f.iv, scratch.collect());
    }
    found
}

/// For each parameter of a function on which others a renewal of it depends, as bits: on the number itself, or on the
/// length.
pub(crate) fn renewals(body: &Body, views: &Views, lens: &Map<PlaceId, Val>) -> Vec<u64> {
    let cx = Cx::new(body, views, lens, &body.region, None);
    let renewal = |(k, param): (usize, &crate::ir::Param)| -> Option<u64> {
        let place = param
            .place
            .filter(|_| param.mode == Mode::Mut && k < BITS)?;
        match cx.renewed(&body.region, place)? {
            Extent::All => Some(1 << k),
            Extent::At(_) => Some(0),
            Extent::Below(n) => cx.depends(n),
            // what the callee of a callee does is not followed
            Extent::Call(_) => None,
        }
    };
    let params = body.params.iter().enumerate();
    params.map(|p| renewal(p).unwrap_or(NEVER)).collect()
}

/// Places that a statement declares.
pub(super) fn declared(stmt: &Stmt) -> Vec<PlaceId> {
    let results = |call: &Call| {
        let leaves = call.result.leaves().into_iter();
        let places = leaves.filter_map(|leaf| match leaf {
            Leaf::Place(p) => Some(*p),
            Leaf::Val(_) => None,
        });
        places.collect()
    };
    match stmt {
        Stmt::Declare(p, _) => vec![*p],
        Stmt::Call(call) => results(call),
        Stmt::AugmentedCall(c) => results(&c.call),
        _ => Vec::new(),
    }
}

struct Cx<'a> {
    body: &'a Body,
    views: &'a Views,
    lens: &'a Map<PlaceId, Val>,
    /// What is computed outside of the code, and in it.
    ops: Map<Val, &'a Op>,
    inside: Set<Val>,
    places: Set<PlaceId>,
    growing: Set<PlaceId>,
    integers: Map<Val, i128>,
    /// What is below a value: indices of loops.
    below: Map<Val, Val>,
}

impl<'a> Cx<'a> {
    /// Of a loop in `region`, or of all of it.
    fn new(
        body: &'a Body,
        views: &'a Views,
        lens: &'a Map<PlaceId, Val>,
        region: &'a Region,
        code: Option<&For>,
    ) -> Cx<'a> {
        let (mut ops, mut below) = (Map::new(), Map::new());
        for stmt in region.all() {
            match stmt {
                Stmt::Let(v, op) => {
                    ops.insert(*v, op);
                    if let Op::Induction {
                        hi,
                        inclusive: false,
                        ..
                    } = op
                    {
                        below.insert(*v, *hi);
                    }
                }
                Stmt::For(f) if !f.inclusive => {
                    below.insert(f.iv, f.hi);
                }
                _ => {}
            }
        }
        let trip = code.into_iter().flat_map(|f| f.body.all());
        let mut inside: Set<Val> = code.into_iter().map(|f| f.iv).collect();
        for stmt in trip.clone() {
            inside.extend(super::record::lets_of(stmt));
            match stmt {
                Stmt::For(f) => inside.extend([f.iv]),
                Stmt::While { trip, .. } => inside.extend(*trip),
                _ => {}
            }
        }
        let all = code.map_or(region, |f| &f.body).all();
        let storage = all.filter_map(|stmt| match stmt {
            Stmt::Storage(s) => Some(s.places()),
            _ => None,
        });
        Cx {
            body,
            views,
            lens,
            ops,
            inside,
            places: trip.flat_map(declared).collect(),
            growing: storage.flatten().map(|p| views.root(p)).collect(),
            integers: region.integers(),
            below,
        }
    }

    fn names(&self, stmt: &Stmt, place: PlaceId) -> bool {
        // a view alone reads nothing, nor does a length
        let uses = |s: &Stmt| !matches!(s, Stmt::View { .. } | Stmt::Let(_, Op::Len(_)));
        let named = stmt.all().filter(|s| uses(s)).flat_map(Stmt::named);
        named.into_iter().any(|p| self.views.root(p) == place)
    }

    fn is(&self, place: &Place, root: PlaceId) -> bool {
        self.views.root(place.root) == root
    }

    /// Whether a value is the same in each run.
    fn is_fixed(&self, v: Val) -> bool {
        !self.inside.contains(&v)
    }

    /// What a region writes of a place, if it renews it.
    fn renewed(&self, region: &Region, place: PlaceId) -> Option<Extent> {
        let ty = &self.body.place(place).ty;
        let numbers = ty.element().unwrap_or(ty);
        if *numbers != Type::Float || self.growing.contains(&place) {
            return None;
        }
        let mut users = region.stmts.iter().filter(|s| self.names(s, place));
        let first = users.next()?;
        let mut extent = match self.written(first, place) {
            Some(extent) => extent,
            // all that is done with it stands in the parts of one statement
            None if users.next().is_none() => return self.renewed_within(first, place),
            None => return None,
        };
        // elements by literal indices, one after the other
        let mut more = true;
        for stmt in users {
            if let (Extent::At(all), Some(Extent::At(one)), true) =
                (&mut extent, self.written(stmt, place), more)
            {
                all.extend(one);
                continue;
            }
            more &= seeded!(ReadBeforeWritten);
            if !stmt.all().all(|s| self.keeps_to(s, place, &extent)) {
                return None;
            }
        }
        Some(extent)
    }

    fn renewed_within(&self, stmt: &Stmt, place: PlaceId) -> Option<Extent> {
        match stmt {
            Stmt::For(f) => self.renewed(&f.body, place),
            Stmt::While { cond, body, .. } => {
                let tests = cond.stmts.iter().any(|s| self.names(s, place));
                (!tests).then(|| self.renewed(body, place))?
            }
            Stmt::If { then, els, .. } => {
                let names = |arm: &Region| arm.stmts.iter().any(|s| self.names(s, place));
                match (names(then), names(els)) {
                    (true, true) => self.written(stmt, place),
                    (true, false) => self.renewed(then, place),
                    _ => self.renewed(els, place),
                }
            }
            _ => None,
        }
    }

    /// The elements that a statement writes in any case, before it reads one.
    fn written(&self, stmt: &Stmt, place: PlaceId) -> Option<Extent> {
        match stmt {
            Stmt::Store(Place { root, path }, _) if *root == place => match path.as_slice() {
                [] => Some(Extent::All),
                [Proj::Index(i)] => {
                    let literal = *self.integers.get(i)?;
                    Some(Extent::At([literal].into_iter().collect()))
                }
                _ => None,
            },
            Stmt::CopyPlace { dst, src } => {
                let whole = dst.root == place && dst.path.is_empty();
                (whole && !self.is(src, place)).then_some(Extent::All)
            }
            Stmt::For(f) => self.written_by_trips(f, place),
            // in both arms
            Stmt::If { then, els, .. } => {
                let arms = [then, els].map(|arm| self.renewed(arm, place));
                match arms {
                    // of two calls nobody knows whether they write the same elements
                    [Some(Extent::Call(_)), _] => None,
                    [first, second] => first.filter(|first| second.as_ref() == Some(first)),
                }
            }
            Stmt::AugmentedCall(c) => self.written_by_call(&c.call, place),
            _ => None,
        }
    }

    /// Each trip stores the element with its number, and has nothing to do with others.
    fn written_by_trips(&self, f: &For, place: PlaceId) -> Option<Extent> {
        let own = [Proj::Index(f.iv)];
        let of_trip = |stmt: &Stmt| match stmt {
            Stmt::Load(_, p) | Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } => {
                p.root == place && p.path == own
            }
            _ => false,
        };
        let all = f.body.all().filter(|s| s.regions().is_empty());
        let mut users = all.filter(|s| self.names(s, place));
        let first = f.body.stmts.iter().find(|s| self.names(s, place))?;
        let begins = matches!(first, Stmt::Store(..)) || seeded!(ReadBeforeWritten);
        let counted = !f.inclusive && self.integers.get(&f.lo) == Some(&0);
        if !counted || !begins || !users.all(of_trip) {
            return None;
        }
        let is_len = |op: &&Op| matches!(op, Op::Len(p) if *p == Place::from(place));
        let all = self.lens.get(&place) == Some(&f.hi) || self.ops.get(&f.hi).is_some_and(is_len);
        Some(match all {
            true => Extent::All,
            false => Extent::Below(f.hi),
        })
    }

    fn written_by_call(&self, call: &Call, place: PlaceId) -> Option<Extent> {
        let mut found = None;
        for (k, arg) in call.args.iter().enumerate() {
            match arg {
                Arg::Mut(p) if p.root == place && found.is_none() => {
                    let same = match p.path.as_slice() {
                        [] => true,
                        [Proj::Range(lo, hi)] => self.is_fixed(*lo) && self.is_fixed(*hi),
                        _ => false,
                    };
                    found = Some(k).filter(|_| same && k < BITS);
                    found?;
                }
                Arg::Mut(p) | Arg::Ref(p) | Arg::Place(p) if self.is(p, place) => return None,
                Arg::Mut(_) | Arg::Ref(_) | Arg::Place(_) | Arg::Value(_) => {}
                Arg::Verbatim { places, .. } => {
                    if places.iter().any(|(_, p)| *p == place) {
                        return None;
                    }
                }
            }
        }
        let varies = |(k, arg): (usize, &Arg)| match arg {
            Arg::Value(v) => !self.is_fixed(*v),
            Arg::Ref(p) | Arg::Mut(p) => !self.has_fixed_len(p),
            Arg::Place(_) | Arg::Verbatim { .. } => k < BITS,
        };
        let args = call.args.iter().enumerate().take(BITS);
        let varying = args
            .filter(|a| varies(*a))
            .fold(0, |all, (k, _)| all | 1 << k);
        Some(Extent::Call(Renewal {
            callee: call.callee.clone(),
            argument: found?,
            varying: if seeded!(VaryingForgotten) {
                0
            } else {
                varying
            },
        }))
    }

    fn has_fixed_len(&self, place: &Place) -> bool {
        match place.path.last() {
            Some(Proj::Range(lo, hi)) => self.is_fixed(*lo) && self.is_fixed(*hi),
            Some(_) => false,
            None => !self.places.contains(&place.root) && !self.growing.contains(&place.root),
        }
    }

    /// Whether a statement itself writes to no other elements.
    fn keeps_to(&self, stmt: &Stmt, place: PlaceId, extent: &Extent) -> bool {
        let all = *extent == Extent::All;
        let within = |p: &Place| match (extent, p.path.as_slice()) {
            _ if !self.is(p, place) || all => true,
            (Extent::Below(n), [Proj::Index(i)]) => p.root == place && self.below.get(i) == Some(n),
            (Extent::At(written), [Proj::Index(i)]) => {
                let literal = self.integers.get(i);
                p.root == place && literal.is_some_and(|i| written.contains(i))
            }
            _ => false,
        };
        let passed = |call: &Call| {
            call.args.iter().all(|arg| match arg {
                Arg::Mut(p) => all || !self.is(p, place),
                Arg::Place(p) => !self.is(p, place),
                Arg::Verbatim { places, .. } => places.iter().all(|(_, p)| *p != place),
                Arg::Ref(_) | Arg::Value(_) => true,
            })
        };
        match stmt {
            Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } => within(p),
            Stmt::CopyPlace { dst, .. } => all || !self.is(dst, place),
            Stmt::Declare(_, Init::MoveOf(p)) => *p != place,
            Stmt::Call(call) => passed(call),
            Stmt::AugmentedCall(c) => passed(&c.call),
            Stmt::Let(_, Op::Verbatim { places, .. }) => places.iter().all(|(_, p)| *p != place),
            Stmt::Effect(e) => e.places.iter().all(|(_, p)| *p != place),
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::Declare(..)
            | Stmt::View { .. }
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Record(..)
            | Stmt::Tape(_) => true,
            Stmt::Storage(_)
            | Stmt::Block { .. }
            | Stmt::First(_)
            | Stmt::AccumulatePlace { .. }
            | Stmt::Zero(_)
            | Stmt::TangentCall(_)
            | Stmt::ReverseCall(_) => !self.names(stmt, place),
        }
    }

    /// The parameters that a number is computed from, as bits.
    fn depends(&self, v: Val) -> Option<u64> {
        let bit = |k: usize| (k < BITS).then(|| 1 << k);
        let of = |vs: Vec<Val>| {
            let mut bits = vs.into_iter().map(|v| self.depends(v));
            bits.try_fold(0, |all, bits| Some(all | bits?))
        };
        let op = self.ops.get(&v)?;
        match op {
            Op::Param(k) => bit(*k),
            Op::Lit(_) => Some(0),
            Op::Copy(_) | Op::Bin(..) | Op::Trips { .. } | Op::Cast(_) => of(op.uses()),
            Op::Len(p) if p.path.is_empty() => {
                let is_param = |param: &crate::ir::Param| param.place == Some(p.root);
                bit(self.body.params.iter().position(is_param)?)
            }
            Op::Verbatim { tokens, .. } if tokens.is_arithmetic() => of(op.uses()),
            _ => None,
        }
    }
}
