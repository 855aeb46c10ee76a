//! Adjoints that only some branches contribute to. Elsewhere there is none, and that is not an adjoint of
//! zero: a root that a guard keeps away from the result has an infinite derivative at 0, and zero times
//! that would be NaN. So the adjoints of what leads to a pole wait for a contribution.

use super::{Cx, Scope};
use crate::analysis::elementary::{is_exponent, partials};
use crate::ir::{BinOp, CmpOp, Exit, Init, Lit, Op, Place, PlaceId, PlaceKind, Region, Scaling};
use crate::ir::{Stmt, Type, Val};
use crate::mutation::seeded;
use proc_macro2::Span;

/// Is there a contribution at all?
#[derive(Clone, Copy)]
pub(super) enum Reached {
    /// This variable says so.
    Asked(PlaceId),
    /// As far as is known there is. Arms may have stored into a variable before a loop contributed.
    Always(Option<PlaceId>),
}

impl Cx<'_> {
    /// Notes whether a value has infinite derivatives, or is made of one that has.
    pub(super) fn note_pole(&mut self, v: Val, op: &Op) {
        if let Op::Lit(lit) = op {
            self.literals.insert(v, lit.clone());
            if is_exponent(lit) {
                self.exponents.insert(v);
            }
            return;
        }
        let own = match op {
            Op::Bin(BinOp::Div, _, b) => !self.literals.contains_key(b),
            Op::Elementary(name, _) => {
                let partials = partials(name, Scaling::Strong);
                partials.iter().any(|p| p.by == Scaling::Strong)
            }
            Op::Bin(..) | Op::Neg(_) | Op::Copy(_) => false,
            _ => return,
        };
        let mut leads = own;
        op.clone()
            .each_use(&mut |x| leads |= self.poles.contains(x));
        if leads {
            self.poles.insert(v);
        }
    }

    /// A nested region contributes to the adjoint of `v`, whose region has the depth `depth`.
    pub(super) fn reach(&mut self, v: Val, depth: usize) {
        if self.body.strong_zeros || !self.poles.contains(&v) {
            return;
        }
        let earlier = self.scopes[depth].adjoints.contains_key(&v);
        let in_arms = self.scopes[depth + 1..].iter().all(|scope| scope.is_arm);
        let flag = match self.reached.get(&v) {
            Some(Reached::Always(_)) => return,
            None if earlier => return,
            // loops are not asked
            _ if !in_arms => return self.always_reached(v),
            Some(Reached::Asked(flag)) => *flag,
            None => {
                let flag = (self.body).new_place(
                    Type::Bool,
                    "reached",
                    PlaceKind::Local,
                    Span::call_site(),
                );
                self.reached.insert(v, Reached::Asked(flag));
                flag
            }
        };
        if !seeded!(ReachForgotten) {
            let yes = self.bool(Op::Lit(Lit::Bool(true)));
            self.push(Stmt::Store(Place::from(flag), yes));
        }
    }

    /// Nothing is asked any more about the adjoint of `v`.
    pub(super) fn always_reached(&mut self, v: Val) {
        let flag = match self.reached.get(&v) {
            Some(Reached::Asked(flag)) => Some(*flag),
            Some(Reached::Always(flag)) => *flag,
            None => None,
        };
        self.reached.insert(v, Reached::Always(flag));
    }

    /// Declares the variable that says whether the adjoint of `v` has a contribution.
    pub(super) fn declare_reached(&mut self, v: Val) {
        let reached = self.reached.get(&v).copied();
        if let Some(Reached::Asked(flag) | Reached::Always(Some(flag))) = reached {
            let no = self.bool(Op::Lit(Lit::Bool(false)));
            self.push(Stmt::Declare(flag, Init::Scalar(no)));
        }
    }

    /// Runs `adjoint`, where the adjoint of `v` has a contribution.
    pub(super) fn where_reached(&mut self, v: Val, adjoint: impl FnOnce(&mut Self)) {
        match self.reached.remove(&v) {
            None | Some(Reached::Always(_)) => adjoint(self),
            Some(Reached::Asked(flag)) => {
                let cond = (self.body).new_val(Type::Bool, None, Span::call_site());
                self.push(Stmt::Load(cond, Place::from(flag)));
                self.arm(cond, adjoint);
            }
        }
    }

    /// `adjoint` where the indicator `d` of an argument `x` is not zero, if `x` leads to a pole.
    pub(super) fn where_chosen(&mut self, x: Val, d: Val, adjoint: impl FnOnce(&mut Self)) {
        if self.body.strong_zeros || !self.poles.contains(&x) {
            return adjoint(self);
        }
        let zero = self.float(Op::Lit(Lit::Float(0.0)), false);
        let cond = self.bool(Op::Cmp(CmpOp::Ne, d, zero));
        self.arm(cond, adjoint);
    }

    /// Adjoint statements under a condition.
    fn arm(&mut self, cond: Val, adjoint: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope {
            is_arm: true,
            ..Scope::default()
        });
        adjoint(self);
        let scope = self.scopes.pop().expect("it was just opened");
        self.scope().touched.extend(scope.touched);
        self.declare_touched();
        self.push(Stmt::If {
            cond,
            then: Region {
                stmts: scope.stmts,
                exit: Exit::default(),
            },
            els: Region::default(),
            results: Vec::new(),
        });
    }

    fn bool(&mut self, op: Op) -> Val {
        let v = (self.body).new_val(Type::Bool, None, Span::call_site());
        self.push(Stmt::Let(v, op));
        v
    }
}
