//! Tuples and options that are stored as structs: they are taken apart where they are read, and written part by part.
//! Vectors of vectors in fields: rows become such as they are stored there.

use super::sequence::element;
use super::{Builder, Operand, is_rows, root};
use crate::error;
use crate::ir::{ITSELF, Init, Known, Place, Proj, Stmt, Storage, TEMPORARY, Type};
use crate::lower::hir::{Expr, SeqOp};
use crate::lower::stored::{field_type, inside, inside_type, part_type, parts};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// What a path leads to: the elements of a row, the components of a tuple that is stored.
    pub(super) fn found(&mut self, at: Place, span: Extent) -> Operand {
        let at = self.opened(at, span);
        if let Some(ty @ Type::Struct(_)) = self.body.type_at(&at)
            && self.is_moved_by_name(&ty)
        {
            self.note_vectors(&ty);
        }
        self.taken_apart(at)
    }

    /// The components of a tuple that is stored; other places stay what they are.
    pub(super) fn taken_apart(&self, at: Place) -> Operand {
        let Some(Type::Struct(path)) = self.body.type_at(&at) else {
            return Operand::Place(at);
        };
        let Some(parts) = parts(&path) else {
            return Operand::Place(at);
        };
        let parts = parts.iter().enumerate().map(|(k, ty)| match ty {
            Ty::Tuple(none) if none.is_empty() => Operand::unit(),
            ty => {
                let mut part = at.clone();
                let inner = inside_type(ty, self.float).or_else(|| part_type(ty, self.float));
                part.path.push(Proj::Field(k.to_string(), Known(inner)));
                let part = self.vector_in(part);
                self.taken_apart(part)
            }
        });
        Operand::Tuple(parts.collect())
    }

    /// The vector or array in a struct that stands for one; other places stay what they are.
    pub(super) fn vector_in(&self, mut at: Place) -> Place {
        if let Some(Type::Struct(path)) = self.body.type_at(&at)
            && let Some(vector) = inside(&path)
        {
            let name = match &vector {
                Ty::Array(..) => ITSELF,
                _ => "0",
            };
            let ty = field_type(&vector, self.float);
            at.path.push(Proj::Field(name.to_owned(), Known(ty)));
        }
        at
    }

    /// Whether the path leads to vectors of numbers inside of a vector, as a field has them.
    pub(super) fn is_list_of_vectors(&self, at: &Place) -> bool {
        let ty = self.body.type_at(at);
        let elem = ty.as_ref().and_then(Type::element);
        matches!(elem, Some(Type::Struct(_))) && self.row_element(at).is_some()
    }

    /// Rows as a field has them: a vector of vectors, as the field of a struct that stands for it.
    pub(super) fn as_stored(&mut self, rows: Place, ty: &Ty, span: Extent) -> Option<Place> {
        let (Some(whole), Ty::Vec(row)) = (inside_type(ty, self.float), ty) else {
            return None;
        };
        let rows = match self.store_of(&rows) {
            Some(_) => rows,
            None => root(self.in_order(rows, span)),
        };
        let whole = self.declare(whole, TEMPORARY, span, Init::Zero);
        self.written.insert(whole);
        let list = self.vector_in(root(whole));
        let n = self.len(rows.clone(), span);
        let elem = self.element_type(&list, span);
        self.note_vectors(&elem);
        self.resize(&list, n, &elem, span);
        let row = self.ir_type(row, span);
        self.counted(n, span, |b, i| {
            let src = b.opened(element(&rows, i), span);
            let own = b.declare(row, TEMPORARY, span, Init::CopyOf(src));
            b.written.insert(own);
            let at = b.vector_in(element(&list, i));
            b.push(Stmt::Storage(Storage::Swap(at, own.into())));
        });
        Some(list)
    }

    /// Vectors inside of a field change: all of them are taken out, and put back.
    pub(super) fn grow_list(
        &mut self,
        op: &SeqOp,
        list: Place,
        rest: &[Expr],
        span: Extent,
    ) -> Operand {
        let Some(ty @ Ty::Vec(_)) = self.ty_of_place(&list) else {
            return Operand::unit();
        };
        let rows = self.in_order(list.clone(), span);
        self.written.insert(rows);
        let Some(Type::Vec(elem)) = self.body.type_at(&root(rows)) else {
            return Operand::unit();
        };
        let result = self.grow(op, &root(rows), *elem, rest, span);
        self.replace_list(list, root(rows), &ty, span);
        result
    }

    /// `s.w = rows`
    pub(super) fn replace_list(&mut self, list: Place, rows: Place, ty: &Ty, span: Extent) {
        let Some(new) = self.as_stored(rows, ty, span) else {
            return self.cx.error(span, &error::NESTED_VECTOR);
        };
        if self.is_reference(list.root) {
            return self.cx.error(span, &error::LENGTH_BEHIND);
        }
        self.push(Stmt::Storage(Storage::Swap(list, new)));
    }

    /// The value of a vector of vectors, as a field has it.
    pub(super) fn rows_as_stored(&mut self, e: &Expr) -> Option<Place> {
        let ty = self.peeled(&e.ty);
        if !is_rows(&ty) {
            return None;
        }
        if to_ir(&ty, self.float).is_none_or(|ty| *ty.leaf() != Type::Float) {
            // lists of integers are kept by themselves alone
            self.cx.error(e.span, &error::UNKEPT_FIELD);
            return None;
        }
        let rows = root(self.make(e, TEMPORARY));
        let list = self.as_stored(rows, &ty, e.span);
        if list.is_none() {
            self.cx.error(e.span, &error::NESTED_VECTOR);
        }
        list
    }

    /// The value of a tuple or option, as one place.
    pub(super) fn put_together(&mut self, e: &Expr) -> Option<Place> {
        let ty = self.peeled(&e.ty);
        let (Ty::Tuple(_), Some(ir)) = (&ty, part_type(&ty, self.float)) else {
            return None;
        };
        let value = self.eval(e);
        let whole = self.declare(ir, TEMPORARY, e.span, Init::Zero);
        self.written.insert(whole);
        let whole = root(whole);
        self.store(Operand::Place(whole.clone()), value, &ty, e.span);
        Some(whole)
    }
}
