//! Vectors of vectors. The rows of one lie in a vector of elements, its store; the vector itself holds
//! where each row begins, where it ends, and where the room that it has ends. So a row is a part of a
//! vector like any other, rows change places without their elements being moved, and what happens to
//! rows is done to integers.

use super::sequence::{element, part_of};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    Arg, BinOp, CmpOp, Init, Op, Place, PlaceId, PlaceKind, Stmt, Storage, TEMPORARY, Tokens, Type,
    Val,
};
use crate::lower::hir::{Expr, Kind, SeqOp};
use crate::lower::stored::inside;
use crate::lower::ty::{Ty, form, from_ir, to_ir};
use crate::report::Extent;

/// Where the elements of a vector's rows are.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) data: PlaceId,
    /// Type of the elements.
    pub(super) elem: Type,
    /// Another vector owns the store.
    pub(super) shared: bool,
}

/// What stands for a row: begin, end, end of its room.
pub(crate) fn handle() -> Type {
    let three = proc_macro2::Literal::usize_unsuffixed(3);
    Type::Array(
        Box::new(Type::usize()),
        Tokens(proc_macro2::TokenTree::from(three).into()),
    )
}

/// Type of the elements of a vector of vectors, or of a slice of vectors.
pub(crate) fn nested(ty: &Type) -> Option<&Type> {
    let (Type::Vec(row) | Type::Slice(row)) = ty else {
        return None;
    };
    let Type::Vec(elem) = &**row else { return None };
    is_number(elem).then_some(elem)
}

/// Whether this is a scalar, or an array of scalars.
fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Array(t, _) => is_number(t),
        ty => matches!(ty, Type::Float | Type::Int(_) | Type::Bool),
    }
}

/// Whether a type is a vector of vectors.
pub(crate) fn is_rows(ty: &Ty) -> bool {
    form(ty).as_ref().and_then(nested).is_some()
}

const BEGIN: i128 = 0;
const END: i128 = 1;
const ROOM: i128 = 2;

impl Builder<'_> {
    /// The store of the vector that a path goes into, if that is a vector of vectors.
    pub(super) fn store_of(&self, place: &Place) -> Option<&Store> {
        let mut at = place.root;
        while let Some(of) = self.views.get(&at) {
            at = of.root;
        }
        self.stores.get(&at)
    }

    /// Whether the path leads to a row, not to rows.
    fn is_row(&self, at: &Place) -> bool {
        self.store_of(at).is_some() && self.body.type_at(at) == Some(handle())
    }

    /// Where the rows at a place lie, if they are rows of ours.
    pub(super) fn rows_in(&self, rows: &Place) -> Option<Place> {
        let store = self.store_of(rows).filter(|_| self.are_rows(rows));
        store.map(|store| root(store.data))
    }

    /// Whether an argument is a constant vector of vectors, as the function was given it.
    pub(super) fn are_constant_rows(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Ref(at) => self.store_of(at).is_none() && self.are_rows(at),
            Arg::Value(_) | Arg::Place(_) | Arg::Mut(_) | Arg::Verbatim { .. } => false,
        }
    }

    /// Whether an argument is a vector of vectors that the function has made.
    pub(super) fn are_own_rows(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Ref(at) | Arg::Place(at) => self.store_of(at).is_some() && self.are_rows(at),
            Arg::Value(_) | Arg::Mut(_) | Arg::Verbatim { .. } => false,
        }
    }

    /// Whether the path leads to rows, of ours or of a constant.
    pub(super) fn are_rows(&self, at: &Place) -> bool {
        let ty = self.body.type_at(at);
        match (self.store_of(at), &ty) {
            (Some(_), Some(ty)) => ty.element() == Some(&handle()),
            (None, Some(_)) => self.row_element(at).is_some(),
            (_, None) => false,
        }
    }

    /// What the rows at a place are made of: rows of ours, of a constant, or in a field.
    pub(super) fn row_element(&self, at: &Place) -> Option<Type> {
        if let Some(store) = self.store_of(at) {
            return Some(store.elem.clone());
        }
        let ty = self.body.type_at(at)?;
        let row = match (nested(&ty), ty.element()) {
            (Some(elem), _) => return Some(elem.clone()),
            (None, Some(Type::Struct(path))) => inside(path)?,
            _ => return None,
        };
        match to_ir(&row, self.float)? {
            Type::Vec(elem) if is_number(&elem) => Some(*elem),
            _ => None,
        }
    }

    /// The elements of a row, the vector in a struct that stands for one; other places stay what they are.
    pub(super) fn opened(&mut self, at: Place, span: Extent) -> Place {
        let at = self.vector_in(at);
        if !self.is_row(&at) {
            return at;
        }
        let Some(data) = self.store_of(&at).map(|s| s.data) else {
            return at;
        };
        let (lo, hi) = (self.bound(&at, BEGIN, span), self.bound(&at, END, span));
        part_of(&root(data), lo, hi)
    }

    /// Where a row begins or ends: at 0 if it is not there.
    fn bound(&mut self, row: &Place, k: i128, span: Extent) -> Val {
        let Some(present) = self.present else {
            return self.row_number(row, k, span);
        };
        let found = self.select(
            present,
            &Ty::usize(),
            span,
            |b| Operand::Val(b.row_number(row, k, span)),
            |b| Operand::Val(b.lit_usize(0, span)),
        );
        match found {
            Operand::Val(bound) => bound,
            _ => self.no_val(span),
        }
    }

    /// Element number `i`, or the row that it is.
    pub(super) fn element_operand(&mut self, place: &Place, i: Val, span: Extent) -> Operand {
        self.found(element(place, i), span)
    }

    fn row_number(&mut self, row: &Place, k: i128, span: Extent) -> Val {
        let k = self.lit_usize(k, span);
        let ty = Type::usize();
        let v = self.body.new_val(ty, None, span.start);
        self.push_rows(Stmt::Load(v, element(row, k)));
        v
    }

    fn set_number(&mut self, row: &Place, k: i128, v: Val, span: Extent) {
        let k = self.lit_usize(k, span);
        self.push_rows(Stmt::Store(element(row, k), v));
    }

    // ---- making and moving ----

    /// A vector of vectors begins: its store too.
    pub(super) fn declare_rows(
        &mut self,
        elem: Type,
        hint: &str,
        span: Extent,
        init: Init,
    ) -> PlaceId {
        let data_ty = Type::Vec(Box::new(elem.clone()));
        let rows_ty = Type::Vec(Box::new(handle()));
        let from = match &init {
            Init::CopyOf(src) => self.store_of(src).cloned(),
            Init::MoveOf(src) => self.store_of(&root(*src)).cloned(),
            _ => None,
        };
        let (data_init, rows_init) = match (init, from) {
            (Init::CopyOf(src), Some(from)) => (Init::CopyOf(root(from.data)), Init::CopyOf(src)),
            (Init::MoveOf(src), Some(from)) if !from.shared => {
                (Init::MoveOf(from.data), Init::MoveOf(src))
            }
            (Init::VecFill(_, n), _) => {
                let none = self.lit_usize(0, span);
                let zero = self.zero(&elem.leaf().clone(), span);
                (Init::VecFill(zero, none), Init::VecFill(none, n))
            }
            (Init::List(vs), _) if vs.is_empty() => {
                (Init::List(Vec::new()), Init::List(Vec::new()))
            }
            // a copy of rows that are no rows of ours
            (Init::CopyOf(src), None) if self.row_element(&src).is_some() => {
                return self.in_order(src, span);
            }
            _ => {
                self.cx.error(span, &error::NESTED_VECTOR);
                let none = self.lit_usize(0, span);
                let zero = self.zero(&elem.leaf().clone(), span);
                (Init::VecFill(zero, none), Init::VecFill(none, none))
            }
        };
        let data = self.declare_plain(data_ty, &format!("{hint}_rows"), span, data_init);
        self.written.insert(data);
        let rows = self
            .body
            .new_place(rows_ty, hint, PlaceKind::Local, span.start);
        self.note_home(rows);
        self.push_rows(Stmt::Declare(rows, rows_init));
        self.add_store(rows, data, elem);
        rows
    }

    pub(super) fn add_store(&mut self, rows: PlaceId, data: PlaceId, elem: Type) {
        let store = Store {
            data,
            elem,
            shared: false,
        };
        self.stores.insert(rows, store);
    }

    /// The rows of parameter number `n`, whose elements are `data`.
    pub(super) fn bind_rows(&mut self, n: usize, data: PlaceId, mutable: bool) -> PlaceId {
        let info = self.body.place(data).clone();
        let elem = info.ty.element().cloned().unwrap_or(Type::Float);
        let param = self.body.params[n + 1].clone();
        let kind = PlaceKind::SharedParam(n + 1);
        let rows = self.body.new_place(param.ty, &param.name, kind, param.span);
        self.body.params[n + 1].place = Some(rows);
        if !matches!(info.kind, PlaceKind::ValueParam(_)) {
            self.add_store(rows, data, elem);
            return rows;
        }
        // by value: they may change
        let ty = Type::Vec(Box::new(handle()));
        let own = self.declare_plain(ty, &info.hint, info.span.into(), Init::CopyOf(root(rows)));
        if mutable {
            self.written.insert(own);
        }
        self.written.insert(data);
        self.add_store(own, data, elem);
        own
    }

    /// A copy of rows, one after the other.
    pub(super) fn in_order(&mut self, src: Place, span: Extent) -> PlaceId {
        let elem = self.row_element(&src);
        let ty = Type::Vec(Box::new(Type::Vec(Box::new(elem.unwrap_or(Type::Float)))));
        let n = self.len(src.clone(), span);
        let init = self.blank_init(&ty, Some(n), span);
        let rows = self.declare(ty, TEMPORARY, span, init);
        self.counted(n, span, |b, i| {
            let src = b.opened(element(&src, i), span);
            b.new_row(&element(&root(rows), i), src, span);
        });
        rows
    }

    /// Two vectors exchange their storage.
    pub(super) fn exchange_storage(&mut self, a: PlaceId, b: PlaceId) {
        let stores = (self.stores.get(&a).cloned(), self.stores.get(&b).cloned());
        match stores {
            (Some(x), Some(y)) if !x.shared && !y.shared => {
                self.push_rows(Stmt::Storage(Storage::Swap(a.into(), b.into())));
                self.push_rows(Stmt::Storage(Storage::Swap(x.data.into(), y.data.into())));
            }
            _ => {
                // one struct may have two names
                let is_whole = |at: PlaceId| matches!(self.body.place(at).ty, Type::Struct(_));
                let (mut x, mut y) = (root(a), root(b));
                if is_whole(a) != is_whole(b) {
                    (x, y) = (self.vector_in(x), self.vector_in(y));
                }
                self.push(Stmt::Storage(Storage::Swap(x, y)));
            }
        }
    }

    // ---- writing rows ----

    /// Puts a value, evaluated already, where there is no row yet, or one that has gone elsewhere.
    pub(super) fn store_new(&mut self, at: Place, value: Operand, ty: &Ty, span: Extent) {
        if !self.is_row(&at) {
            self.store(Operand::Place(at), value, ty, span);
            return;
        }
        if let Some(src) = self.row_value(value, &at, span) {
            self.new_row(&at, src, span);
        }
    }

    /// A row's new content, as a place.
    fn row_value(&mut self, value: Operand, at: &Place, span: Extent) -> Option<Place> {
        match value {
            Operand::Place(p) => Some(self.opened(p, span)),
            Operand::Passive(code) => {
                let elem = self.store_of(at)?.elem.clone();
                let ty = Ty::Vec(Box::new(from_ir(&elem)));
                Some(root(self.copy_passive(code, &ty, TEMPORARY, span)))
            }
            Operand::Val(_) | Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                if self.is_live() {
                    self.cx.error(span, &error::NESTED_VECTOR);
                }
                None
            }
        }
    }

    /// A row at the end of the store.
    fn new_row(&mut self, at: &Place, src: Place, span: Extent) {
        let Some(Store { data, elem, .. }) = self.store_of(at).cloned() else {
            return;
        };
        let begin = self.len(root(data), span);
        self.extend(&root(data), src, &elem, span);
        let end = self.len(root(data), span);
        self.set_number(at, BEGIN, begin, span);
        self.set_number(at, END, end, span);
        self.set_number(at, ROOM, end, span);
    }

    /// `a[i] = row`: where the old one was, if it is as long.
    pub(super) fn set_row(&mut self, at: Place, value: Operand, span: Extent) {
        let Some(src) = self.row_value(value, &at, span) else {
            return;
        };
        let Some(data) = self.store_of(&at).map(|s| s.data) else {
            return;
        };
        let (lo, hi) = (
            self.row_number(&at, BEGIN, span),
            self.row_number(&at, END, span),
        );
        let m = self.int_bin(BinOp::Sub, hi, lo, span);
        let n = self.len(src.clone(), span);
        let same = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, m, n), span);
        let (dst, copied) = (part_of(&root(data), lo, hi), src.clone());
        self.either(
            same,
            |b| b.push(Stmt::CopyPlace { dst, src: copied }),
            |b| b.new_row(&at, src, span),
        );
    }

    /// `a[i]` as a row that may be replaced or grow; `None` if it is something else.
    pub(super) fn row_place(&mut self, e: &Expr) -> Option<Place> {
        match &e.kind {
            Kind::Ref(_, inner) | Kind::Deref(inner) => self.row_place(inner),
            Kind::Index(base, i) if matches!(self.peeled(&e.ty), Ty::Vec(_)) => {
                if self.has_passive_root(base) || !self.is_place(base) {
                    return None;
                }
                let Operand::Place(known) = self.outermost(base)? else {
                    return None;
                };
                self.store_of(&known)?;
                let base = self.base(base);
                let i = self.scalar(i);
                let at = element(&base, i);
                self.is_row(&at).then_some(at)
            }
            _ => None,
        }
    }

    /// What the variable at the bottom of a path stands for; nothing is evaluated.
    fn outermost(&self, e: &Expr) -> Option<Operand> {
        match &e.kind {
            Kind::Local(local) => Some(self.bound[local.0].clone()),
            Kind::Index(b, _) | Kind::Deref(b) | Kind::Ref(_, b) => self.outermost(b),
            Kind::Range { base, .. } => self.outermost(base),
            _ => None,
        }
    }

    // ---- growing rows ----

    /// A method that changes the length of a row.
    pub(super) fn grow_row(
        &mut self,
        at: Place,
        op: &SeqOp,
        rest: &[Expr],
        span: Extent,
    ) -> Operand {
        let Some(Store { data, elem, .. }) = self.store_of(&at).cloned() else {
            return Operand::unit();
        };
        match (op, rest) {
            (SeqOp::Nothing, rest) => {
                for a in rest {
                    self.scalar(a);
                }
            }
            (SeqOp::Push, [x]) => {
                let value = self.eval(x);
                self.make_room(&at, data, &elem, span);
                let end = self.row_number(&at, END, span);
                let ty = from_ir(&elem);
                let slot = element(&root(data), end);
                self.store(Operand::Place(slot), value, &ty, span);
                let one = self.lit_usize(1, span);
                let end = self.int_bin(BinOp::Add, end, one, span);
                self.set_number(&at, END, end, span);
            }
            (SeqOp::Clear, []) => {
                let begin = self.row_number(&at, BEGIN, span);
                self.set_number(&at, END, begin, span);
            }
            (SeqOp::Truncate, [n]) => {
                let n = self.scalar(n);
                let (begin, end) = (
                    self.row_number(&at, BEGIN, span),
                    self.row_number(&at, END, span),
                );
                let m = self.int_bin(BinOp::Sub, end, begin, span);
                let n = self.int_op("min", &[n, m], Type::usize(), span);
                let end = self.int_bin(BinOp::Add, begin, n, span);
                self.set_number(&at, END, end, span);
            }
            _ => {
                // the row on its own, and back again
                let row = self.opened(at.clone(), span);
                let ty = Type::Vec(Box::new(elem.clone()));
                let own = self.declare(ty, TEMPORARY, span, Init::CopyOf(row));
                self.written.insert(own);
                let result = self.grow(op, &root(own), elem, rest, span);
                self.set_row(at, Operand::Place(root(own)), span);
                return result;
            }
        }
        Operand::unit()
    }

    /// Room for one more element: twice as much as there was, at the end of the store.
    fn make_room(&mut self, at: &Place, data: PlaceId, elem: &Type, span: Extent) {
        let (begin, end) = (
            self.row_number(at, BEGIN, span),
            self.row_number(at, END, span),
        );
        let room = self.row_number(at, ROOM, span);
        let full = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, end, room), span);
        self.when(full, |b| {
            let m = b.int_bin(BinOp::Sub, end, begin, span);
            let (two, four) = (b.lit_usize(2, span), b.lit_usize(4, span));
            let more = b.int_bin(BinOp::Mul, m, two, span);
            let more = b.int_op("max", &[more, four], Type::usize(), span);
            let old = b.len(root(data), span);
            let len = b.int_bin(BinOp::Add, old, more, span);
            b.resize(&root(data), len, elem, span);
            let moved = b.int_bin(BinOp::Add, old, m, span);
            b.push(Stmt::CopyPlace {
                dst: part_of(&root(data), old, moved),
                src: part_of(&root(data), begin, end),
            });
            b.set_number(at, BEGIN, old, span);
            b.set_number(at, END, moved, span);
            b.set_number(at, ROOM, len, span);
        });
    }

    // ---- what is not understood ----

    /// What may be done to rows without looking at them, and what is refused.
    pub(super) fn check_rows(&self, stmt: &Stmt) {
        let is = |p: &Place| self.store_of(p).is_some();
        let store = |p: &Place| self.store_of(p).map(|s| s.data);
        // rows without their data
        let alone = |places: &[(String, PlaceId)]| {
            let has = |data: Option<PlaceId>| places.iter().any(|(_, p)| Some(*p) == data);
            let mut all = places.iter().map(|(_, p)| *p);
            all.find(|p| is(&root(*p)) && !has(store(&root(*p))))
        };
        let refused = match stmt {
            Stmt::Load(_, p) | Stmt::Store(p, _) | Stmt::Accumulate { place: p, .. } => {
                is(p).then_some(p.root)
            }
            Stmt::CopyPlace { dst, src } => {
                let other = store(dst) != store(src);
                other.then_some(if is(dst) { dst.root } else { src.root })
            }
            Stmt::View { of, .. } => self.is_row(of).then_some(of.root),
            Stmt::Declare(_, Init::MoveOf(p)) => is(&root(*p)).then_some(*p),
            Stmt::Storage(Storage::Resize { .. }) => None,
            Stmt::Storage(s) => s.places().into_iter().find(|p| is(&root(*p))),
            Stmt::Let(_, Op::Verbatim { places, .. }) => alone(places),
            Stmt::Effect(e) => alone(&e.places),
            Stmt::Call(c) => c.args.iter().find_map(|a| match a {
                Arg::Place(p) | Arg::Mut(p) => is(p).then_some(p.root),
                Arg::Verbatim { places, .. } => alone(places),
                // beside its store
                Arg::Ref(_) | Arg::Value(_) => None,
            }),
            _ => None,
        };
        if let Some(place) = refused {
            let span = self.body.place(place).span;
            self.cx.error(span, &error::NESTED_VECTOR);
        }
    }

    /// A copy of rows that lie in the same store, for a moment.
    pub(super) fn note_shared(&mut self, place: PlaceId, init: &Init) {
        if let Init::CopyOf(src) = init
            && let Some(store) = self.store_of(src).cloned()
        {
            let shared = Store {
                shared: true,
                ..store
            };
            self.stores.insert(place, shared);
        }
    }

    /// Whether rows of it may be held by `&mut` beside each other.
    pub(super) fn note_torn(&mut self, of: &Place) {
        let data = match self.store_of(of) {
            Some(store) => store.data,
            None => of.root,
        };
        if self.stores.values().any(|s| s.data == data) {
            self.torn.insert(data);
        }
    }

    /// Statements about the numbers of rows.
    pub(super) fn push_rows(&mut self, stmt: Stmt) {
        self.push_unchecked(stmt);
    }
}
