//! Iterators: their sources and adapters, evaluated where the chain is made. The loops are made by
//! `drive`, out of items by number (`indexed`) where every length is known, and step by step elsewhere.

mod consume;
mod course;
mod drive;
mod indexed;
mod kept;
mod named;
mod pick;

use super::passive::Code;
use super::{Builder, LoopSlot, Operand};
use crate::error;
use crate::ir::{Place, TEMPORARY, Val};
use crate::lower::hir::{Block, Branch, By, Expr, Iter, Kind, Lambda, Parts, Pat, Test};
use crate::lower::stored::held_type;
use crate::lower::ty::Ty;
use crate::lower::walk::{each_of_branch, each_of_iter};
use crate::report::Extent;
use course::Course;
use drive::nests;
pub(super) use named::Chains;

/// What the items of a sequence in passive code are to the code that takes them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Items {
    Borrowed,
    Copied,
    /// Items of a vector that was collected of those of an iterator: values, or references already.
    Collected,
}

/// An iterator whose parts are evaluated.
#[derive(Clone)]
pub(super) enum Ready<'e> {
    /// Without `hi` it never stops.
    Range {
        lo: Val,
        hi: Option<Val>,
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
        items: Items,
    },
    /// `size` elements at a time, of `n`.
    Parts {
        source: Source,
        n: Val,
        size: Val,
        how: Parts,
    },
    /// Without a count it never stops.
    Repeat {
        item: Operand,
        ty: Ty,
        count: Option<Val>,
    },
    Zip(Box<Ready<'e>>, Box<Ready<'e>>),
    Chain(Box<Ready<'e>>, Box<Ready<'e>>),
    Enumerate(Box<Ready<'e>>),
    Rev(Box<Ready<'e>>),
    Cycle(Box<Ready<'e>>),
    Take(Box<Ready<'e>>, Val),
    Skip(Box<Ready<'e>>, Val),
    StepBy(Box<Ready<'e>>, Val),
    Map(Box<Ready<'e>>, &'e Lambda),
    Inspect(Box<Ready<'e>>, &'e Lambda),
    Test {
        iter: Box<Ready<'e>>,
        test: &'e Lambda,
        how: Test,
    },
    Optional {
        iter: Box<Ready<'e>>,
        outside: usize,
        pats: &'e [Pat],
        branch: &'e Branch,
        stops: bool,
        state: Option<(Operand, Ty)>,
    },
    FlatMap {
        iter: Box<Ready<'e>>,
        outside: usize,
        pat: &'e Pat,
        inner: &'e Iter,
        reversed: bool,
    },
    Flatten {
        iter: Box<Ready<'e>>,
        by: By,
        elem: Ty,
        reversed: bool,
    },
}

impl<'e> Ready<'e> {
    /// The iterators that it takes its items from.
    fn inner(&self) -> Vec<&Ready<'e>> {
        match self {
            Ready::Range { .. }
            | Ready::Seq { .. }
            | Ready::Foreign { .. }
            | Ready::Parts { .. }
            | Ready::Repeat { .. } => Vec::new(),
            Ready::Zip(a, b) | Ready::Chain(a, b) => vec![a, b],
            Ready::Enumerate(i)
            | Ready::Rev(i)
            | Ready::Cycle(i)
            | Ready::Take(i, _)
            | Ready::Skip(i, _)
            | Ready::StepBy(i, _)
            | Ready::Map(i, _)
            | Ready::Inspect(i, _)
            | Ready::Test { iter: i, .. }
            | Ready::Optional { iter: i, .. }
            | Ready::FlatMap { iter: i, .. }
            | Ready::Flatten { iter: i, .. } => vec![i],
        }
    }

    /// The iterators that it takes its items from, to be changed.
    fn inner_mut(&mut self) -> Vec<&mut Ready<'e>> {
        match self {
            Ready::Range { .. }
            | Ready::Seq { .. }
            | Ready::Foreign { .. }
            | Ready::Parts { .. }
            | Ready::Repeat { .. } => Vec::new(),
            Ready::Zip(a, b) | Ready::Chain(a, b) => vec![a, b],
            Ready::Enumerate(i)
            | Ready::Rev(i)
            | Ready::Cycle(i)
            | Ready::Take(i, _)
            | Ready::Skip(i, _)
            | Ready::StepBy(i, _)
            | Ready::Map(i, _)
            | Ready::Inspect(i, _)
            | Ready::Test { iter: i, .. }
            | Ready::Optional { iter: i, .. }
            | Ready::FlatMap { iter: i, .. }
            | Ready::Flatten { iter: i, .. } => vec![i],
        }
    }
}

/// Where parts are taken from.
#[derive(Clone)]
pub(super) enum Source {
    Place(Place),
    Passive(Code),
}

impl<'a> Builder<'a> {
    pub(super) fn for_loop(
        &mut self,
        label: &Option<String>,
        pat: &Pat,
        iter: &Iter,
        body: &Block,
        broken: bool,
        span: Extent,
    ) -> Operand {
        let ready = self.ready(iter, span);
        let mut course = Course::of_loop(label.clone());
        // `break` leaves the innermost of the loops that are made; the others look at a flag
        let flag = (broken && nests(&ready)).then(|| self.flag(&mut course, span));
        self.drive(&ready, &course, span, &mut |b, item| {
            b.loops.push(LoopSlot {
                is_loop: true,
                label: label.clone(),
                value: Operand::unit(),
                flag,
            });
            b.bind(pat, item, span);
            b.block(body);
            b.loops.pop();
        });
        Operand::unit()
    }

    /// Evaluates what the iterator is made of, in order.
    fn ready<'e>(&mut self, iter: &'e Iter, span: Extent) -> Ready<'e>
    where
        'a: 'e,
    {
        match iter {
            Iter::Named(name) => self.named(name),
            Iter::After(steps, inner) => {
                self.steps(steps);
                self.ready(inner, span)
            }
            Iter::Range { lo, hi, inclusive } => Ready::Range {
                lo: self.scalar(lo),
                hi: hi.as_ref().map(|hi| self.scalar(hi)),
                inclusive: *inclusive,
            },
            Iter::Seq { base, by } => {
                let elem = self.element(&base.ty);
                if let Some(code) = self.passive_sequence(base) {
                    let code = self.made_once(code);
                    let is_made = code.is_made_once()
                        || matches!(base.kind, Kind::Local(local) if self.locals[local.0].once);
                    let items = match (is_made, by) {
                        (true, By::Value) => Items::Collected,
                        _ => Items::Borrowed,
                    };
                    return Ready::Foreign { code, elem, items };
                }
                let place = self.place(base);
                let place = self.settle(place, *by == By::Mut, base);
                // an array by value is iterated as it is now
                let place = match self.solved(&base.ty) {
                    ty @ Ty::Array(..)
                        if *by == By::Value && self.written.contains(&place.root) =>
                    {
                        super::root(self.copy_or_move(place, &ty, TEMPORARY, span))
                    }
                    _ => place,
                };
                Ready::Seq {
                    place,
                    by: *by,
                    elem,
                }
            }
            Iter::Parts { base, size, how } => {
                let (source, n) = match self.passive_sequence(base) {
                    Some(code) => {
                        let n = self.passive_count(code.clone(), span);
                        (Source::Passive(code), n)
                    }
                    None => {
                        let place = self.place(base);
                        let mutable = self.written.contains(&place.root);
                        let place = self.settle(place, mutable, base);
                        let n = self.len(place.clone(), span);
                        (Source::Place(place), n)
                    }
                };
                Ready::Parts {
                    source,
                    n,
                    size: self.scalar(size),
                    how: *how,
                }
            }
            Iter::Repeat { value, count } => {
                let ty = self.solved(&value.ty);
                let item = match self.eval(value) {
                    Operand::Passive(code) if self.is_number(&ty) => {
                        Operand::Val(self.verbatim(code, &ty, span))
                    }
                    other => other,
                };
                Ready::Repeat {
                    item,
                    ty,
                    count: count.as_ref().map(|n| self.scalar(n)),
                }
            }
            Iter::Zip(a, b) => {
                let a = self.ready(a, span);
                let b = self.ready(b, span);
                Ready::Zip(Box::new(a), Box::new(b))
            }
            Iter::Chain(a, b) => {
                let a = self.ready(a, span);
                let b = self.ready(b, span);
                Ready::Chain(Box::new(a), Box::new(b))
            }
            Iter::Enumerate(i) => Ready::Enumerate(Box::new(self.ready(i, span))),
            Iter::Rev(i, at) => {
                let mut inner = self.ready(i, span);
                self.turn_round(&mut inner, *at);
                inner
            }
            Iter::Cycle(i, at) => {
                let inner = self.ready(i, span);
                if !self.is_indexed(&inner) {
                    self.cx.error_about(*at, &error::ITERATOR_METHOD, "cycle");
                    return inner;
                }
                Ready::Cycle(Box::new(inner))
            }
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
            Iter::Copied(i) => match self.ready(i, span) {
                Ready::Foreign { code, elem, .. } => {
                    let items = Items::Copied;
                    Ready::Foreign { code, elem, items }
                }
                other => other,
            },
            Iter::Map(i, f) => {
                let inner = Box::new(self.ready(i, span));
                self.take_along(&f.captures);
                Ready::Map(inner, f)
            }
            Iter::Inspect(i, f) => {
                let inner = Box::new(self.ready(i, span));
                self.take_along(&f.captures);
                Ready::Inspect(inner, f)
            }
            Iter::Test { iter, test, how } => {
                let iter = Box::new(self.ready(iter, span));
                self.take_along(&test.captures);
                Ready::Test {
                    iter,
                    test,
                    how: *how,
                }
            }
            Iter::Optional {
                iter,
                outside,
                captures,
                pats,
                branch,
                stops,
                state,
            } => {
                let iter = Box::new(self.ready(iter, span));
                let state = state.as_ref().map(|(init, ty)| {
                    let ty = self.peeled(ty);
                    let start = self.start(init, &ty);
                    (self.slots_from(start, &ty, "state", span), ty)
                });
                self.take_along(captures);
                Ready::Optional {
                    iter,
                    outside: *outside,
                    pats,
                    branch,
                    stops: *stops,
                    state,
                }
            }
            Iter::FlatMap {
                iter,
                outside,
                captures,
                pat,
                inner,
            } => {
                let iter = Box::new(self.ready(iter, span));
                self.take_along(captures);
                Ready::FlatMap {
                    iter,
                    outside: *outside,
                    pat,
                    inner,
                    reversed: false,
                }
            }
            Iter::Flatten { iter, by, elem } => Ready::Flatten {
                iter: Box::new(self.ready(iter, span)),
                by: *by,
                elem: self.solved(elem),
                reversed: false,
            },
        }
    }

    /// The iterator from its end: `rev` goes through closures and chains to the sources.
    fn turn_round(&mut self, ready: &mut Ready<'_>, at: Extent) {
        match ready {
            Ready::Rev(inner) => *ready = (**inner).clone(),
            Ready::Map(iter, _)
            | Ready::Inspect(iter, _)
            | Ready::Test {
                iter,
                how: Test::Filter,
                ..
            }
            | Ready::Optional {
                iter,
                stops: false,
                state: None,
                ..
            } => self.turn_round(iter, at),
            Ready::Chain(a, b) => {
                self.turn_round(a, at);
                self.turn_round(b, at);
                std::mem::swap(a, b);
            }
            Ready::FlatMap { iter, reversed, .. } | Ready::Flatten { iter, reversed, .. } => {
                self.turn_round(iter, at);
                *reversed = !*reversed;
            }
            other if self.is_indexed(other) => {
                let inner = Box::new(other.clone());
                *other = Ready::Rev(inner);
            }
            other if self.writes(other) => self.cx.error_about(at, &error::ITERATOR_EFFECT, "rev"),
            // std has no `rev` of it either
            _ => self.cx.mismatch(),
        }
    }

    /// Whether a closure of the iterator writes to what is outside of it.
    fn writes(&self, ready: &Ready<'_>) -> bool {
        let own = match ready {
            Ready::Map(_, f) | Ready::Inspect(_, f) | Ready::Test { test: f, .. } => {
                self.lambda_writes(f)
            }
            // what `scan` writes to its state is its own
            Ready::Optional {
                outside,
                pats,
                branch,
                state,
                ..
            } => {
                let own = match pats.first() {
                    Some(Pat::Bind(local)) if state.is_some() => vec![*local],
                    _ => Vec::new(),
                };
                let mut found = false;
                each_of_branch(branch, &mut |e| {
                    found = found || self.expr_writes(e, *outside, &own);
                });
                found
            }
            Ready::FlatMap { outside, inner, .. } => {
                let mut found = false;
                let mut look = |e: &Expr| found = found || self.expr_writes(e, *outside, &[]);
                each_of_iter(inner, &mut look);
                found
            }
            _ => false,
        };
        own || ready.inner().into_iter().any(|i| self.writes(i))
    }

    /// The elements of a sequence of this type, as they are held.
    pub(super) fn element(&self, ty: &Ty) -> Ty {
        match self.peeled(ty) {
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) => held_type(&t),
            other => other,
        }
    }

    /// What a fold or a scan starts from.
    fn start(&mut self, init: &Expr, ty: &Ty) -> Operand {
        match self.eval(init) {
            Operand::Passive(code) if self.is_scalar(ty) => {
                Operand::Val(self.verbatim(code, ty, init.span))
            }
            other => other,
        }
    }

    /// Calls a closure that is written where it is used.
    pub(super) fn apply(&mut self, f: &Lambda, args: Vec<Operand>, span: Extent) -> Operand {
        for (pat, arg) in f.pats.iter().zip(args) {
            self.bind(pat, arg, span);
        }
        self.eval(&f.body)
    }

    /// The same of one that takes a reference to an item.
    fn apply_to_borrowed(&mut self, f: &Lambda, item: Operand, span: Extent) -> Operand {
        for pat in &f.pats {
            self.bind_borrowed(pat, item.clone(), span);
        }
        self.eval(&f.body)
    }

    /// Constant code has the references that are written, others have not.
    fn bind_borrowed(&mut self, pat: &Pat, item: Operand, span: Extent) {
        match (pat, item) {
            (Pat::Ref(inner), item) => self.bind(inner, item, span),
            (Pat::Tuple(pats), Operand::Tuple(parts)) if pats.len() == parts.len() => {
                for (pat, part) in pats.iter().zip(parts) {
                    self.bind_borrowed(pat, part, span);
                }
            }
            (pat, Operand::Passive(code)) => {
                self.bind(pat, Operand::Passive(code.wrapped("&")), span);
            }
            (pat, item) => self.bind(pat, item, span),
        }
    }

    /// A closure that takes a reference to an item and returns a bool.
    fn test_borrowed(&mut self, f: &Lambda, item: Operand, span: Extent) -> Val {
        for pat in &f.pats {
            self.bind_borrowed(pat, item.clone(), span);
        }
        self.scalar(&f.body)
    }

    /// A closure that returns a bool.
    fn test(&mut self, f: &Lambda, arg: Operand, span: Extent) -> Val {
        for pat in &f.pats {
            self.bind(pat, arg.clone(), span);
        }
        self.scalar(&f.body)
    }
}
