//! Reductions: a loop with what it carries.

use super::Ready;
use super::course::Course;
use super::pick::numbered_item;
use crate::ir::{BinOp, Init, Lit, Op, Place, Proj, Stmt, TEMPORARY, Type, Val};
use crate::lower::build::sequence::element;
use crate::lower::build::{Builder, Operand, from_ir, root};
use crate::lower::hir::{Expr, Iter, Lambda, Reduce};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Builder<'_> {
    pub(in crate::lower::build) fn reduce(
        &mut self,
        iter: &Iter,
        how: &Reduce,
        e: &Expr,
    ) -> Operand {
        let span = e.span;
        let ready = self.ready(iter, span);
        match how {
            Reduce::Sum | Reduce::Product => self.sum(&ready, matches!(how, Reduce::Sum), e),
            Reduce::Fold { init, step } => {
                let ty = self.peeled(&e.ty);
                let start = self.start(init, &ty);
                let slots = self.slots_from(start, &ty, "acc", span);
                self.take_along(&step.captures);
                self.drive(&ready, &Course::of_fold(), span, &mut |b, item| {
                    let current = b.load_operand(slots.clone(), &ty, span);
                    let next = b.apply(step, vec![current, item], span);
                    b.store(slots.clone(), next, &ty, span);
                });
                self.load_operand(slots, &ty, span)
            }
            Reduce::Count => Operand::Val(self.count(&ready, span)),
            Reduce::ForEach(f) => {
                self.take_along(&f.captures);
                self.drive(&ready, &Course::of_fold(), span, &mut |b, item| {
                    b.apply(f, vec![item], span);
                });
                Operand::unit()
            }
            Reduce::Any(any, test) => self.any(&ready, *any, test, span),
            Reduce::Collect => {
                let elem = self.element(&e.ty);
                // what `map` and `from_fn` of an array make has as many items as it has elements
                let made = match self.solved(&e.ty) {
                    ty @ Ty::Array(..) => {
                        let ir = self.ir_type(&ty, span);
                        let init = self.blank_init(&ir, None, span);
                        let array = root(self.declare(ir, TEMPORARY, span, init));
                        self.fill_from(&ready, std::slice::from_ref(&array), None, &elem, span);
                        Some(array)
                    }
                    _ => self.collected(&ready, &elem, span),
                };
                made.map_or_else(Operand::unit, Operand::Place)
            }
            Reduce::Unzip => self.unzipped(&ready, e),
        }
    }

    fn sum(&mut self, ready: &Ready<'_>, sum: bool, e: &Expr) -> Operand {
        let span = e.span;
        let ty = self.scalar_type(&e.ty, span);
        let start = self.neutral(sum, &ty, span);
        let hint = if sum { "sum" } else { "product" };
        let acc = self.declare(ty.clone(), hint, span, Init::Scalar(start));
        self.written.insert(acc);
        let at = root(acc);
        self.drive(ready, &Course::of_fold(), span, &mut |b, item| {
            let val = b.as_scalar(item, ty.clone(), span);
            if sum {
                b.push(Stmt::Accumulate {
                    place: at.clone(),
                    negate: false,
                    val,
                });
            } else {
                let old = b.load(at.clone(), ty.clone(), span);
                let new = b.let_op(ty.clone(), Op::Bin(BinOp::Mul, old, val), span);
                b.push(Stmt::Store(at.clone(), new));
            }
        });
        Operand::Val(self.load(at, ty, span))
    }

    /// What std starts from: the float sum at -0.0.
    fn neutral(&mut self, sum: bool, ty: &Type, span: Extent) -> Val {
        match ty {
            Type::Int(_) => self.let_op(ty.clone(), Op::Lit(Lit::Int(i128::from(!sum))), span),
            Type::Float
            | Type::Lane
            | Type::Bool
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Lanes(_)
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

    pub(in super::super) fn as_scalar(&mut self, item: Operand, ty: Type, span: Extent) -> Val {
        match item {
            Operand::Val(v) => v,
            Operand::Place(p) => self.load(p, ty, span),
            Operand::Passive(code) => self.verbatim(code, &from_ir(&ty), span),
            Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
                self.body.new_val(ty, None, span.start)
            }
        }
    }

    fn count(&mut self, ready: &Ready<'_>, span: Extent) -> Val {
        // the closure of a `map` is called for each item, and may panic
        let counts = self.is_indexed(ready) && !maps(ready);
        if counts && let Some(n) = self.length(ready, span) {
            return n;
        }
        let count = self.counter(span);
        self.drive(ready, &Course::of_fold(), span, &mut |b, _| {
            b.count_up(count, span);
        });
        self.load(root(count), Type::usize(), span)
    }

    fn any(&mut self, ready: &Ready<'_>, any: bool, test: &Lambda, span: Extent) -> Operand {
        self.take_along(&test.captures);
        let mut course = Course::default();
        let flag = self.flag(&mut course, span);
        if !super::nests(ready) {
            course = Course::default();
        }
        self.drive(ready, &course, span, &mut |b, item| {
            let c = b.test(test, item, span);
            let stop = if any {
                c
            } else {
                b.let_op(Type::Bool, Op::Not(c), span)
            };
            b.stop_if(stop, Some(flag), span);
        });
        let found = self.load(root(flag), Type::Bool, span);
        Operand::Val(if any {
            found
        } else {
            self.let_op(Type::Bool, Op::Not(found), span)
        })
    }

    // ---- vectors ----

    /// A vector of the items.
    pub(super) fn collected(
        &mut self,
        ready: &Ready<'_>,
        elem: &Ty,
        span: Extent,
    ) -> Option<Place> {
        let Some(n) = self.exact_length(ready, span) else {
            return self.pushed(ready, elem, span);
        };
        let vector = self.vector(elem, n, span);
        self.fill_from(ready, std::slice::from_ref(&vector), None, elem, span);
        Some(vector)
    }

    /// A vector of items whose number shows at the end.
    fn pushed(&mut self, ready: &Ready<'_>, elem: &Ty, span: Extent) -> Option<Place> {
        let ty = self.ir_type(&Ty::Vec(Box::new(elem.clone())), span);
        let vector = self.empty(ty.clone(), span);
        let elem = ty.element()?.clone();
        let at = self.vector_in(root(vector));
        self.drive(ready, &Course::of_fold(), span, &mut |b, item| {
            b.push_value(&at, item, &elem, span);
        });
        Some(root(vector))
    }

    fn unzipped(&mut self, ready: &Ready<'_>, e: &Expr) -> Operand {
        let span = e.span;
        let Ty::Tuple(ts) = self.solved(&e.ty) else {
            self.cx.mismatch();
            return Operand::unit();
        };
        let elems: Vec<Ty> = ts.iter().map(|t| self.element(t)).collect();
        let Some(n) = self.exact_length(ready, span) else {
            let mut vectors = Vec::new();
            for elem in &elems {
                let ty = self.ir_type(&Ty::Vec(Box::new(elem.clone())), span);
                let elem = ty.element().cloned().unwrap_or(Type::Float);
                vectors.push((self.empty(ty, span), elem));
            }
            self.drive(ready, &Course::of_fold(), span, &mut |b, item| {
                let Operand::Tuple(parts) = item else {
                    b.cx.mismatch();
                    return;
                };
                for ((vector, elem), part) in vectors.iter().zip(parts) {
                    let at = b.vector_in(root(*vector));
                    b.push_value(&at, part, elem, span);
                }
            });
            let places = vectors.into_iter().map(|(v, _)| Operand::Place(root(v)));
            return Operand::Tuple(places.collect());
        };
        let vectors: Vec<Place> = elems.iter().map(|t| self.vector(t, n, span)).collect();
        self.fill_from(ready, &vectors, None, &Ty::Tuple(elems), span);
        Operand::Tuple(vectors.into_iter().map(Operand::Place).collect())
    }

    fn vector(&mut self, elem: &Ty, n: Val, span: Extent) -> Place {
        let ty = self.ir_type(&Ty::Vec(Box::new(elem.clone())), span);
        let init = self.blank_init(&ty, Some(n), span);
        root(self.declare(ty, TEMPORARY, span, init))
    }

    /// Number of items, if it is known before the first one is made.
    fn exact_length(&mut self, ready: &Ready<'_>, span: Extent) -> Option<Val> {
        match ready {
            Ready::Map(i, _) | Ready::Inspect(i, _) | Ready::Enumerate(i) => {
                self.exact_length(i, span)
            }
            Ready::Chain(a, b) => {
                let (a, b) = (self.exact_length(a, span)?, self.exact_length(b, span)?);
                Some(self.let_op(Type::usize(), Op::Bin(BinOp::Add, a, b), span))
            }
            _ => self.length(ready, span),
        }
    }

    /// Stores the items in the vectors, from `at` on: in the one, or the parts of each item in the two.
    fn fill_from(
        &mut self,
        ready: &Ready<'_>,
        vectors: &[Place],
        at: Option<Val>,
        elem: &Ty,
        span: Extent,
    ) {
        if let Ready::Chain(a, b) = ready {
            self.fill_from(a, vectors, at, elem, span);
            if let Some(n) = self.exact_length(a, span) {
                let next = match at {
                    Some(at) => self.let_op(Type::usize(), Op::Bin(BinOp::Add, at, n), span),
                    None => n,
                };
                self.fill_from(b, vectors, Some(next), elem, span);
            }
            return;
        }
        // the number goes below the closures, where it costs nothing
        let mut source = ready;
        let mut maps = Vec::new();
        while let Ready::Map(inner, f) = source {
            maps.push(*f);
            source = inner;
        }
        let numbered = Ready::Enumerate(Box::new(source.clone()));
        self.drive(&numbered, &Course::of_fold(), span, &mut |b, item| {
            let (mut i, mut item) = numbered_item(item);
            for f in maps.iter().rev() {
                item = b.apply(f, vec![item], span);
            }
            if let Some(at) = at {
                i = b.let_op(Type::usize(), Op::Bin(BinOp::Add, at, i), span);
            }
            if let [one] = vectors
                && b.store_of(one).is_some()
            {
                b.store_new(element(one, i), item, elem, span);
                return;
            }
            let slots: Vec<Operand> = vectors
                .iter()
                .map(|v| {
                    let mut slot = b.vector_in(v.clone());
                    slot.path.push(Proj::Index(i));
                    Operand::Place(slot)
                })
                .collect();
            let slot = match <[Operand; 1]>::try_from(slots) {
                Ok([one]) => one,
                Err(many) => Operand::Tuple(many),
            };
            b.store(slot, item, elem, span);
        });
    }
}

/// Whether closures are called for the items.
fn maps(ready: &Ready<'_>) -> bool {
    let own = matches!(
        ready,
        Ready::Map(..)
            | Ready::Inspect(..)
            | Ready::Test { .. }
            | Ready::Optional { .. }
            | Ready::FlatMap { .. }
    );
    own || ready.inner().into_iter().any(maps)
}
