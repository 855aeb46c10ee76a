//! Control flow: blocks, `if`, loops and their exits.

use super::constants::Pointed;
use super::matching::{conjuncts, has_let};
use super::structs::is_plain;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{Exit, Init, Leaf, PlaceId, PlaceKind, Region, Stmt, TEMPORARY, Type, Val};
use crate::lower::data;
use crate::lower::hir::{Block, Expr, Kind, Step};
use crate::lower::ty::{Ty, form};
use crate::report::Extent;

/// The result of an `if` for one leaf of its type.
enum Slot {
    Value(Val),
    Place(Operand),
    Reference,
}

/// An arm of an `if`.
struct Arm {
    region: Region,
    /// What its references stand for.
    references: Vec<Pointed>,
}

impl Builder<'_> {
    /// The body: its value is returned.
    pub(super) fn function_body(&mut self, block: &Block) {
        self.steps(&block.stmts);
        if self.is_live() {
            self.return_value(block.value.as_deref(), self.body.span.into());
        }
        if !matches!(
            self.regions.last().map(|r| &r.state),
            Some(super::State::Left(_))
        ) {
            self.dummy_return();
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Operand {
        self.in_scope(|b| {
            b.steps(&block.stmts);
            match &block.value {
                Some(v) if b.is_live() => b.eval(v),
                Some(_) | None => Operand::unit(),
            }
        })
    }

    /// References that are bound within end with it.
    pub(super) fn in_scope(&mut self, f: impl FnOnce(&mut Self) -> Operand) -> Operand {
        let outer = std::mem::take(&mut self.scope);
        let value = f(self);
        for local in std::mem::replace(&mut self.scope, outer) {
            self.forget(local);
        }
        value
    }

    pub(super) fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            // what is never reached is not looked at: it could not be differentiated wrongly
            if !self.is_live() {
                return;
            }
            if let Step::Let { init: Some(e), .. } | Step::LetElse { init: e, .. } | Step::Expr(e) =
                step
            {
                self.cx.look_at(e.span);
                self.step(step);
                self.cx.look_away();
            } else {
                self.step(step);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Let { pat, init } => self.let_stmt(pat, init.as_ref()),
            Step::LetElse { pat, init, els } => self.let_else(pat, init, els),
            Step::Expr(e) => self.discard(e),
            Step::Closure(id) => self.make_closure(*id),
            Step::Chain(id) => self.make_chain(*id),
        }
    }

    /// An expression for its effects.
    pub(super) fn discard(&mut self, e: &Expr) {
        // nobody uses it: it may as well be `()`
        if let (Kind::Call { .. }, Ty::Var(_)) = (&e.kind, self.types.shallow(&e.ty)) {
            self.cx.error(e.span, &error::UNKNOWN_CALL_RESULT);
            return;
        }
        let value = self.eval(e);
        if let (Operand::Passive(code), Ty::Var(_)) = (value, self.solved(&e.ty)) {
            self.run_for_effect(code, e.span);
        }
    }

    /// `return value`
    pub(super) fn return_value(&mut self, value: Option<&Expr>, span: Extent) {
        let operand = match value {
            Some(e) => {
                let value = self.eval_last(e);
                self.with_numbers(value, &e.ty, e.span)
            }
            None => Operand::unit(),
        };
        if !self.is_live() {
            return;
        }
        let tys: Vec<Type> = self.body.ret.leaves().into_iter().cloned().collect();
        if let (Some(e), [ty]) = (value, &tys[..])
            && self.is_another_sequence(e, ty)
        {
            self.cx.mismatch();
            return;
        }
        let mut parts = Vec::new();
        flatten(operand, &mut parts);
        let parts = self.returned_rows(parts, span);
        if parts.len() != tys.len() {
            self.cx.mismatch();
            return;
        }
        let mut leaves: Vec<Leaf> = Vec::new();
        for (part, ty) in parts.into_iter().zip(&tys) {
            let leaf = self.result_leaf(part, ty, &leaves, value.map_or(span, |e| e.span));
            leaves.push(leaf);
        }
        self.leave(Exit::Return(leaves));
    }

    /// Whether a variable, or a part of one, is an array where a vector is wanted, or the other way round.
    fn is_another_sequence(&self, e: &Expr, wanted: &Type) -> bool {
        matches!(
            (&e.kind, self.solved(&e.ty), wanted),
            (Kind::Local(_), Ty::Array(..), Type::Vec(_))
                | (Kind::Local(_), Ty::Vec(_), Type::Array(..))
                | (
                    Kind::Range { .. },
                    Ty::Slice(_),
                    Type::Array(..) | Type::Vec(_)
                )
        )
    }

    /// Value of an expression behind which nothing is evaluated: arrays need no copy.
    fn eval_last(&mut self, e: &Expr) -> Operand {
        match &e.kind {
            Kind::Local(_) if !self.is_scalar(&e.ty) => self.locate(e),
            Kind::Tuple(elems) if elems.iter().all(is_plain) => {
                Operand::Tuple(elems.iter().map(|e| self.eval_last(e)).collect())
            }
            _ => self.eval(e),
        }
    }

    /// A leaf of the result; arrays and vectors are local places, each used once.
    fn result_leaf(&mut self, part: Operand, ty: &Type, used: &[Leaf], span: Extent) -> Leaf {
        match part {
            Operand::Val(v) => Leaf::Val(v),
            Operand::Place(p) if ty.is_scalar() => Leaf::Val(self.load(p, ty.clone(), span)),
            Operand::Place(p) => {
                let own = p.path.is_empty()
                    && self.body.place(p.root).kind == PlaceKind::Local
                    && !used.contains(&Leaf::Place(p.root));
                if own {
                    return Leaf::Place(self.returned_list(p.root, ty, span));
                }
                let again = used.contains(&Leaf::Place(p.root));
                let moves = self.body.is_moved(ty)
                    && p.path.is_empty()
                    && !again
                    && !self.is_reference(p.root);
                let init = match moves {
                    true => Init::MoveOf(p.root),
                    false => Init::CopyOf(p),
                };
                let made = self.declare(ty.clone(), "result", span, init);
                Leaf::Place(self.returned_list(made, ty, span))
            }
            Operand::Passive(code) if ty.is_scalar() => {
                let ty = super::from_ir(ty);
                Leaf::Val(self.verbatim(code, &ty, span))
            }
            Operand::Passive(code) => {
                let from = super::from_ir(ty);
                let made = self.copy_passive(code, &from, "result", span);
                Leaf::Place(self.returned_list(made, ty, span))
            }
            Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_) => {
                self.cx.mismatch();
                Leaf::Val(self.no_val(span))
            }
        }
    }

    pub(super) fn if_expr(
        &mut self,
        cond: &Expr,
        then: &Block,
        els: Option<&Expr>,
        e: &Expr,
    ) -> Operand {
        let conds = conjuncts(cond);
        if has_let(&conds) {
            return self.if_let(&conds, then, els, e);
        }
        let c = self.scalar(cond);
        if let Some(els) = els.filter(|e| leaves(e)) {
            self.unless(c, |b| drop(b.eval(els)));
            return self.block(then);
        }
        let ty = self.solved(&e.ty);
        self.select(
            c,
            &ty,
            e.span,
            |b| b.block(then),
            |b| els.map_or_else(Operand::unit, |e| b.eval(e)),
        )
    }

    /// `if cond { then } else { els }` with a value of type `ty`.
    pub(super) fn select(
        &mut self,
        cond: Val,
        ty: &Ty,
        span: Extent,
        then: impl FnOnce(&mut Self) -> Operand,
        els: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        // a text is like a reference to a constant
        let owned = self.is_text(ty);
        let ty = &match owned {
            Some(_) => Ty::reference(false, ty.clone()),
            None => ty.clone(),
        };
        self.open();
        let value = then(self);
        if !self.is_live() {
            let then = self.close(Vec::new());
            self.choose(cond, then, Region::default());
            return els(self);
        }
        let (tys, slots) = self.before(|b| b.merge_slots(ty, span));
        let value = self.text_at_end(value, owned, span);
        let first = self.close_arm(value, &slots, &tys, ty, span);
        self.open();
        let value = els(self);
        let value = self.text_at_end(value, owned, span);
        let second = self.close_arm(value, &slots, &tys, ty, span);
        self.join(cond, ty, span, slots, [first, second])
    }

    /// Whether a text that is no number is a value of its own. None of other types.
    fn is_text(&self, ty: &Ty) -> Option<bool> {
        let written = match ty {
            Ty::Opaque(of) if !self.is_data(ty) => of,
            Ty::Var(_) => self.types.written(ty)?,
            _ => return None,
        };
        let of: syn::Type = syn::parse2(written.0.clone()).ok()?;
        data::text(&of).map(|_| matches!(of, syn::Type::Path(_)))
    }

    /// A text at the end of an arm. It is made where it is used, so that nothing may change that it is made of.
    fn text_at_end(&self, value: Operand, owned: Option<bool>, span: Extent) -> Operand {
        let Some(owned) = owned.filter(|_| self.is_live()) else {
            return value;
        };
        let is_shared = |p: &PlaceId| matches!(self.body.place(*p).kind, PlaceKind::SharedParam(_));
        match value {
            Operand::Passive(code) if code.places.iter().all(|(_, p)| is_shared(p)) => {
                Operand::Passive(if owned { code.taken() } else { code })
            }
            _ => {
                self.cx.error(span, &error::IF_SEQUENCE);
                Operand::unit()
            }
        }
    }

    // if cond {} else { els }   in front of what is done if `cond` holds, where `els` leaves
    pub(super) fn unless(&mut self, cond: Val, els: impl FnOnce(&mut Self)) {
        self.open();
        els(self);
        let els = self.close(Vec::new());
        self.choose(cond, Region::default(), els);
    }

    /// What `select` does behind its arms, for which it is compiled each time.
    fn join(
        &mut self,
        cond: Val,
        ty: &Ty,
        span: Extent,
        slots: Vec<Slot>,
        [mut first, mut second]: [Arm; 2],
    ) -> Operand {
        let mut results: Vec<Val> = slots
            .iter()
            .filter_map(|s| match s {
                Slot::Value(v) => Some(*v),
                Slot::Place(_) | Slot::Reference => None,
            })
            .collect();
        let (mut a, mut b) = (first.references.into_iter(), second.references.into_iter());
        let (mut leaves, mut constants) = (Vec::new(), Vec::new());
        for slot in slots {
            leaves.push(match slot {
                Slot::Value(v) => Operand::Val(v),
                Slot::Place(at) => at,
                Slot::Reference => match self.pointed((a.next(), b.next()), span) {
                    Ok(choices) => {
                        let arms = (&mut first.region, &mut second.region);
                        self.merge_references(arms, choices, &mut results, span)
                    }
                    Err(codes) => {
                        constants.push((leaves.len(), codes));
                        Operand::unit()
                    }
                },
            });
        }
        self.push(Stmt::If {
            cond,
            then: first.region,
            els: second.region,
            results,
        });
        for (k, codes) in constants {
            leaves[k] = self.merge_constants(cond, *codes, span);
        }
        rebuild(ty, &mut leaves.into_iter())
    }

    /// The leaves of the type of an `if`, and where their values are behind it.
    fn merge_slots(&mut self, ty: &Ty, span: Extent) -> (Vec<Ty>, Vec<Slot>) {
        let mut tys = Vec::new();
        leaf_types(ty, &mut tys);
        let slots = tys.iter().map(|t| self.merge_slot(t, span)).collect();
        (tys, slots)
    }

    /// The result of an `if` for a leaf of its type: a value for a scalar, a place for an array or a
    /// vector, numbers for a reference.
    fn merge_slot(&mut self, ty: &Ty, span: Extent) -> Slot {
        match ty {
            Ty::Float | Ty::Int(_) | Ty::Bool => {
                let ir = self.scalar_type(ty, span);
                Slot::Value(self.body.new_val(ir, None, span.start))
            }
            Ty::Array(..) | Ty::Vec(_) | Ty::Struct(_) => {
                Slot::Place(self.uninitialised(ty, TEMPORARY, span))
            }
            // nobody looks at the value of an arm that never ends
            Ty::Var(_) | Ty::Tuple(_) => Slot::Place(Operand::unit()),
            Ty::Ref(..) => Slot::Reference,
            Ty::Sum(_) | Ty::Bundle(..) | Ty::Slice(_) | Ty::Opaque(_) => {
                self.cx.error(span, &error::IF_SEQUENCE);
                Slot::Place(Operand::unit())
            }
        }
    }

    /// Closes an arm.
    fn close_arm(
        &mut self,
        value: Operand,
        slots: &[Slot],
        tys: &[Ty],
        ty: &Ty,
        span: Extent,
    ) -> Arm {
        let mut yields = Vec::new();
        let mut references = Vec::new();
        let ends = self.is_live();
        let mut parts = Vec::new();
        flatten(value, &mut parts);
        if ends && parts.len() != slots.len() {
            if !matches!(ty, Ty::Var(_)) {
                self.cx.mismatch();
            }
            return Arm {
                region: self.close(Vec::new()),
                references,
            };
        }
        let mut parts = parts.into_iter();
        for (slot, leaf_ty) in slots.iter().zip(tys) {
            match (slot, parts.next()) {
                (Slot::Value(_), Some(Operand::Val(v))) => yields.push(v),
                (Slot::Value(r), Some(Operand::Place(p))) => {
                    let ir = self.body.val(*r).ty.clone();
                    let v = self.load(p, ir, span);
                    yields.push(v);
                }
                (Slot::Value(_), Some(Operand::Passive(code))) => {
                    let v = self.verbatim(code, leaf_ty, span);
                    yields.push(v);
                }
                (
                    Slot::Value(r),
                    None | Some(Operand::Tuple(_) | Operand::Choice(_) | Operand::Held(_)),
                ) => {
                    // only where the end is not reached
                    let ir = self.body.val(*r).ty.clone();
                    let v = self.body.new_val(ir, None, span.start);
                    yields.push(v);
                }
                (Slot::Reference, Some(part)) if ends => {
                    references.push(self.arm_pointed(part, leaf_ty, span));
                }
                (Slot::Reference, _) => references.push(Pointed::Nothing),
                (Slot::Place(at), Some(part)) => self.store(at.clone(), part, leaf_ty, span),
                (Slot::Place(_), None) => {}
            }
        }
        Arm {
            region: self.close(yields),
            references,
        }
    }

    /// Copies a scalar, array or tuple into fresh places.
    pub(super) fn slots_from(
        &mut self,
        value: Operand,
        ty: &Ty,
        name: &str,
        span: Extent,
    ) -> Operand {
        match (value, ty) {
            (Operand::Tuple(parts), Ty::Tuple(ts)) if parts.len() == ts.len() => Operand::Tuple(
                parts
                    .into_iter()
                    .zip(ts)
                    .map(|(p, t)| self.slots_from(p, t, name, span))
                    .collect(),
            ),
            (Operand::Val(v), _) => {
                let ir = self.body.val(v).ty.clone();
                let place = self.declare(ir, name, span, Init::Scalar(v));
                self.written.insert(place);
                Operand::Place(root(place))
            }
            (Operand::Place(at), Ty::Array(..) | Ty::Struct(_)) => {
                let copy = self.copy_or_move(at, ty, name, span);
                self.written.insert(copy);
                Operand::Place(root(copy))
            }
            (value @ (Operand::Place(_) | Operand::Passive(_)), ty) if self.is_scalar(ty) => {
                let ir = self.scalar_type(ty, span);
                let now = Operand::Val(self.as_scalar(value, ir, span));
                self.slots_from(now, ty, name, span)
            }
            (Operand::Passive(code), Ty::Array(..)) => {
                let copy = self.copy_passive(code, ty, name, span);
                self.written.insert(copy);
                Operand::Place(root(copy))
            }
            (other, _) => {
                self.cx.error(span, &error::FOLD_SEQUENCE);
                other
            }
        }
    }
}

/// Leaves of an operand from left to right.
pub(super) fn flatten(operand: Operand, parts: &mut Vec<Operand>) {
    match operand {
        Operand::Tuple(ts) => ts.into_iter().for_each(|t| flatten(t, parts)),
        leaf @ (Operand::Val(_)
        | Operand::Place(_)
        | Operand::Passive(_)
        | Operand::Choice(_)
        | Operand::Held(_)) => parts.push(leaf),
    }
}

/// Whether an expression leaves the code around it, by `return`, `break` or `continue`, where it is evaluated.
pub(super) fn leaves(e: &Expr) -> bool {
    match &e.kind {
        Kind::Return(_) | Kind::Break(..) | Kind::Continue(_) => true,
        Kind::Block(block) => {
            let mut last = block.stmts.last().into_iter();
            block.value.as_ref().is_some_and(|e| leaves(e))
                || last.any(|step| matches!(step, Step::Expr(e) if leaves(e)))
        }
        _ => false,
    }
}

fn leaf_types(ty: &Ty, tys: &mut Vec<Ty>) {
    match ty {
        Ty::Tuple(ts) => ts.iter().for_each(|t| leaf_types(t, tys)),
        Ty::Ref(false, t) if form(t).is_some_and(|t| t.is_scalar()) => tys.push((**t).clone()),
        Ty::Var(_) => {}
        Ty::Sum(_)
        | Ty::Bundle(..)
        | Ty::Float
        | Ty::Int(_)
        | Ty::Bool
        | Ty::Ref(..)
        | Ty::Array(..)
        | Ty::Slice(_)
        | Ty::Vec(_)
        | Ty::Struct(_)
        | Ty::Opaque(_) => tys.push(ty.clone()),
    }
}

/// The operand of a type from its leaves.
fn rebuild(ty: &Ty, leaves: &mut impl Iterator<Item = Operand>) -> Operand {
    match ty {
        Ty::Tuple(ts) => Operand::Tuple(ts.iter().map(|t| rebuild(t, leaves)).collect()),
        Ty::Var(_) => Operand::unit(),
        _ => leaves.next().unwrap_or_else(Operand::unit),
    }
}
