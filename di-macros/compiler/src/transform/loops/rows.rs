//! Rows: what a loop reads or writes at an index that moves by one from trip to trip is borrowed as
//! a slice of the loop's length before it, and indexed by the trip's number.

use super::affine::{Affine, Distance};
use super::{Access, Cx, Facts, Sweep};
use crate::ir::{BinOp, For, Op, Place, PlaceId, PlaceKind, Proj, Region, Stmt, Type, Val};
use crate::mutation::seeded;
use proc_macro2::Span;

/// Rows of one root beyond which testing that they do not overlap is too much.
const MOST: usize = 8;

/// An access that may become one to a row.
#[derive(Clone)]
struct Candidate {
    place: Place,
    index: Affine,
    always: bool,
}

impl Cx<'_> {
    pub(super) fn rows(&mut self, f: &mut For, facts: &Facts, before: &mut Vec<Stmt>) {
        for (root, accesses) in &facts.accesses {
            if facts.declared.contains(root) || !self.has_rows(*root) {
                continue;
            }
            let written = accesses.iter().any(|a| a.writes);
            let candidates: Vec<Candidate> = accesses
                .iter()
                .filter_map(|a| self.candidate(a, f, facts))
                .collect();
            if written {
                // the rows borrow all of the root: everything must go through them
                if candidates.len() == accesses.len()
                    && let Some(rows) = self.apart(candidates, f)
                {
                    let mut views = Vec::new();
                    for (first, accesses) in &rows {
                        views.push(self.row(first, accesses, true, f, facts, before));
                    }
                    before.extend(views.into_iter().flatten());
                }
                continue;
            }
            let mut rest = candidates;
            while let Some(first) = rest.iter().position(|c| c.always) {
                let first = rest.swap_remove(first);
                let (mut same, others): (Vec<_>, Vec<_>) =
                    rest.into_iter().partition(|c| c.is_in_row_of(&first));
                same.push(Candidate {
                    place: first.place.clone(),
                    index: first.index.clone(),
                    always: true,
                });
                let view = self.row(&first, &same, false, f, facts, before);
                before.extend(view);
                rest = others;
            }
        }
    }

    /// The accesses by row, each beside one that happens in each trip, if no two rows overlap.
    fn apart(
        &self,
        candidates: Vec<Candidate>,
        f: &For,
    ) -> Option<Vec<(Candidate, Vec<Candidate>)>> {
        let mut rows: Vec<Vec<Candidate>> = Vec::new();
        for candidate in candidates {
            match rows.iter_mut().find(|row| candidate.is_in_row_of(&row[0])) {
                Some(row) => row.push(candidate),
                None => rows.push(vec![candidate]),
            }
        }
        let clear = |a: &Candidate, b: &Candidate| match a.index.distance(&b.index, f.hi) {
            Some(Distance::Lengths(n)) => n != 0,
            Some(Distance::Number(c)) => {
                let length = self.literals.get(&f.hi);
                length.is_some_and(|length| c.abs() >= *length)
            }
            None => false,
        };
        let all = rows.iter().enumerate();
        let apart = all.clone().all(|(k, a)| {
            let mut later = rows[k + 1..].iter();
            later.all(|b| clear(&a[0], &b[0]))
        });
        if !apart || rows.len() > MOST {
            return None;
        }
        rows.into_iter()
            .map(|row| {
                let first = row.iter().find(|c| c.always)?.clone();
                Some((first, row))
            })
            .collect()
    }

    /// Slices and vectors; the length of arrays is known anyway.
    fn has_rows(&self, root: PlaceId) -> bool {
        let info = self.body.place(root);
        let kind = match info.kind {
            PlaceKind::SharedParam(_) | PlaceKind::Slot(_) | PlaceKind::Local => true,
            PlaceKind::MutParam(_) => self.sweep == Sweep::Forward,
            PlaceKind::ValueParam(_)
            | PlaceKind::State
            | PlaceKind::View
            | PlaceKind::Row
            | PlaceKind::ResultSlot(_) => false,
        };
        kind && matches!(info.ty, Type::Slice(_) | Type::Vec(_))
    }

    fn candidate(&self, access: &Access, f: &For, facts: &Facts) -> Option<Candidate> {
        let place = &access.place;
        let [Proj::Index(i)] = place.path.as_slice() else {
            return None;
        };
        let direct = access.element && self.views.root(place.root) == place.root;
        let scalar = self.body.type_at(place).is_some_and(|t| t.is_scalar());
        if !(direct && scalar) {
            return None;
        }
        Some(Candidate {
            place: place.clone(),
            index: self.unit_stride(*i, f, facts)?,
            always: access.always,
        })
    }

    /// Sends all of `accesses` to the row of `first`; returns what borrows it.
    fn row(
        &mut self,
        first: &Candidate,
        accesses: &[Candidate],
        mutable: bool,
        f: &mut For,
        facts: &Facts,
        before: &mut Vec<Stmt>,
    ) -> Option<Stmt> {
        let root = first.place.root;
        let Some(Proj::Index(i)) = first.place.path.first() else {
            return None;
        };
        let lo = self.at_start(*i, f, facts, before);
        let hi = if self.literals.get(&lo) == Some(&0) {
            f.hi
        } else {
            let hi = self.body.new_val(Type::usize(), None, Span::call_site());
            before.push(Stmt::Let(hi, Op::Bin(BinOp::Add, lo, f.hi)));
            hi
        };
        let (lo, hi) = if seeded!(RowFromTheStart) {
            (f.lo, f.hi)
        } else {
            (lo, hi)
        };
        let info = self.body.place(root).clone();
        let element = info.ty.element().cloned().unwrap_or(Type::Lane);
        let row = self.body.new_place(
            Type::Slice(Box::new(element)),
            &info.hint,
            PlaceKind::Row,
            info.span,
        );
        let places: Vec<&Place> = accesses.iter().map(|c| &c.place).collect();
        redirect(&mut f.body, &places, row, f.iv);
        Some(Stmt::View {
            view: row,
            of: Place {
                root,
                path: vec![Proj::Range(lo, hi)],
            },
            mutable,
        })
    }
}

impl Candidate {
    fn is_in_row_of(&self, other: &Candidate) -> bool {
        self.place.root == other.place.root && self.index == other.index
    }
}

/// Loads, stores and accumulations at these places go to the row.
fn redirect(region: &mut Region, places: &[&Place], row: PlaceId, trip: Val) {
    region.change_all(&mut |stmt| match stmt {
        Stmt::Load(_, place) | Stmt::Store(place, _) | Stmt::Accumulate { place, .. }
            if places.contains(&&*place) =>
        {
            *place = Place {
                root: row,
                path: vec![Proj::Index(trip)],
            };
        }
        _ => {}
    });
}
