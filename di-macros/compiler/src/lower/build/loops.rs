//! Loops and their exits.

use super::matching::{conjuncts, has_let};
use super::{Builder, LoopSlot, Operand};
use crate::ir::{Exit, For, Frame, Lit, Op, Region, Schedule, Stmt, Type, Val};
use crate::lower::hir::{Block, Expr};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Builder<'_> {
    pub(super) fn while_loop(
        &mut self,
        label: &Option<String>,
        cond: &Expr,
        body: &Block,
        span: Extent,
    ) -> Operand {
        let opened = self.opened;
        let value = self.repeated_while(label, cond, body, span);
        self.check_trips(opened);
        value
    }

    fn repeated_while(
        &mut self,
        label: &Option<String>,
        cond: &Expr,
        body: &Block,
        span: Extent,
    ) -> Operand {
        self.loops.push(LoopSlot {
            label: label.clone(),
            is_loop: true,
            value: Operand::unit(),
            flag: None,
        });
        let conds = conjuncts(cond);
        if has_let(&conds) {
            return self.while_let(label, &conds, body, span);
        }
        self.open();
        let c = self.scalar(cond);
        if self.is_live() && self.is_pure() {
            let cond = self.close(vec![c]);
            self.open();
            self.block(body);
            let body = self.close(Vec::new());
            self.loops.pop();
            self.push_while(label, cond, body);
            return Operand::unit();
        }
        // a condition that calls or writes: `loop { if !cond { break } .. }`
        self.unless(c, |b| b.leave(Exit::Break(None)));
        self.block(body);
        let body = self.close(Vec::new());
        self.loops.pop();
        let cond = self.always(span);
        self.push_while(label, cond, body);
        Operand::unit()
    }

    // while let p = e { body }   =>   loop { if let p = e { body } else { break } }
    fn while_let(
        &mut self,
        label: &Option<String>,
        conds: &[&Expr],
        body: &Block,
        span: Extent,
    ) -> Operand {
        self.open();
        self.nested_conditions(conds, &Ty::unit(), span, &mut |b| b.block(body), &mut |b| {
            b.leave(Exit::Break(None));
            Operand::unit()
        });
        let body = self.close(Vec::new());
        self.loops.pop();
        let cond = self.always(span);
        self.push_while(label, cond, body);
        Operand::unit()
    }

    /// Whether the open region may stand in the condition of a `while`.
    fn is_pure(&self) -> bool {
        fn pure(stmts: &[Stmt]) -> bool {
            stmts.iter().all(|s| match s {
                Stmt::Let(..) | Stmt::Load(..) => true,
                Stmt::If { then, els, .. } => {
                    let ends = |r: &Region| matches!(r.exit, Exit::Yield(_));
                    pure(&then.stmts) && pure(&els.stmts) && ends(then) && ends(els)
                }
                _ => false,
            })
        }
        pure(&self.regions.last().expect("a region is open").stmts)
    }

    fn always(&mut self, span: Extent) -> Region {
        self.open();
        let t = self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), span);
        self.close(vec![t])
    }

    pub(super) fn push_while(&mut self, label: &Option<String>, cond: Region, body: Region) {
        self.push(Stmt::While {
            label: label.clone(),
            cond,
            body,
            trip: None,
            trips: None,
            frame: Frame::default(),
        });
    }

    pub(super) fn endless_loop(
        &mut self,
        label: &Option<String>,
        body: &Block,
        broken: bool,
        e: &Expr,
    ) -> Operand {
        let ty = self.solved(&e.ty);
        let value = if broken && !matches!(ty, Ty::Var(_)) {
            self.slot_of(&ty, e)
        } else {
            Operand::unit()
        };
        self.loops.push(LoopSlot {
            label: label.clone(),
            is_loop: true,
            value: value.clone(),
            flag: None,
        });
        let opened = self.opened;
        self.open();
        self.block(body);
        let region = self.close(Vec::new());
        self.check_trips(opened);
        self.loops.pop();
        let cond = self.always(e.span);
        self.push_while(label, cond, region);
        if !broken {
            self.mark_dead();
            return Operand::unit();
        }
        self.load_operand(value, &ty, e.span)
    }

    pub(super) fn break_loop(&mut self, label: &Option<String>, value: Option<&Expr>) -> Operand {
        let slot = match label {
            None => self.loops.iter().rev().find(|l| l.is_loop),
            Some(_) => self.loops.iter().rev().find(|l| l.label == *label),
        };
        let flag = slot.and_then(|l| l.flag);
        let slot = slot.map_or_else(Operand::unit, |l| l.value.clone());
        if let Some(e) = value {
            let v = self.eval(e);
            let ty = self.peeled(&e.ty);
            self.store(slot, v, &ty, e.span);
        }
        if let Some(flag) = flag {
            let yes = self.let_op(Type::Bool, Op::Lit(Lit::Bool(true)), self.body.span.into());
            self.push(Stmt::Store(super::root(flag), yes));
        }
        self.leave(Exit::Break(label.clone()));
        Operand::unit()
    }

    /// A loop whose trips are not recorded: it is marked by its induction variable.
    pub(super) fn checkpoint(&mut self, schedule: Schedule, e: &Expr) -> Operand {
        let stmts = |b: &Self| b.regions.last().expect("a region is open").stmts.len();
        let before = stmts(self);
        let value = self.eval(e);
        // a chain of iterators is several loops
        for stmt in &self.regions.last().expect("a region is open").stmts[before..] {
            if let Stmt::For(f) = stmt {
                self.checkpoints.insert(f.iv, schedule);
            }
        }
        value
    }

    /// `for i in 0..n { .. }` of our own making.
    pub(super) fn counted(&mut self, n: Val, span: Extent, body: impl FnOnce(&mut Self, Val)) {
        let lo = self.lit_usize(0, span);
        let iv = self.body.new_val(Type::usize(), None, span.start);
        self.open();
        body(self, iv);
        self.close_counted(iv, lo, n);
    }

    fn close_counted(&mut self, iv: Val, lo: Val, n: Val) {
        let body = self.close(Vec::new());
        self.push(Stmt::For(For {
            label: None,
            iv,
            lo,
            hi: n,
            inclusive: false,
            reversed: false,
            body,
            frame: Frame::default(),
            overlapping: false,
        }));
    }
}
