//! Writing: assignments and the methods of slices that write.

use super::sequence::element;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{BinOp, Op, Place, PlaceId, Proj, Stmt, Storage, TEMPORARY, Type};
use crate::lower::hir::{Expr, Kind};
use crate::lower::stored::held_type;
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// `place = value`: the value first, then the place.
    pub(super) fn assign(&mut self, place: &Expr, value: &Expr) -> Operand {
        let ty = self.solved(&place.ty);
        if self.holds_references(&ty) {
            let holder = match &place.kind {
                Kind::Deref(r) => self.borrowed_holder(r),
                _ => self.holder(place),
            };
            let value = self.eval(value);
            match holder.and_then(|h| self.bound_part(&h).cloned()) {
                Some(at) => self.assign_held(at, value, &ty, place.span),
                None => self.cx.error(place.span, &error::REBOUND_REFERENCE),
            }
            return Operand::unit();
        }
        let value_span = value.span;
        let value = self.eval(value);
        if let Some(row) = self.row_place(place) {
            self.set_row(row, value, value_span);
            return Operand::unit();
        }
        let target = self.locate(place);
        let ty = self.peeled(&place.ty);
        self.store(target, value, &ty, value_span);
        Operand::unit()
    }

    /// Writes a value that is evaluated already, part by part.
    pub(super) fn store(&mut self, target: Operand, value: Operand, ty: &Ty, span: Extent) {
        let target = match target {
            Operand::Place(at) => {
                let at = self.vector_in(at);
                self.taken_apart(at)
            }
            target => target,
        };
        let value = match &target {
            Operand::Place(at) => self.of_field(at, value, ty, span),
            _ => value,
        };
        match (target, value) {
            (Operand::Place(list), Operand::Place(rows)) if self.is_list_of_vectors(&list) => {
                self.replace_list(list, rows, ty, span);
            }
            (Operand::Tuple(targets), Operand::Tuple(values)) if targets.len() == values.len() => {
                let unknown = Ty::unit();
                let ts = match ty {
                    Ty::Tuple(ts) => ts.clone(),
                    _ => Vec::new(),
                };
                for (k, (t, v)) in targets.into_iter().zip(values).enumerate() {
                    let ty = ts.get(k).unwrap_or(&unknown);
                    match &t {
                        Operand::Place(at) if self.is_field(at) => {
                            self.store(t, v, &held_type(ty), span);
                        }
                        _ => self.store(t, v, ty, span),
                    }
                }
            }
            (Operand::Tuple(targets), Operand::Passive(code)) => {
                let Ty::Tuple(ts) = ty else {
                    return self.cx.error(span, &error::UNKNOWN_PASSIVE);
                };
                for ((target, part), t) in targets.into_iter().zip(code.parts(ts)).zip(ts) {
                    self.store(target, part, t, span);
                }
            }
            // a constant of unknown type
            (Operand::Passive(_), _) => self.cx.error(span, &error::UNKNOWN_PASSIVE),
            (Operand::Place(dst), Operand::Val(v)) => self.push(Stmt::Store(dst, v)),
            (Operand::Place(dst), Operand::Place(src)) => match to_ir(ty, self.float) {
                Some(t) if t.is_scalar() => {
                    let v = self.load(src, t, span);
                    self.push(Stmt::Store(dst, v));
                }
                // the new storage takes the place of the old one
                Some(t) if self.is_replaced(&dst, &t) => {
                    if let Some(new) = self.owned_vector(Operand::Place(src), ty, span) {
                        self.replace_storage(dst, new, span);
                    }
                }
                Some(Type::Array(..) | Type::Struct(_)) => self.push(Stmt::CopyPlace { dst, src }),
                // fields of two structs, of which nothing more is known
                None | Some(Type::Slice(_)) if self.is_field(&dst) && self.is_field(&src) => {
                    if dst.root == src.root {
                        let name = self.body.place(dst.root).hint.clone();
                        self.cx.error_about(span, &error::FIELD_COPY, name);
                    }
                    self.push(Stmt::CopyPlace { dst, src });
                }
                Some(
                    Type::Float
                    | Type::Lane
                    | Type::Int(_)
                    | Type::Bool
                    | Type::Slice(_)
                    | Type::Vec(_)
                    | Type::Lanes(_)
                    | Type::Opaque(_),
                )
                | None => self.cx.mismatch(),
            },
            (Operand::Place(dst), Operand::Passive(code)) if self.is_scalar(ty) => {
                let v = self.verbatim(code, ty, span);
                self.push(Stmt::Store(dst, v));
            }
            (Operand::Place(dst), Operand::Passive(code)) => {
                let new = self.copy_passive(code, ty, TEMPORARY, span);
                match to_ir(ty, self.float) {
                    Some(t) if self.is_replaced(&dst, &t) => {
                        self.replace_storage(dst, new, span);
                    }
                    _ => self.push(Stmt::CopyPlace {
                        dst,
                        src: root(new),
                    }),
                }
            }
            (at @ Operand::Held(_), value) => self.assign_held(at, value, ty, span),
            (Operand::Place(_), Operand::Tuple(parts)) if parts.is_empty() => {}
            // an immutable variable, or types that do not fit: rustc says so
            (Operand::Val(_) | Operand::Tuple(_) | Operand::Place(_) | Operand::Choice(_), _) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
            }
        }
    }

    /// Whether storage of this type changes its length where it is assigned to: in variables, and in fields of
    /// structs.
    pub(super) fn is_replaced(&self, dst: &Place, ty: &Type) -> bool {
        let field = matches!(self.body.place(dst.root).ty, Type::Struct(_))
            && dst
                .path
                .iter()
                .all(|p| matches!(p, Proj::Field(..) | Proj::Index(_)));
        match ty {
            Type::Vec(_) => self.is_owned(dst) || field && !dst.path.is_empty(),
            ty => self.body.has_lengths(ty) && field,
        }
    }

    fn replace_storage(&mut self, dst: Place, new: PlaceId, span: Extent) {
        let dst = self.whole_list(dst);
        if dst.path.is_empty() && self.is_owned(&dst) {
            self.exchange_storage(dst.root, new);
        } else if !self.is_reference(dst.root) {
            let new = self.vector_in(root(new));
            self.push(Stmt::Storage(Storage::Swap(dst, new)));
        } else if self.body.is_moved(&self.body.place(new).ty) {
            self.cx.error(span, &error::LENGTH_BEHIND);
        } else {
            self.push(Stmt::CopyPlace {
                dst,
                src: root(new),
            });
        }
    }

    fn is_field(&self, place: &Place) -> bool {
        self.body.place(place.root).ty.is_structs()
            && matches!(place.path.last(), Some(Proj::Field(..)))
    }

    /// `place op= value`: for scalars the value first; with a reference on the right the operator
    /// is a trait's, and the place comes first.
    pub(super) fn assign_op(
        &mut self,
        op: BinOp,
        place: &Expr,
        value: &Expr,
        span: Extent,
    ) -> Operand {
        let by_ref = matches!(self.solved(&value.ty), Ty::Ref(..));
        let (target, v) = if by_ref {
            let target = self.locate(place);
            (target, self.scalar(value))
        } else {
            let v = self.scalar(value);
            (self.locate(place), v)
        };
        let Operand::Place(target) = target else {
            if self.is_live() {
                self.cx.mismatch();
            }
            return Operand::unit();
        };
        match op {
            BinOp::Add | BinOp::Sub => {
                self.push(Stmt::Accumulate {
                    place: target,
                    negate: op == BinOp::Sub,
                    val: v,
                });
            }
            BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr => {
                let ty = self.scalar_type(&place.ty, place.span);
                let old = self.load(target.clone(), ty.clone(), span);
                let new = self.let_op(ty, Op::Bin(op, old, v), span);
                self.push(Stmt::Store(target, new));
            }
        }
        Operand::unit()
    }

    /// `dst.copy_from_slice(src)`
    pub(super) fn copy_from(&mut self, dst: &Expr, src: &Expr) -> Operand {
        let dst = self.place(dst);
        let src = match self.passive_sequence(src) {
            Some(code) => {
                let elem = self.ty_of_place(&dst).map_or_else(Ty::unit, |t| match t {
                    Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => *t,
                    other => other,
                });
                root(self.copy_passive(code, &Ty::Vec(Box::new(elem)), TEMPORARY, src.span))
            }
            None => self.place(src),
        };
        self.push(Stmt::CopyPlace { dst, src });
        Operand::unit()
    }

    /// `dst.fill(v)`
    pub(super) fn fill(&mut self, dst: &Expr, value: &Expr, span: Extent) -> Operand {
        let place = self.place(dst);
        let value_span = value.span;
        let elem_ty = self.peeled(&value.ty);
        let value = self.eval(value);
        let place = self.settle(place, true, dst);
        if self.is_list_of_vectors(&place) {
            self.cx.error(span, &error::NESTED_VECTOR);
        }
        let n = self.len(place.clone(), span);
        self.counted(n, span, |b, i| {
            let value = b.again(&place, value, &elem_ty, value_span);
            let mut target = place;
            target.path.push(Proj::Index(i));
            b.store(Operand::Place(target), value, &elem_ty, value_span);
        });
        Operand::unit()
    }

    /// `x.swap(i, j)` of scalars or rows.
    pub(super) fn swap(&mut self, x: &Expr, i: &Expr, j: &Expr, span: Extent) -> Operand {
        let base = self.place(x);
        let (i, j) = (self.scalar(i), self.scalar(j));
        let base = self.settle(base, true, x);
        self.exchange(element(&base, i), element(&base, j), span);
        Operand::unit()
    }
}
