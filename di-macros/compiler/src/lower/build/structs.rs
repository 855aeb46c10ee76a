//! Derived structs that are made, copied and taken apart.

use super::passive::Code;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Init, Known, Part, PlaceId, PlaceKind, Proj, Role, TEMPORARY, Type, Val};
use crate::lower::hir::{Expr, Kind, Pat};
use crate::lower::stored::field_type;
use crate::lower::ty::Ty;
use crate::lower::walk::each;
use crate::report::Extent;

impl Builder<'_> {
    /// `.name` of a place; the type of the field as far as it is known.
    pub(super) fn field_step(&self, name: &str, ty: &Ty) -> Proj {
        Proj::Field(
            name.to_owned(),
            Known(field_type(
                &self.types.solved_field(&self.types.peel(ty)),
                self.float,
            )),
        )
    }

    /// `P { a: x, ..base }`: the fields in the order in which they are written, then the base.
    pub(super) fn make_struct(
        &mut self,
        e: &Expr,
        fields: &[(String, Expr)],
        base: Option<&Expr>,
        hint: &str,
    ) -> PlaceId {
        let ir = self.ir_type(&e.ty, e.span);
        // a place is read when the struct is made: nothing may change it before
        let plain = fields.iter().all(|(_, e)| is_plain(e));
        let mut parts = Vec::new();
        for (name, value) in fields {
            parts.push((name.clone(), self.field_part(value, plain)));
        }
        let base = base.map(|b| match self.is_place(b) {
            true => self.place(b),
            false => root(self.make(b, TEMPORARY)),
        });
        self.declare(
            ir,
            hint,
            e.span,
            Init::Struct {
                fields: parts,
                base,
            },
        )
    }

    fn field_part(&mut self, e: &Expr, plain: bool) -> Part {
        if self.is_number(&e.ty) {
            return Part::Val(self.scalar(e));
        }
        if self.is_data(&e.ty) {
            let at = self.eval(e);
            if let Operand::Passive(code) = self.as_data(at, &e.ty, e.span) {
                return Part::Val(self.opaque(code, &e.ty, e.span));
            }
        }
        if matches!(self.solved(&e.ty), Ty::Opaque(_))
            && let Some(code) = self.constant_for_field(e)
        {
            return Part::Val(self.opaque(code, &e.ty, e.span));
        }
        if let Some(whole) = self.put_together(e).or_else(|| self.rows_as_stored(e)) {
            return Part::Place(whole);
        }
        if plain && self.is_place(e) && !self.has_passive_root(e) {
            let place = self.place(e);
            let constant = match self.body.place(place.root).kind {
                PlaceKind::SharedParam(k) | PlaceKind::ValueParam(k) | PlaceKind::MutParam(k) => {
                    self.body.params[k].role == Role::Constant
                }
                PlaceKind::Local
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => false,
            };
            let range = place.path.iter().any(|p| matches!(p, Proj::Range(..)));
            if !constant && !range {
                return Part::Place(place);
            }
        }
        let made = root(self.make(e, TEMPORARY));
        Part::Place(self.vector_in(made))
    }

    /// A constant for a field, as code.
    fn constant_for_field(&mut self, e: &Expr) -> Option<Code> {
        match &e.kind {
            // of a method of a constant in what is differentiated
            Kind::Block(_) => match self.eval(e) {
                Operand::Passive(code) => Some(code),
                _ => {
                    self.cx.mismatch();
                    None
                }
            },
            _ => self.passive_sequence(e),
        }
    }

    /// The fields that a pattern names.
    pub(super) fn fields_of(
        &mut self,
        pats: &[(String, Ty, Pat)],
        of: &Operand,
        span: Extent,
    ) -> Option<Vec<Operand>> {
        if let Operand::Choice(choice) = of {
            let fields = pats.iter().map(|(name, ty, _)| {
                let step = self.field_step(name, ty);
                self.projected(choice, &step, span)
            });
            return Some(fields.collect());
        }
        let Operand::Place(of) = of else {
            self.cx.error(span, &error::UNKNOWN_TYPE);
            return None;
        };
        let fields = pats.iter().map(|(name, ty, _)| {
            let mut at = of.clone();
            at.path.push(self.field_step(name, ty));
            self.taken_apart(at)
        });
        Some(fields.collect())
    }

    /// A field whose uses tell that it is a sequence, but not of which kind, cannot be copied.
    pub(super) fn check_field_copy(&mut self, operand: &Operand, ty: &Ty, span: Extent) {
        let (Operand::Place(place), Ty::Slice(_)) = (operand, ty) else {
            return;
        };
        let range = place.path.iter().any(|p| matches!(p, Proj::Range(..)));
        let structs = self.body.place(place.root).ty.is_structs();
        if structs && !range && self.written.contains(&place.root) {
            let name = self.body.place(place.root).hint.clone();
            self.cx.error_about(span, &error::FIELD_COPY, name);
        }
    }

    /// Storage whose content is written right after; `n` elements if it is a vector.
    pub(super) fn blank_init(&mut self, ir: &Type, n: Option<Val>, span: Extent) -> Init {
        let vector = matches!(ir, Type::Vec(_));
        match (ir.is_structs(), n) {
            (true, Some(n)) if vector => Init::ZeroLen(n),
            (true, _) => Init::Zero,
            (false, n) => {
                let zero = self.zero(&ir.leaf().clone(), span);
                match n {
                    Some(n) if vector => Init::VecFill(zero, n),
                    _ if ir.is_scalar() => Init::Scalar(zero),
                    _ => Init::ArrayFill(zero),
                }
            }
        }
    }
}

/// Whether evaluating the expression writes nothing; false when in doubt.
pub(super) fn is_plain(e: &Expr) -> bool {
    let mut plain = match &e.kind {
        Kind::Lit(_)
        | Kind::Local(_)
        | Kind::Passive(_)
        | Kind::Neg(_)
        | Kind::Not(_)
        | Kind::Deref(_)
        | Kind::Cast(_)
        | Kind::SinCos(_)
        | Kind::Classify(..)
        | Kind::Len(_)
        | Kind::IsEmpty(_)
        | Kind::Field(..)
        | Kind::TupleField(..)
        | Kind::CopyOf(_)
        | Kind::Cut(..)
        | Kind::Components(..)
        | Kind::Ref(..)
        | Kind::Bin(..)
        | Kind::Cmp(..)
        | Kind::And(..)
        | Kind::Or(..)
        | Kind::Index(..)
        | Kind::VecFill(..)
        | Kind::Repeat(..)
        | Kind::Range { .. }
        | Kind::Elementary(..)
        | Kind::Shared(..)
        | Kind::IntMethod(..)
        | Kind::Tuple(_)
        | Kind::List(_)
        | Kind::Struct { .. } => true,
        Kind::Call { args, .. } => !args.iter().any(|a| matches!(a.ty, Ty::Ref(true, _))),
        _ => return false,
    };
    each(e, &mut |part| plain = plain && is_plain(part));
    plain
}
