//! Places: `x`, `x[i]`, `p.a`, `*v`, `x[a..b]`, and arrays that are made.

use super::holder::Holder;
use super::passive::Code;
use super::reference::Choice;
use super::sequence::element;
use super::{Builder, Operand, nested, root};
use crate::error;
use crate::ir::{
    BinOp, Init, Lit, Op, Place, PlaceId, PlaceKind, Proj, Stmt, TEMPORARY, Tokens, Type, Val,
};
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Builder<'_> {
    /// Whether the expression names storage.
    pub(super) fn is_place(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Local(_) => true,
            Kind::Index(b, _) | Kind::Field(b, _) | Kind::TupleField(b, _) => self.is_place(b),
            Kind::Range { base, .. } => self.is_place(base),
            Kind::Deref(b) => {
                self.is_place(b) || matches!(&b.kind, Kind::Ref(_, e) if self.is_place(e))
            }
            Kind::Ref(_, e) => self.is_place(e),
            _ => false,
        }
    }

    /// What a place expression stands for, without loading from it.
    pub(super) fn locate(&mut self, e: &Expr) -> Operand {
        match &e.kind {
            Kind::Local(_) | Kind::TupleField(..) if self.names_variable(e).is_some() => {
                let found = self.names_variable(e);
                found.map_or_else(Operand::unit, |(holder, operand)| {
                    self.resolved(&holder, operand, e.span)
                })
            }
            Kind::Local(_) => Operand::unit(),
            Kind::Deref(inner) => match self.locate(inner) {
                Operand::Passive(code) => Operand::Passive(code.wrapped("*")),
                other => other,
            },
            Kind::Ref(_, inner) => match self.locate(inner) {
                Operand::Passive(code) => Operand::Passive(code.wrapped("&")),
                other => other,
            },
            Kind::TupleField(base, n) => match self.locate(base) {
                Operand::Tuple(mut parts) if *n < parts.len() => parts.swap_remove(*n),
                Operand::Passive(code) => Operand::Passive(code.field(&n.to_string())),
                Operand::Tuple(_)
                | Operand::Val(_)
                | Operand::Place(_)
                | Operand::Choice(_)
                | Operand::Held(_) => {
                    self.cx.mismatch();
                    Operand::unit()
                }
            },
            Kind::Field(base, name) => match self.locate(base) {
                operand @ (Operand::Val(_) | Operand::Place(_)) if self.is_opaque_part(base) => {
                    match (self.data_code(&operand, &base.ty, 0, e.span), operand) {
                        (Some(code), _) => Operand::Passive(code.field(name)),
                        (None, Operand::Place(place)) => {
                            Operand::Passive(Code::of_part(&place).field(name))
                        }
                        (None, other) => other,
                    }
                }
                Operand::Place(mut place) => {
                    place.path.push(self.field_step(name, &e.ty));
                    self.taken_apart(place)
                }
                Operand::Passive(code) => Operand::Passive(code.field(name)),
                other => other,
            },
            Kind::Index(base, index) => match self.passive_sequence(base) {
                Some(code) => {
                    let i = self.scalar(index);
                    Operand::Passive(code.indexed(i))
                }
                None => {
                    let mut place = self.base(base);
                    let i = self.scalar(index);
                    place.path.push(Proj::Index(i));
                    self.found(place, e.span)
                }
            },
            Kind::Range {
                base,
                lo,
                hi,
                inclusive,
            } => {
                if let Some(code) = self.passive_sequence(base) {
                    let lo = lo.as_ref().map(|e| self.scalar(e));
                    let hi = hi.as_ref().map(|e| self.scalar(e));
                    return Operand::Passive(code.sliced(lo, hi, *inclusive));
                }
                let place = self.base(base);
                let place = self.range(place, lo.as_deref(), hi.as_deref(), *inclusive, e.span);
                Operand::Place(place)
            }
            _ => self.eval(e),
        }
    }

    /// What is behind a `&mut` whose value is replaced. A block has a value of its own, which nothing else names:
    /// `replace(&mut { a }, b)` leaves `a` as it is.
    pub(super) fn replaced(&mut self, e: &Expr, ty: &Ty) -> Operand {
        match &e.kind {
            Kind::Ref(true, of)
                if matches!(of.kind, Kind::Block(_))
                    && matches!(ty, Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_)) =>
            {
                let copy = self.make(of, TEMPORARY);
                self.written.insert(copy);
                Operand::Place(root(copy))
            }
            _ => self.locate(e),
        }
    }

    /// The variable, or component of one, that an expression names, as it was bound.
    fn names_variable(&self, e: &Expr) -> Option<(Holder, Operand)> {
        let holder = self.holder(e)?;
        let operand = self.bound_part(&holder)?.clone();
        Some((holder, operand))
    }

    /// Place of an array, slice, vector or struct; what is no place is made into one.
    pub(super) fn place(&mut self, e: &Expr) -> Place {
        match self.locate(e) {
            Operand::Place(place) => self.vector_in(place),
            Operand::Val(_) | Operand::Tuple(_) => {
                self.cx.mismatch();
                root(self.no_place(e.span))
            }
            Operand::Passive(code) => match self.peeled(&e.ty) {
                ty @ (Ty::Array(..) | Ty::Vec(_)) => {
                    root(self.copy_passive(code, &ty, TEMPORARY, e.span))
                }
                _ => {
                    self.cx.error(e.span, &error::UNKNOWN_SEQUENCE);
                    root(self.no_place(e.span))
                }
            },
            Operand::Choice(c) if c.targets.is_empty() => {
                self.unreachable();
                root(self.no_place(e.span))
            }
            Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(e.span, &error::CHOSEN_REFERENCE);
                root(self.no_place(e.span))
            }
        }
    }

    /// Place of a sequence that is indexed or sliced: a part `x[a..b]` becomes a view first.
    pub(super) fn base(&mut self, e: &Expr) -> Place {
        let place = self.place(e);
        let mutable = self.written.contains(&place.root);
        self.settle(place, mutable, e)
    }

    /// A place without a range in its path; `e` is the expression that it comes from.
    pub(super) fn settle(&mut self, place: Place, mutable: bool, e: &Expr) -> Place {
        if place.path.iter().any(|p| matches!(p, Proj::Range(..))) {
            let ty = self.peeled(&e.ty);
            root(self.view(place, mutable, "part", &ty, e.span))
        } else {
            place
        }
    }

    fn range(
        &mut self,
        mut place: Place,
        lo: Option<&Expr>,
        hi: Option<&Expr>,
        inclusive: bool,
        span: Extent,
    ) -> Place {
        let lo = match lo {
            Some(e) => self.scalar(e),
            None => self.lit_usize(0, span),
        };
        let hi = match hi {
            Some(e) => {
                let v = self.scalar(e);
                if inclusive {
                    let one = self.lit_usize(1, span);
                    self.let_op(Type::usize(), Op::Bin(BinOp::Add, v, one), span)
                } else {
                    v
                }
            }
            None => self.len(place.clone(), span),
        };
        place.path.push(Proj::Range(lo, hi));
        place
    }

    pub(super) fn len(&mut self, place: Place, span: Extent) -> Val {
        // a number that is known needs no record
        let number = self
            .told_length(&place)
            .and_then(|n| n.0.to_string().parse().ok());
        let op = number.map_or(Op::Len(place), |n| Op::Lit(Lit::Int(n)));
        self.let_op(Type::usize(), op, span)
    }

    /// The length of an array as its type says it: in digits, or by a name that stands in the signature. The name in
    /// the type of a field may mean something else here.
    pub(super) fn told_length(&self, place: &Place) -> Option<Tokens> {
        let Type::Array(_, n) = self.body.type_at(place)? else {
            return None;
        };
        let is_number = n.0.to_string().parse::<u32>().is_ok();
        let is_param = place.path.is_empty()
            && matches!(
                self.body.place(place.root).kind,
                PlaceKind::SharedParam(_) | PlaceKind::MutParam(_) | PlaceKind::ValueParam(_)
            );
        (is_number || is_param).then_some(n)
    }

    /// Loads what is a scalar by value; copies an array by value if its place may change later.
    pub(super) fn load_operand(&mut self, operand: Operand, ty: &Ty, span: Extent) -> Operand {
        match (operand, ty) {
            (Operand::Held(holder), _) => {
                let current = self.current(&holder, span);
                current.map_or_else(Operand::unit, Choice::operand)
            }
            (Operand::Choice(choice), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                let ir = self.scalar_type(ty, span);
                self.of_each(&choice, ty, span, &mut |b, place| {
                    Operand::Val(b.load(place, ir.clone(), span))
                })
            }
            (Operand::Choice(choice), Ty::Array(..) | Ty::Struct(_) | Ty::Vec(_)) => {
                self.of_each(&choice, ty, span, &mut |_, place| Operand::Place(place))
            }
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => Operand::Tuple(
                parts
                    .into_iter()
                    .zip(ts)
                    .map(|(p, t)| self.load_operand(p, t, span))
                    .collect(),
            ),
            (Operand::Place(place), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                let ty = self.scalar_type(ty, span);
                Operand::Val(self.load(place, ty, span))
            }
            // the variable may be bound to another number later
            (Operand::Place(place), Ty::Ref(false, _))
                if self.is_scalar(ty) && self.written.contains(&place.root) =>
            {
                let ty = self.scalar_type(ty, span);
                Operand::Val(self.load(place, ty, span))
            }
            (Operand::Place(place), Ty::Array(..) | Ty::Struct(_)) => {
                if self.written.contains(&place.root) || !place.path.is_empty() {
                    let copy = self.copy_or_move(place, ty, TEMPORARY, span);
                    Operand::Place(root(copy))
                } else {
                    Operand::Place(place)
                }
            }
            (Operand::Place(place), Ty::Vec(_)) => {
                // what moves out of a field leaves room for another vector there
                if self.written.contains(&place.root) {
                    let moved = self.copy_or_move(place, ty, TEMPORARY, span);
                    Operand::Place(root(moved))
                } else {
                    Operand::Place(place)
                }
            }
            (Operand::Passive(code), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                Operand::Val(self.verbatim(code, ty, span))
            }
            (operand, _) => operand,
        }
    }

    /// Whether the place is behind a reference, so that it cannot be moved out of.
    pub(super) fn is_reference(&self, place: PlaceId) -> bool {
        match self.body.place(place).kind {
            PlaceKind::SharedParam(_)
            | PlaceKind::MutParam(_)
            | PlaceKind::View
            | PlaceKind::Row => true,
            PlaceKind::ValueParam(_)
            | PlaceKind::Local
            | PlaceKind::State
            | PlaceKind::Slot(_)
            | PlaceKind::ResultSlot(_) => false,
        }
    }

    /// Makes an array or vector that is no place yet.
    pub(super) fn make(&mut self, e: &Expr, hint: &str) -> PlaceId {
        match &e.kind {
            _ if self.open_choice(e).is_some() => self.make_from(e, hint),
            Kind::List(elems) => self.make_list(e, elems, hint),
            Kind::Blank => {
                let ir = self.ir_type(&e.ty, e.span);
                self.declare(ir, hint, e.span, Init::Zero)
            }
            Kind::Struct { fields, base } => self.make_struct(e, fields, base.as_deref(), hint),
            Kind::Repeat(elem, len) => self.make_repeat(e, elem, len, hint),
            Kind::VecFill(elem, n) => {
                let ir = self.ir_type(&e.ty, e.span);
                if let Some(v) = self.fill_value(elem) {
                    let n = self.scalar(n);
                    return self.declare(ir, hint, e.span, Init::VecFill(v, n));
                }
                let row = self.value(elem);
                let n = self.scalar(n);
                let ty = self.element(&e.ty);
                self.make_rows(ir, (row, &ty), n, hint, e.span)
            }
            Kind::CopyOf(src) => {
                if let Some(code) = self.passive_sequence(src) {
                    let ty = self.peeled(&e.ty);
                    return self.copy_passive(code, &ty, hint, e.span);
                }
                let src = self.place(src);
                let ir = self.ir_type(&e.ty, e.span);
                self.declare(ir, hint, e.span, Init::CopyOf(src))
            }
            _ if self.is_place(e) => {
                let ty = self.peeled(&e.ty);
                if let Some(code) = self.passive_sequence(e) {
                    return self.copy_passive(code, &ty, hint, e.span);
                }
                let place = self.place(e);
                self.copy_or_move(place, &ty, hint, e.span)
            }
            _ => self.make_from(e, hint),
        }
    }

    /// The value of an expression as a place of its own.
    fn make_from(&mut self, e: &Expr, hint: &str) -> PlaceId {
        match self.value(e) {
            Operand::Place(place) if place.path.is_empty() && !self.is_reference(place.root) => {
                let info = &mut self.body.places[place.root.0 as usize];
                if info.hint == TEMPORARY {
                    info.hint = hint.to_owned();
                    return place.root;
                }
                let ty = self.peeled(&e.ty);
                self.copy_or_move(place, &ty, hint, e.span)
            }
            Operand::Place(place) => {
                let ty = self.peeled(&e.ty);
                self.copy_or_move(place, &ty, hint, e.span)
            }
            Operand::Passive(code) => {
                let ty = self.peeled(&e.ty);
                self.copy_passive(code, &ty, hint, e.span)
            }
            Operand::Val(_) | Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                self.cx.mismatch();
                self.no_place(e.span)
            }
        }
    }

    fn make_list(&mut self, e: &Expr, elems: &[Expr], hint: &str) -> PlaceId {
        let ir = self.ir_type(&e.ty, e.span);
        if elems.is_empty() {
            return self.declare(ir, hint, e.span, Init::List(Vec::new()));
        }
        let mut flat = Vec::new();
        let plain = nested(&ir).is_none() && flatten(elems, &mut flat);
        if plain && flat.iter().all(|e| self.is_scalar(&e.ty)) {
            let vals = flat.iter().map(|e| self.scalar(e)).collect();
            let ir = literal_lengths(ir, elems);
            return self.declare(ir, hint, e.span, Init::List(vals));
        }
        // rows that are arrays already
        let rows: Vec<Operand> = elems.iter().map(|e| self.value(e)).collect();
        let n = self.lit_usize(rows.len() as i128, e.span);
        let init = self.blank_init(&ir, Some(n), e.span);
        let place = self.declare(ir, hint, e.span, init);
        let at = self.vector_in(root(place));
        let ty = self.element(&e.ty);
        for (k, row) in rows.into_iter().enumerate() {
            let k = self.lit_usize(k as i128, e.span);
            self.set_element(&at, k, row, &ty, e.span);
        }
        place
    }

    /// An element that is no number gets its first value.
    fn set_element(&mut self, list: &Place, i: Val, value: Operand, ty: &Ty, span: Extent) {
        let dst = element(list, i);
        match value {
            Operand::Place(src) if self.store_of(&dst).is_none() && !self.holds_lengths(list) => {
                self.push(Stmt::CopyPlace { dst, src });
            }
            value => self.store_new(dst, value, ty, span),
        }
    }

    fn make_repeat(
        &mut self,
        e: &Expr,
        elem: &Expr,
        len: &crate::ir::Tokens,
        hint: &str,
    ) -> PlaceId {
        let ir = self.ir_type(&e.ty, e.span);
        if let Some(v) = self.fill_value(elem) {
            return self.declare(ir, hint, e.span, Init::ArrayFill(v));
        }
        let row = self.value(elem);
        let usize = Type::usize();
        let verbatim = Op::Verbatim {
            tokens: len.clone(),
            operands: Vec::new(),
            places: Vec::new(),
        };
        let n = self.let_op(usize, verbatim, e.span);
        let ty = self.element(&e.ty);
        self.make_rows(ir, (row, &ty), n, hint, e.span)
    }

    /// An array or vector of `n` copies of a row.
    fn make_rows(
        &mut self,
        ir: Type,
        (row, ty): (Operand, &Ty),
        n: Val,
        hint: &str,
        span: Extent,
    ) -> PlaceId {
        let init = self.blank_init(&ir, Some(n), span);
        let place = self.declare(ir, hint, span, init);
        let at = self.vector_in(root(place));
        self.counted(n, span, |b, i| {
            let row = b.again(&at, row, ty, span);
            b.set_element(&at, i, row, ty, span);
        });
        place
    }

    /// The scalar at the bottom of `v`, `[v; N]`, `[[v; N]; M]`; `None` if it is a list or a place.
    fn fill_value(&mut self, e: &Expr) -> Option<Val> {
        match &e.kind {
            Kind::Repeat(inner, _) => self.fill_value(inner),
            _ if self.is_scalar(&e.ty) => Some(self.scalar(e)),
            _ => None,
        }
    }
}

/// Scalars of nested list literals in row-major order; false if something else is among them.
fn flatten<'e>(elems: &'e [Expr], flat: &mut Vec<&'e Expr>) -> bool {
    elems.iter().all(|e| match &e.kind {
        Kind::List(inner) => flatten(inner, flat),
        _ => {
            flat.push(e);
            true
        }
    })
}

/// The type of a list with the lengths that it shows, since a length may be written as a constant.
fn literal_lengths(ty: Type, elems: &[Expr]) -> Type {
    let inner = |t: Box<Type>| match elems.first().map(|e| &e.kind) {
        Some(Kind::List(rows)) => Box::new(literal_lengths(*t, rows)),
        _ => t,
    };
    match ty {
        Type::Array(t, _) => {
            let n = proc_macro2::Literal::usize_unsuffixed(elems.len());
            let n = proc_macro2::TokenTree::from(n);
            Type::Array(inner(t), Tokens(n.into()))
        }
        Type::Vec(t) => Type::Vec(inner(t)),
        other => other,
    }
}
