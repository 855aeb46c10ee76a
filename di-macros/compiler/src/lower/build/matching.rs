//! `match`, conditions with `let`, labelled blocks, `Some(e)`, and macros that are run for their effect.

use super::control::leaves;
use super::passive::Code;
use super::reference::Choice;
use super::{Builder, LoopSlot, Operand, root};
use crate::error;
use crate::ir::{
    Effect, Exit, Gives, Lit, Op, PlaceKind, Region, Stmt, TEMPORARY, Tokens, Type, Val,
};
use crate::lower::code;
use crate::lower::hir::{self, Arm, Block, Expr, Kind, Pat, Variant};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// What a `match` or `let` looks at: a place stays one, and is read by those patterns that bind.
    pub(super) fn subject(&mut self, e: &Expr) -> Operand {
        if let Some(state) = self.state(e, TEMPORARY) {
            return Operand::Place(root(state));
        }
        if !self.is_place(e) || matches!(e.kind, Kind::Ref(..)) {
            return self.eval(e);
        }
        match (self.locate(e), &e.kind) {
            // a field that may be given another value while this is looked at, or that of an element of a list
            (Operand::Place(place), _)
                if self.is_data(&e.ty)
                    && !place.path.is_empty()
                    && !(self.is_lasting_part(&place) && self.is_in_fields(&place)) =>
            {
                let number = self.scalar_type(&e.ty, e.span);
                Operand::Val(self.load(place, number, e.span))
            }
            // `*kind`: the pattern binds values, not references
            (Operand::Place(place), Kind::Deref(_))
                if place.path.is_empty()
                    && matches!(self.body.place(place.root).ty, Type::Opaque(_))
                    && matches!(self.body.place(place.root).kind, PlaceKind::SharedParam(_)) =>
            {
                match self.foreign_code(&Operand::Place(place), &e.ty, e.span) {
                    Some(code) => Operand::Passive(code.wrapped("*")),
                    None => Operand::unit(),
                }
            }
            (at, _) => at,
        }
    }

    // match s { p if g => a, .. }   =>   if p matches && g { a } else { .. }
    pub(super) fn match_expr(&mut self, scrutinee: &Expr, arms: &[Arm], e: &Expr) -> Operand {
        let mut subject = self.subject(scrutinee);
        if self.is_scalar(&scrutinee.ty)
            && let Operand::Place(place) = &subject
            && !matches!(self.body.type_at(place), Some(Type::Opaque(_)))
        {
            let ty = self.scalar_type(&scrutinee.ty, scrutinee.span);
            subject = Operand::Val(self.load(place.clone(), ty, scrutinee.span));
        }
        let ty = self.solved(&e.ty);
        self.arms(&subject, arms, &ty, e.span)
    }

    fn arms(&mut self, subject: &Operand, arms: &[Arm], ty: &Ty, span: Extent) -> Operand {
        let Some((arm, rest)) = arms.split_first() else {
            // rustc has seen that the arms before are all there are
            self.mark_dead();
            return Operand::unit();
        };
        let span_of_arm = arm.body.span;
        let test = match (rest, &arm.guard) {
            ([], None) => None,
            _ => self.matches(&arm.pat, subject, span_of_arm),
        };
        let bind = |b: &mut Self| b.bind(&arm.pat, subject.clone(), span_of_arm);
        let (cond, bound) = match (&arm.guard, test) {
            (None, test) => (test, false),
            (Some(guard), None) => {
                bind(self);
                (Some(self.scalar(guard)), true)
            }
            (Some(guard), Some(test)) => {
                let mut spliced = false;
                let cond = self.and(Some(test), span, |b| {
                    bind(b);
                    let guard = b.scalar(guard);
                    spliced = b.is_live() && b.is_harmless();
                    Some(guard)
                });
                (cond, spliced)
            }
        };
        let Some(cond) = cond else {
            bind(self);
            return self.eval(&arm.body);
        };
        let then = |b: &mut Self| {
            if !bound {
                bind(b);
            }
            b.eval(&arm.body)
        };
        if rest.iter().all(|arm| leaves(&arm.body)) {
            self.unless(cond, |b| drop(b.arms(subject, rest, ty, span)));
            return then(self);
        }
        self.select(cond, ty, span, then, |b| b.arms(subject, rest, ty, span))
    }

    /// `let pat = e && c && ..` as a bool; `None` if it is always true.
    pub(super) fn conditions(&mut self, conds: &[&Expr], span: Extent) -> Option<Val> {
        let (cond, rest) = conds.split_first()?;
        match &cond.kind {
            Kind::Let(pat, e) => {
                let subject = self.subject(e);
                let test = self.matches(pat, &subject, span);
                if rest.is_empty() {
                    return test;
                }
                self.and(test, span, |b| {
                    b.bind(pat, subject, span);
                    b.conditions(rest, span)
                })
            }
            _ => {
                let test = self.scalar(cond);
                self.and(Some(test), span, |b| b.conditions(rest, span))
            }
        }
    }

    /// `if c && let p = e && .. { then } else { els }`
    pub(super) fn if_let(
        &mut self,
        conds: &[&Expr],
        then: &Block,
        els: Option<&Expr>,
        e: &Expr,
    ) -> Operand {
        let ty = self.solved(&e.ty);
        if let ([cond], Some(els)) = (conds, els.filter(|e| leaves(e)))
            && let Kind::Let(pat, of) = &cond.kind
        {
            let subject = self.subject(of);
            if let Some(test) = self.matches(pat, &subject, of.span) {
                self.unless(test, |b| drop(b.eval(els)));
            }
            self.bind(pat, subject, e.span);
            return self.block(then);
        }
        if conds.len() == 1 || els.is_none() {
            return self.nested_conditions(conds, &ty, e.span, &mut |b| b.block(then), &mut |b| {
                els.map_or_else(Operand::unit, |e| b.eval(e))
            });
        }
        // 'a: { if c { if let p = e { v = then; break 'a } } v = els }
        let els = els.expect("seen above");
        let value = self.slot_of(&ty, e);
        let label = self.fresh_label();
        self.open();
        let leave = |b: &mut Self| {
            let v = b.block(then);
            if b.is_live() {
                b.store(value.clone(), v, &ty, e.span);
                b.leave(Exit::Break(Some(label.clone())));
            }
            Operand::unit()
        };
        let mut leave = leave;
        self.nested_conditions(conds, &Ty::unit(), e.span, &mut leave, &mut |_| {
            Operand::unit()
        });
        let v = self.eval(els);
        let ends = self.is_live();
        if ends {
            self.store(value.clone(), v, &ty, e.span);
        }
        let body = self.close(Vec::new());
        let left = breaks_to(&body, &label);
        self.push(Stmt::Block { label, body });
        if !ends && !left {
            self.mark_dead();
            return Operand::unit();
        }
        self.load_operand(value, &ty, e.span)
    }

    /// `if a { if b { then } else { els } } else { els }`
    pub(super) fn nested_conditions(
        &mut self,
        conds: &[&Expr],
        ty: &Ty,
        span: Extent,
        then: &mut dyn FnMut(&mut Self) -> Operand,
        els: &mut dyn FnMut(&mut Self) -> Operand,
    ) -> Operand {
        let Some((cond, rest)) = conds.split_first() else {
            return then(self);
        };
        let (test, bind) = match &cond.kind {
            Kind::Let(pat, e) => {
                let subject = self.subject(e);
                (self.matches(pat, &subject, e.span), Some((pat, subject)))
            }
            _ => (Some(self.scalar(cond)), None),
        };
        let bind = |b: &mut Self| {
            if let Some((pat, subject)) = &bind {
                b.bind(pat, subject.clone(), span);
            }
        };
        let Some(test) = test else {
            bind(self);
            return self.nested_conditions(rest, ty, span, then, els);
        };
        // one arm after the other
        let els = std::cell::RefCell::new(els);
        self.select(
            test,
            ty,
            span,
            |b| {
                bind(b);
                b.nested_conditions(rest, ty, span, then, &mut *els.borrow_mut())
            },
            |b| (els.borrow_mut())(b),
        )
    }

    /// `let pat = init else { .. };`
    pub(super) fn let_else(&mut self, pat: &Pat, init: &Expr, els: &Block) {
        let subject = self.subject(init);
        if let Some(test) = self.matches(pat, &subject, init.span) {
            self.unless(test, |b| drop(b.block(els)));
        }
        self.bind(pat, subject, init.span);
    }

    /// `'a: { .. break 'a v; .. }`
    pub(super) fn labelled_block(
        &mut self,
        label: &str,
        body: &Block,
        broken: bool,
        e: &Expr,
    ) -> Operand {
        if !broken {
            return self.block(body);
        }
        let ty = self.solved(&e.ty);
        let value = self.slot_of(&ty, e);
        self.loops.push(LoopSlot {
            label: Some(label.to_owned()),
            is_loop: false,
            value: value.clone(),
            flag: None,
        });
        self.open();
        let v = self.block(body);
        if self.is_live() {
            self.store(value.clone(), v, &ty, e.span);
        }
        let body = self.close(Vec::new());
        self.loops.pop();
        self.push(Stmt::Block {
            label: label.to_owned(),
            body,
        });
        self.load_operand(value, &ty, e.span)
    }

    /// Places for a value that is written at the ends of a loop or block.
    pub(super) fn slot_of(&mut self, ty: &Ty, e: &Expr) -> Operand {
        let name = TEMPORARY;
        match (ty, self.site(e)) {
            (Ty::Var(_), _) => Operand::unit(),
            (ty, Some(site)) => self.late(ty, &site, name, e.span),
            (ty, None) => self.uninitialised(ty, name, e.span),
        }
    }

    fn fresh_label(&mut self) -> String {
        self.labels += 1;
        format!("_{}", self.labels)
    }

    // ---- Option and Result ----

    /// `Some(e)` is `(true, e)`, `None` is `(false, _)`.
    pub(super) fn variant(&mut self, variant: Variant, value: Option<&Expr>, e: &Expr) -> Operand {
        let value = value.map(|v| self.eval(v));
        let Ty::Tuple(types) = self.solved(&e.ty) else {
            self.cx.mismatch();
            return Operand::unit();
        };
        let flag = Op::Lit(Lit::Bool(variant.flag()));
        let mut parts = vec![Operand::Val(self.let_op(Type::Bool, flag, e.span))];
        for (k, ty) in types.iter().enumerate().skip(1) {
            let own = k == 1 + variant.payload() && variant != Variant::None;
            parts.push(match (&value, ty) {
                (_, Ty::Tuple(ts)) if ts.is_empty() => Operand::unit(),
                (Some(value), _) if own => value.clone(),
                _ => self.blank(ty, e.span),
            });
        }
        Operand::Tuple(parts)
    }

    /// `x.get(i)`: an element that is a number by value, others as their places.
    pub(super) fn guarded_element(&mut self, inside: &Expr, element: &Expr, e: &Expr) -> Operand {
        let inside = self.scalar(inside);
        let ty = self.solved(&element.ty);
        let element = match &ty {
            Ty::Ref(false, t) if self.is_scalar(t) => {
                let ty = self.peeled(&ty);
                self.select(
                    inside,
                    &ty,
                    e.span,
                    |b| b.eval(element),
                    |b| b.blank(&ty, e.span),
                )
            }
            // what is popped is popped only if it is there
            _ if matches!(element.kind, Kind::Seq(..)) => self.select(
                inside,
                &ty,
                e.span,
                |b| b.eval(element),
                |b| b.blank(&ty, e.span),
            ),
            _ => {
                let around = self.present.replace(inside);
                let located = match &element.kind {
                    Kind::Tuple(parts) => {
                        Operand::Tuple(parts.iter().map(|p| self.locate(p)).collect())
                    }
                    _ => self.locate(element),
                };
                self.present = around;
                located
            }
        };
        Operand::Tuple(vec![Operand::Val(inside), element, Operand::unit()])
    }

    /// `n.checked_sub(k)`
    pub(super) fn checked_int(&mut self, name: &str, args: &[Expr], e: &Expr) -> Operand {
        let vals: Vec<Val> = args.iter().map(|a| self.scalar(a)).collect();
        let ty = self.scalar_type(&args[0].ty, e.span);
        let flag = self.int_code(name, &vals, ".is_some()", Type::Bool, e.span);
        let value = self.int_code(name, &vals, ".unwrap_or(0)", ty, e.span);
        Operand::Tuple(vec![
            Operand::Val(flag),
            Operand::Val(value),
            Operand::unit(),
        ])
    }

    /// Some value of a type: of a payload that is not there.
    pub(super) fn blank(&mut self, ty: &Ty, span: Extent) -> Operand {
        match ty {
            Ty::Tuple(ts) => Operand::Tuple(ts.iter().map(|t| self.blank(t, span)).collect()),
            Ty::Float | Ty::Int(_) | Ty::Bool => {
                let ty = self.scalar_type(ty, span);
                Operand::Val(self.zero(&ty, span))
            }
            Ty::Ref(false, t) if self.is_scalar(t) => self.blank(&self.solved(t), span),
            // it refers to nothing
            Ty::Ref(..) => Operand::Choice(Choice::default()),
            Ty::Array(..) | Ty::Struct(_) => match to_ir(ty, self.float) {
                Some(ir) => {
                    let init = self.blank_init(&ir, None, span);
                    let place = self.declare(ir, TEMPORARY, span, init);
                    Operand::Place(root(place))
                }
                None => {
                    self.unknown_type(ty, span);
                    Operand::unit()
                }
            },
            Ty::Vec(_) => self.uninitialised(ty, TEMPORARY, span),
            Ty::Var(_) | Ty::Sum(_) | Ty::Bundle(..) | Ty::Slice(_) | Ty::Opaque(_) => {
                self.unknown_type(ty, span);
                Operand::unit()
            }
        }
    }

    // ---- effects ----

    pub(super) fn effect(&mut self, effect: &hir::Effect, e: &Expr) -> Operand {
        let mut bound = Code::new(effect.tokens.clone());
        let mut around = Vec::new();
        for (name, arg) in &effect.args {
            let ident = super::expr::code_at(name, e.span);
            let value = self.subject(arg);
            let ty = self.types.shallow(&arg.ty);
            // what is written to is no copy
            if [code::SINK, code::LENT].contains(&name.as_str())
                && let Operand::Passive(to) = value
            {
                around.push(code::sink(name, to.joined().0));
                bound.operands.extend(to.operands);
                bound.places.extend(to.places);
                continue;
            }
            let value = self.effect_argument(value, &ty, &mut bound, arg.span);
            around.push((ident, value));
        }
        let tokens = code::with_arguments(&around, &effect.tokens.0);
        self.push(Stmt::Effect(Effect {
            tokens: Tokens(tokens),
            operands: bound.operands,
            places: bound.places,
            diverges: effect.diverges,
            gives: Gives::Nothing,
        }));
        if effect.diverges {
            self.mark_dead();
        }
        Operand::unit()
    }

    /// An argument as an expression on operands and places.
    fn effect_argument(
        &mut self,
        value: Operand,
        ty: &Ty,
        bound: &mut Code,
        span: Extent,
    ) -> proc_macro2::TokenStream {
        let number = bound.operands.len() + bound.places.len();
        let name = format!("__e{number}");
        let ident = super::expr::code_at(&name, span);
        match self.as_data(value, ty, span) {
            Operand::Val(v) => {
                bound.operands.push((name, v));
                ident
            }
            Operand::Place(place) if self.is_scalar(ty) => {
                let ir = self.scalar_type(ty, span);
                let v = self.load(place, ir, span);
                bound.operands.push((name, v));
                ident
            }
            Operand::Place(place) => {
                let at = if place.path.is_empty() {
                    place.root
                } else {
                    let of = self.peeled(ty);
                    self.view(place, false, "shown", &of, span)
                };
                bound.places.push((name, at));
                match self.body.place(at).kind {
                    PlaceKind::State => code::reference(&ident),
                    _ => ident,
                }
            }
            Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                ident
            }
            Operand::Passive(inner) => {
                self.refuse_whole(&inner, span);
                let value = code::reference(&inner.joined().0);
                bound.operands.extend(inner.operands);
                bound.places.extend(inner.places);
                value
            }
            // an error of a type that is not looked into
            Operand::Tuple(parts)
                if parts.is_empty() && !matches!(self.types.peel(ty), Ty::Tuple(_)) =>
            {
                code::text("an error whose type is not known here")
            }
            Operand::Tuple(parts) => {
                let (sum, types) = match self.types.peel(ty) {
                    Ty::Sum(ts) => (true, ts),
                    Ty::Tuple(ts) => (false, ts),
                    _ => (false, Vec::new()),
                };
                let unknown = Ty::unit();
                let mut shown = Vec::new();
                let count = if sum { 1 + types.len() } else { parts.len() };
                for (k, part) in parts.into_iter().enumerate().take(count) {
                    let ty = match k.checked_sub(usize::from(sum)) {
                        Some(k) => types.get(k).unwrap_or(&unknown).clone(),
                        None => Ty::Bool,
                    };
                    let ty = self.types.shallow(&ty);
                    shown.push(self.effect_argument(part, &ty, bound, span));
                }
                if sum {
                    code::sum(&shown)
                } else {
                    code::tuple(&shown)
                }
            }
        }
    }
}

/// Whether an exit in the region names this label.
fn breaks_to(region: &Region, label: &str) -> bool {
    let is_it = |r: &Region| matches!(&r.exit, Exit::Break(Some(l)) if l == label);
    region.all_regions().any(is_it)
}

/// The parts of `a && b && ..`.
pub(super) fn conjuncts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        Kind::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        _ => vec![e],
    }
}

/// Whether a condition binds names.
pub(super) fn has_let(conds: &[&Expr]) -> bool {
    conds.iter().any(|c| matches!(c.kind, Kind::Let(..)))
}
