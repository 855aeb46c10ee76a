//! Negations of adjoints go along with what is made of them, as far as an addition that becomes a subtraction.
//!
//! A difference gives its second operand a negated adjoint, which is mostly added to another one. Results are the same
//! bit by bit, but for the sign of zeros: `-a - b` becomes `-(a + b)` where that is added to something or subtracted
//! from it.

use crate::ir::{BinOp, Body, First, Op, Region, Scaling, Stmt, Type, Val};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// Rewrites an adjoint sweep.
pub(crate) fn take_along(body: &mut Body) {
    let mut region = std::mem::take(&mut body.region);
    let mut others = Set::new();
    not_summed(&region, &mut others);
    let mut cx = Cx {
        body,
        negated: Map::new(),
        others,
    };
    cx.region(&mut region);
    let used = region.uses();
    drop_unused(&mut region, cx.body, &used);
    cx.body.region = region;
}

struct Cx<'a> {
    body: &'a mut Body,
    /// Lanes, and what they are the negation of.
    negated: Map<Val, Val>,
    /// What is used elsewhere than in sums, which take a negation at no cost.
    others: Set<Val>,
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            for inner in stmt.regions_mut() {
                self.region(inner);
            }
            match &mut stmt {
                Stmt::Let(v, op) if self.body.val(*v).ty == Type::Lane => {
                    let (v, op) = (*v, op.clone());
                    self.lane(v, op, &mut stmts);
                    continue;
                }
                Stmt::Accumulate { negate, val, .. }
                | Stmt::First(First::Set { negate, val, .. }) => {
                    if let Some(a) = self.negated.get(val) {
                        (*negate, *val) = (!*negate, *a);
                    }
                }
                _ => {}
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    }

    /// What this is the negation of, where the negation goes along: `-a - b` is `-(a + b)`.
    fn sum_of_negations(&self, v: Val, op: &Op) -> Option<Op> {
        let negated = |v: &Val| self.negated.get(v).copied();
        let (a, b) = match op {
            _ if self.others.contains(&v) => return None,
            Op::Bin(BinOp::Add, a, b) => (negated(a)?, negated(b)?),
            Op::Bin(BinOp::Sub, a, b) if negated(b).is_none() => (negated(a)?, *b),
            _ => return None,
        };
        if seeded!(NegationDistributed) {
            return Some(Op::Bin(BinOp::Sub, a, b));
        }
        Some(Op::Bin(BinOp::Add, a, b))
    }

    fn lane(&mut self, v: Val, op: Op, out: &mut Vec<Stmt>) {
        if let Some(sum) = self.sum_of_negations(v, &op) {
            self.negate(v, sum, out);
            return;
        }
        let negated = |v: &Val| self.negated.get(v).copied();
        let op = match op {
            Op::Neg(a) => match negated(&a) {
                Some(b) => Op::Copy(b),
                None => {
                    self.negated.insert(v, a);
                    Op::Neg(a)
                }
            },
            Op::Bin(BinOp::Add, a, b) => match (negated(&a), negated(&b)) {
                (_, Some(b)) if seeded!(NegationForgotten) => Op::Bin(BinOp::Add, a, b),
                (_, Some(b)) => Op::Bin(BinOp::Sub, a, b),
                (Some(a), None) => Op::Bin(BinOp::Sub, b, a),
                (None, None) => Op::Bin(BinOp::Add, a, b),
            },
            Op::Bin(BinOp::Sub, a, b) => match (negated(&a), negated(&b)) {
                (Some(a), Some(b)) => Op::Bin(BinOp::Sub, b, a),
                (None, Some(b)) => Op::Bin(BinOp::Add, a, b),
                (_, None) => Op::Bin(BinOp::Sub, a, b),
            },
            Op::LaneScale {
                lane,
                scale,
                by: by @ Scaling::Plain,
            } if negated(&lane).is_some() => {
                let lane = negated(&lane).unwrap_or(lane);
                self.negate(v, Op::LaneScale { lane, scale, by }, out);
                return;
            }
            op => op,
        };
        out.push(Stmt::Let(v, op));
    }

    /// Makes `v` the negation of what `op` computes.
    fn negate(&mut self, v: Val, op: Op, out: &mut Vec<Stmt>) {
        let positive = self.body.new_val(Type::Lane, None, Span::call_site());
        out.push(Stmt::Let(positive, op));
        self.negated.insert(v, positive);
        out.push(Stmt::Let(v, Op::Neg(positive)));
    }
}

/// Lanes that something else than sums, differences and products in them is made of.
fn not_summed(region: &Region, found: &mut Set<Val>) {
    found.extend(region.exit.uses());
    for stmt in region.stmts.iter().rev() {
        for inner in stmt.regions() {
            not_summed(inner, found);
        }
        match stmt {
            Stmt::Accumulate { .. } | Stmt::Let(_, Op::Bin(BinOp::Add | BinOp::Sub, ..)) => {}
            Stmt::Let(
                v,
                Op::LaneScale {
                    by: Scaling::Plain, ..
                },
            ) if !found.contains(v) => {}
            _ => found.extend(stmt.uses()),
        }
    }
}

/// Negations of lanes that nothing uses any more.
fn drop_unused(region: &mut Region, body: &Body, used: &Set<Val>) {
    region.stmts.retain(|stmt| match stmt {
        Stmt::Let(v, Op::Neg(_)) => used.contains(v) || body.val(*v).ty != Type::Lane,
        _ => true,
    });
    for stmt in &mut region.stmts {
        for inner in stmt.regions_mut() {
            drop_unused(inner, body, used);
        }
    }
}
