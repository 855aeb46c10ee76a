//! Stepped indices: where a loop runs upwards, an index that grows by one more or one less from trip to trip, as in the
//! walk through a packed triangle, is a variable again. [`running`](super::running) computes it from the trip's number,
//! so that it can be had in any order; that takes two products and a division in each trip.

use crate::analysis::record::lets_of;
use crate::ir::{
    BinOp, Body, For, FrameMode, Init, Lit, Op, Place, PlaceKind, Region, Stmt, Tokens, Type, Val,
};
use crate::mutation::seeded;
use crate::sorted::{Map, Set};
use proc_macro2::Span;

/// Rewrites a sweep whose loops have their final form.
pub(crate) fn stepped(body: &mut Body) {
    let mut region = std::mem::take(&mut body.region);
    let literals = region.integers();
    let mut cx = Cx { body, literals };
    cx.region(&mut region);
    cx.body.region = region;
}

struct Cx<'a> {
    body: &'a mut Body,
    literals: Map<Val, i128>,
}

/// What a value grows by from one trip to the next.
#[derive(Default)]
struct Step {
    plus: Vec<Val>,
    minus: Vec<Val>,
    constant: i128,
    /// It is not the same in each trip.
    changes: bool,
}

impl Cx<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            for inner in stmt.regions_mut() {
                self.region(inner);
            }
            if let Stmt::For(f) = &mut stmt
                && !(f.reversed || f.inclusive || f.overlapping)
                && f.frame.mode != FrameMode::Pushed
                && self.literals.get(&f.lo) == Some(&0)
            {
                self.steps_of(f, &mut stmts);
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    }

    fn steps_of(&mut self, f: &mut For, before: &mut Vec<Stmt>) {
        let mut inside: Map<Val, Option<Op>> = Map::new();
        inside.insert(f.iv, None);
        for stmt in &f.body.stmts {
            match stmt {
                Stmt::Let(v, op) => drop(inside.insert(*v, Some(op.clone()))),
                stmt => lets_of(stmt)
                    .into_iter()
                    .for_each(|v| drop(inside.insert(v, None))),
            }
        }
        let at = Trip {
            cx: self,
            iv: f.iv,
            inside: &inside,
        };
        let found: Vec<(Val, Step, Option<Val>)> = f
            .body
            .stmts
            .iter()
            .filter_map(|stmt| {
                let Stmt::Let(v, Op::Bin(..)) = stmt else {
                    return None;
                };
                let step = at.step(*v).filter(|step| step.changes)?;
                // what only goes into another one is none of its own
                let wanted = |stmt: &Stmt| match stmt {
                    Stmt::Let(w, _) if at.step(*w).is_some_and(|step| step.changes) => false,
                    stmt => stmt.all_uses().contains(v),
                };
                let first = at.first(*v)?;
                f.body.stmts.iter().any(wanted).then_some((*v, step, first))
            })
            .collect();
        for (v, step, first) in found {
            self.carry(v, &step, first, f, before);
        }
    }

    /// Puts a value into a variable.
    fn carry(
        &mut self,
        v: Val,
        step: &Step,
        first: Option<Val>,
        f: &mut For,
        before: &mut Vec<Stmt>,
    ) {
        let usize = Type::usize();
        let root = self
            .body
            .new_place(usize, "next", PlaceKind::Local, Span::call_site());
        let next = Place::from(root);
        let first = first.unwrap_or(f.lo);
        before.push(Stmt::Declare(root, Init::Scalar(first)));
        for stmt in &mut f.body.stmts {
            if matches!(stmt, Stmt::Let(w, _) if *w == v) {
                *stmt = Stmt::Load(v, next.clone());
            }
        }
        let stmts = &mut f.body.stmts;
        let constant =
            |cx: &mut Self, c: i128, stmts: &mut Vec<Stmt>| cx.let_(Op::Lit(Lit::Int(c)), stmts);
        let mut plus = step.plus.clone();
        if step.constant > 0 {
            plus.push(constant(self, step.constant, stmts));
        }
        let mut minus = step.minus.clone();
        if step.constant < 0 {
            minus.push(constant(self, -step.constant, stmts));
        }
        // After the last trip it may be less than zero.
        let plus = plus.into_iter().map(|by| ("add", by));
        let minus = minus.into_iter().map(|by| ("sub", by));
        let minus = minus.filter(|_| !seeded!(StepOneMore));
        let grown = plus.chain(minus).fold(v, |from, (name, by)| {
            let code = format!("__n0.wrapping_{name}(__n1)");
            let op = Op::Verbatim {
                tokens: Tokens(code.parse().expect("code of our own")),
                operands: vec![("__n0".to_owned(), from), ("__n1".to_owned(), by)],
                places: Vec::new(),
            };
            self.let_(op, stmts)
        });
        stmts.push(Stmt::Store(next, grown));
        drop_unused(&mut f.body, self.body);
    }

    fn let_(&mut self, op: Op, stmts: &mut Vec<Stmt>) -> Val {
        let usize = Type::usize();
        let v = self.body.new_val(usize, None, Span::call_site());
        stmts.push(Stmt::Let(v, op));
        v
    }
}

/// Values in the trips of a loop.
struct Trip<'c, 'a> {
    cx: &'c Cx<'a>,
    iv: Val,
    /// What a trip defines, and how.
    inside: &'c Map<Val, Option<Op>>,
}

impl Trip<'_, '_> {
    fn is_fixed(&self, v: Val) -> bool {
        !self.inside.contains_key(&v) || self.cx.literals.contains_key(&v)
    }

    /// By how much a value grows from this trip to the next, if that is known.
    fn step(&self, v: Val) -> Option<Step> {
        if self.is_fixed(v) {
            return Some(Step::default());
        }
        if v == self.iv {
            return Some(Step {
                constant: 1,
                ..Step::default()
            });
        }
        if self.cx.body.val(v).ty != Type::usize() {
            return None;
        }
        match self.inside.get(&v)?.as_ref()? {
            Op::Copy(a) => self.step(*a),
            Op::Bin(BinOp::Add, a, b) => self.sum(*a, *b, false),
            Op::Bin(BinOp::Sub, a, b) => self.sum(*a, *b, true),
            Op::Bin(BinOp::Mul, a, b) => {
                let (a, b) = if *a == self.iv { (*a, *b) } else { (*b, *a) };
                (a == self.iv && self.is_fixed(b)).then(|| match self.cx.literals.get(&b) {
                    Some(c) => Step {
                        constant: *c,
                        ..Step::default()
                    },
                    None => Step {
                        plus: vec![b],
                        ..Step::default()
                    },
                })
            }
            Op::Bin(BinOp::Div, twice, two) => {
                let next = self
                    .next_of(*twice)
                    .filter(|_| self.cx.literals.get(two) == Some(&2))?;
                Some(Step {
                    plus: vec![next],
                    changes: true,
                    ..Step::default()
                })
            }
            _ => None,
        }
    }

    fn sum(&self, a: Val, b: Val, negate: bool) -> Option<Step> {
        let (mut sum, mut more) = (self.step(a)?, self.step(b)?);
        if negate {
            std::mem::swap(&mut more.plus, &mut more.minus);
            more.constant = -more.constant;
        }
        sum.plus.extend(more.plus);
        sum.minus.extend(more.minus);
        sum.constant += more.constant;
        sum.changes |= more.changes;
        Some(sum)
    }

    /// `n + 1` of `n (n + 1)`, with `n` the number of the trip.
    fn next_of(&self, twice: Val) -> Option<Val> {
        let Some(Op::Bin(BinOp::Mul, n, next)) = self.inside.get(&twice)?.as_ref() else {
            return None;
        };
        let Some(Op::Bin(BinOp::Add, m, one)) = self.inside.get(next)?.as_ref() else {
            return None;
        };
        let one = self.cx.literals.get(one) == Some(&1);
        (*n == self.iv && *m == self.iv && one).then_some(*next)
    }

    /// What a value is in the first trip: something from outside, or zero.
    fn first(&self, v: Val) -> Option<Option<Val>> {
        if v == self.iv || self.cx.literals.get(&v) == Some(&0) {
            return Some(None);
        }
        let Some(op) = self.inside.get(&v) else {
            return Some(Some(v));
        };
        match op.as_ref()? {
            Op::Copy(a) => self.first(*a),
            Op::Bin(BinOp::Add, a, b) => match (self.first(*a)?, self.first(*b)?) {
                (None, of) | (of, None) => Some(of),
                (Some(_), Some(_)) => None,
            },
            Op::Bin(BinOp::Sub, a, b) => self.first(*b)?.is_none().then(|| self.first(*a))?,
            Op::Bin(BinOp::Mul, a, b) => (*a == self.iv || *b == self.iv).then_some(None),
            Op::Bin(BinOp::Div, twice, _) => self.next_of(*twice).map(|_| None),
            _ => None,
        }
    }
}

/// Drops arithmetic on indices that nothing uses any more.
fn drop_unused(region: &mut Region, body: &Body) {
    let mut used: Set<Val> = region.exit.uses().into_iter().collect();
    let mut kept = Vec::with_capacity(region.stmts.len());
    for stmt in std::mem::take(&mut region.stmts).into_iter().rev() {
        if let Stmt::Let(v, Op::Bin(..)) = &stmt
            && !used.contains(v)
            && body.val(*v).ty == Type::usize()
        {
            continue;
        }
        used.extend(stmt.all_uses());
        kept.push(stmt);
    }
    kept.reverse();
    region.stmts = kept;
}
