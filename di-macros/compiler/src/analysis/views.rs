//! Views: which place a slice bound to a name stands for.

use crate::ir::{BinOp, Body, Op, Place, PlaceId, Proj, Stmt, Type, Val};
use crate::mutation::seeded;
use crate::sorted::Map;
use proc_macro2::Span;

/// What each view stands for.
pub(crate) struct Views(Map<PlaceId, Place>);

impl Views {
    /// Collects the views of a body.
    pub(crate) fn of(body: &Body) -> Views {
        let view = |stmt: &Stmt| match stmt {
            Stmt::View { view, of, .. } => Some((*view, of.clone())),
            _ => None,
        };
        Views(body.region.all().filter_map(view).collect())
    }

    /// The place at the bottom of views.
    pub(crate) fn root(&self, place: PlaceId) -> PlaceId {
        match self.0.get(&place) {
            Some(of) => self.root(of.root),
            None => place,
        }
    }

    /// Visits the steps of a path from the root on, through all views; first the root itself (`None`).
    pub(crate) fn each_step(&self, place: &Place, f: &mut impl FnMut(PlaceId, Option<&Proj>)) {
        match self.0.get(&place.root) {
            Some(of) => self.each_step(of, f),
            None => f(place.root, None),
        }
        for step in &place.path {
            f(place.root, Some(step));
        }
    }

    /// The path from the root, through all views: `let v = &x[lo..hi]; v[i]` is `x[lo + i]`.
    /// Sums of indices become new values, defined in `out`.
    pub(crate) fn resolve(&self, body: &mut Body, place: &Place, out: &mut Vec<Stmt>) -> Place {
        let mut resolved = match self.0.get(&place.root) {
            Some(of) => self.resolve(body, of, out),
            None => Place::from(place.root),
        };
        for step in &place.path {
            push_step(body, &mut resolved.path, step, out);
        }
        resolved
    }
}

/// Appends a step; an index into a range becomes an index.
fn push_step(body: &mut Body, path: &mut Vec<Proj>, step: &Proj, out: &mut Vec<Stmt>) {
    let Some(Proj::Range(lo, _)) = path.last().cloned() else {
        path.push(step.clone());
        return;
    };
    path.pop();
    path.push(match step {
        Proj::Index(i) if seeded!(OffsetForgotten) => Proj::Index(*i),
        Proj::Index(i) => Proj::Index(add(body, lo, *i, out)),
        Proj::Range(a, b) => Proj::Range(add(body, lo, *a, out), add(body, lo, *b, out)),
        Proj::Field(..) | Proj::Flat(_) => unreachable!("verify: a slice has no fields"),
    });
}

fn add(body: &mut Body, a: Val, b: Val, out: &mut Vec<Stmt>) -> Val {
    let sum = body.new_val(Type::usize(), None, Span::call_site());
    out.push(Stmt::Let(sum, Op::Bin(BinOp::Add, a, b)));
    sum
}
