//! Values that are defined twice are defined once, before the code is reversed.
//!
//! What the adjoint sweep reads is recorded or computed again value by value, so fewer values mean
//! smaller records and less code. Nothing is moved to where it was not computed before, but for
//! integer literals and lengths of parameters, which cannot fail. Results are the same bit by bit.

use super::loops::written_roots;
use super::structure::Structured;
use crate::analysis::views::Views;
use crate::ir::{
    BinOp, Body, CmpOp, Lit, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// Rewrites a structured body.
pub(crate) fn simplify(mut structured: Structured) -> Structured {
    let Structured {
        body,
        lens,
        growing,
        ..
    } = &mut structured;
    let views = Views::of(body);
    let mut region = std::mem::take(&mut body.region);
    let mut cx = Cx {
        views: &views,
        lens,
        growing,
        known: vec![Map::new()],
        loaded: Vec::new(),
        renamed: Map::new(),
        head: Vec::new(),
        body,
    };
    cx.region(&mut region);
    let Cx { renamed, head, .. } = cx;
    region.stmts.splice(0..0, head);
    body.region = region;
    for len in lens.values_mut() {
        *len = renamed.get(len).copied().unwrap_or(*len);
    }
    structured
}

struct Cx<'a> {
    body: &'a mut Body,
    views: &'a Views,
    lens: &'a Map<PlaceId, Val>,
    growing: &'a Set<PlaceId>,
    /// Operations by what they compute, by region; the innermost last.
    known: Vec<Map<Key, Val>>,
    /// What is known to be in places that can be written, in the region at hand.
    loaded: Vec<(Place, Val)>,
    renamed: Map<Val, Val>,
    /// Goes in front of the body.
    head: Vec<Stmt>,
}

/// What an operation computes, and of which type.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key(String, What);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Float(u64),
    Int(i128),
    Bool(bool),
    Param(usize),
    Neg(Val),
    Not(Val),
    Cast(String, Val),
    Bin(BinOp, Val, Val),
    Cmp(CmpOp, Val, Val),
    Elementary(&'static str, Vec<Val>),
    Len(PlaceId, Vec<Step>),
    Load(PlaceId, Vec<Step>),
    Trips(Val, Val, bool),
    Item([Val; 3], bool, bool),
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Index(Val),
    Flat(Val),
    Range(Val, Val),
    Field(String),
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let outer = std::mem::take(&mut self.loaded);
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            stmt.each_use(&mut |v| *v = self.renamed.get(v).copied().unwrap_or(*v));
            for inner in stmt.regions_mut() {
                self.known.push(Map::new());
                self.region(inner);
                self.known.pop();
            }
            self.forget(&stmt);
            if let Some(stmt) = self.stmt(stmt) {
                stmts.push(stmt);
            }
        }
        self.loaded = outer;
        region.stmts = stmts;
        let renamed = &self.renamed;
        region
            .exit
            .each_use(&mut |v| *v = renamed.get(v).copied().unwrap_or(*v));
    }

    /// The statement, unless it is not needed.
    fn stmt(&mut self, stmt: Stmt) -> Option<Stmt> {
        let (v, what) = match &stmt {
            Stmt::Let(v, op) => {
                if let Some(same) = self.same(*v, op) {
                    self.rename(*v, same);
                    return None;
                }
                // of a type that rustc tells there may be two
                let told = self.type_name(*v) != "_";
                (*v, self.what(op).filter(|_| told))
            }
            Stmt::Load(v, place) if self.is_shared(place) => {
                (*v, Some(What::Load(place.root, steps(place))))
            }
            Stmt::Load(v, place) => {
                let known = self
                    .loaded
                    .iter()
                    .find(|(p, w)| p == place && self.body.val(*v).ty == self.body.val(*w).ty);
                if let Some((_, known)) = known {
                    self.rename(*v, *known);
                    return None;
                }
                self.loaded.push((place.clone(), *v));
                return Some(stmt);
            }
            Stmt::Store(place, v) if self.body.type_at(place).is_some_and(|t| t.is_scalar()) => {
                self.loaded.push((place.clone(), *v));
                return Some(stmt);
            }
            _ => return Some(stmt),
        };
        let Some(what) = what else { return Some(stmt) };
        if self.is_untold(v) {
            return Some(stmt);
        }
        let to_head = match &stmt {
            Stmt::Let(_, Op::Lit(Lit::Int(_))) => true,
            Stmt::Let(_, Op::Len(place)) => self.is_whole_param(place),
            _ => false,
        };
        let key = Key(self.type_name(v), what);
        if let Some(known) = self.known.iter().rev().find_map(|known| known.get(&key)) {
            self.rename(v, *known);
            return None;
        }
        let scope = if to_head {
            self.known.first_mut()
        } else {
            self.known.last_mut()
        };
        scope
            .expect("simplify: one scope for each region")
            .insert(key, v);
        if to_head {
            self.head.push(stmt);
            return None;
        }
        Some(stmt)
    }

    /// What a statement may write to is not known any more.
    fn forget(&mut self, stmt: &Stmt) {
        if seeded!(LoadReusedAfterWrite) {
            return;
        }
        let mut written = Vec::new();
        writes(stmt, &mut written);
        let roots: Vec<PlaceId> = written.iter().map(|p| self.views.root(*p)).collect();
        let views = self.views;
        self.loaded
            .retain(|(place, _)| !roots.contains(&views.root(place.root)));
    }

    fn rename(&mut self, v: Val, to: Val) {
        let hint = self.body.val(v).hint.clone();
        let info = &mut self.body.vals[to.0 as usize];
        info.hint = info.hint.take().or(hint);
        self.renamed.insert(v, to);
    }

    /// A value that the operation only repeats. Floats keep their copies, which have types of their own.
    fn same(&self, v: Val, op: &Op) -> Option<Val> {
        let usize = |v: &Val| matches!(&self.body.val(*v).ty, Type::Int(name) if name == "usize");
        match op {
            Op::Copy(a) if usize(a) && usize(&v) => Some(*a),
            // the length of one that grows is that at the end
            Op::Len(Place { root, path })
                if path.is_empty()
                    && (!self.growing.contains(root) || seeded!(LengthTakenForFixed)) =>
            {
                let len = self.lens.get(root).copied().filter(|len| *len != v)?;
                Some(self.renamed.get(&len).copied().unwrap_or(len))
            }
            Op::Trips {
                lo,
                hi,
                inclusive: false,
            } if usize(lo) && self.is_zero(*lo) => Some(*hi),
            Op::Induction {
                lo,
                trip,
                reversed: false,
                ..
            } if usize(lo) && self.is_zero(*lo) => Some(*trip),
            _ => None,
        }
    }

    fn is_zero(&self, v: Val) -> bool {
        let key = Key(self.type_name(v), What::Int(0));
        self.known.iter().any(|known| known.get(&key) == Some(&v))
    }

    fn type_name(&self, v: Val) -> String {
        self.body.val(v).ty.to_string()
    }

    /// Its type is left to rustc: another value that is written alike may be of another.
    fn is_untold(&self, v: Val) -> bool {
        matches!(&self.body.val(v).ty, Type::Int(name) if name == "_")
    }

    /// Of a `&` parameter: nobody can write to it.
    fn is_shared(&self, place: &Place) -> bool {
        let root = self.views.root(place.root);
        matches!(self.body.place(root).kind, PlaceKind::SharedParam(_))
    }

    /// A whole slice or array that a parameter refers to: its length never changes.
    fn is_whole_param(&self, place: &Place) -> bool {
        let info = self.body.place(place.root);
        place.path.is_empty()
            && matches!(
                info.kind,
                PlaceKind::SharedParam(_) | PlaceKind::MutParam(_)
            )
            && matches!(info.ty, Type::Slice(_) | Type::Array(..))
    }

    fn what(&self, op: &Op) -> Option<What> {
        Some(match op {
            Op::Lit(Lit::Float(c)) => What::Float(c.to_bits()),
            Op::Lit(Lit::Int(i)) => What::Int(*i),
            Op::Lit(Lit::Bool(b)) => What::Bool(*b),
            Op::Param(k) => What::Param(*k),
            Op::Neg(a) => What::Neg(*a),
            Op::Not(a) => What::Not(*a),
            Op::Cast(a) => What::Cast(self.type_name(*a), *a),
            Op::Bin(op, a, b) => What::Bin(*op, *a, *b),
            Op::Cmp(op, a, b) => What::Cmp(*op, *a, *b),
            Op::Elementary(name, args) => What::Elementary(name, args.clone()),
            Op::Len(place) if self.is_shared(place) || self.is_whole_param(place) => {
                What::Len(place.root, steps(place))
            }
            Op::Trips { lo, hi, inclusive } => What::Trips(*lo, *hi, *inclusive),
            Op::Induction {
                lo,
                hi,
                inclusive,
                reversed,
                trip,
            } => What::Item([*lo, *hi, *trip], *inclusive, *reversed),
            Op::Copy(_)
            | Op::Len(_)
            | Op::Verbatim { .. }
            | Op::LaneZero
            | Op::LaneScale { .. }
            | Op::Partial(..)
            | Op::Reload(_)
            | Op::ResultSeed(_)
            | Op::LaneSum(_) => return None,
        })
    }
}

/// Roots that a statement, or one nested in it, may write to or declares.
fn writes(stmt: &Stmt, found: &mut Vec<PlaceId>) {
    for stmt in stmt.all() {
        found.extend(written_roots(stmt));
        stmt.each_named(&mut |p| found.push(p));
        if let Stmt::Declare(p, _) | Stmt::View { view: p, .. } = stmt {
            found.push(*p);
        }
    }
}

fn steps(place: &Place) -> Vec<Step> {
    let step = |step: &Proj| match step {
        Proj::Index(i) => Step::Index(*i),
        Proj::Flat(i) => Step::Flat(*i),
        Proj::Range(a, b) => Step::Range(*a, *b),
        Proj::Field(name, _) => Step::Field(name.clone()),
    };
    place.path.iter().map(step).collect()
}
