//! Iterators as loops over a number: each has a length and an item number `i`.

use super::passive::Code;
use super::{Builder, LoopSlot, Operand};
use crate::ir::{BinOp, For, Frame, Lit, Op, Place, Proj, Stmt, Type, Val};
use crate::lower::hir::{Block, By, Expr, Iter, Pat, Reduce};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

/// An iterator whose parts are evaluated.
#[derive(Clone)]
enum Ready<'e> {
    Range {
        lo: Val,
        hi: Val,
        inclusive: bool,
    },
    Seq {
        place: Place,
        by: By,
        elem: Ty,
    },
    /// A sequence in passive code.
    Foreign {
        code: Code,
        elem: Ty,
    },
    Zip(Box<Ready<'e>>, Box<Ready<'e>>),
    Enumerate(Box<Ready<'e>>),
    Rev(Box<Ready<'e>>),
    Take(Box<Ready<'e>>, Val),
    Skip(Box<Ready<'e>>, Val),
    StepBy(Box<Ready<'e>>, Val),
    Map(Box<Ready<'e>>, &'e Pat, &'e Expr),
}

impl Builder<'_> {
    pub(super) fn for_loop(
        &mut self,
        label: &Option<String>,
        pat: &Pat,
        iter: &Iter,
        body: &Block,
        span: Extent,
    ) -> Operand {
        let ready = self.ready(iter, span);
        self.run(label, ready, span, |b, item| {
            b.loops.push(LoopSlot {
                label: label.clone(),
                value: Operand::unit(),
            });
            b.bind(pat, item, span);
            b.block(body);
            b.loops.pop();
        });
        Operand::unit()
    }

    pub(super) fn reduce(&mut self, iter: &Iter, how: &Reduce, e: &Expr) -> Operand {
        let span = e.span;
        let ready = self.ready(iter, span);
        match how {
            Reduce::Sum | Reduce::Product => {
                let ty = self.scalar_type(&e.ty, span);
                let start = self.neutral(how, &ty, span);
                let hint = if matches!(how, Reduce::Sum) {
                    "sum"
                } else {
                    "product"
                };
                let acc = self.declare(ty.clone(), hint, span, crate::ir::Init::Scalar(start));
                self.written.insert(acc);
                let at = super::root(acc);
                let target = at.clone();
                let item_ty = ty.clone();
                self.run(&None, ready, span, |b, item| {
                    let v = b.as_scalar(item, item_ty.clone(), span);
                    if hint == "sum" {
                        b.push(Stmt::Accumulate {
                            place: target,
                            negate: false,
                            val: v,
                        });
                    } else {
                        let old = b.load(target.clone(), item_ty.clone(), span);
                        let new = b.let_op(item_ty, Op::Bin(BinOp::Mul, old, v), span);
                        b.push(Stmt::Store(target, new));
                    }
                });
                Operand::Val(self.load(at, ty, span))
            }
            Reduce::Fold {
                init,
                acc,
                item,
                body,
            } => {
                let ty = self.peeled(&e.ty);
                let start = self.eval(init);
                let start = match start {
                    Operand::Passive(code) => Operand::Val(self.verbatim(code, &ty, init.span)),
                    other => other,
                };
                let slots = self.slots_from(start, &ty, "acc", span);
                let inside = slots.clone();
                let inner_ty = ty.clone();
                self.run(&None, ready, span, |b, value| {
                    let current = b.load_operand(inside.clone(), &inner_ty, span);
                    b.bind(acc, current, span);
                    b.bind(item, value, span);
                    let next = b.eval(body);
                    b.store(inside, next, &inner_ty, span);
                });
                self.load_operand(slots, &ty, span)
            }
        }
    }

    /// What std starts from: the float sum at -0.0.
    fn neutral(&mut self, how: &Reduce, ty: &Type, span: Extent) -> Val {
        let sum = matches!(how, Reduce::Sum);
        match ty {
            Type::Int(_) => self.let_op(ty.clone(), Op::Lit(Lit::Int(i128::from(!sum))), span),
            Type::Float
            | Type::Lane
            | Type::Bool
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Opaque(_) => {
                let start = if sum { 0.0 } else { 1.0 };
                let v = self.let_op(Type::Float, Op::Lit(Lit::Float(start)), span);
                if sum {
                    self.let_op(Type::Float, Op::Neg(v), span)
                } else {
                    v
                }
            }
        }
    }

    fn as_scalar(&mut self, item: Operand, ty: Type, span: Extent) -> Val {
        match item {
            Operand::Val(v) => v,
            Operand::Place(p) => self.load(p, ty, span),
            Operand::Passive(code) => self.verbatim(code, &super::from_ir(&ty), span),
            Operand::Tuple(_) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
                self.body.new_val(ty, None, span.start)
            }
        }
    }

    /// The loop itself; `body` gets the item.
    fn run<'e>(
        &mut self,
        label: &Option<String>,
        ready: Ready<'e>,
        span: Extent,
        body: impl FnOnce(&mut Self, Operand),
    ) {
        // closures are inlined around the item
        let mut ready = ready;
        let mut maps = Vec::new();
        while let Ready::Map(inner, pat, body) = ready {
            maps.push((pat, body));
            ready = *inner;
        }
        let (ready, reversed) = match ready {
            Ready::Rev(inner) => (*inner, true),
            other => (other, false),
        };
        let direct = match &ready {
            Ready::Range { lo, hi, inclusive } => Some((*lo, *hi, *inclusive)),
            Ready::Seq { .. }
            | Ready::Foreign { .. }
            | Ready::Zip(..)
            | Ready::Enumerate(_)
            | Ready::Rev(_)
            | Ready::Take(..)
            | Ready::Skip(..)
            | Ready::StepBy(..)
            | Ready::Map(..) => None,
        };
        let (lo, hi, inclusive) = match direct {
            Some(range) => range,
            None => {
                let n = self.length(&ready, span);
                (self.lit_usize(0, span), n, false)
            }
        };
        let iv_ty = self.body.val(lo).ty.clone();
        let iv = self.body.new_val(iv_ty, None, span.start);
        self.open();
        let mut item = if direct.is_some() {
            Operand::Val(iv)
        } else {
            self.item(&ready, iv, span)
        };
        for (pat, body) in maps.into_iter().rev() {
            self.bind(pat, item, span);
            item = self.eval(body);
        }
        body(self, item);
        let region = self.close(Vec::new());
        self.push(Stmt::For(For {
            label: label.clone(),
            iv,
            lo,
            hi,
            inclusive,
            reversed,
            body: region,
            frame: Frame::default(),
        }));
    }

    /// Evaluates what the iterator is made of, in order.
    fn ready<'e>(&mut self, iter: &'e Iter, span: Extent) -> Ready<'e> {
        match iter {
            Iter::Range { lo, hi, inclusive } => {
                let (lo, hi) = (self.scalar(lo), self.scalar(hi));
                Ready::Range {
                    lo,
                    hi,
                    inclusive: *inclusive,
                }
            }
            Iter::Seq { base, by } => {
                let elem = match self.peeled(&base.ty) {
                    Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => *t,
                    other => other,
                };
                if let Some(code) = self.passive_sequence(base) {
                    return Ready::Foreign { code, elem };
                }
                let place = self.place(base);
                let place = self.settle(place, *by == By::Mut, base);
                // an array by value is iterated as it is now
                let place = match self.solved(&base.ty) {
                    ty @ Ty::Array(..)
                        if *by == By::Value && self.written.contains(&place.root) =>
                    {
                        super::root(self.copy_or_move(place, &ty, super::place::TEMPORARY, span))
                    }
                    _ => place,
                };
                Ready::Seq {
                    place,
                    by: *by,
                    elem,
                }
            }
            Iter::Zip(a, b) => {
                let a = self.ready(a, span);
                let b = self.ready(b, span);
                Ready::Zip(Box::new(a), Box::new(b))
            }
            Iter::Enumerate(i) => Ready::Enumerate(Box::new(self.ready(i, span))),
            Iter::Rev(i) => Ready::Rev(Box::new(self.ready(i, span))),
            Iter::Take(i, n) => {
                let inner = self.ready(i, span);
                Ready::Take(Box::new(inner), self.scalar(n))
            }
            Iter::Skip(i, n) => {
                let inner = self.ready(i, span);
                Ready::Skip(Box::new(inner), self.scalar(n))
            }
            Iter::StepBy(i, n) => {
                let inner = self.ready(i, span);
                Ready::StepBy(Box::new(inner), self.scalar(n))
            }
            Iter::Copied(i) => self.ready(i, span),
            Iter::Map(i, pat, body) => Ready::Map(Box::new(self.ready(i, span)), pat, body),
        }
    }

    fn length(&mut self, ready: &Ready<'_>, span: Extent) -> Val {
        let usize = Type::Int("usize".to_owned());
        match ready {
            Ready::Range {
                lo,
                hi,
                inclusive: false,
            } if self.counts_from_zero(*lo) => *hi,
            Ready::Range { lo, hi, inclusive } => self.let_op(
                usize,
                Op::Trips {
                    lo: *lo,
                    hi: *hi,
                    inclusive: *inclusive,
                },
                span,
            ),
            Ready::Seq { place, .. } => self.len(place.clone(), span),
            Ready::Foreign { code, .. } => self.passive_len(code.clone(), span),
            Ready::Zip(a, b) => {
                let (a, b) = (self.length(a, span), self.length(b, span));
                self.int_op("min", &[a, b], usize, span)
            }
            Ready::Enumerate(i) | Ready::Map(i, ..) | Ready::Rev(i) => self.length(i, span),
            Ready::Take(i, n) => {
                let len = self.length(i, span);
                self.int_op("min", &[len, *n], usize, span)
            }
            Ready::Skip(i, n) => {
                let len = self.length(i, span);
                self.int_op("saturating_sub", &[len, *n], usize, span)
            }
            Ready::StepBy(i, n) => {
                let len = self.length(i, span);
                self.int_op("div_ceil", &[len, *n], usize, span)
            }
        }
    }

    /// Item number `i`.
    fn item(&mut self, ready: &Ready<'_>, i: Val, span: Extent) -> Operand {
        let usize = Type::Int("usize".to_owned());
        match ready {
            Ready::Range { lo, .. } if self.counts_from_zero(*lo) => Operand::Val(i),
            Ready::Range { lo, hi, inclusive } => {
                let ty = self.body.val(*lo).ty.clone();
                let op = Op::Induction {
                    lo: *lo,
                    hi: *hi,
                    inclusive: *inclusive,
                    reversed: false,
                    trip: i,
                };
                Operand::Val(self.let_op(ty, op, span))
            }
            Ready::Seq { place, by, elem } => {
                let mut at = place.clone();
                at.path.push(Proj::Index(i));
                match (by, to_ir(elem)) {
                    (By::Shared | By::Value, Some(t)) if t.is_scalar() => {
                        Operand::Val(self.load(at, t, span))
                    }
                    (By::Shared | By::Value | By::Mut, _) => Operand::Place(at),
                }
            }
            Ready::Foreign { code, elem } => {
                let code = code.clone().indexed(i);
                if self.is_scalar(elem) {
                    Operand::Val(self.verbatim(code, elem, span))
                } else {
                    Operand::Passive(code.wrapped("&"))
                }
            }
            Ready::Zip(a, b) => {
                let a = self.item(a, i, span);
                let b = self.item(b, i, span);
                Operand::Tuple(vec![a, b])
            }
            Ready::Enumerate(inner) => {
                let v = self.item(inner, i, span);
                Operand::Tuple(vec![Operand::Val(i), v])
            }
            Ready::Rev(inner) => {
                let n = self.length(inner, span);
                let one = self.lit_usize(1, span);
                let last = self.let_op(usize.clone(), Op::Bin(BinOp::Sub, n, one), span);
                let j = self.let_op(usize, Op::Bin(BinOp::Sub, last, i), span);
                self.item(inner, j, span)
            }
            Ready::Take(inner, _) => self.item(inner, i, span),
            Ready::Skip(inner, n) => {
                let j = self.let_op(usize, Op::Bin(BinOp::Add, i, *n), span);
                self.item(inner, j, span)
            }
            Ready::StepBy(inner, n) => {
                let j = self.let_op(usize, Op::Bin(BinOp::Mul, i, *n), span);
                self.item(inner, j, span)
            }
            Ready::Map(inner, pat, body) => {
                let v = self.item(inner, i, span);
                self.bind(pat, v, span);
                self.eval(body)
            }
        }
    }

    fn counts_from_zero(&self, lo: Val) -> bool {
        self.zeros.contains(&lo) && self.body.val(lo).ty == Type::Int("usize".to_owned())
    }
}
