//! References that are decided at run time: variables of reference type that are bound anew, and
//! branches that choose. What a reference stands for is one of a few known targets: a root and the
//! indices and bounds of the path into it, which are integers. Where there is more than one target,
//! the statement that uses the reference is written out for each.

use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    BinOp, CmpOp, Exit, Known, Lit, Op, Place, PlaceId, Proj, Region, Stmt, Type, Val,
};
use crate::lower::hir::{Expr, Kind, Local, SeqOp};
use crate::lower::ty::Ty;
use crate::lower::walk::{each, each_of_block};
use crate::report::Extent;
use std::collections::BTreeSet;

/// A step of a path without its numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Index,
    Range,
    Field(String, Known),
}

/// Where a reference may point to: into a variable, by a path of this shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template {
    pub(super) owner: Local,
    pub(super) shape: Vec<Shape>,
}

/// Where a reference points to, with the numbers of the path.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) root: PlaceId,
    pub(super) shape: Vec<Shape>,
    pub(super) ints: Vec<Val>,
}

/// What a reference stands for: one of these targets, by number. Without a number there is one.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) tag: Option<Val>,
    pub(super) targets: Vec<Target>,
}

/// A variable of reference type that is bound anew.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) tag: Option<PlaceId>,
    pub(super) targets: Vec<(Template, Vec<PlaceId>)>,
}

impl Target {
    fn place(&self) -> Place {
        let mut ints = self.ints.iter().copied();
        let mut next = || ints.next().expect("a target has its numbers");
        let path = self
            .shape
            .iter()
            .map(|s| match s {
                Shape::Index => Proj::Index(next()),
                Shape::Range => {
                    let lo = next();
                    Proj::Range(lo, next())
                }
                Shape::Field(name, ty) => Proj::Field(name.clone(), ty.clone()),
            })
            .collect();
        Place {
            root: self.root,
            path,
        }
    }
}

impl Choice {
    pub(super) fn operand(self) -> Operand {
        match (self.tag, self.targets.as_slice()) {
            (None, [only]) => Operand::Place(only.place()),
            _ => Operand::Choice(self),
        }
    }
}

/// How many numbers a shape has.
pub(super) fn count(shape: &[Shape]) -> usize {
    let each = shape.iter().map(|s| match s {
        Shape::Index => 1,
        Shape::Range => 2,
        Shape::Field(..) => 0,
    });
    each.sum()
}

/// A value that an arm yields.
enum Yielded {
    Val(Val),
    Number(usize),
    Plus(Val, usize),
}

impl Builder<'_> {
    // ---- targets ----

    /// A place as the target of a reference to a value of this type.
    fn target(&mut self, place: Place, referent: &Ty, span: Extent) -> Target {
        let mut at = self.without_views(place, span);
        let slice = matches!(referent, Ty::Slice(_));
        if slice && !matches!(at.path.last(), Some(Proj::Range(..))) {
            let (zero, n) = (self.lit_usize(0, span), self.len(at.clone(), span));
            at.path.push(Proj::Range(zero, n));
        }
        let (mut shape, mut ints) = (Vec::new(), Vec::new());
        for step in at.path {
            shape.push(match step {
                Proj::Index(i) | Proj::Flat(i) => {
                    ints.push(i);
                    Shape::Index
                }
                Proj::Range(lo, hi) => {
                    ints.extend([lo, hi]);
                    Shape::Range
                }
                Proj::Field(name, ty) => Shape::Field(name, ty),
            });
        }
        Target {
            root: at.root,
            shape,
            ints,
        }
    }

    /// A path from its root, with at most one range, which comes last.
    fn without_views(&mut self, place: Place, span: Extent) -> Place {
        let mut at = match self.views.get(&place.root).cloned() {
            Some(of) => self.without_views(of, span),
            None => root(place.root),
        };
        for step in place.path {
            let Some(Proj::Range(lo, _)) = at.path.last().cloned() else {
                at.path.push(step);
                continue;
            };
            at.path.pop();
            at.path.push(match step {
                Proj::Index(i) => Proj::Index(self.int_bin(BinOp::Add, lo, i, span)),
                Proj::Range(a, b) => Proj::Range(
                    self.int_bin(BinOp::Add, lo, a, span),
                    self.int_bin(BinOp::Add, lo, b, span),
                ),
                Proj::Field(..) | Proj::Flat(_) => unreachable!("read: a slice has no fields"),
            });
        }
        at
    }

    /// A reference as a choice among targets; an error if it is none.
    pub(super) fn choice(
        &mut self,
        operand: Operand,
        referent: &Ty,
        span: Extent,
    ) -> Option<Choice> {
        match operand {
            Operand::Place(place) => Some(Choice {
                tag: None,
                targets: vec![self.target(place, referent, span)],
            }),
            Operand::Choice(c) => Some(c),
            Operand::Val(_) | Operand::Tuple(_) | Operand::Passive(_) => {
                if self.is_live() {
                    self.cx.error(span, &error::CHOSEN_REFERENCE);
                }
                None
            }
        }
    }

    // ---- branches ----

    /// What a reference stands for after a branch: the arms yield the numbers.
    pub(super) fn merge_references(
        &mut self,
        (then, els): (&mut Region, &mut Region),
        (a, b): (Option<Choice>, Option<Choice>),
        results: &mut Vec<Val>,
        span: Extent,
    ) -> Operand {
        let all = a.iter().chain(&b).flat_map(|c| &c.targets);
        let deep = all
            .map(|t| self.depths.get(&t.root).copied().unwrap_or(0))
            .any(|depth| depth > self.regions.len());
        if deep {
            self.cx.error(span, &error::CHOSEN_REFERENCE);
            return Operand::unit();
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut new = |b: &mut Self, x: Yielded, y: Yielded| {
            let ty = Type::Int("usize".to_owned());
            let r = b.body.new_val(ty, None, span.start);
            first.push(x);
            second.push(y);
            results.push(r);
            r
        };
        let merged = match (a, b) {
            (None, None) => return Operand::unit(),
            (Some(a), Some(b)) if is_same(&a, &b) => {
                let (s, t) = (&a.targets[0], &b.targets[0]);
                let pairs = s.ints.iter().zip(&t.ints);
                let ints = pairs
                    .map(|(x, y)| new(self, Yielded::Val(*x), Yielded::Val(*y)))
                    .collect();
                Choice {
                    tag: None,
                    targets: vec![Target {
                        ints,
                        ..a.targets[0].clone()
                    }],
                }
            }
            (a, b) => {
                let offset = a.as_ref().map_or(0, |a| a.targets.len());
                let several = offset + b.as_ref().map_or(0, |b| b.targets.len()) > 1;
                let tag = several.then(|| {
                    let x = match a.as_ref().and_then(|a| a.tag) {
                        Some(tag) => Yielded::Val(tag),
                        None => Yielded::Number(0),
                    };
                    let y = match b.as_ref().and_then(|b| b.tag) {
                        Some(tag) => Yielded::Plus(tag, offset),
                        None => Yielded::Number(offset),
                    };
                    new(self, x, y)
                });
                let mut targets = Vec::new();
                for (choice, is_first) in [(a, true), (b, false)] {
                    for t in choice.into_iter().flat_map(|c| c.targets) {
                        let ints = t.ints.iter().map(|v| {
                            let (x, y) = (Yielded::Val(*v), Yielded::Number(0));
                            if is_first {
                                new(self, x, y)
                            } else {
                                new(self, y, x)
                            }
                        });
                        let ints = ints.collect();
                        targets.push(Target { ints, ..t });
                    }
                }
                Choice { tag, targets }
            }
        };
        self.yield_also(then, first);
        self.yield_also(els, second);
        if merged.targets.len() > 1 {
            self.has_choices = true;
        }
        merged.operand()
    }

    /// Appends to what a closed region yields, if its end is reached.
    fn yield_also(&mut self, region: &mut Region, values: Vec<Yielded>) {
        let Exit::Yield(vals) = &mut region.exit else {
            return;
        };
        let usize = || Type::Int("usize".to_owned());
        let span = proc_macro2::Span::call_site();
        for value in values {
            let mut number = |b: &mut Self, n: usize| {
                let v = b.body.new_val(usize(), None, span);
                let op = Op::Lit(Lit::Int(n as i128));
                region.stmts.push(Stmt::Let(v, op));
                v
            };
            vals.push(match value {
                Yielded::Val(v) => v,
                Yielded::Number(n) => number(self, n),
                Yielded::Plus(v, 0) => v,
                Yielded::Plus(v, n) => {
                    let n = number(self, n);
                    let sum = self.body.new_val(usize(), None, span);
                    let op = Op::Bin(BinOp::Add, v, n);
                    region.stmts.push(Stmt::Let(sum, op));
                    sum
                }
            });
        }
    }

    /// A reference at the end of an arm.
    pub(super) fn arm_reference(
        &mut self,
        operand: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Option<Choice> {
        let referent = match ty {
            Ty::Ref(_, t) => self.solved(t),
            other => other.clone(),
        };
        self.choice(operand, &referent, span)
    }

    // ---- uses ----

    /// What a variable stands for that is bound anew or was chosen; `None` if it is neither.
    pub(super) fn referred_by(&mut self, local: Local, span: Extent) -> Option<Operand> {
        let choice = match &self.bound[local.0] {
            Operand::Choice(c) => c.clone(),
            _ => self.current(local, span)?,
        };
        if let Some(k) = self.chosen.get(&local)
            && let Some(target) = choice.targets.get(*k)
        {
            return Some(Operand::Place(target.place()));
        }
        Some(choice.operand())
    }

    /// A variable in the expression that may stand for more than one target, and is not bound anew
    /// in it. A reference that is only handed on needs no decision.
    pub(super) fn open_choice(&self, e: &Expr) -> Option<Local> {
        if !self.has_choices || is_path(e) {
            return None;
        }
        let (mut used, mut assigned) = (Vec::new(), Vec::new());
        self.visit(e, &mut |e| match &e.kind {
            Kind::Local(l) => used.push(*l),
            Kind::Passive(p) => used.extend(p.locals.iter().map(|(_, l)| *l)),
            _ => assigned.extend(rebinds(e)),
        });
        used.into_iter()
            .find(|l| self.is_open(*l) && !assigned.contains(l))
    }

    /// The variable is not what it was any more: its scope has ended, or it is bound once more, in a
    /// closure that is inlined again or in code that is written out for another target.
    pub(super) fn forget(&mut self, local: Local) {
        self.chosen.remove(&local);
        self.loaded.remove(&local);
        self.variables.remove(&local);
        if matches!(self.bound[local.0], Operand::Choice(_)) {
            self.bound[local.0] = Operand::unit();
        }
    }

    fn is_open(&self, local: Local) -> bool {
        let several = match &self.bound[local.0] {
            Operand::Choice(_) => true,
            _ => self
                .variables
                .get(&local)
                .is_some_and(|v| v.targets.len() > 1),
        };
        several && !self.chosen.contains_key(&local)
    }

    /// The expression once for each target of the variable.
    pub(super) fn decide(&mut self, local: Local, e: &Expr) -> Operand {
        let choice = match &self.bound[local.0] {
            Operand::Choice(c) => Some(c.clone()),
            _ => self.current(local, e.span),
        };
        match choice {
            Some(c) => self.decide_from(local, &c, 0, e),
            None => Operand::unit(),
        }
    }

    fn decide_from(&mut self, local: Local, c: &Choice, k: usize, e: &Expr) -> Operand {
        let span = e.span;
        let chosen = |b: &mut Self| {
            b.chosen.insert(local, k);
            let value = b.eval(e);
            b.chosen.remove(&local);
            value
        };
        let (Some(tag), true) = (c.tag, k + 1 < c.targets.len()) else {
            return chosen(self);
        };
        let number = self.lit_usize(k as i128, span);
        let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag, number), span);
        let ty = self.solved(&e.ty);
        self.select(is, &ty, span, chosen, |b| b.decide_from(local, c, k + 1, e))
    }

    /// Variables of reference type that the function binds anew.
    pub(super) fn rebound(&self, body: &crate::lower::hir::Block) -> BTreeSet<Local> {
        let mut found = BTreeSet::new();
        each_of_block(body, &mut |e| {
            self.visit(e, &mut |e| found.extend(rebinds(e)));
        });
        found.retain(|l| matches!(self.solved(&self.locals[l.0].ty), Ty::Ref(..)));
        found
    }

    /// Visits an expression and all within, closures that it calls included.
    fn visit(&self, e: &Expr, f: &mut dyn FnMut(&Expr)) {
        f(e);
        each(e, &mut |inner| self.visit(inner, f));
        if let Kind::CallClosure(id, _) = &e.kind {
            self.visit(&self.closures[id.0].lambda.body, f);
        }
    }

    /// `&f64`: what is behind it does not change, so that the number stands for it.
    pub(super) fn is_scalar_copy(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Ref(false, _)) && self.is_scalar(ty)
    }

    /// What was loaded in a region that is closed is not visible any more.
    pub(super) fn forget_loaded(&mut self) {
        let depth = self.regions.len();
        self.loaded.retain(|_, (at, _)| *at <= depth);
    }

    /// Before a loop: references that it binds anew are loaded in it, all others before it.
    pub(super) fn enter_loop(&mut self, e: &Expr) {
        if self.variables.is_empty() {
            return;
        }
        let (mut used, mut assigned) = (Vec::new(), Vec::new());
        self.visit(e, &mut |e| match &e.kind {
            Kind::Local(l) => used.push(*l),
            Kind::Passive(p) => used.extend(p.locals.iter().map(|(_, l)| *l)),
            _ => assigned.extend(rebinds(e)),
        });
        for local in &assigned {
            self.loaded.remove(local);
        }
        for local in used {
            if self.variables.contains_key(&local) && !assigned.contains(&local) {
                self.current(local, e.span);
            }
        }
    }
}

fn is_same(a: &Choice, b: &Choice) -> bool {
    match (a.targets.as_slice(), b.targets.as_slice()) {
        ([s], [t]) => s.root == t.root && s.shape == t.shape,
        _ => false,
    }
}

/// The variables that an expression binds to other values, if it is an assignment.
fn rebinds(e: &Expr) -> Vec<Local> {
    let variable = |e: &Expr| match &e.kind {
        Kind::Local(l) => Some(*l),
        _ => None,
    };
    match &e.kind {
        Kind::Assign(place, _) => variable(place).into_iter().collect(),
        Kind::Seq(SeqOp::MemSwap | SeqOp::Replace | SeqOp::Take, args) => args
            .iter()
            .filter_map(|a| match &a.kind {
                Kind::Ref(true, e) => variable(e),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// A variable, or tuples and references of such.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        Kind::Local(_) => true,
        Kind::Ref(_, e) | Kind::Deref(e) | Kind::TupleField(e, _) => is_path(e),
        Kind::Tuple(es) => es.iter().all(is_path),
        _ => false,
    }
}
