//! Fixed arrays: local arrays that keep the content they were declared with. And what goes to callees as a constant.
//!
//! `let w = [1.0, 2.0];` can be declared once more wherever it is needed, so it is never recorded
//! and need not be of the generic scalar to be handed to a callee. The same holds of a constant array
//! that came in by value.

use super::control::call_of;
use super::views::Views;
use crate::ir::{Arg, Body, Call, Init, PlaceId, PlaceKind, Region, Role, Stmt, Type};
use crate::sorted::Set;

/// Local arrays and vectors made from single values and never written again, and constant arrays that
/// came in by value.
pub(crate) fn fixed_arrays(body: &Body, views: &Views) -> Set<PlaceId> {
    let mut found = Found::default();
    collect(views, &body.region, &mut found);
    let given = (0u32..).map(PlaceId).zip(&body.places);
    let given = given.filter(|(_, info)| match (info.kind, &info.ty) {
        (PlaceKind::ValueParam(k), Type::Array(..)) => {
            *info.ty.leaf() == Type::Float && body.params[k].role == Role::Constant
        }
        _ => false,
    });
    let given = given.map(|(p, _)| p);
    // a vector goes to its callee, and would have to be made of the callee's scalar
    let is_lifted = |p: &PlaceId| {
        let is_array = matches!(body.places[p.0 as usize].ty, Type::Array(..));
        is_array || !found.copied.contains(p)
    };
    let made = found.declared.iter().copied().filter(is_lifted);
    let all: Set<PlaceId> = given.chain(made).collect();
    all.difference(&found.written).copied().collect()
}

#[derive(Default)]
struct Found {
    declared: Set<PlaceId>,
    written: Set<PlaceId>,
    /// Handed to a callee by value.
    copied: Set<PlaceId>,
}

fn collect(views: &Views, region: &Region, found: &mut Found) {
    for stmt in &region.stmts {
        match stmt {
            Stmt::Declare(p, init) => match init {
                Init::List(_) | Init::ArrayFill(_) | Init::VecFill(..) => {
                    found.declared.insert(*p);
                }
                Init::MoveOf(src) => {
                    found.written.insert(*src);
                }
                Init::None
                | Init::Scalar(_)
                | Init::CopyOf(_)
                | Init::Sorted { .. }
                | Init::Struct { .. }
                | Init::Zero
                | Init::ZeroLike(_)
                | Init::ZeroLen(_)
                | Init::AnyLen(_) => {}
            },
            Stmt::Store(p, _)
            | Stmt::Accumulate { place: p, .. }
            | Stmt::CopyPlace { dst: p, .. } => {
                found.written.insert(views.root(p.root));
            }
            Stmt::AccumulatePlace { dst, .. } | Stmt::Zero(dst) => {
                found.written.insert(views.root(dst.root));
            }
            Stmt::Storage(s) => found.written.extend(s.places()),
            Stmt::Call(call) => lent(views, call, found),
            Stmt::AugmentedCall(c) => lent(views, &c.call, found),
            Stmt::TangentCall(c) => lent(views, &c.call, found),
            Stmt::Let(..)
            | Stmt::Load(..)
            | Stmt::View { .. }
            | Stmt::If { .. }
            | Stmt::For(_)
            | Stmt::While { .. }
            | Stmt::Record(..)
            | Stmt::Tape(_)
            | Stmt::Effect(_)
            | Stmt::Block { .. }
            | Stmt::First(_)
            | Stmt::ReverseCall(_) => {}
        }
        for inner in stmt.regions() {
            collect(views, inner, found);
        }
    }
}

fn lent(views: &Views, call: &Call, found: &mut Found) {
    for arg in &call.args {
        match arg {
            Arg::Mut(p) => found.written.insert(views.root(p.root)),
            Arg::Place(p) => found.copied.insert(views.root(p.root)),
            Arg::Value(_) | Arg::Ref(_) | Arg::Verbatim { .. } => false,
        };
    }
}

/// Places of floats that constant parameters of callees borrow.
pub(super) fn borrowed_as_constants(region: &Region, views: &Views) -> Set<PlaceId> {
    let mut found = Set::new();
    for call in region.all().filter_map(call_of) {
        for k in &call.constants {
            if let Arg::Ref(place) = &call.args[*k] {
                found.insert(views.root(place.root));
            }
        }
    }
    found
}
