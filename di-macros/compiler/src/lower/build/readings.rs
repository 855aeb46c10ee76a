//! Constant code that is bound to a variable is put in where the variable is used. Where a list that it reads changes in
//! between, it reads a copy.
//!
//! ```text
//! let name = label(&order);         let copy = order;
//! order.push(3);               =>   order.push(3);
//! x[0] * weight(&name)              x[0] * { let order = &copy; let name = label(order); weight(&name) }
//! ```

use super::{Builder, Operand, root};
use crate::ir::{Arg, Init, PlaceId, PlaceKind, Stmt, TEMPORARY, Type};
use crate::lower::hir::Local;
use crate::report::Extent;
use crate::sorted::{Map, Set};

#[derive(Default)]
pub(super) struct Readings {
    /// Variables that were found to be read behind a change.
    pub(super) early: Set<Local>,
    /// The lists that changed, each with the number of regions at that time.
    changes: Vec<(PlaceId, usize)>,
    bound: Map<Local, Bound>,
    /// The variables that were read, each with the number of regions at that time.
    reads: Vec<(Local, Bound, usize)>,
}

/// A variable that stands for code.
#[derive(Clone)]
struct Bound {
    /// The lists that the code reads.
    lists: Vec<PlaceId>,
    /// How many changes there were when it was bound, and how many regions.
    changes: usize,
    opened: usize,
}

impl Builder<'_> {
    /// Notes the lists that are read by what a variable stands for.
    pub(super) fn note_bound(&mut self, local: Local, operand: &Operand) {
        let mut lists = Vec::new();
        self.lists_in(operand, &mut lists);
        self.readings.bound.remove(&local);
        if !lists.is_empty() {
            let bound = Bound {
                lists,
                changes: self.readings.changes.len(),
                opened: self.opened,
            };
            self.readings.bound.insert(local, bound);
        }
    }

    fn lists_in(&self, operand: &Operand, lists: &mut Vec<PlaceId>) {
        match operand {
            Operand::Tuple(parts) => parts.iter().for_each(|part| self.lists_in(part, lists)),
            Operand::Passive(code) => {
                let places = code.places.iter().map(|(_, place)| self.root_of(*place));
                lists.extend(places.filter(|place| self.is_integer_list(*place)));
            }
            Operand::Val(_) | Operand::Place(_) | Operand::Choice(_) | Operand::Held(_) => {}
        }
    }

    fn root_of(&self, mut place: PlaceId) -> PlaceId {
        while let Some(of) = self.views.get(&place) {
            place = of.root;
        }
        place
    }

    fn is_integer_list(&self, place: PlaceId) -> bool {
        let info = self.body.place(place);
        info.kind == PlaceKind::Local
            && info.ty.element().is_some()
            && matches!(info.ty.leaf(), Type::Int(_) | Type::Bool)
    }

    /// Notes that a variable is read: what its code reads must be what it was.
    pub(super) fn note_read(&mut self, local: Local) {
        let Some(bound) = self.readings.bound.get(&local) else {
            return;
        };
        let later = &self.readings.changes[bound.changes..];
        if later.iter().any(|(list, _)| bound.lists.contains(list)) {
            self.readings.early.insert(local);
            self.again = true;
            return;
        }
        let read = (local, bound.clone(), self.opened);
        self.readings.reads.push(read);
    }

    /// Notes the list that a statement changes.
    pub(super) fn note_change(&mut self, stmt: &Stmt) {
        let changed: Vec<PlaceId> = match stmt {
            Stmt::Store(place, _)
            | Stmt::Accumulate { place, .. }
            | Stmt::CopyPlace { dst: place, .. } => vec![place.root],
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
            let list = self.root_of(place);
            if self.is_integer_list(list) {
                self.readings.changes.push((list, self.opened));
            }
        }
    }

    /// Behind a loop, of whose regions the first is behind `opened`: what it reads of the trip before.
    pub(super) fn check_trips(&mut self, opened: usize) {
        let changed = |list: &PlaceId| {
            let mut changes = self.readings.changes.iter().rev();
            changes.any(|(place, at)| at > &opened && place == list)
        };
        let reads = self.readings.reads.iter().rev();
        let stale: Vec<Local> = reads
            .take_while(|(.., at)| *at > opened)
            .filter(|(_, bound, _)| bound.opened <= opened && bound.lists.iter().any(changed))
            .map(|(local, ..)| *local)
            .collect();
        self.again |= !stale.is_empty();
        self.readings.early.extend(stale);
    }

    /// What a variable stands for, on copies of lists that change before it is read.
    pub(super) fn in_time(&mut self, local: Local, value: Operand, span: Extent) -> Operand {
        match self.readings.early.contains(&local) {
            true => self.on_copies(value, &mut Map::new(), span),
            false => value,
        }
    }

    fn on_copies(
        &mut self,
        value: Operand,
        copies: &mut Map<PlaceId, PlaceId>,
        span: Extent,
    ) -> Operand {
        match value {
            Operand::Tuple(parts) => {
                let parts = parts.into_iter();
                Operand::Tuple(
                    parts
                        .map(|part| self.on_copies(part, copies, span))
                        .collect(),
                )
            }
            Operand::Passive(mut code) => {
                for (_, place) in &mut code.places {
                    if !self.is_integer_list(self.root_of(*place)) {
                        continue;
                    }
                    *place = match copies.get(place) {
                        Some(copy) => *copy,
                        None => {
                            let copy = self.copy_of(*place, span);
                            copies.insert(*place, copy);
                            copy
                        }
                    };
                }
                Operand::Passive(code)
            }
            value => value,
        }
    }

    fn copy_of(&mut self, place: PlaceId, span: Extent) -> PlaceId {
        let ty = match &self.body.place(place).ty {
            Type::Slice(of) => Type::Vec(of.clone()),
            ty => ty.clone(),
        };
        self.declare(ty, TEMPORARY, span, Init::CopyOf(root(place)))
    }
}
