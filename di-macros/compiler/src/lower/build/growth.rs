//! Vectors that change their length.

use super::sequence::{element, part_of};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    BinOp, Init, Place, PlaceId, PlaceKind, Proj, Stmt, Storage, TEMPORARY, Type, Val,
};
use crate::lower::hir::{Expr, SeqOp};
use crate::lower::ty::{Ty, from_ir};
use crate::report::Extent;

impl Builder<'_> {
    pub(super) fn growth(&mut self, op: &SeqOp, args: &[Expr], e: &Expr) -> Operand {
        let span = e.span;
        if matches!(op, SeqOp::New) {
            for a in args {
                self.scalar(a);
            }
            let ty = self.ir_type(&e.ty, span);
            return Operand::Place(root(self.empty(ty, span)));
        }
        let Some((first, rest)) = args.split_first() else {
            unreachable!("read: a method has a receiver")
        };
        if let Some(row) = self.row_place(first) {
            return self.grow_row(row, op, rest, span);
        }
        match self.grown(first) {
            Some((v, _))
                if self.is_list_of_vectors(&v) && !matches!(op, SeqOp::Nothing | SeqOp::Push) =>
            {
                self.grow_list(op, v, rest, span)
            }
            Some((v, elem)) => self.grow(op, &v, elem, rest, span),
            None => Operand::unit(),
        }
    }

    /// The method on a vector of its own.
    pub(super) fn grow(
        &mut self,
        op: &SeqOp,
        v: &Place,
        elem: Type,
        rest: &[Expr],
        span: Extent,
    ) -> Operand {
        let at = v.clone();
        match (op, rest) {
            (SeqOp::Nothing, rest) => {
                for a in rest {
                    self.scalar(a);
                }
            }
            (SeqOp::Push, [x]) => {
                let value = self.value(x);
                self.push_value(v, value, &elem, span);
            }
            (SeqOp::Pop, []) => return self.pop(v, &elem, span),
            (SeqOp::Drop, []) => {
                // nothing is popped from an empty vector
                let n = self.len(at, span);
                let one = self.lit_usize(1, span);
                let usize = Type::usize();
                let len = self.int_op("saturating_sub", &[n, one], usize, span);
                self.empty_from(v, len, &elem, span);
                self.resize(v, len, &elem, span);
            }
            (SeqOp::Resize, [n, x]) => {
                let n = self.scalar(n);
                let value = self.value(x);
                self.resize_with(v, n, value, &elem, span);
            }
            (SeqOp::Truncate, [n]) => {
                let n = self.scalar(n);
                let len = self.len(at, span);
                let usize = Type::usize();
                let n = self.int_op("min", &[n, len], usize, span);
                self.empty_from(v, n, &elem, span);
                self.resize(v, n, &elem, span);
            }
            (SeqOp::Clear, []) => {
                let zero = self.lit_usize(0, span);
                self.empty_from(v, zero, &elem, span);
                self.resize(v, zero, &elem, span);
            }
            (SeqOp::Insert, [i, x]) => {
                let i = self.scalar(i);
                let value = self.value(x);
                self.insert(v, i, value, &elem, span);
            }
            (SeqOp::Remove, [i]) => {
                let i = self.scalar(i);
                return self.remove(v, i, &elem, span);
            }
            (SeqOp::SwapRemove, [i]) => {
                let i = self.scalar(i);
                let removed = self.element_value(element(&at, i), &elem, span);
                let n = self.len(at.clone(), span);
                let one = self.lit_usize(1, span);
                let last = self.int_bin(BinOp::Sub, n, one, span);
                self.move_element(element(&at, i), element(&at, last), &elem, span);
                self.resize(v, last, &elem, span);
                return removed;
            }
            (SeqOp::Extend, [src]) => {
                let src = match self.passive_sequence(src) {
                    Some(code) => {
                        let ty = self.vector_of(v, &elem);
                        let ty = from_ir(&ty);
                        root(self.copy_passive(code, &ty, TEMPORARY, src.span))
                    }
                    None => self.place(src),
                };
                self.extend(v, src, &elem, span);
            }
            (SeqOp::Append, [other]) => {
                let Some((w, _)) = self.grown(other) else {
                    return Operand::unit();
                };
                self.extend(v, w.clone(), &elem, span);
                let zero = self.lit_usize(0, span);
                self.empty_from(&w, zero, &elem, span);
                self.resize(&w, zero, &elem, span);
            }
            (SeqOp::SplitOff, [i]) => {
                let i = self.scalar(i);
                let n = self.len(at.clone(), span);
                let init = Init::CopyOf(part_of(&at, i, n));
                let ty = self.vector_of(v, &elem);
                let tail = self.declare(ty, TEMPORARY, span, init);
                self.empty_from(v, i, &elem, span);
                self.resize(v, i, &elem, span);
                return Operand::Place(root(tail));
            }
            _ => unreachable!("read: counts the arguments"),
        }
        Operand::unit()
    }

    /// The type of the vector, as it is written.
    fn vector_of(&self, v: &Place, elem: &Type) -> Type {
        let elem = match self.store_of(v) {
            Some(store) => Type::Vec(Box::new(store.elem.clone())),
            None => elem.clone(),
        };
        Type::Vec(Box::new(elem))
    }

    /// A vector with its element type. Nothing else changes its length, rustc says.
    fn grown(&mut self, e: &Expr) -> Option<(Place, Type)> {
        let place = self.place(e);
        if let (true, Some(Type::Vec(elem))) = (self.may_grow(&place), self.body.type_at(&place)) {
            return Some((place, *elem));
        }
        match &self.body.place(place.root).ty {
            // what is written through a reference to a row
            Type::Vec(_) | Type::Slice(_)
                if !place.path.is_empty() || self.views.contains_key(&place.root) =>
            {
                self.cx.error(e.span, &error::ROW_LENGTH);
                None
            }
            Type::Struct(_) if !place.path.is_empty() => {
                self.cx.error(e.span, &error::LENGTH_BEHIND);
                None
            }
            _ => {
                self.cx.mismatch();
                None
            }
        }
    }

    /// A variable, or a field of one whose lengths are known.
    fn may_grow(&self, place: &Place) -> bool {
        let info = self.body.place(place.root);
        let steps = |p: &Proj| matches!(p, Proj::Field(..) | Proj::Index(_));
        let field = place.path.iter().all(steps);
        match &info.ty {
            Type::Vec(_) => self.is_owned(place),
            ty @ Type::Struct(_) => {
                field && self.body.has_lengths(ty) && !self.is_reference(place.root)
            }
            _ => false,
        }
    }

    /// An empty vector.
    pub(super) fn empty(&mut self, ty: Type, span: Extent) -> PlaceId {
        let n = self.lit_usize(0, span);
        let init = self.blank_init(&ty, Some(n), span);
        self.declare(ty, TEMPORARY, span, init)
    }

    /// The value of an element, taken out.
    fn element_value(&mut self, at: Place, elem: &Type, span: Extent) -> Operand {
        if elem.is_scalar() {
            Operand::Val(self.load(at, elem.clone(), span))
        } else if self.is_moved_element(&at) {
            let taken = self.taken_out(at, elem, span);
            self.taken_apart(root(taken))
        } else {
            let elem = match self.store_of(&at) {
                Some(store) => Type::Vec(Box::new(store.elem.clone())),
                None => elem.clone(),
            };
            let at = self.opened(at, span);
            let copy = self.declare(elem, TEMPORARY, span, Init::CopyOf(at));
            self.taken_apart(root(copy))
        }
    }

    pub(super) fn push_value(&mut self, v: &Place, value: Operand, elem: &Type, span: Extent) {
        if elem.is_scalar() {
            let value = self.as_value(value, elem, span);
            self.push(Stmt::Storage(Storage::Push(v.clone(), value)));
            return;
        }
        let n = self.len(v.clone(), span);
        let one = self.lit_usize(1, span);
        let len = self.int_bin(BinOp::Add, n, one, span);
        self.resize(v, len, elem, span);
        let ty = from_ir(elem);
        self.store_new(element(v, n), value, &ty, span);
    }

    fn as_value(&mut self, value: Operand, ty: &Type, span: Extent) -> Val {
        match value {
            Operand::Val(v) => v,
            Operand::Place(p) => self.load(p, ty.clone(), span),
            Operand::Passive(code) => self.verbatim(code, &from_ir(ty), span),
            Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
                self.body.new_val(ty.clone(), None, span.start)
            }
        }
    }

    fn pop(&mut self, v: &Place, elem: &Type, span: Extent) -> Operand {
        if elem.is_scalar() {
            let value = self.body.new_val(elem.clone(), None, span.start);
            self.push(Stmt::Storage(Storage::Pop(value, v.clone())));
            return Operand::Val(value);
        }
        let n = self.len(v.clone(), span);
        let one = self.lit_usize(1, span);
        let last = self.int_bin(BinOp::Sub, n, one, span);
        let value = self.element_value(element(v, last), elem, span);
        self.resize(v, last, elem, span);
        value
    }

    /// New elements are zero, and rows empty: those are where they are, and how long.
    pub(super) fn resize(&mut self, v: &Place, len: Val, elem: &Type, span: Extent) {
        let fill = match self.body.type_at(v) {
            Some(Type::Vec(own)) => self.blank_fill(&own, span),
            _ => self.blank_fill(elem, span),
        };
        self.resize_to(v, len, fill, span);
    }

    fn blank_fill(&mut self, elem: &Type, span: Extent) -> Option<Val> {
        (!elem.is_structs()).then(|| self.zero(&elem.leaf().clone(), span))
    }

    fn resize_to(&mut self, vec: &Place, len: Val, fill: Option<Val>, span: Extent) -> (Val, Val) {
        let old = self.len(vec.clone(), span);
        let usize = Type::usize();
        let kept = self.int_op("min", &[old, len], usize, span);
        self.push(Stmt::Storage(Storage::Resize {
            vec: vec.clone(),
            old,
            len,
            kept,
            fill,
        }));
        (kept, len)
    }

    fn resize_with(&mut self, v: &Place, len: Val, value: Operand, elem: &Type, span: Extent) {
        if elem.is_scalar() {
            let fill = self.as_value(value, elem, span);
            self.resize_to(v, len, Some(fill), span);
            return;
        }
        let fill = self.blank_fill(elem, span);
        self.empty_from(v, len, elem, span);
        let (kept, len) = self.resize_to(v, len, fill, span);
        let n = self.int_bin(BinOp::Sub, len, kept, span);
        let ty = from_ir(elem);
        self.counted(n, span, |b, k| {
            let i = b.int_bin(BinOp::Add, kept, k, span);
            let value = b.again(v, value, &ty, span);
            b.store_new(element(v, i), value, &ty, span);
        });
    }

    fn insert(&mut self, v: &Place, i: Val, value: Operand, elem: &Type, span: Extent) {
        let at = v.clone();
        let old = self.len(at.clone(), span);
        // panics if `i` is too large
        let tail = self.len(part_of(&at, i, old), span);
        let one = self.lit_usize(1, span);
        let len = self.int_bin(BinOp::Add, old, one, span);
        self.resize(v, len, elem, span);
        self.counted(tail, span, |b, k| {
            let to = b.int_bin(BinOp::Sub, old, k, span);
            let from = b.int_bin(BinOp::Sub, to, one, span);
            b.move_element(element(&at, to), element(&at, from), elem, span);
        });
        let ty = from_ir(elem);
        self.store_new(element(&at, i), value, &ty, span);
    }

    fn remove(&mut self, v: &Place, i: Val, elem: &Type, span: Extent) -> Operand {
        let at = v.clone();
        let removed = self.element_value(element(&at, i), elem, span);
        let old = self.len(at.clone(), span);
        let one = self.lit_usize(1, span);
        let next = self.int_bin(BinOp::Add, i, one, span);
        let tail = self.int_bin(BinOp::Sub, old, next, span);
        self.counted(tail, span, |b, k| {
            let to = b.int_bin(BinOp::Add, i, k, span);
            let from = b.int_bin(BinOp::Add, to, one, span);
            b.move_element(element(&at, to), element(&at, from), elem, span);
        });
        let len = self.int_bin(BinOp::Sub, old, one, span);
        self.resize(v, len, elem, span);
        removed
    }

    pub(super) fn extend(&mut self, v: &Place, src: Place, elem: &Type, span: Extent) {
        let at = v.clone();
        let (old, n) = (self.len(at.clone(), span), self.len(src.clone(), span));
        let len = self.int_bin(BinOp::Add, old, n, span);
        self.resize(v, len, elem, span);
        if self.store_of(&at).is_some() {
            self.counted(n, span, |b, k| {
                let to = b.int_bin(BinOp::Add, old, k, span);
                let unknown = Ty::unit();
                b.store_new(
                    element(&at, to),
                    Operand::Place(element(&src, k)),
                    &unknown,
                    span,
                );
            });
            return;
        }
        if self.holds_lengths(v) {
            let ty = from_ir(elem);
            self.counted(n, span, |b, k| {
                let to = b.int_bin(BinOp::Add, old, k, span);
                let init = Init::CopyOf(element(&src, k));
                let copy = b.declare(elem.clone(), TEMPORARY, span, init);
                b.store_new(element(&at, to), Operand::Place(root(copy)), &ty, span);
            });
            return;
        }
        let dst = part_of(&at, old, len);
        self.push(Stmt::CopyPlace { dst, src });
    }

    /// The value as a vector whose storage can be taken.
    pub(super) fn owned_vector(
        &mut self,
        value: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Option<PlaceId> {
        match value {
            Operand::Place(p) => {
                let local = p.path.is_empty()
                    && self.body.place(p.root).kind == PlaceKind::Local
                    && self.body.place(p.root).hint == TEMPORARY;
                Some(if local {
                    p.root
                } else {
                    self.copy_or_move(p, ty, TEMPORARY, span)
                })
            }
            Operand::Passive(code) => Some(self.copy_passive(code, ty, TEMPORARY, span)),
            Operand::Val(_) | Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
                None
            }
        }
    }
}
