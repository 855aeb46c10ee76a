//! Methods of sequences that write or split, as loops, views and copies.

use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    BinOp, CmpOp, Init, Lit, Op, Place, PlaceKind, Proj, Stmt, Storage, TEMPORARY, Tokens, Type,
    Val,
};
use crate::lower::hir::{Expr, SeqOp};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    pub(super) fn sequence_op(&mut self, op: &SeqOp, args: &[Expr], e: &Expr) -> Operand {
        let span = e.span;
        match (op, args) {
            (SeqOp::Reverse, [x]) => {
                let place = self.whole(x);
                self.reverse(place, span);
                Operand::unit()
            }
            (SeqOp::RotateLeft | SeqOp::RotateRight, [x, k]) => {
                let place = self.whole(x);
                let k = self.scalar(k);
                self.rotate(place, k, matches!(op, SeqOp::RotateLeft), span);
                Operand::unit()
            }
            (SeqOp::CopyWithin, [x, part, to]) => self.copy_within(x, part, to, span),
            (SeqOp::SwapWith, [x, y]) => self.swap_with(x, y, span),
            (SeqOp::SplitAt, [x, k]) => {
                let place = self.split_base(x, e);
                let k = self.scalar(k);
                let (zero, n) = (self.lit_usize(0, span), self.len(place.clone(), span));
                Operand::Tuple(vec![part(&place, zero, k), part(&place, k, n)])
            }
            (SeqOp::SplitFirst, [x]) => {
                let place = self.split_base(x, e);
                let (zero, n) = (self.lit_usize(0, span), self.len(place.clone(), span));
                let one = self.lit_usize(1, span);
                Operand::Tuple(vec![
                    self.element_operand(&place, zero, span),
                    part(&place, one, n),
                ])
            }
            (SeqOp::SplitLast, [x]) => {
                let place = self.split_base(x, e);
                let zero = self.lit_usize(0, span);
                let last = self.last(&place, span);
                Operand::Tuple(vec![
                    self.element_operand(&place, last, span),
                    part(&place, zero, last),
                ])
            }
            (SeqOp::First | SeqOp::Last, [x]) => {
                if let Some(code) = self.passive_sequence(x) {
                    let i = if matches!(op, SeqOp::First) {
                        self.lit_usize(0, span)
                    } else {
                        let n = self.passive_len(code.clone(), span);
                        self.minus_one(n, span)
                    };
                    return Operand::Passive(code.indexed(i).wrapped("&"));
                }
                let place = self.split_base(x, e);
                let i = if matches!(op, SeqOp::First) {
                    self.lit_usize(0, span)
                } else {
                    self.last(&place, span)
                };
                self.element_operand(&place, i, span)
            }
            (SeqOp::FirstChunk(n), [x]) => {
                let place = self.whole(x);
                let (zero, len) = (self.lit_usize(0, span), self.constant(n, span));
                let src = part_of(&place, zero, len);
                self.fixed(src, n, span)
            }
            (SeqOp::LastChunk(n), [x]) => {
                let place = self.whole(x);
                let (all, len) = (self.len(place.clone(), span), self.constant(n, span));
                let lo = self.int_bin(BinOp::Sub, all, len, span);
                self.fixed(part_of(&place, lo, all), n, span)
            }
            (SeqOp::Fixed, [x]) => match self.solved(&e.ty) {
                Ty::Array(_, n) => {
                    let src = self.place(x);
                    self.fixed(src, &n, span)
                }
                Ty::Ref(false, inner) if matches!(*inner, Ty::Array(..)) => {
                    let Ty::Array(_, n) = *inner else {
                        return Operand::unit();
                    };
                    let src = self.place(x);
                    self.fixed(src, &n, span)
                }
                ty => {
                    self.unknown_type(&ty, span);
                    Operand::unit()
                }
            },
            (SeqOp::MemSwap, [a, b]) => {
                let ty = self.referred(a);
                if self.holds_references(&ty) {
                    let places = (self.held_place(a), self.held_place(b));
                    match places {
                        (Some(a), Some(b)) => self.swap_held(a, b, &ty, span),
                        _ => self.cx.error_about(span, &error::MEM, "swap"),
                    }
                    return Operand::unit();
                }
                let (a, b) = (self.locate(a), self.locate(b));
                self.mem_swap(a, b, &ty, span);
                Operand::unit()
            }
            (SeqOp::Replace, [a, b]) => {
                let ty = self.referred(a);
                if self.holds_references(&ty) {
                    let value = self.value(b);
                    return match self.held_place(a) {
                        Some(at) => self.replace_held(at, value, &ty, span),
                        None => {
                            self.cx.error_about(span, &error::MEM, "replace");
                            Operand::unit()
                        }
                    };
                }
                let a = self.replaced(a, &ty);
                let value = self.value(b);
                self.replace(a, value, &ty, span)
            }
            (SeqOp::Take, [a]) => {
                let ty = self.referred(a);
                if let Some(Operand::Held(holder)) = self.held_place(a) {
                    return self.take_reference(&holder, span);
                }
                if let (Ty::Sum(_), Ty::Tuple(ts)) = (self.types.peel(&a.ty), &ty)
                    && self.holds_references(&ty)
                    && let Some(at) = self.held_place(a)
                {
                    let none = ts.iter().map(|t| self.blank(t, span)).collect();
                    return self.replace_held(at, Operand::Tuple(none), &ty, span);
                }
                let default = match self.default_of_data(&a.ty, span) {
                    Some(value) => Some(value),
                    None => self.default_value(&ty, span),
                };
                let a = self.replaced(a, &ty);
                match default {
                    Some(value) => self.replace(a, value, &ty, span),
                    None => {
                        self.cx.error_about(span, &error::MEM, "take");
                        Operand::unit()
                    }
                }
            }
            (SeqOp::Sort { .. } | SeqOp::SortBy(_), [x, rest @ ..]) => {
                let place = self.whole(x);
                self.sort(&place, op, rest, span);
                Operand::unit()
            }
            (SeqOp::Select(sort), [x, key @ .., k]) => {
                let place = self.whole(x);
                let k = self.scalar(k);
                self.select_nth(&place, k, (sort, key), span)
            }
            _ => self.growth(op, args, e),
        }
    }

    // ---- parts ----

    /// The place of a sequence, for reading and writing by index.
    pub(super) fn whole(&mut self, x: &Expr) -> Place {
        let place = self.place(x);
        self.settle(place, true, x)
    }

    /// What is split: behind `&mut` if the halves are.
    fn split_base(&mut self, x: &Expr, e: &Expr) -> Place {
        let place = self.place(x);
        let mutable = match self.solved(&e.ty) {
            Ty::Ref(m, _) => m,
            Ty::Tuple(ts) => matches!(ts.first(), Some(Ty::Ref(true, _))),
            _ => false,
        };
        let mutable = mutable || self.written.contains(&place.root);
        self.settle(place, mutable, x)
    }

    fn last(&mut self, place: &Place, span: Extent) -> Val {
        let n = self.len(place.clone(), span);
        self.minus_one(n, span)
    }

    fn minus_one(&mut self, n: Val, span: Extent) -> Val {
        let one = self.lit_usize(1, span);
        self.int_bin(BinOp::Sub, n, one, span)
    }

    pub(super) fn int_bin(&mut self, op: BinOp, a: Val, b: Val, span: Extent) -> Val {
        self.let_op(Type::usize(), Op::Bin(op, a, b), span)
    }

    /// The length of an array, as written.
    fn constant(&mut self, n: &Tokens, span: Extent) -> Val {
        let op = Op::Verbatim {
            tokens: n.clone(),
            operands: Vec::new(),
            places: Vec::new(),
        };
        self.let_op(Type::usize(), op, span)
    }

    /// A slice as an array of `n`; panics if it has another length.
    fn fixed(&mut self, src: Place, n: &Tokens, span: Extent) -> Operand {
        let elem = self.element_type(&src, span);
        let ty = Type::Array(Box::new(elem), n.clone());
        let init = self.blank_init(&ty, None, span);
        let dst = root(self.declare(ty, TEMPORARY, span, init));
        let copied = dst.clone();
        self.push(Stmt::CopyPlace { dst, src });
        Operand::Place(copied)
    }

    /// Type of the elements of a sequence; an error if it is not known.
    pub(super) fn element_type(&mut self, place: &Place, span: Extent) -> Type {
        match self.body.type_at(place) {
            Some(Type::Array(t, _) | Type::Slice(t) | Type::Vec(t)) => *t,
            _ => {
                self.cx.error(span, &error::UNKNOWN_TYPE);
                Type::Float
            }
        }
    }

    // ---- permutations ----

    /// Two elements change places.
    pub(super) fn exchange(&mut self, a: Place, b: Place, span: Extent) {
        match self.body.type_at(&a) {
            Some(t) if t.is_scalar() => {
                let va = self.load(a.clone(), t.clone(), span);
                let vb = self.load(b.clone(), t, span);
                self.push(Stmt::Store(a, vb));
                self.push(Stmt::Store(b, va));
            }
            // with their lengths
            Some(t) if self.has_lengths(&t) || self.is_moved_element(&a) => {
                let [a, b] = [a, b].map(|at| self.owned_element(at, span));
                let kept = [a.clone(), b.clone()].map(|at| {
                    let kept = self.declare(t.clone(), TEMPORARY, span, Init::Zero);
                    self.written.insert(kept);
                    self.push(Stmt::Storage(Storage::Swap(kept.into(), at)));
                    kept
                });
                // the last comes first: an element may change places with itself
                for (at, kept) in [b, a].into_iter().zip(kept).rev() {
                    self.push(Stmt::Storage(Storage::Swap(at, kept.into())));
                }
            }
            Some(t) => {
                let init = Init::CopyOf(a.clone());
                let copy = root(self.declare(t, TEMPORARY, span, init));
                self.push(Stmt::CopyPlace {
                    dst: a,
                    src: b.clone(),
                });
                self.push(Stmt::CopyPlace { dst: b, src: copy });
            }
            None => self.cx.error(span, &error::UNKNOWN_TYPE),
        }
    }

    fn reverse(&mut self, place: Place, span: Extent) {
        let n = self.len(place.clone(), span);
        let two = self.lit_usize(2, span);
        let half = self.int_bin(BinOp::Div, n, two, span);
        self.counted(half, span, |b, i| {
            let last = b.minus_one(n, span);
            let j = b.int_bin(BinOp::Sub, last, i, span);
            b.exchange(element(&place, i), element(&place, j), span);
        });
    }

    /// By three reversals; to the left of `k` and to its right, then all.
    fn rotate(&mut self, place: Place, k: Val, left: bool, span: Extent) {
        let (zero, n) = (self.lit_usize(0, span), self.len(place.clone(), span));
        let at = if left {
            k
        } else {
            self.int_bin(BinOp::Sub, n, k, span)
        };
        for (lo, hi) in [(zero, at), (at, n)] {
            let unknown = Ty::unit();
            let half = self.view(part_of(&place, lo, hi), true, "half", &unknown, span);
            self.reverse(root(half), span);
        }
        self.reverse(place, span);
    }

    /// `dst = src` of an element.
    pub(super) fn move_element(&mut self, dst: Place, src: Place, elem: &Type, span: Extent) {
        if elem.is_scalar() {
            let v = self.load(src, elem.clone(), span);
            self.push(Stmt::Store(dst, v));
        } else if self.is_moved_element(&dst) && self.is_moved_element(&src) {
            self.exchange(dst, src, span);
        } else {
            self.push(Stmt::CopyPlace { dst, src });
        }
    }

    // ---- comparisons ----

    /// `a == b` or `a != b`: lengths, then all elements.
    pub(super) fn compare_sequences(
        &mut self,
        differ: bool,
        a: &Expr,
        b: &Expr,
        span: Extent,
    ) -> Operand {
        let a = match self.passive_sequence(a) {
            Some(code) => {
                let ty = self.element_vector(&a.ty);
                root(self.copy_passive(code, &ty, TEMPORARY, span))
            }
            None => self.whole(a),
        };
        let b = match self.passive_sequence(b) {
            Some(code) => {
                let ty = self.element_vector(&b.ty);
                root(self.copy_passive(code, &ty, TEMPORARY, span))
            }
            None => self.whole(b),
        };
        if self.are_rows(&a) || self.are_rows(&b) {
            self.cx.error(span, &error::NESTED_VECTOR);
            return Operand::unit();
        }
        let no = self.let_op(Type::Bool, Op::Lit(Lit::Bool(false)), span);
        let found = self.declare(Type::Bool, "differ", span, Init::Scalar(no));
        self.written.insert(found);
        self.find_difference(a, b, &root(found), span);
        let found = self.load(root(found), Type::Bool, span);
        Operand::Val(if differ {
            found
        } else {
            self.let_op(Type::Bool, Op::Not(found), span)
        })
    }

    fn element_vector(&mut self, ty: &Ty) -> Ty {
        match self.peeled(ty) {
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => Ty::Vec(t),
            other => other,
        }
    }

    fn find_difference(&mut self, a: Place, b: Place, found: &Place, span: Extent) {
        let (n, m) = (self.len(a.clone(), span), self.len(b.clone(), span));
        let longer = self.let_op(Type::Bool, Op::Cmp(CmpOp::Ne, n, m), span);
        self.note_if(longer, found, span);
        let usize = Type::usize();
        let common = self.int_op("min", &[n, m], usize, span);
        let elem = self.element_type(&a, span);
        self.counted(common, span, |c, i| {
            let (a, b) = (element(&a, i), element(&b, i));
            if elem.is_scalar() {
                let x = c.load(a, elem.clone(), span);
                let y = c.load(b, elem, span);
                let ne = c.let_op(Type::Bool, Op::Cmp(CmpOp::Ne, x, y), span);
                c.note_if(ne, found, span);
            } else {
                c.find_difference(a, b, found, span);
            }
        });
    }

    fn note_if(&mut self, cond: Val, found: &Place, span: Extent) {
        self.when(cond, |b| {
            let yes = b.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span);
            b.push(Stmt::Store(found.clone(), yes));
        });
    }

    // ---- copies ----

    fn copy_within(&mut self, x: &Expr, from: &Expr, to: &Expr, span: Extent) -> Operand {
        let place = self.whole(x);
        let elem = self.element_type(&place, span);
        let src = self.place(from);
        let to = self.scalar(to);
        let n = self.len(src.clone(), span);
        let copy = self.declare(
            Type::Vec(Box::new(elem)),
            TEMPORARY,
            span,
            Init::CopyOf(src),
        );
        let end = self.int_bin(BinOp::Add, to, n, span);
        self.push(Stmt::CopyPlace {
            dst: part_of(&place, to, end),
            src: root(copy),
        });
        Operand::unit()
    }

    fn swap_with(&mut self, x: &Expr, y: &Expr, span: Extent) -> Operand {
        let (x, y) = (self.whole(x), self.whole(y));
        let (n, m) = (self.len(x.clone(), span), self.len(y.clone(), span));
        let zero = self.lit_usize(0, span);
        // panics if one is shorter than the other
        let unknown = Ty::unit();
        let a = root(self.view(part_of(&x, zero, m), true, "part", &unknown, span));
        let b = root(self.view(part_of(&y, zero, n), true, "part", &unknown, span));
        self.counted(n, span, |c, i| {
            c.exchange(element(&a, i), element(&b, i), span);
        });
        Operand::unit()
    }

    // ---- std::mem ----

    /// The variable behind `&mut v`, as it was bound.
    fn held_place(&self, e: &Expr) -> Option<Operand> {
        let holder = self.borrowed_holder(e)?;
        self.bound_part(&holder).cloned()
    }

    /// Type of what a `&mut` argument refers to.
    fn referred(&self, e: &Expr) -> Ty {
        match self.solved(&e.ty) {
            Ty::Ref(_, t) => *t,
            other => other,
        }
    }

    pub(super) fn mem_swap(&mut self, a: Operand, b: Operand, ty: &Ty, span: Extent) {
        match (a, b, ty) {
            (Operand::Tuple(xs), Operand::Tuple(ys), Ty::Tuple(ts))
                if xs.len() == ts.len() && ys.len() == ts.len() =>
            {
                for ((x, y), t) in xs.into_iter().zip(ys).zip(ts) {
                    self.mem_swap(x, y, t, span);
                }
            }
            (Operand::Place(a), Operand::Place(b), Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_))
                if self.is_owned(&a) && self.is_owned(&b) =>
            {
                if a.root != b.root {
                    self.exchange_storage(a.root, b.root);
                }
            }
            (Operand::Place(a), Operand::Place(b), t)
                if to_ir(t, self.float)
                    .is_some_and(|t| self.is_replaced(&a, &t) && self.is_replaced(&b, &t))
                    && !self.is_reference(a.root)
                    && !self.is_reference(b.root) =>
            {
                let (a, b) = (self.vector_in(a), self.vector_in(b));
                self.push(Stmt::Storage(Storage::Swap(a, b)));
            }
            (Operand::Place(a), Operand::Place(b), t)
                if to_ir(t, self.float).is_some_and(|t| {
                    t.is_scalar() || matches!(t, Type::Array(..) | Type::Struct(_))
                }) =>
            {
                self.exchange(a, b, span);
            }
            _ => self.cx.error_about(span, &error::MEM, "swap"),
        }
    }

    /// Whether the place is a whole local array or vector.
    pub(super) fn is_owned(&self, place: &Place) -> bool {
        place.path.is_empty()
            && matches!(
                self.body.place(place.root).kind,
                PlaceKind::Local | PlaceKind::ValueParam(_)
            )
    }

    /// Stores a value, and returns what was there.
    pub(super) fn replace(
        &mut self,
        at: Operand,
        value: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Operand {
        match (at, ty) {
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => {
                let Operand::Tuple(values) = value else {
                    self.cx.mismatch();
                    return Operand::unit();
                };
                let old = parts.into_iter().zip(values).zip(ts);
                Operand::Tuple(old.map(|((p, v), t)| self.replace(p, v, t, span)).collect())
            }
            (Operand::Place(at), Ty::Float | Ty::Int(_) | Ty::Bool) => {
                let ir = self.scalar_type(ty, span);
                let old = self.load(at.clone(), ir, span);
                self.store(Operand::Place(at), value, ty, span);
                Operand::Val(old)
            }
            (Operand::Place(at), Ty::Array(..) | Ty::Struct(_)) => {
                let old = self.copy_or_move(at.clone(), ty, TEMPORARY, span);
                self.store(Operand::Place(at), value, ty, span);
                Operand::Place(root(old))
            }
            (Operand::Place(at), Ty::Vec(_)) if self.is_owned(&at) => {
                let Some(new) = self.owned_vector(value, ty, span) else {
                    return Operand::unit();
                };
                self.exchange_storage(at.root, new);
                Operand::Place(root(new))
            }
            (Operand::Place(at), Ty::Vec(_))
                if to_ir(ty, self.float).is_some_and(|t| self.is_replaced(&at, &t))
                    && !self.is_reference(at.root) =>
            {
                let Some(new) = self.owned_vector(value, ty, span) else {
                    return Operand::unit();
                };
                let held = self.vector_in(root(new));
                self.push(Stmt::Storage(Storage::Swap(at, held)));
                Operand::Place(root(new))
            }
            _ => {
                self.cx.error_about(span, &error::MEM, "replace");
                Operand::unit()
            }
        }
    }

    fn default_value(&mut self, ty: &Ty, span: Extent) -> Option<Operand> {
        Some(match ty {
            Ty::Float | Ty::Int(_) | Ty::Bool => {
                let ir = self.scalar_type(ty, span);
                Operand::Val(self.zero(&ir, span))
            }
            Ty::Tuple(ts) => Operand::Tuple(
                ts.iter()
                    .map(|t| self.default_value(t, span))
                    .collect::<Option<_>>()?,
            ),
            Ty::Array(..) | Ty::Vec(_) => self.uninitialised(ty, TEMPORARY, span),
            Ty::Var(_)
            | Ty::Sum(_)
            | Ty::Bundle(..)
            | Ty::Ref(..)
            | Ty::Slice(_)
            | Ty::Struct(_)
            | Ty::Opaque(_) => {
                return None;
            }
        })
    }

    // ---- values ----

    pub(super) fn zero(&mut self, ty: &Type, span: Extent) -> Val {
        let lit = Lit::zero(ty);
        self.let_op(ty.clone(), Op::Lit(lit), span)
    }
}

/// `place[i]`
pub(super) fn element(place: &Place, i: Val) -> Place {
    let mut at = place.clone();
    at.path.push(Proj::Index(i));
    at
}

/// `place[lo..hi]`
pub(super) fn part_of(place: &Place, lo: Val, hi: Val) -> Place {
    let mut at = place.clone();
    at.path.push(Proj::Range(lo, hi));
    at
}

pub(super) fn part(place: &Place, lo: Val, hi: Val) -> Operand {
    Operand::Place(part_of(place, lo, hi))
}
