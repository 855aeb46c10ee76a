//! First additions in straight-line code: what is known to be zero is written instead of added to.
//!
//! A sum that begins with zero costs an addition, since `0.0 + x` is not `x` for every `x`, and the zero has to be
//! stored first. Results are the same but for the sign of zeros.

use super::first::{is_slice_slot, uses};
use crate::ir::{Body, First, Init, Place, PlaceId, Proj, Region, Stmt, Type, Val};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};

/// Rewrites an adjoint sweep whose loops have their first stores, and whose negations have gone along.
pub(crate) fn first_additions(body: &mut Body) {
    let mut region = std::mem::take(&mut body.region);
    let known = Known::of(&region);
    let slots = (0..body.places.len())
        .map(|k| PlaceId(u32::try_from(k).expect("fewer than 2^32 places")))
        .filter(|p| is_slice_slot(body, *p))
        .map(|p| (p, Zeros::of(Kind::Slot)))
        .collect();
    rewrite(&mut region, slots, &known, body);
    body.region = region;
}

/// Values that are the same in each run.
#[derive(Default)]
struct Known {
    indices: Map<Val, i128>,
    zeros: Set<Val>,
}

impl Known {
    fn of(region: &Region) -> Known {
        Known {
            indices: region.integers(),
            zeros: region.zero_lanes(),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Of a parameter: zero if an operator hands it in.
    Slot,
    /// Declared as zero.
    Local,
}

/// A place of which nothing is known to be different from zero, but for these elements.
struct Zeros {
    kind: Kind,
    written: Set<Vec<i128>>,
}

impl Zeros {
    fn of(kind: Kind) -> Self {
        Zeros {
            kind,
            written: Set::new(),
        }
    }
}

/// Goes through a region with the places that are zero where it begins.
fn rewrite(region: &mut Region, mut zeros: Map<PlaceId, Zeros>, known: &Known, body: &Body) {
    let mut stmts = Vec::with_capacity(region.stmts.len());
    for mut stmt in std::mem::take(&mut region.stmts) {
        for inner in stmt.regions_mut() {
            rewrite(inner, Map::new(), known, body);
        }
        if let Stmt::Accumulate { place, negate, val } = &stmt
            && let Some(kind) = first_at(place, *val, &mut zeros, known, body)
        {
            let (place, negate, val) = (place.clone(), *negate, *val);
            stmts.push(match kind {
                Kind::Slot => Stmt::First(First::Set { place, negate, val }),
                // a negation costs as much as the difference from zero
                Kind::Local if negate => stmt,
                Kind::Local => Stmt::Store(place, val),
            });
            continue;
        }
        let used: Vec<PlaceId> = zeros.keys().filter(|p| uses(&stmt, **p)).copied().collect();
        for place in used {
            let adds = matches!(&stmt, Stmt::Accumulate { place: p, .. } if p.root == place);
            if !adds && !seeded!(AdditionTakenForFirst) {
                zeros.remove(&place);
            }
        }
        if let Stmt::Declare(place, init) = &stmt
            && is_zero(init, known)
            && matches!(body.place(*place).ty.leaf(), Type::Lane)
        {
            zeros.insert(*place, Zeros::of(Kind::Local));
        }
        stmts.push(stmt);
    }
    region.stmts = stmts;
}

fn is_zero(init: &Init, known: &Known) -> bool {
    match init {
        Init::Zero => true,
        Init::Scalar(v) | Init::ArrayFill(v) => known.zeros.contains(v),
        Init::None
        | Init::VecFill(..)
        | Init::List(_)
        | Init::CopyOf(_)
        | Init::Struct { .. }
        | Init::MoveOf(_)
        | Init::Sorted { .. }
        | Init::ZeroLike(_)
        | Init::ZeroLen(_)
        | Init::AnyLen(_) => false,
    }
}

/// Whether an element is zero where something is added to it, and of what kind of place it is. Where it cannot be told
/// which element it is, none is known to be zero afterwards.
fn first_at(
    place: &Place,
    val: Val,
    zeros: &mut Map<PlaceId, Zeros>,
    known: &Known,
    body: &Body,
) -> Option<Kind> {
    let found = zeros.get_mut(&place.root)?;
    let index = |proj: &Proj| match proj {
        Proj::Index(v) => known.indices.get(v).copied(),
        _ => None,
    };
    let indices: Option<Vec<i128>> = place.path.iter().map(index).collect();
    let whole = place.path.len() == depth(&body.place(place.root).ty);
    match indices {
        Some(indices) if whole && body.val(val).ty == Type::Lane => {
            let first = found.written.insert(indices);
            first.then_some(found.kind)
        }
        _ => {
            zeros.remove(&place.root);
            None
        }
    }
}

/// How many indices lead to a number.
fn depth(ty: &Type) -> usize {
    ty.element().map_or(0, |element| 1 + depth(element))
}
