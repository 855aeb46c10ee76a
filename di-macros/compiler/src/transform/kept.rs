//! Local vectors, and structs with vectors, that callees' adjoints read, and that nobody writes to any more: kept
//! once, after the last write, instead of at each call. And the lengths in structs.

use crate::analysis::activity::Activity;
use crate::analysis::record::lets_of;
use crate::analysis::views::Views;
use crate::ir::{
    Arg, Asked, Body, Call, Init, Keep, Leaf, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Tape,
    Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::Map;
use proc_macro2::Span;

/// A vector that is kept.
pub(crate) struct Kept {
    /// Where it is on the tape.
    pub(crate) base: Val,
    pub(crate) len: Val,
}

/// Puts [`Tape::Keep`] into a structured body; calls after it keep nothing of the vector.
///
/// Puts [`Tape::Shape`] to the ends of regions for the structs of theirs that may have vectors: `lens` has where the
/// lengths in these end on the tape.
pub(crate) fn keep(
    body: &mut Body,
    lens: &mut Map<PlaceId, Val>,
    views: &Views,
    activity: &Activity,
) -> Map<PlaceId, Kept> {
    let mut region = std::mem::take(&mut body.region);
    let mut cx = Cx {
        body,
        lens,
        views,
        activity,
        kept: Map::new(),
    };
    cx.region(&mut region);
    for (k, param) in cx.body.params.clone().iter().enumerate() {
        if let Some(place) = param.place
            && cx.body.place(place).kind == PlaceKind::ValueParam(k)
        {
            cx.keep_shape(place, &mut region);
        }
    }
    let kept = cx.kept;
    body.region = region;
    kept
}

struct Cx<'a> {
    body: &'a mut Body,
    lens: &'a mut Map<PlaceId, Val>,
    views: &'a Views,
    activity: &'a Activity,
    kept: Map<PlaceId, Kept>,
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut after: Vec<(usize, Stmt)> = Vec::new();
        let all: Vec<PlaceId> = region.stmts.iter().flat_map(declared).collect();
        for &declared in &all {
            let info = self.body.place(declared);
            let floats = matches!(&info.ty, Type::Vec(t) if **t == Type::Float);
            let structs = !floats && self.may_have_vectors(declared);
            if !(floats || structs) || !self.activity.is_generic_place(declared) {
                continue;
            }
            let len = self.lens.get(&declared).copied();
            if floats && len.is_none() {
                continue;
            }
            let Some((last, asked)) = self.last_write(&region.stmts, declared) else {
                continue;
            };
            // the length may be defined after the vector
            let mut known = region.stmts.iter();
            let last = known
                .rposition(|stmt| len.is_some_and(|len| lets_of(stmt).contains(&len)))
                .map_or(last, |at| at.max(last));
            let usize = Type::usize();
            let base = self.body.new_val(usize, Some("base"), Span::call_site());
            for stmt in &mut region.stmts[last + 1..] {
                release(stmt, declared, self.views);
            }
            after.push((
                last,
                Stmt::Tape(Tape::Keep {
                    base,
                    place: declared,
                    asked,
                }),
            ));
            // where a struct ends tells all of it
            let len = len.filter(|_| floats).unwrap_or(base);
            self.kept.insert(declared, Kept { base, len });
        }
        after.sort_by_key(|(at, _)| *at);
        for (at, stmt) in after.into_iter().rev() {
            region.stmts.insert(at + 1, stmt);
        }
        for stmt in &mut region.stmts {
            for inner in stmt.regions_mut() {
                self.region(inner);
            }
        }
        for declared in all {
            self.keep_shape(declared, region);
        }
    }

    fn may_have_vectors(&self, place: PlaceId) -> bool {
        let ty = &self.body.place(place).ty;
        matches!(ty, Type::Struct(_)) && self.body.has_lengths(ty)
    }

    fn keep_shape(&mut self, place: PlaceId, region: &mut Region) {
        if self.may_have_vectors(place) && self.activity.is_active_place(place) {
            let usize = Type::usize();
            let end = self.body.new_val(usize, Some("shape"), Span::call_site());
            region.stmts.push(Stmt::Tape(Tape::Shape { end, place }));
            self.lens.insert(place, end);
        }
    }

    /// The last statement that may write to the vector, and which calls after it may want its
    /// values; `None` if it is no use to keep it there.
    fn last_write(&self, stmts: &[Stmt], place: PlaceId) -> Option<(usize, Vec<Asked>)> {
        let writes = |stmt: &Stmt| {
            let changed = !seeded!(KeptTooEarly) && stmt.all().any(|s| self.writes(s, place));
            changed || declared(stmt).contains(&place)
        };
        let last = stmts.iter().rposition(writes)?;
        let mut asked = Vec::new();
        let mut often = 0;
        for stmt in &stmts[last + 1..] {
            let found = self.asked(stmt, place);
            // in a loop, or more than once
            often += if stmt.regions().is_empty() {
                found.len()
            } else {
                2 * found.len()
            };
            for one in found {
                if !asked.contains(&one) {
                    asked.push(one);
                }
            }
        }
        // an element of a list is borrowed even by a callee that does not ask for its values
        let is_element = |p: &Place| {
            let mut steps = p.path.iter();
            let is_view = p.root != place;
            self.views.root(p.root) == place
                && (is_view || steps.any(|step| matches!(step, Proj::Index(_))))
        };
        let lends = |arg: &Arg| matches!(arg, Arg::Ref(p) if is_element(p));
        let any_lent =
            |stmt: &Stmt| matches!(stmt, Stmt::AugmentedCall(c) if c.call.args.iter().any(lends));
        let is_structs = self.body.place(place).ty.is_structs();
        if is_structs && stmts[last + 1..].iter().flat_map(Stmt::all).any(any_lent) {
            asked.clear();
        }
        (often > 1).then_some((last, asked))
    }

    fn asked(&self, stmt: &Stmt, place: PlaceId) -> Vec<Asked> {
        let mut found = Vec::new();
        for stmt in stmt.all() {
            let Stmt::AugmentedCall(c) = stmt else {
                continue;
            };
            for (k, (arg, keep)) in c.call.args.iter().zip(&c.keep).enumerate() {
                if *keep != Keep::No && self.lends(arg, place) {
                    found.push(Asked {
                        callee: c.call.callee.clone(),
                        argument: k,
                    });
                }
            }
        }
        found
    }

    fn lends(&self, arg: &Arg, place: PlaceId) -> bool {
        matches!(arg, Arg::Ref(p) if self.views.root(p.root) == place)
    }

    /// Whether a statement itself may write to the place, or gives it away.
    fn writes(&self, stmt: &Stmt, place: PlaceId) -> bool {
        let is = |p: &Place| self.views.root(p.root) == place;
        let lent = |call: &Call| {
            call.args.iter().any(|arg| match arg {
                Arg::Mut(p) | Arg::Place(p) => is(p),
                Arg::Verbatim { places, .. } => places.iter().any(|(_, p)| *p == place),
                Arg::Value(_) | Arg::Ref(_) => false,
            })
        };
        match stmt {
            Stmt::Store(p, _)
            | Stmt::Accumulate { place: p, .. }
            | Stmt::Zero(p)
            | Stmt::CopyPlace { dst: p, .. }
            | Stmt::AccumulatePlace { dst: p, .. } => is(p),
            Stmt::Storage(s) => s.places().contains(&place),
            Stmt::Declare(_, Init::MoveOf(p)) => *p == place,
            Stmt::Call(c) => lent(c),
            Stmt::AugmentedCall(c) => lent(&c.call),
            Stmt::TangentCall(_) | Stmt::ReverseCall(_) => true,
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::Declare(..)
            | Stmt::View { .. }
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Effect(_)
            | Stmt::Block { .. }
            | Stmt::Record(..)
            | Stmt::Tape(_)
            | Stmt::First(_) => false,
        }
    }
}

/// Vectors that a statement declares in its own region.
fn declared(stmt: &Stmt) -> Vec<PlaceId> {
    let results = |call: &Call| {
        call.result
            .leaves()
            .into_iter()
            .filter_map(|leaf| match leaf {
                Leaf::Place(p) => Some(*p),
                Leaf::Val(_) => None,
            })
            .collect()
    };
    match stmt {
        Stmt::Declare(p, _) => vec![*p],
        Stmt::Call(c) => results(c),
        Stmt::AugmentedCall(c) => results(&c.call),
        _ => Vec::new(),
    }
}

/// Calls do not keep the vector by themselves.
fn release(stmt: &mut Stmt, place: PlaceId, views: &Views) {
    stmt.change_all(&mut |stmt| {
        if let Stmt::AugmentedCall(c) = stmt {
            for (arg, keep) in c.call.args.iter().zip(&mut c.keep) {
                if matches!(arg, Arg::Ref(p) if views.root(p.root) == place) {
                    *keep = Keep::No;
                }
            }
        }
    });
}
