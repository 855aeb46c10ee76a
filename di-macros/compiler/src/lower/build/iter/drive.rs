//! Loops over iterators: each item is handed to a sink, in the order and as often as std does.

use super::course::{Course, Guard};
use super::{Items, Ready};
use crate::error;
use crate::ir::{BinOp, CmpOp, Exit, For, Frame, Init, Lit, Op, PlaceId, Stmt, Type, Val};
use crate::lower::build::{Builder, Operand, root};
use crate::lower::hir::{Branch, By, Kind, Tail, Test};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

/// What takes the items.
type Sink<'s, 'a> = &'s mut dyn FnMut(&mut Builder<'a>, Operand);

/// Whether more than one loop is made, so that leaving one does not end the iteration.
pub(super) fn nests(ready: &Ready<'_>) -> bool {
    let own = matches!(
        ready,
        Ready::Chain(..) | Ready::FlatMap { .. } | Ready::Flatten { .. }
    );
    own || ready.inner().into_iter().any(nests)
}

impl<'a> Builder<'a> {
    /// Hands each item to `sink`.
    pub(super) fn drive(
        &mut self,
        ready: &Ready<'_>,
        course: &Course,
        span: Extent,
        sink: Sink<'_, 'a>,
    ) {
        match ready {
            Ready::Map(inner, f) => self.drive(inner, course, span, &mut |b, item| {
                let item = b.apply(f, vec![item], span);
                sink(b, item);
            }),
            _ if self.is_indexed(ready) => self.indexed_loop(ready, course, span, sink),
            Ready::Inspect(inner, f) => self.drive(inner, course, span, &mut |b, item| {
                b.apply_to_borrowed(f, item.clone(), span);
                sink(b, item);
            }),
            Ready::Chain(first, second) => {
                self.drive(first, course, span, sink);
                self.drive(second, course, span, sink);
            }
            Ready::Zip(left, right) => self.drive_zip(left, right, course, span, sink),
            Ready::Enumerate(inner) => {
                let count = self.counter(span);
                self.drive(inner, course, span, &mut |b, item| {
                    let k = b.count_up(count, span);
                    sink(b, Operand::Tuple(vec![Operand::Val(k), item]));
                });
            }
            Ready::Take(inner, n) => {
                let left = self.int_place(*n, "left", span);
                let course = course.guarded(Guard::Spent(left));
                self.drive(inner, &course, span, &mut |b, item| {
                    b.count_down(left, span);
                    sink(b, item);
                });
            }
            Ready::Skip(inner, n) => {
                let left = self.int_place(*n, "skipped", span);
                self.drive(inner, course, span, &mut |b, item| {
                    b.every(left, None, item, span, sink);
                });
            }
            Ready::StepBy(inner, n) => {
                // `step_by(0)` panics, as the division by zero does
                let usize = Type::usize();
                let one = self.int_op("div_ceil", &[*n, *n], usize.clone(), span);
                let gap = self.let_op(usize, Op::Bin(BinOp::Sub, *n, one), span);
                let left = self.counter(span);
                self.drive(inner, &course.stopped(), span, &mut |b, item| {
                    b.every(left, Some(gap), item, span, sink);
                });
            }
            Ready::Test { iter, test, how } => match how {
                Test::Filter => self.drive(iter, course, span, &mut |b, item| {
                    let c = b.test_borrowed(test, item.clone(), span);
                    b.when(c, |b| sink(b, item));
                }),
                Test::TakeWhile => {
                    let (course, flag) = self.stoppable(iter, course, span);
                    self.drive(iter, &course, span, &mut |b, item| {
                        let c = b.test_borrowed(test, item.clone(), span);
                        let stop = b.let_op(Type::Bool, Op::Not(c), span);
                        b.stop_if(stop, flag, span);
                        sink(b, item);
                    });
                }
                Test::SkipWhile => {
                    let yes = self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span);
                    let skipping = self.bool_place(yes, "skipping", span);
                    self.drive(iter, course, span, &mut |b, item| {
                        let s = b.load(root(skipping), Type::Bool, span);
                        b.when(s, |b| {
                            let c = b.test_borrowed(test, item.clone(), span);
                            b.push(Stmt::Store(root(skipping), c));
                        });
                        let s = b.load(root(skipping), Type::Bool, span);
                        let go = b.let_op(Type::Bool, Op::Not(s), span);
                        b.when(go, |b| sink(b, item));
                    });
                }
            },
            Ready::Optional {
                iter,
                pats,
                branch,
                stops,
                state,
                ..
            } => {
                let (course, flag) = if *stops {
                    self.stoppable(iter, course, span)
                } else {
                    (course.clone(), None)
                };
                self.drive(iter, &course, span, &mut |b, item| {
                    let state = state.iter().map(|(slots, _)| slots.clone());
                    let args = state.chain([item]);
                    for (pat, arg) in pats.iter().zip(args) {
                        b.bind(pat, arg, span);
                    }
                    b.branch(branch, stops.then_some(flag), span, sink);
                });
            }
            Ready::FlatMap {
                iter,
                pat,
                inner,
                reversed,
                ..
            } => self.drive(iter, &course.unlabelled(), span, &mut |b, item| {
                b.bind(pat, item, span);
                let mut ready = b.ready(inner, span);
                if *reversed {
                    b.turn_round(&mut ready, span);
                }
                b.drive(&ready, course, span, sink);
            }),
            Ready::Flatten {
                iter,
                by,
                elem,
                reversed,
            } => self.drive(iter, &course.unlabelled(), span, &mut |b, item| {
                let Some(mut ready) = b.elements(item, *by, elem, span) else {
                    return;
                };
                if *reversed {
                    b.turn_round(&mut ready, span);
                }
                b.drive(&ready, course, span, sink);
            }),
            Ready::Range { .. }
            | Ready::Seq { .. }
            | Ready::Foreign { .. }
            | Ready::Parts { .. }
            | Ready::Repeat { .. } => unreachable!("is_indexed: sources have item numbers"),
            // an error was reported for it already
            Ready::Rev(_) | Ready::Cycle(_) => {}
        }
    }

    /// Side by side: one of the two has item numbers.
    fn drive_zip(
        &mut self,
        left: &Ready<'_>,
        right: &Ready<'_>,
        course: &Course,
        span: Extent,
        sink: Sink<'_, 'a>,
    ) {
        let writes = self.writes(left);
        if writes && !(course.folds && self.is_counted(left) && self.is_indexed(right)) {
            self.cx.error_about(span, &error::ITERATOR_EFFECT, "zip");
        } else if self.is_indexed(right) {
            let n = self.length(right, span);
            let (course, flag, count) = match n {
                // the left side is asked for each pair, and not once more
                Some(n) if writes => {
                    let count = self.counter(span);
                    (course.guarded(Guard::Reached(count, n)), None, count)
                }
                // the left side is asked first, and once more where the right one ends
                Some(_) => {
                    let (course, flag) = self.stoppable(left, course, span);
                    (course, flag, self.counter(span))
                }
                None => (course.clone(), None, self.counter(span)),
            };
            self.drive(left, &course, span, &mut |b, item| {
                let k = b.count_up(count, span);
                if let (Some(n), false) = (n, writes) {
                    let stop = b.let_op(Type::Bool, Op::Cmp(CmpOp::Ge, k, n), span);
                    b.stop_if(stop, flag, span);
                }
                let other = b.item(right, k, span);
                sink(b, Operand::Tuple(vec![item, other]));
            });
        } else if self.is_indexed(left) {
            let count = self.counter(span);
            let course = match self.length(left, span) {
                Some(n) => course.guarded(Guard::Reached(count, n)),
                None => course.clone(),
            };
            self.drive(right, &course, span, &mut |b, item| {
                let k = b.count_up(count, span);
                let other = b.item(left, k, span);
                sink(b, Operand::Tuple(vec![other, item]));
            });
        } else if let Some(rows) = self.collected_rows(right, span) {
            self.drive_zip(left, &rows, course, span, sink);
        } else if let Some(rows) = self.collected_rows(left, span) {
            self.drive_zip(&rows, right, course, span, sink);
        } else {
            self.cx.error(span, &error::ITERATOR_ZIP);
        }
    }

    /// Whether the number of items is known before the first one, as std has it.
    fn is_counted(&self, ready: &Ready<'_>) -> bool {
        match ready {
            Ready::Map(i, _) | Ready::Inspect(i, _) | Ready::Enumerate(i) => self.is_counted(i),
            Ready::Zip(a, b) => self.is_counted(a) && self.is_counted(b),
            ready => self.is_indexed(ready),
        }
    }

    /// The elements of all rows, which are read, in a vector: their number shows at the end.
    fn collected_rows<'e>(&mut self, ready: &Ready<'e>, span: Extent) -> Option<Ready<'e>> {
        let Ready::Flatten { elem, by, .. } = ready else {
            return None;
        };
        if *by == By::Mut || to_ir(elem, self.float).is_none_or(|ty| !ty.is_scalar()) {
            return None;
        }
        let place = self.collected(ready, elem, span)?;
        Some(Ready::Seq {
            place,
            by: By::Shared,
            elem: elem.clone(),
        })
    }

    /// The body of a closure that returns an `Option`. `stop`: `None` ends the iteration.
    fn branch(
        &mut self,
        branch: &Branch,
        stop: Option<Option<PlaceId>>,
        span: Extent,
        sink: Sink<'_, 'a>,
    ) {
        self.steps(&branch.steps);
        match &branch.tail {
            Tail::Some(e) => {
                let item = self.eval(e);
                sink(self, item);
            }
            Tail::None => {
                if let Some(flag) = stop {
                    self.stop(flag, span);
                }
            }
            Tail::If { cond, then, els } => {
                let (cond, bound) = match &cond.kind {
                    Kind::Let(pat, e) => {
                        let subject = self.subject(e);
                        (self.matches(pat, &subject, span), Some((pat, subject)))
                    }
                    _ => (Some(self.scalar(cond)), None),
                };
                let Some(cond) = cond else {
                    // not reached: the type of the value has more than one variant
                    self.cx.mismatch();
                    return;
                };
                self.open();
                if let Some((pat, subject)) = bound {
                    self.bind(pat, subject, span);
                }
                self.branch(then, stop, span, sink);
                let then_ends = self.is_live();
                let then = self.close(Vec::new());
                self.open();
                self.branch(els, stop, span, sink);
                let els_ends = self.is_live();
                let els = self.close(Vec::new());
                self.choose(cond, then, els);
                if !then_ends && !els_ends {
                    self.mark_dead();
                }
            }
        }
    }

    /// The iterator over an item that is a sequence itself.
    fn elements<'e>(
        &mut self,
        item: Operand,
        by: By,
        elem: &Ty,
        span: Extent,
    ) -> Option<Ready<'e>> {
        match item {
            Operand::Place(place) => {
                let ranged = place
                    .path
                    .iter()
                    .any(|p| matches!(p, crate::ir::Proj::Range(..)));
                let place = if ranged {
                    let ty = Ty::Slice(Box::new(elem.clone()));
                    root(self.view(place, by == By::Mut, "part", &ty, span))
                } else {
                    place
                };
                let elem = elem.clone();
                Some(Ready::Seq { place, by, elem })
            }
            Operand::Passive(code) => {
                let (elem, items) = (elem.clone(), Items::Borrowed);
                Some(Ready::Foreign { code, elem, items })
            }
            Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                None
            }
            Operand::Val(_) | Operand::Tuple(_) => {
                if self.is_live() {
                    self.cx.mismatch();
                }
                None
            }
        }
    }

    /// One loop, over the numbers of the items.
    fn indexed_loop(
        &mut self,
        ready: &Ready<'_>,
        course: &Course,
        span: Extent,
        sink: Sink<'_, 'a>,
    ) {
        let (ready, reversed) = match ready {
            Ready::Rev(inner) => (&**inner, true),
            other => (other, false),
        };
        let direct = match ready {
            Ready::Range {
                lo,
                hi: Some(hi),
                inclusive,
            } => Some((*lo, *hi, *inclusive)),
            _ => None,
        };
        let (lo, hi, inclusive) = match direct {
            Some(range) => range,
            None => {
                let n = match self.length(ready, span) {
                    Some(n) => n,
                    None => self.endless(span),
                };
                (self.lit_usize(0, span), n, false)
            }
        };
        let iv_ty = self.body.val(lo).ty.clone();
        let iv = self.body.new_val(iv_ty, None, span.start);
        let opened = self.opened;
        self.open();
        for guard in &course.guards {
            self.look(*guard, span);
        }
        let item = if direct.is_some() {
            Operand::Val(iv)
        } else {
            self.item(ready, iv, span)
        };
        sink(self, item);
        let region = self.close(Vec::new());
        self.check_trips(opened);
        self.push(Stmt::For(For {
            label: course.label.clone(),
            iv,
            lo,
            hi,
            inclusive,
            reversed,
            body: region,
            frame: Frame::default(),
            overlapping: false,
        }));
    }

    /// More trips than a loop can have.
    fn endless(&mut self, span: Extent) -> Val {
        let zero = self.lit_usize(0, span);
        self.let_op(Type::usize(), Op::Not(zero), span)
    }

    // ---- leaving ----

    /// A flag that ends the iteration once it is set.
    pub(super) fn flag(&mut self, course: &mut Course, span: Extent) -> PlaceId {
        let no = self.let_op(Type::Bool, Op::Lit(Lit::Bool(false)), span);
        let flag = self.bool_place(no, "stop", span);
        course.guards.push(Guard::Set(flag));
        flag
    }

    /// For a sink that may end the iteration: a flag, if there is more than one loop.
    fn stoppable(
        &mut self,
        ready: &Ready<'_>,
        course: &Course,
        span: Extent,
    ) -> (Course, Option<PlaceId>) {
        let mut course = course.stopped();
        let flag = nests(ready).then(|| self.flag(&mut course, span));
        (course, flag)
    }

    /// Ends the iteration.
    pub(super) fn stop(&mut self, flag: Option<PlaceId>, span: Extent) {
        if let Some(flag) = flag {
            let yes = self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span);
            self.push(Stmt::Store(root(flag), yes));
        }
        self.leave(Exit::Break(None));
    }

    pub(super) fn stop_if(&mut self, cond: Val, flag: Option<PlaceId>, span: Extent) {
        self.when(cond, |b| b.stop(flag, span));
    }

    fn look(&mut self, guard: Guard, span: Extent) {
        let cond = match guard {
            Guard::Set(flag) => self.load(root(flag), Type::Bool, span),
            Guard::Spent(left) => {
                let n = self.load(root(left), Type::usize(), span);
                let zero = self.lit_usize(0, span);
                self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, n, zero), span)
            }
            Guard::Reached(count, n) => {
                let k = self.load(root(count), Type::usize(), span);
                self.let_op(Type::Bool, Op::Cmp(CmpOp::Ge, k, n), span)
            }
        };
        self.when(cond, |b| b.leave(Exit::Break(None)));
    }

    // ---- counting ----

    /// The item, if `left` is zero; else `left` is counted down. `gap`: what it starts anew from.
    fn every(
        &mut self,
        left: PlaceId,
        gap: Option<Val>,
        item: Operand,
        span: Extent,
        sink: Sink<'_, 'a>,
    ) {
        let n = self.load(root(left), Type::usize(), span);
        let zero = self.lit_usize(0, span);
        let now = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, n, zero), span);
        self.either(
            now,
            |b| {
                if let Some(gap) = gap {
                    b.push(Stmt::Store(root(left), gap));
                }
                sink(b, item);
            },
            |b| b.count_down(left, span),
        );
    }

    /// A place that counts from zero.
    pub(super) fn counter(&mut self, span: Extent) -> PlaceId {
        let zero = self.lit_usize(0, span);
        self.int_place(zero, "count", span)
    }

    pub(super) fn int_place(&mut self, start: Val, name: &str, span: Extent) -> PlaceId {
        let place = self.declare(Type::usize(), name, span, Init::Scalar(start));
        self.written.insert(place);
        place
    }

    pub(super) fn bool_place(&mut self, start: Val, name: &str, span: Extent) -> PlaceId {
        let place = self.declare(Type::Bool, name, span, Init::Scalar(start));
        self.written.insert(place);
        place
    }

    /// The count so far; one more from now on.
    pub(super) fn count_up(&mut self, count: PlaceId, span: Extent) -> Val {
        let k = self.load(root(count), Type::usize(), span);
        let one = self.lit_usize(1, span);
        let next = self.let_op(Type::usize(), Op::Bin(BinOp::Add, k, one), span);
        self.push(Stmt::Store(root(count), next));
        k
    }

    fn count_down(&mut self, left: PlaceId, span: Extent) {
        let n = self.load(root(left), Type::usize(), span);
        let one = self.lit_usize(1, span);
        let next = self.let_op(Type::usize(), Op::Bin(BinOp::Sub, n, one), span);
        self.push(Stmt::Store(root(left), next));
    }
}
