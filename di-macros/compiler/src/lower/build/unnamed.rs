//! References that are used where they are made: `(if c { &a } else { &b })[0]`, `h(match k { .. })`. They
//! are evaluated first, once, and what uses them is written out for each of their targets.

use super::holder::address;
use super::reference::{Choice, Target};
use super::{Builder, Operand};
use crate::error;
use crate::ir::{CmpOp, Op, Place, Proj, Type, Val};
use crate::lower::hir::{Expr, Iter, Kind};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Builder<'_> {
    /// The value of an expression, where it uses such references.
    pub(super) fn with_unnamed(&mut self, e: &Expr) -> Option<Operand> {
        let found = self.unnamed(e);
        if found.is_empty() {
            return None;
        }
        Some(self.with_each(&found, e))
    }

    fn with_each(&mut self, found: &[&Expr], e: &Expr) -> Operand {
        let Some((first, rest)) = found.split_first() else {
            return self.eval(e);
        };
        match self.eval(first) {
            Operand::Choice(c) if c.targets.len() > 1 => {
                self.with_target(first, c.tag, &c.targets, rest, e)
            }
            other => self.with_value(first, other, rest, e),
        }
    }

    fn with_value(&mut self, of: &Expr, value: Operand, rest: &[&Expr], e: &Expr) -> Operand {
        self.made.insert(address(of), value);
        let value = self.with_each(rest, e);
        self.made.remove(&address(of));
        value
    }

    fn with_target(
        &mut self,
        of: &Expr,
        tag: Option<Val>,
        targets: &[Target],
        rest: &[&Expr],
        e: &Expr,
    ) -> Operand {
        let Some((first, others)) = targets.split_first() else {
            return Operand::unit();
        };
        let place = Operand::Place(first.place());
        let (Some(tag_value), false) = (tag, others.is_empty()) else {
            return self.with_value(of, place, rest, e);
        };
        let number = self.lit_usize(first.number as i128, e.span);
        let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag_value, number), e.span);
        let ty = self.solved(&e.ty);
        self.select(
            is,
            &ty,
            e.span,
            |b| b.with_value(of, place, rest, e),
            |b| b.with_target(of, tag, others, rest, e),
        )
    }

    // ---- parts of what is chosen ----

    /// Something of the target that it is.
    pub(super) fn of_each(
        &mut self,
        choice: &Choice,
        ty: &Ty,
        span: Extent,
        f: &mut dyn FnMut(&mut Self, Place) -> Operand,
    ) -> Operand {
        self.of_targets(choice.tag, &choice.targets, ty, span, f)
    }

    fn of_targets(
        &mut self,
        tag: Option<Val>,
        targets: &[Target],
        ty: &Ty,
        span: Extent,
        f: &mut dyn FnMut(&mut Self, Place) -> Operand,
    ) -> Operand {
        let Some((first, rest)) = targets.split_first() else {
            self.unreachable();
            return Operand::unit();
        };
        let (Some(tag_value), false) = (tag, rest.is_empty()) else {
            return f(self, first.place());
        };
        let number = self.lit_usize(first.number as i128, span);
        let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag_value, number), span);
        let f = std::cell::RefCell::new(f);
        self.select(
            is,
            ty,
            span,
            |b| (f.borrow_mut())(b, first.place()),
            |b| b.of_targets(tag, rest, ty, span, &mut **f.borrow_mut()),
        )
    }

    /// A part of what is chosen, as a choice among the parts.
    pub(super) fn projected(&mut self, choice: &Choice, step: &Proj, span: Extent) -> Operand {
        let targets = choice.targets.iter().map(|t| {
            let mut place = t.place();
            place.path.push(step.clone());
            let part = self.target(place, &Ty::unit(), span);
            Target {
                number: t.number,
                ..part
            }
        });
        let targets = targets.collect();
        let tag = choice.tag;
        Choice { tag, targets }.operand()
    }

    /// The references that an expression makes and uses, in the order of the source.
    fn unnamed<'e>(&self, e: &'e Expr) -> Vec<&'e Expr> {
        let mut found = Vec::new();
        // what has to be evaluated before, should there be such a reference
        let (mut before, mut plain) = (Vec::new(), true);
        for part in parts(e) {
            let made = base(part);
            let reference = makes(made)
                && self.holds_references(&self.solved(&made.ty))
                && !self.made.contains_key(&address(made));
            if reference && plain {
                found.append(&mut before);
                found.push(made);
            } else if reference {
                self.cx.error(made.span, &error::CHOSEN_REFERENCE);
            }
            let evaluated = reference || self.made.contains_key(&address(part));
            if evaluated || super::structs::is_plain(part) {
                continue;
            }
            if self.is_scalar(&part.ty) && !matches!(self.solved(&part.ty), Ty::Ref(..)) {
                before.push(part);
            } else {
                plain = false;
            }
        }
        found
    }
}

/// What an expression uses in its place.
fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        Kind::Index(a, _)
        | Kind::Field(a, _)
        | Kind::TupleField(a, _)
        | Kind::Deref(a)
        | Kind::Ref(_, a)
        | Kind::Len(a)
        | Kind::IsEmpty(a)
        | Kind::CopyOf(a)
        | Kind::Receiver(a)
        | Kind::Fill(a, _)
        | Kind::Swap(a, _, _)
        | Kind::Range { base: a, .. } => vec![a],
        Kind::CopyFrom(a, b) => vec![a, b],
        Kind::Seq(_, es) | Kind::Call { args: es, .. } => es.iter().collect(),
        Kind::For { iter, .. } | Kind::Reduce(iter, _) | Kind::Pick(iter, ..) => {
            let mut found = Vec::new();
            sources(iter, &mut found);
            found
        }
        _ => Vec::new(),
    }
}

/// The sequences that a chain goes over.
fn sources<'e>(iter: &'e Iter, found: &mut Vec<&'e Expr>) {
    match iter {
        Iter::Range { .. } | Iter::Repeat { .. } | Iter::Named(_) => {}
        Iter::Seq { base, .. } | Iter::Parts { base, .. } => found.push(base),
        Iter::Zip(a, b) | Iter::Chain(a, b) => {
            sources(a, found);
            sources(b, found);
        }
        Iter::After(_, i)
        | Iter::Enumerate(i)
        | Iter::Rev(i, _)
        | Iter::Cycle(i, _)
        | Iter::Take(i, _)
        | Iter::Skip(i, _)
        | Iter::StepBy(i, _)
        | Iter::Copied(i)
        | Iter::Map(i, _)
        | Iter::Inspect(i, _)
        | Iter::Test { iter: i, .. }
        | Iter::Optional { iter: i, .. }
        | Iter::FlatMap { iter: i, .. }
        | Iter::Flatten { iter: i, .. } => sources(i, found),
    }
}

/// What a path goes into.
fn base(e: &Expr) -> &Expr {
    match &e.kind {
        Kind::Index(a, _)
        | Kind::Field(a, _)
        | Kind::TupleField(a, _)
        | Kind::Deref(a)
        | Kind::Ref(_, a)
        | Kind::Range { base: a, .. } => base(a),
        _ => e,
    }
}

/// Whether it has a value of its own, which may depend on the way that was taken.
fn makes(e: &Expr) -> bool {
    matches!(
        e.kind,
        Kind::If { .. }
            | Kind::Match(..)
            | Kind::Block(_)
            | Kind::Labelled { .. }
            | Kind::Loop { .. }
            | Kind::CallClosure(..)
            | Kind::Pick(..)
    )
}
