//! One item of a chain: the last, the first that passes a test, the greatest. Where items have
//! numbers the search is passive, and the item is made once more at the number that was found.

use super::course::{Course, Guard};
use super::kept::Slots;
use super::{Ready, Source, nests};
use crate::error;
use crate::ir::{BinOp, CmpOp, Lit, Op, PlaceId, Stmt, Tokens, Type, Val};
use crate::lower::build::{Builder, Operand, root};
use crate::lower::hir::{Comparison, Expr, Iter, Order, Otherwise, Pick};
use crate::lower::ty::Ty;
use crate::report::Extent;

/// What was found.
enum Chosen {
    /// The number of the item is here.
    Number(PlaceId),
    /// The item itself is here.
    Kept(Slots),
}

impl Builder<'_> {
    /// `chain.max_by(..).unwrap()` and its kin.
    pub(in crate::lower::build) fn pick(
        &mut self,
        iter: &Iter,
        pick: &Pick,
        otherwise: &Otherwise,
        e: &Expr,
    ) -> Operand {
        let span = e.span;
        let ready = self.ready(iter, span);
        match pick {
            Pick::Find(f)
            | Pick::Position(f)
            | Pick::LastPosition(f)
            | Pick::Reduce(f)
            | Pick::Best {
                by: Order::By(f) | Order::Key(f),
                ..
            } => self.take_along(&f.captures),
            Pick::Nth(_)
            | Pick::Last
            | Pick::Best {
                by: Order::Natural, ..
            } => {}
        }
        let ty = match (self.solved(&e.ty), otherwise) {
            (Ty::Tuple(mut parts), Otherwise::Option) => parts.swap_remove(1),
            (ty, _) => ty,
        };
        let found = self.declare_bool(span);
        let chosen = if self.is_indexed(&ready) && !matches!(pick, Pick::Reduce(_)) {
            self.pick_number(&ready, pick, found, span)
        } else {
            self.pick_item(&ready, pick, found, (&ty, e))
        };
        let Some(chosen) = chosen else {
            return Operand::unit();
        };
        let is_found = self.load(root(found), Type::Bool, span);
        match otherwise {
            Otherwise::Panic => match chosen {
                Chosen::Number(at) => {
                    let k = self.load(root(at), Type::usize(), span);
                    let k = self.checked(is_found, k, span);
                    let item = self.item(&ready, k, span);
                    self.load_operand(item, &ty, span)
                }
                Chosen::Kept(slots) => {
                    let zero = self.lit_usize(0, span);
                    self.checked(is_found, zero, span);
                    self.kept(&slots, span)
                }
            },
            Otherwise::Value(_) | Otherwise::Option => {
                let slots = match chosen {
                    Chosen::Number(at)
                        if matches!(otherwise, Otherwise::Option) && self.is_read_late(&ready) =>
                    {
                        let k = self.load(root(at), Type::usize(), span);
                        let item = self.item(&ready, k, span);
                        return Operand::Tuple(vec![Operand::Val(is_found), item, Operand::unit()]);
                    }
                    Chosen::Number(at) => {
                        let Some(slots) =
                            self.slots(&ty, &ready, self.site(e).as_ref(), "item", span)
                        else {
                            self.cx.error(span, &error::PICK_SEQUENCE);
                            return Operand::unit();
                        };
                        self.when(is_found, |b| {
                            let k = b.load(root(at), Type::usize(), span);
                            let item = b.item(&ready, k, span);
                            b.keep(&slots, item, span);
                        });
                        slots
                    }
                    Chosen::Kept(slots) => slots,
                };
                let Otherwise::Value(value) = otherwise else {
                    let item = self.kept(&slots, span);
                    return Operand::Tuple(vec![Operand::Val(is_found), item, Operand::unit()]);
                };
                let value = self.eval(value);
                let missing = self.let_op(Type::Bool, Op::Not(is_found), span);
                self.when(missing, |b| b.keep(&slots, value, span));
                self.kept(&slots, span)
            }
        }
    }

    /// Whether items are constant code, which reads nothing before it is used: nothing of an item that was not found.
    fn is_read_late(&self, ready: &Ready<'_>) -> bool {
        match ready {
            Ready::Parts { source, .. } => matches!(source, Source::Passive(_)),
            Ready::Foreign { elem, .. } => !self.is_number(elem),
            Ready::Enumerate(inner) | Ready::Skip(inner, _) => self.is_read_late(inner),
            Ready::Zip(a, b) => self.is_read_late(a) && self.is_read_late(b),
            _ => false,
        }
    }

    fn declare_bool(&mut self, span: Extent) -> PlaceId {
        let no = self.let_op(Type::Bool, Op::Lit(Lit::Bool(false)), span);
        self.bool_place(no, "found", span)
    }

    fn set(&mut self, flag: PlaceId, span: Extent) {
        let yes = self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span);
        self.push(Stmt::Store(root(flag), yes));
    }

    /// `k`; it panics, as `unwrap` does, unless there is an item.
    fn checked(&mut self, found: Val, k: Val, span: Extent) -> Val {
        let code = "__n0.then_some(__n1).expect(\"the iterator gives no item\")";
        let tokens = code.parse().expect("code of our own is well-formed");
        let op = Op::Verbatim {
            tokens: Tokens(tokens),
            operands: vec![("__n0".to_owned(), found), ("__n1".to_owned(), k)],
            places: Vec::new(),
        };
        self.let_op(Type::usize(), op, span)
    }

    // ---- items with numbers ----

    fn pick_number(
        &mut self,
        ready: &Ready<'_>,
        pick: &Pick,
        found: PlaceId,
        span: Extent,
    ) -> Option<Chosen> {
        let at = self.counter(span);
        match pick {
            Pick::Nth(None) | Pick::Nth(Some(_)) | Pick::Last | Pick::Best { .. } => {
                let first = match pick {
                    Pick::Nth(Some(k)) => self.scalar(k),
                    _ => self.lit_usize(0, span),
                };
                let some = match self.length(ready, span) {
                    Some(n) => self.let_op(Type::Bool, Op::Cmp(CmpOp::Lt, first, n), span),
                    None => self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span),
                };
                self.push(Stmt::Store(root(found), some));
                match pick {
                    Pick::Best { greatest, by } => {
                        self.when(some, |b| b.search(ready, *greatest, by, at, span));
                    }
                    Pick::Last => {
                        let n = self.length(ready, span)?;
                        let one = self.lit_usize(1, span);
                        let last = self.int_op("saturating_sub", &[n, one], Type::usize(), span);
                        self.push(Stmt::Store(root(at), last));
                    }
                    _ => self.push(Stmt::Store(root(at), first)),
                }
            }
            Pick::Find(test) | Pick::Position(test) | Pick::LastPosition(test) => {
                let numbered = Ready::Enumerate(Box::new(ready.clone()));
                let numbered = match pick {
                    Pick::LastPosition(_) => Ready::Rev(Box::new(numbered)),
                    _ => numbered,
                };
                self.drive(&numbered, &Course::default(), span, &mut |b, item| {
                    let (i, item) = numbered_item(item);
                    let c = match pick {
                        Pick::Find(_) => b.test_borrowed(test, item, span),
                        _ => b.test(test, item, span),
                    };
                    b.when(c, |b| {
                        b.push(Stmt::Store(root(at), i));
                        b.stop(Some(found), span);
                    });
                });
            }
            Pick::Reduce(_) => unreachable!("pick: `reduce` keeps what it computes"),
        }
        Some(match pick {
            Pick::Position(_) | Pick::LastPosition(_) => {
                Chosen::Kept(Slots::Value(Operand::Place(root(at))))
            }
            _ => Chosen::Number(at),
        })
    }

    /// The number of the greatest or least item, of at least one.
    fn search(&mut self, ready: &Ready<'_>, greatest: bool, by: &Order, at: PlaceId, span: Extent) {
        let zero = self.lit_usize(0, span);
        let one = self.lit_usize(1, span);
        let first = self.item(ready, zero, span);
        let first = self.compared(by, first, span);
        // numbers are kept; what is no number is looked at again by its place
        let kept = is_scalar(&first).then(|| Slots::Value(self.slots_of(first, span)));
        let rest = Ready::Skip(Box::new(Ready::Enumerate(Box::new(ready.clone()))), one);
        self.drive(&rest, &Course::default(), span, &mut |b, item| {
            let (i, item) = numbered_item(item);
            let best = match &kept {
                Some(slots) => b.kept(slots, span),
                None => {
                    let k = b.load(root(at), Type::usize(), span);
                    let best = b.item(ready, k, span);
                    b.compared(by, best, span)
                }
            };
            let item = b.compared(by, item, span);
            let better = b.better(greatest, by, best, item.clone(), span);
            b.when(better, |b| {
                b.push(Stmt::Store(root(at), i));
                if let Some(slots) = &kept {
                    b.keep(slots, item, span);
                }
            });
        });
    }

    // ---- items of streams ----

    fn pick_item(
        &mut self,
        ready: &Ready<'_>,
        pick: &Pick,
        found: PlaceId,
        (ty, e): (&Ty, &Expr),
    ) -> Option<Chosen> {
        let span = e.span;
        let Some(slots) = self.slots(ty, ready, self.site(e).as_ref(), "item", span) else {
            self.cx.error(span, &error::PICK_SEQUENCE);
            return None;
        };
        let mut course = Course::default();
        if nests(ready) && matches!(pick, Pick::Nth(_) | Pick::Find(_) | Pick::Position(_)) {
            course.guards.push(Guard::Set(found));
        }
        match pick {
            Pick::Nth(k) => {
                let skipped = match k {
                    Some(k) => Ready::Skip(Box::new(ready.clone()), self.scalar(k)),
                    None => ready.clone(),
                };
                self.drive(&skipped, &course, span, &mut |b, item| {
                    b.keep(&slots, item, span);
                    b.stop(Some(found), span);
                });
            }
            Pick::Last => self.drive(ready, &course, span, &mut |b, item| {
                b.keep(&slots, item, span);
                b.set(found, span);
            }),
            Pick::Find(test) => self.drive(ready, &course, span, &mut |b, item| {
                let c = b.test_borrowed(test, item.clone(), span);
                b.when(c, |b| {
                    b.keep(&slots, item, span);
                    b.stop(Some(found), span);
                });
            }),
            Pick::Position(test) => {
                let numbered = Ready::Enumerate(Box::new(ready.clone()));
                self.drive(&numbered, &course, span, &mut |b, item| {
                    let (i, item) = numbered_item(item);
                    let c = b.test(test, item, span);
                    b.when(c, |b| {
                        b.keep(&slots, Operand::Val(i), span);
                        b.stop(Some(found), span);
                    });
                });
            }
            Pick::LastPosition(_) => {
                // std has no `rposition` of it either
                self.cx.mismatch();
                return None;
            }
            Pick::Best { greatest, by } => self.best(ready, *greatest, by, &slots, found, span)?,
            Pick::Reduce(f) => {
                if self.is_indexed(ready) {
                    self.reduce_indexed(ready, f, &slots, found, span);
                } else {
                    self.drive(ready, &course, span, &mut |b, item| {
                        let some = b.load(root(found), Type::Bool, span);
                        let (kept, slots) = (item.clone(), &slots);
                        b.either(
                            some,
                            |b| {
                                let acc = b.kept(slots, span);
                                let next = b.apply(f, vec![acc, item], span);
                                b.keep(slots, next, span);
                            },
                            |b| {
                                b.keep(slots, kept, span);
                                b.set(found, span);
                            },
                        );
                    });
                }
            }
        }
        Some(Chosen::Kept(slots))
    }

    /// The first item, and then the others.
    fn reduce_indexed(
        &mut self,
        ready: &Ready<'_>,
        f: &crate::lower::hir::Lambda,
        slots: &Slots,
        found: PlaceId,
        span: Extent,
    ) {
        let zero = self.lit_usize(0, span);
        let Some(n) = self.length(ready, span) else {
            self.cx.mismatch();
            return;
        };
        let some = self.let_op(Type::Bool, Op::Cmp(CmpOp::Lt, zero, n), span);
        self.push(Stmt::Store(root(found), some));
        self.when(some, |b| {
            let first = b.item(ready, zero, span);
            b.keep(slots, first, span);
            let one = b.lit_usize(1, span);
            let rest = Ready::Skip(Box::new(ready.clone()), one);
            b.drive(&rest, &Course::default(), span, &mut |b, item| {
                let acc = b.kept(slots, span);
                let next = b.apply(f, vec![acc, item], span);
                b.keep(slots, next, span);
            });
        });
    }

    fn best(
        &mut self,
        ready: &Ready<'_>,
        greatest: bool,
        by: &Order,
        slots: &Slots,
        found: PlaceId,
        span: Extent,
    ) -> Option<()> {
        let keys = match by {
            Order::Natural | Order::By(_) => None,
            Order::Key(key) => {
                let ty = self.solved(&key.body.ty);
                match self.empty_slots(&ty, None, "key", span) {
                    Some(keys) => Some(Slots::Value(keys)),
                    None => {
                        self.cx.error(key.body.span, &error::ORDERING);
                        return None;
                    }
                }
            }
        };
        self.drive(ready, &Course::default(), span, &mut |b, item| {
            let this = b.compared(by, item.clone(), span);
            let some = b.load(root(found), Type::Bool, span);
            let keep = |b: &mut Self, item: Operand, this: Operand| {
                b.keep(slots, item, span);
                if let Some(keys) = &keys {
                    b.keep(keys, this, span);
                }
            };
            let (first_item, first) = (item.clone(), this.clone());
            b.either(
                some,
                |b| {
                    let best = b.kept(keys.as_ref().unwrap_or(slots), span);
                    let better = b.better(greatest, by, best, this.clone(), span);
                    b.when(better, |b| keep(b, item, this));
                },
                |b| {
                    keep(b, first_item, first);
                    b.set(found, span);
                },
            );
        });
        Some(())
    }

    // ---- comparisons ----

    /// What is compared of an item.
    fn compared(&mut self, by: &Order, item: Operand, span: Extent) -> Operand {
        match by {
            Order::Natural | Order::By(_) => item,
            Order::Key(key) => self.apply(key, vec![item], span),
        }
    }

    /// Whether `item` takes the place of `best`: of equals `max` takes the last, `min` the first.
    fn better(
        &mut self,
        greatest: bool,
        by: &Order,
        best: Operand,
        item: Operand,
        span: Extent,
    ) -> Val {
        let i8_type = Type::Int("i8".to_owned());
        let order = match by {
            Order::By(f) => {
                let order = self.apply(f, vec![best, item], span);
                self.as_scalar(order, i8_type.clone(), span)
            }
            Order::Natural | Order::Key(_) => {
                let best = self.number(best, span);
                let item = self.number(item, span);
                self.order_of(Comparison::Total, best, item, span)
            }
        };
        let one = self.let_op(i8_type, Op::Lit(Lit::Int(1)), span);
        let op = if greatest { CmpOp::Ne } else { CmpOp::Eq };
        self.let_op(Type::Bool, Op::Cmp(op, order, one), span)
    }

    fn number(&mut self, operand: Operand, span: Extent) -> Val {
        match operand {
            Operand::Val(v) => v,
            Operand::Place(p) => {
                let ty = self.body.type_at(&p).unwrap_or(Type::Float);
                self.load(p, ty, span)
            }
            Operand::Tuple(_) | Operand::Passive(_) | Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(span, &error::ORDERING);
                self.no_val(span)
            }
        }
    }

    /// `a.total_cmp(&b)` and its kin, as -1, 0 or 1.
    pub(in crate::lower::build) fn order(
        &mut self,
        how: Comparison,
        a: &Expr,
        b: &Expr,
        span: Extent,
    ) -> Val {
        let (a, b) = (self.scalar(a), self.scalar(b));
        self.order_of(how, a, b, span)
    }

    pub(super) fn order_of(&mut self, how: Comparison, a: Val, b: Val, span: Extent) -> Val {
        let i8_type = Type::Int("i8".to_owned());
        let float = self.body.val(a).ty == Type::Float;
        let less = if float && how == Comparison::Total {
            CmpOp::TotalLt
        } else {
            CmpOp::Lt
        };
        let less_than = |b: &mut Self, x, y| {
            let c = b.let_op(Type::Bool, Op::Cmp(less, x, y), span);
            b.let_op(i8_type.clone(), Op::Cast(c), span)
        };
        let (above, below) = (less_than(self, b, a), less_than(self, a, b));
        let order = self.let_op(i8_type.clone(), Op::Bin(BinOp::Sub, above, below), span);
        if !float || how != Comparison::Checked {
            return order;
        }
        // NaN has no order
        let le = self.let_op(Type::Bool, Op::Cmp(CmpOp::Le, a, b), span);
        let ge = self.let_op(Type::Bool, Op::Cmp(CmpOp::Ge, a, b), span);
        let ordered = self.let_op(Type::Bool, Op::Bin(BinOp::Or, le, ge), span);
        let code = "__n0.then_some(__n1).expect(\"a NaN has no order\")";
        let op = Op::Verbatim {
            tokens: Tokens(code.parse().expect("code of our own is well-formed")),
            operands: vec![("__n0".to_owned(), ordered), ("__n1".to_owned(), order)],
            places: Vec::new(),
        };
        self.let_op(i8_type, op, span)
    }
}

/// The parts of an item of `enumerate`.
pub(super) fn numbered_item(item: Operand) -> (Val, Operand) {
    match item {
        Operand::Tuple(mut parts) if parts.len() == 2 => {
            let item = parts.swap_remove(1);
            match parts.swap_remove(0) {
                Operand::Val(i) => (i, item),
                _ => unreachable!("enumerate: the first of the pair is a number"),
            }
        }
        _ => unreachable!("enumerate: an item is a pair"),
    }
}

fn is_scalar(operand: &Operand) -> bool {
    match operand {
        Operand::Val(_) => true,
        Operand::Tuple(parts) => parts.iter().all(is_scalar),
        Operand::Place(_) | Operand::Passive(_) | Operand::Choice(_) | Operand::Held(_) => false,
    }
}
