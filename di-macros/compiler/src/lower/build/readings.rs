//! Constant code is put in where its value is used. Where a list or a struct that it reads changes in between, it reads
//! a copy.
//!
//! ```text
//! let name = label(&order);         let copy = order;
//! order.push(3);               =>   order.push(3);
//! x[0] * weight(&name)              x[0] * { let order = &copy; let name = label(order); weight(&name) }
//! ```

use super::passive::Code;
use super::{Builder, root};
use crate::ir::{Arg, Init, Op, Place, PlaceId, PlaceKind, Proj, Stmt, TEMPORARY, Type};
use crate::lower::hir::Passive;
use crate::lower::ty::from_ir;
use crate::report::Extent;
use crate::sorted::Set;

/// What a reading is called among the places of code, until the code is used.
const READING: &str = "__reading";

#[derive(Default)]
pub(super) struct Readings {
    /// Code that was found to be used behind a change of what it reads.
    pub(super) late: Set<String>,
    all: Vec<Reading>,
    /// The lists and structs that changed, each with the number of regions at that time.
    changes: Vec<(PlaceId, usize)>,
    /// The readings whose code was used, each with the number of regions at that time.
    used: Vec<(usize, usize)>,
}

/// Code that reads a list, or a part of a struct.
struct Reading {
    of: PlaceId,
    /// The code, as it is found again in another attempt.
    by: String,
    /// How many changes there were, and how many regions.
    changes: usize,
    opened: usize,
}

impl Builder<'_> {
    /// Notes what code reads as it is now: lists, and parts of structs.
    pub(super) fn note_reading(&mut self, code: &mut Code, of: &Passive, span: Extent) {
        let mut by = None;
        for k in 0..code.places.len() {
            let place = code.places[k].1;
            let root = self.root_of(place);
            if !self.is_followed(root) {
                continue;
            }
            let by = by.get_or_insert_with(|| of.tokens.0.to_string());
            if self.readings.late.contains(by) {
                code.places[k].1 = self.copy_of(place, span);
                continue;
            }
            let name = format!("{READING}{}", self.readings.all.len());
            code.places.push((name, place));
            self.readings.all.push(Reading {
                of: root,
                by: by.clone(),
                changes: self.readings.changes.len(),
                opened: self.opened,
            });
        }
    }

    /// What a statement reads must be what it was where its code stands.
    pub(super) fn check_readings(&mut self, stmt: &mut Stmt) {
        let mut found = Vec::new();
        let mut take = |places: &mut Vec<(String, PlaceId)>| {
            places.retain(|(name, _)| match name.strip_prefix(READING) {
                Some(number) => {
                    found.extend(number.parse::<usize>());
                    false
                }
                None => true,
            });
        };
        match stmt {
            Stmt::Let(_, Op::Verbatim { places, .. }) => take(places),
            Stmt::Effect(effect) => take(&mut effect.places),
            Stmt::Call(call) => {
                for arg in &mut call.args {
                    if let Arg::Verbatim { places, .. } = arg {
                        take(places);
                    }
                }
            }
            _ => {}
        }
        for number in found {
            let Reading { of, changes, .. } = self.readings.all[number];
            let mut later = self.readings.changes[changes..].iter();
            match later.any(|(changed, _)| *changed == of) {
                true => self.note_late(number),
                false => self.readings.used.push((number, self.opened)),
            }
        }
    }

    fn note_late(&mut self, number: usize) {
        let by = self.readings.all[number].by.clone();
        self.readings.late.insert(by);
        self.again = true;
    }

    /// Behind a loop, of whose regions the first is behind `opened`: what it reads of the trip before.
    pub(super) fn check_trips(&mut self, opened: usize) {
        let Readings {
            all, changes, used, ..
        } = &self.readings;
        let changed = |of: PlaceId| {
            let mut inside = changes.iter().rev().take_while(|(_, at)| *at > opened);
            inside.any(|(place, _)| *place == of)
        };
        let inside = used.iter().rev().take_while(|(_, at)| *at > opened);
        let late = inside.map(|(number, _)| *number).filter(|number| {
            let reading = &all[*number];
            reading.opened <= opened && changed(reading.of)
        });
        for number in late.collect::<Vec<_>>() {
            self.note_late(number);
        }
    }

    fn root_of(&self, mut place: PlaceId) -> PlaceId {
        while let Some(of) = self.views.get(&place) {
            place = of.root;
        }
        place
    }

    fn is_followed(&self, place: PlaceId) -> bool {
        let info = self.body.place(place);
        !matches!(info.kind, PlaceKind::SharedParam(_) | PlaceKind::State)
            && match info.ty.leaf() {
                Type::Int(_) | Type::Bool => info.ty.element().is_some(),
                Type::Struct(_) => self.written.contains(&place),
                _ => false,
            }
    }

    /// Notes the list or the struct that a statement changes; not for floats alone.
    pub(super) fn note_change(&mut self, stmt: &Stmt) {
        let changed: Vec<PlaceId> = match stmt {
            Stmt::Store(place, _) | Stmt::CopyPlace { dst: place, .. } => {
                let of = self.body.type_at(place);
                match of.is_some_and(|of| *of.leaf() == Type::Float) {
                    true => return,
                    false => vec![place.root],
                }
            }
            Stmt::Storage(storage) => storage.places(),
            Stmt::Call(call) => {
                let args = call.args.iter();
                args.filter_map(|arg| match arg {
                    Arg::Mut(place) => Some(place.root),
                    Arg::Value(_) | Arg::Place(_) | Arg::Ref(_) | Arg::Verbatim { .. } => None,
                })
                .collect()
            }
            _ => return,
        };
        for place in changed {
            let root = self.root_of(place);
            if self.is_followed(root) {
                self.readings.changes.push((root, self.opened));
            }
        }
    }

    fn copy_of(&mut self, place: PlaceId, span: Extent) -> PlaceId {
        let ty = match &self.body.place(place).ty {
            Type::Slice(of) => Type::Vec(of.clone()),
            ty => ty.clone(),
        };
        let part = self.views.get(&place).cloned();
        match (ty, part) {
            (ty @ Type::Opaque(_), Some(part)) => {
                let part = self.kept_part(part, span);
                self.view(part, false, TEMPORARY, &from_ir(&ty), span)
            }
            (ty, _) => self.declare(ty, TEMPORARY, span, Init::CopyOf(root(place))),
        }
    }

    /// A part of a struct as it is now: that of a copy.
    pub(super) fn kept_part(&mut self, part: Place, span: Extent) -> Place {
        let Some((last, path)) = part.path.split_last() else {
            return part;
        };
        let whole = Place {
            root: part.root,
            path: path.to_vec(),
        };
        match (last, self.body.type_at(&whole)) {
            (Proj::Field(..), Some(ty @ Type::Struct(_))) => Place {
                root: self.declare(ty, TEMPORARY, span, Init::CopyOf(whole)),
                path: vec![last.clone()],
            },
            _ => part,
        }
    }
}
