//! What is kept of an item from one trip to the next: its value, or where it is.

use super::{Ready, Source};
use crate::error;
use crate::ir::{Init, Place, PlaceId, Proj, Stmt, Type, Val};
use crate::lower::build::holder::Holder;
use crate::lower::build::sequence::element;
use crate::lower::build::{Builder, Operand, from_ir, root};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

/// Places for an item.
pub(super) enum Slots {
    /// For its value.
    Value(Operand),
    /// For the number of an element.
    Element {
        of: Place,
        number: PlaceId,
    },
    /// For the ends of a part.
    Part {
        of: Place,
        ends: [PlaceId; 2],
    },
    Tuple(Vec<Slots>),
}

impl Builder<'_> {
    /// Places for an item of this type from this iterator. `None` if it cannot be kept.
    pub(super) fn slots(
        &mut self,
        ty: &Ty,
        from: &Ready<'_>,
        holder: Option<&Holder>,
        name: &str,
        span: Extent,
    ) -> Option<Slots> {
        match self.empty_slots(ty, holder, name, span) {
            Some(value) => Some(Slots::Value(value)),
            None => self.places_in(from, name, span),
        }
    }

    /// Places for where an item is.
    fn places_in(&mut self, from: &Ready<'_>, name: &str, span: Extent) -> Option<Slots> {
        let value = |b: &mut Self, ty: &Ty| {
            let value = b.empty_slots(ty, None, name, span);
            value.map(Slots::Value)
        };
        match from {
            Ready::Seq { elem, .. } | Ready::Foreign { elem, .. } if self.is_number(elem) => {
                value(self, &elem.clone())
            }
            Ready::Seq { place, .. } => Some(match self.rows_in(place) {
                Some(of) => self.part_slots(of, span),
                None => Slots::Element {
                    of: place.clone(),
                    number: self.counter(span),
                },
            }),
            Ready::Parts {
                source: Source::Place(place),
                ..
            } => Some(self.part_slots(place.clone(), span)),
            Ready::Range { lo, .. } => {
                let ty = from_ir(&self.body.val(*lo).ty);
                value(self, &ty)
            }
            Ready::Enumerate(inner) => {
                let number = value(self, &Ty::usize())?;
                let inner = self.places_in(inner, name, span)?;
                Some(Slots::Tuple(vec![number, inner]))
            }
            Ready::Zip(a, b) => {
                let a = self.places_in(a, name, span)?;
                let b = self.places_in(b, name, span)?;
                Some(Slots::Tuple(vec![a, b]))
            }
            Ready::Rev(inner)
            | Ready::Cycle(inner)
            | Ready::Take(inner, _)
            | Ready::Skip(inner, _)
            | Ready::StepBy(inner, _)
            | Ready::Inspect(inner, _)
            | Ready::Test { iter: inner, .. } => self.places_in(inner, name, span),
            Ready::Foreign { .. }
            | Ready::Parts { .. }
            | Ready::Repeat { .. }
            | Ready::Chain(..)
            | Ready::Map(..)
            | Ready::Optional { .. }
            | Ready::FlatMap { .. }
            | Ready::Flatten { .. } => None,
        }
    }

    fn part_slots(&mut self, of: Place, span: Extent) -> Slots {
        let ends = [self.counter(span), self.counter(span)];
        Slots::Part { of, ends }
    }

    /// What the places hold now.
    pub(super) fn kept(&mut self, slots: &Slots, span: Extent) -> Operand {
        let load = |b: &mut Self, at: PlaceId| b.load(root(at), Type::usize(), span);
        match slots {
            Slots::Value(value) => self.value_in(value.clone(), span),
            Slots::Element { of, number } => {
                let i = load(self, *number);
                self.found(element(of, i), span)
            }
            Slots::Part { of, ends } => {
                let [lo, hi] = ends.map(|end| load(self, end));
                let mut part = of.clone();
                part.path.push(Proj::Range(lo, hi));
                Operand::Place(part)
            }
            Slots::Tuple(parts) => {
                Operand::Tuple(parts.iter().map(|p| self.kept(p, span)).collect())
            }
        }
    }

    pub(super) fn keep(&mut self, slots: &Slots, item: Operand, span: Extent) {
        let store = |b: &mut Self, at: PlaceId, v: Val| b.push(Stmt::Store(root(at), v));
        match (slots, item) {
            (Slots::Value(value), item) => self.put(value, item, span),
            (Slots::Tuple(slots), Operand::Tuple(items)) if slots.len() == items.len() => {
                for (slots, item) in slots.iter().zip(items) {
                    self.keep(slots, item, span);
                }
            }
            (Slots::Element { of, number }, item) => match number_in(&item, of) {
                Some(i) => store(self, *number, i),
                None => self.cx.error(span, &error::PICK_SEQUENCE),
            },
            (Slots::Part { of, ends: [lo, hi] }, Operand::Place(part)) => {
                match (part.root == of.root, part.path.last()) {
                    (true, Some(Proj::Range(from, to))) => {
                        store(self, *lo, *from);
                        store(self, *hi, *to);
                    }
                    _ => self.cx.error(span, &error::PICK_SEQUENCE),
                }
            }
            (Slots::Tuple(_) | Slots::Part { .. }, _) => {
                if self.is_live() {
                    self.cx.error(span, &error::PICK_SEQUENCE);
                }
            }
        }
    }

    /// Places for an item of this type, with zeros in them. `None` for parts of sequences. `holder` holds references to
    /// constants.
    pub(super) fn empty_slots(
        &mut self,
        ty: &Ty,
        holder: Option<&Holder>,
        name: &str,
        span: Extent,
    ) -> Option<Operand> {
        match ty {
            Ty::Tuple(ts) => {
                let mut slots = Vec::new();
                for (k, t) in ts.iter().enumerate() {
                    let part = holder.map(|h| h.part(k));
                    slots.push(self.empty_slots(t, part.as_ref(), name, span)?);
                }
                Some(Operand::Tuple(slots))
            }
            Ty::Ref(..) if self.refers_to_constants(None, ty) => {
                Some(self.declare_constants(holder?, None, name, span))
            }
            Ty::Ref(false, t) => {
                let t = self.solved(t);
                matches!(
                    t,
                    Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Ref(..) | Ty::Tuple(_)
                )
                .then(|| self.empty_slots(&t, holder, name, span))?
            }
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Struct(_) => {
                let ir = to_ir(ty, self.float)?;
                let init = self.blank_init(&ir, None, span);
                let place = self.declare(ir, name, span, init);
                self.written.insert(place);
                Some(Operand::Place(root(place)))
            }
            // what is written through a reference would be written to a copy
            Ty::Ref(true, _) | Ty::Var(_) | Ty::Sum(_) | Ty::Bundle(..) => None,
            Ty::Slice(_) | Ty::Vec(_) | Ty::Opaque(_) => None,
        }
    }

    /// Places with these numbers in them.
    pub(super) fn slots_of(&mut self, operand: Operand, span: Extent) -> Operand {
        match operand {
            Operand::Val(v) => {
                let ty = self.body.val(v).ty.clone();
                let place = self.declare(ty, "best", span, Init::Scalar(v));
                self.written.insert(place);
                Operand::Place(root(place))
            }
            Operand::Tuple(parts) => {
                Operand::Tuple(parts.into_iter().map(|p| self.slots_of(p, span)).collect())
            }
            other @ (Operand::Place(_)
            | Operand::Passive(_)
            | Operand::Choice(_)
            | Operand::Held(_)) => other,
        }
    }

    /// What the places hold now.
    fn value_in(&mut self, slots: Operand, span: Extent) -> Operand {
        match slots {
            Operand::Tuple(parts) => {
                Operand::Tuple(parts.into_iter().map(|p| self.value_in(p, span)).collect())
            }
            Operand::Place(place) => match self.body.type_at(&place) {
                Some(ty) if ty.is_scalar() => Operand::Val(self.load(place, ty, span)),
                Some(ty) => self.load_operand(Operand::Place(place), &from_ir(&ty), span),
                None => Operand::Place(place),
            },
            Operand::Held(of) => self.resolved(&of, Operand::Held(of.clone()), span),
            other => other,
        }
    }

    fn put(&mut self, slots: &Operand, item: Operand, span: Extent) {
        match (slots, item) {
            (Operand::Tuple(slots), Operand::Tuple(items)) if slots.len() == items.len() => {
                for (slot, item) in slots.iter().zip(items) {
                    self.put(slot, item, span);
                }
            }
            (Operand::Held(of), item) => self.bind_constants(of, item, span),
            (Operand::Tuple(slots), Operand::Passive(code)) => {
                let part = |k: usize| Operand::Passive(code.clone().field(&k.to_string()));
                let parts = (0..slots.len()).map(part).collect();
                self.put(&Operand::Tuple(slots.clone()), Operand::Tuple(parts), span);
            }
            (Operand::Place(slot), item) => {
                let ty = self
                    .body
                    .type_at(slot)
                    .map_or_else(Ty::unit, |t| from_ir(&t));
                self.store(Operand::Place(slot.clone()), item, &ty, span);
            }
            _ => {
                if self.is_live() {
                    self.cx.mismatch();
                }
            }
        }
    }
}

/// Which element of a sequence this is, or is in.
fn number_in(item: &Operand, of: &Place) -> Option<Val> {
    match item {
        Operand::Place(at) if at.root == of.root && at.path.starts_with(&of.path) => {
            match at.path.get(of.path.len()) {
                Some(Proj::Index(i)) => Some(*i),
                _ => None,
            }
        }
        Operand::Tuple(parts) => parts.iter().find_map(|part| number_in(part, of)),
        _ => None,
    }
}
