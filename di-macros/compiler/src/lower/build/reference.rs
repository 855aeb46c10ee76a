//! References that are decided at run time: variables of reference type that are bound anew, and
//! branches that choose. What a reference stands for is one of a few known targets: a root and the
//! indices and bounds of the path into it, which are integers. Where there is more than one target,
//! the statement that uses the reference is written out for each.

use super::constants::Text;
use super::holder::{Holder, Owner, Uses};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{
    BinOp, CmpOp, Exit, Init, Known, Lit, Op, Place, PlaceId, Proj, Region, Stmt, TEMPORARY, Type,
    Val,
};
use crate::lower::hir::{Expr, Kind, Local};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;
use crate::sorted::Set;

/// A step of a path without its numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Index,
    Range,
    Field(String, Known),
}

/// Where a reference may point to: into what somebody owns, by a path of this shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template {
    pub(super) owner: Owner,
    pub(super) shape: Vec<Shape>,
}

/// What a reference may stand for, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Possible {
    pub(super) targets: Set<Template>,
    pub(super) texts: Vec<Text>,
}

/// Where a reference points to, with the numbers of the path.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The tag that stands for it.
    pub(super) number: usize,
    pub(super) root: PlaceId,
    pub(super) shape: Vec<Shape>,
    pub(super) ints: Vec<Val>,
}

/// What a reference stands for: that of these targets which has the tag's number. There is none
/// where no way leads there, and in `None`.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub(super) tag: Option<Val>,
    pub(super) targets: Vec<Target>,
}

/// A reference that is bound anew.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) ty: Ty,
    pub(super) tag: Option<PlaceId>,
    pub(super) targets: Vec<(Template, Vec<PlaceId>)>,
    /// Where copies are kept of what it refers to that has no name.
    pub(super) kept: Option<PlaceId>,
}

impl Target {
    pub(super) fn place(&self) -> Place {
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
        match self.targets.as_slice() {
            [only] => Operand::Place(only.place()),
            _ => Operand::Choice(self),
        }
    }

    /// The first tag that stands for nothing.
    fn end(&self) -> usize {
        self.targets.iter().map(|t| t.number + 1).max().unwrap_or(0)
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
    pub(super) fn target(&mut self, place: Place, referent: &Ty, span: Extent) -> Target {
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
            number: 0,
            root: at.root,
            shape,
            ints,
        }
    }

    /// A path from its root, with at most one range, which comes last.
    pub(super) fn without_views(&mut self, place: Place, span: Extent) -> Place {
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
            Operand::Held(holder) => self.current(&holder, span),
            // a copy of what does not change
            Operand::Passive(code) => {
                let ty = match referent {
                    Ty::Slice(t) => Ty::Vec(t.clone()),
                    other => other.clone(),
                };
                let copy = self.copy_passive(code, &ty, TEMPORARY, span);
                Some(Choice {
                    tag: None,
                    targets: vec![self.target(root(copy), referent, span)],
                })
            }
            Operand::Val(_) | Operand::Tuple(_) => {
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
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut new = |b: &mut Self, x: Yielded, y: Yielded| {
            let ty = Type::usize();
            let r = b.body.new_val(ty, None, span.start);
            first.push(x);
            second.push(y);
            results.push(r);
            r
        };
        let merged = match (a, b) {
            (None, None) => Choice::default(),
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
                let offset = a.as_ref().map_or(0, Choice::end);
                let first_of = |c: &Option<Choice>| {
                    c.as_ref()
                        .and_then(|c| c.targets.first())
                        .map_or(0, |t| t.number)
                };
                let several = a.iter().chain(&b).flat_map(|c| &c.targets).count() > 1;
                let tag = several.then(|| {
                    let x = match a.as_ref().and_then(|a| a.tag) {
                        Some(tag) => Yielded::Val(tag),
                        None => Yielded::Number(first_of(&a)),
                    };
                    let y = match b.as_ref().and_then(|b| b.tag) {
                        Some(tag) => Yielded::Plus(tag, offset),
                        None => Yielded::Number(first_of(&b) + offset),
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
                        let number = t.number + if is_first { 0 } else { offset };
                        targets.push(Target { number, ints, ..t });
                    }
                }
                Choice { tag, targets }
            }
        };
        self.yield_also(then, first);
        self.yield_also(els, second);
        self.has_choices |= merged.targets.len() > 1;
        merged.operand()
    }

    /// Appends to what a closed region yields, if its end is reached.
    fn yield_also(&mut self, region: &mut Region, values: Vec<Yielded>) {
        let Exit::Yield(vals) = &mut region.exit else {
            return;
        };
        let usize = || Type::usize();
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

    /// A reference at the end of an arm; what is made in the arm moves out of it.
    pub(super) fn arm_reference(
        &mut self,
        operand: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Option<Choice> {
        let referent = self.referent(ty);
        let mut choice = self.choice(operand, &referent, span)?;
        let around = self.regions.len() - 1;
        for k in 0..choice.targets.len() {
            let home = self.homes.get(&choice.targets[k].root);
            if super::regions::is_declared(&self.regions[..around], home) {
                continue;
            }
            let target = choice.targets[k].clone();
            choice.targets[k] = self.moved_out(choice.tag, &target, &referent, span)?;
        }
        Some(choice)
    }

    /// What a reference type refers to.
    pub(super) fn referent(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Ref(_, t) => self.solved(t),
            other => other.clone(),
        }
    }

    /// The content of a target in storage that is declared before the open region.
    fn moved_out(
        &mut self,
        tag: Option<Val>,
        t: &Target,
        referent: &Ty,
        span: Extent,
    ) -> Option<Target> {
        let ty = self.storage_type(referent, span)?;
        let storage = self.before(|b| b.blank_storage(&ty, span));
        match tag {
            None => self.fill_storage(storage, &ty, t.place(), span),
            Some(tag) => {
                let number = self.lit_usize(t.number as i128, span);
                let cond = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag, number), span);
                self.when(cond, |b| b.fill_storage(storage, &ty, t.place(), span));
            }
        }
        let target = self.target(root(storage), referent, span);
        Some(Target {
            number: t.number,
            ..target
        })
    }

    /// Type of a variable that holds what a reference refers to; an error if there is none.
    pub(super) fn storage_type(&mut self, referent: &Ty, span: Extent) -> Option<Type> {
        let owned = match referent {
            Ty::Slice(t) => Ty::Vec(t.clone()),
            other => other.clone(),
        };
        let ty = to_ir(&owned, self.float);
        if ty.is_none() {
            self.cx.error(span, &error::CHOSEN_REFERENCE);
        }
        ty
    }

    fn blank_storage(&mut self, ty: &Type, span: Extent) -> PlaceId {
        let none = matches!(ty, Type::Vec(_)).then(|| self.lit_usize(0, span));
        let init = self.blank_init(ty, none, span);
        let storage = self.declare(ty.clone(), TEMPORARY, span, init);
        self.written.insert(storage);
        storage
    }

    fn fill_storage(&mut self, storage: PlaceId, ty: &Type, src: Place, span: Extent) {
        match ty {
            Type::Vec(_) => {
                let init = Init::CopyOf(src);
                let copy = self.declare(ty.clone(), TEMPORARY, span, init);
                self.exchange_storage(storage, copy);
            }
            ty => self.move_element(root(storage), src, ty, span),
        }
    }

    // ---- uses ----

    /// What an operand stands for where it is used: references that are bound anew are looked up, and
    /// targets that have been decided on are taken.
    pub(super) fn resolved(&mut self, holder: &Holder, operand: Operand, span: Extent) -> Operand {
        let (of, choice) = match operand {
            Operand::Tuple(parts) => {
                let parts = parts.into_iter().enumerate();
                let parts = parts.map(|(k, part)| self.resolved(&holder.part(k), part, span));
                return Operand::Tuple(parts.collect());
            }
            Operand::Choice(choice) => (holder.clone(), choice),
            Operand::Held(of) => {
                if let Some(constants) = self.current_constants(&of, span) {
                    return constants;
                }
                match self.current(&of, span) {
                    Some(choice) => (of, choice),
                    None => return Operand::unit(),
                }
            }
            other => return other,
        };
        if let Some(number) = self.chosen.get(&of)
            && let Some(target) = choice.targets.iter().find(|t| t.number == *number)
        {
            return Operand::Place(target.place());
        }
        choice.operand()
    }

    /// A reference in the expression that may stand for more than one target, and is not bound anew
    /// in it. A reference that is only handed on needs no decision.
    pub(super) fn open_choice(&self, e: &Expr) -> Option<Holder> {
        if !self.has_choices || self.hands_on(e) {
            return None;
        }
        let mut uses = Uses::default();
        self.uses(e, &mut uses);
        let mut open = uses.used.iter().filter_map(|h| self.open_part(h, &uses));
        open.next()
    }

    fn open_part(&self, holder: &Holder, uses: &Uses) -> Option<Holder> {
        let found = match self.bound_part(holder)? {
            Operand::Tuple(parts) => {
                let mut parts = 0..parts.len();
                return parts.find_map(|k| self.open_part(&holder.part(k), uses));
            }
            Operand::Choice(c) if c.targets.len() > 1 => holder.clone(),
            Operand::Held(of) if self.targets_in_scope(of) > 1 => of.clone(),
            _ => return None,
        };
        (!self.chosen.contains_key(&found) && !uses.rebinds(&found)).then_some(found)
    }

    /// The variable is not what it was any more: its scope has ended, or it is bound once more, in a
    /// closure that is inlined again or in code that is written out for another target.
    pub(super) fn forget(&mut self, local: Local) {
        self.chosen.retain(|h, _| h.local != local);
        self.loaded.retain(|h, _| h.local != local);
        self.variables.retain(|h, _| h.local != local);
        self.constants.retain(|h, _| h.local != local);
        self.bound[local.0] = Operand::unit();
    }

    /// The expression once for each target of the reference.
    pub(super) fn decide(&mut self, holder: &Holder, e: &Expr) -> Operand {
        let choice = match self.bound_part(holder) {
            Some(Operand::Choice(c)) => Some(c.clone()),
            _ => self.current(holder, e.span),
        };
        match choice {
            Some(c) => self.decide_from(holder, c.tag, &c.targets, e),
            None => Operand::unit(),
        }
    }

    fn decide_from(
        &mut self,
        holder: &Holder,
        tag: Option<Val>,
        targets: &[Target],
        e: &Expr,
    ) -> Operand {
        let span = e.span;
        let Some((first, rest)) = targets.split_first() else {
            return self.eval(e);
        };
        let chosen = |b: &mut Self| {
            b.chosen.insert(holder.clone(), first.number);
            let value = b.eval(e);
            b.chosen.remove(holder);
            value
        };
        let (Some(tag_value), false) = (tag, rest.is_empty()) else {
            return chosen(self);
        };
        let number = self.lit_usize(first.number as i128, span);
        let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag_value, number), span);
        let ty = self.solved(&e.ty);
        self.select(is, &ty, span, chosen, |b| {
            b.decide_from(holder, tag, rest, e)
        })
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
        let mut uses = Uses::default();
        self.uses(e, &mut uses);
        self.note_aliases(&mut uses);
        self.loaded.retain(|h, _| !uses.rebinds(h));
        for holder in &uses.used {
            self.load_held(holder, &uses, e.span);
        }
    }

    fn load_held(&mut self, holder: &Holder, uses: &Uses, span: Extent) {
        match self.bound_part(holder) {
            Some(Operand::Held(of)) if !uses.rebinds(of) => {
                let of = of.clone();
                self.current(&of, span);
            }
            Some(Operand::Tuple(parts)) => {
                for k in 0..parts.len() {
                    self.load_held(&holder.part(k), uses, span);
                }
            }
            _ => {}
        }
    }

    /// `&f64`: what is behind it does not change, so that the number stands for it.
    pub(super) fn is_scalar_copy(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Ref(false, _)) && self.is_scalar(ty)
    }

    /// A variable, or tuples and references of such, whose value is references.
    fn hands_on(&self, e: &Expr) -> bool {
        let ty = self.solved(&e.ty);
        if self.is_scalar(&ty) && !matches!(ty, Ty::Ref(true, _)) {
            return false;
        }
        match &e.kind {
            Kind::Local(_) => true,
            Kind::TupleField(e, _) => self.hands_on(e),
            Kind::Ref(_, inner) => match &inner.kind {
                // `&mut *r`
                Kind::Deref(of) => self.hands_on(of),
                _ => self.hands_on(inner),
            },
            Kind::Deref(inner) => matches!(ty, Ty::Ref(..)) && self.hands_on(inner),
            Kind::Tuple(es) => es.iter().all(|e| self.hands_on(e)),
            _ => false,
        }
    }
}

fn is_same(a: &Choice, b: &Choice) -> bool {
    match (a.targets.as_slice(), b.targets.as_slice()) {
        ([s], [t]) => s.root == t.root && s.shape == t.shape,
        _ => false,
    }
}
