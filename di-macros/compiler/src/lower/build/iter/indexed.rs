//! Iterators with a known length: item number `i`, computed. Nothing is evaluated here that could be
//! noticed: closures that write are no part of these.

use super::{Items, Ready, Source};
use crate::ir::{BinOp, Lit, Op, Proj, Tokens, Type, Val};
use crate::lower::build::{Builder, Operand};
use crate::lower::hir::{By, Parts};
use crate::lower::ty::{Ty, to_ir};
use crate::report::Extent;

impl Builder<'_> {
    /// Whether each item can be had by its number.
    pub(super) fn is_indexed(&self, ready: &Ready<'_>) -> bool {
        let own = match ready {
            Ready::Chain(..)
            | Ready::Inspect(..)
            | Ready::Test { .. }
            | Ready::Optional { .. }
            | Ready::FlatMap { .. }
            | Ready::Flatten { .. } => false,
            Ready::Map(_, f) => !self.lambda_writes(f),
            _ => true,
        };
        own && ready.inner().into_iter().all(|i| self.is_indexed(i))
    }

    /// Number of items; `None` if there is no end.
    pub(super) fn length(&mut self, ready: &Ready<'_>, span: Extent) -> Option<Val> {
        let usize = Type::usize();
        Some(match ready {
            Ready::Range {
                lo,
                hi: Some(hi),
                inclusive: false,
            } if self.counts_from_zero(*lo) => *hi,
            Ready::Range { lo, hi, inclusive } => {
                let trips = Op::Trips {
                    lo: *lo,
                    hi: (*hi)?,
                    inclusive: *inclusive,
                };
                self.let_op(usize, trips, span)
            }
            Ready::Seq { place, .. } => self.len(place.clone(), span),
            Ready::Foreign { code, .. } => self.passive_count(code.clone(), span),
            Ready::Parts { n, size, how, .. } => match how {
                Parts::Chunks | Parts::FromEnd => {
                    self.int_op("div_ceil", &[*n, *size], usize, span)
                }
                Parts::Exact => self.let_op(usize, Op::Bin(BinOp::Div, *n, *size), span),
                Parts::Windows => {
                    // `windows(0)` panics, as the division by zero does
                    let one = self.int_op("div_ceil", &[*size, *size], usize.clone(), span);
                    let end = self.let_op(usize.clone(), Op::Bin(BinOp::Add, *n, one), span);
                    self.int_op("saturating_sub", &[end, *size], usize, span)
                }
            },
            Ready::Repeat { count, .. } => (*count)?,
            Ready::Zip(a, b)
                if self
                    .length_by_type(a)
                    .is_some_and(|n| Some(n) == self.length_by_type(b)) =>
            {
                self.length(a, span)?
            }
            Ready::Zip(a, b) => match (self.length(a, span), self.length(b, span)) {
                (Some(a), Some(b)) => self.int_op("min", &[a, b], usize, span),
                (one, other) => one.or(other)?,
            },
            Ready::Take(i, n) => match self.length(i, span) {
                Some(len) => self.int_op("min", &[len, *n], usize, span),
                None => *n,
            },
            Ready::Skip(i, n) => {
                let len = self.length(i, span)?;
                self.int_op("saturating_sub", &[len, *n], usize, span)
            }
            Ready::StepBy(i, n) => {
                let len = self.length(i, span)?;
                self.int_op("div_ceil", &[len, *n], usize, span)
            }
            Ready::Enumerate(i) | Ready::Map(i, _) | Ready::Rev(i) => self.length(i, span)?,
            // without an end, if there are items
            Ready::Cycle(i) => {
                let len = self.length(i, span)?;
                let one = self.lit_usize(1, span);
                let some = self.int_op("min", &[len, one], usize.clone(), span);
                let many = Op::Lit(Lit::Int(i128::from(u32::MAX)));
                let many = self.let_op(usize.clone(), many, span);
                self.let_op(usize, Op::Bin(BinOp::Mul, some, many), span)
            }
            Ready::Chain(..)
            | Ready::Inspect(..)
            | Ready::Test { .. }
            | Ready::Optional { .. }
            | Ready::FlatMap { .. }
            | Ready::Flatten { .. } => return None,
        })
    }

    /// The length in the type of the array whose elements these are.
    fn length_by_type(&self, ready: &Ready<'_>) -> Option<Tokens> {
        match ready {
            Ready::Seq { place, .. } => self.told_length(place),
            Ready::Enumerate(i) | Ready::Map(i, _) | Ready::Rev(i) => self.length_by_type(i),
            _ => None,
        }
    }

    /// Item number `i`.
    pub(super) fn item(&mut self, ready: &Ready<'_>, i: Val, span: Extent) -> Operand {
        let usize = Type::usize();
        match ready {
            Ready::Range { lo, .. } if self.counts_from_zero(*lo) => Operand::Val(i),
            Ready::Range { lo, hi, inclusive } => {
                let ty = self.body.val(*lo).ty.clone();
                let op = Op::Induction {
                    lo: *lo,
                    hi: hi.unwrap_or(*lo),
                    inclusive: *inclusive,
                    reversed: false,
                    trip: i,
                };
                Operand::Val(self.let_op(ty, op, span))
            }
            Ready::Seq { place, by, elem } => {
                let mut at = place.clone();
                at.path.push(Proj::Index(i));
                match (by, to_ir(elem, self.float)) {
                    (By::Shared | By::Value, Some(t)) if t.is_scalar() => {
                        Operand::Val(self.load(at, t, span))
                    }
                    (By::Shared | By::Value | By::Mut, _) => self.found(at, span),
                }
            }
            Ready::Foreign { code, elem, items } => {
                let code = code.clone().indexed(i);
                match (self.is_number(elem), items) {
                    (true, Items::Collected) if matches!(self.peeled(elem), Ty::Float) => {
                        let code = code.number(self.float);
                        Operand::Val(self.verbatim(code, elem, span))
                    }
                    (true, _) => Operand::Val(self.verbatim(code, elem, span)),
                    (false, Items::Borrowed) => Operand::Passive(code.wrapped("&")),
                    (false, Items::Copied | Items::Collected) => Operand::Passive(code),
                }
            }
            Ready::Parts {
                source,
                n,
                size,
                how,
            } => {
                let (lo, hi) = self.part(i, *n, *size, *how, span);
                match source {
                    Source::Place(place) => {
                        let mut at = place.clone();
                        at.path.push(Proj::Range(lo, hi));
                        Operand::Place(at)
                    }
                    Source::Passive(code) => {
                        let code = code.clone().sliced(Some(lo), Some(hi), false);
                        Operand::Passive(code.wrapped("&"))
                    }
                }
            }
            Ready::Repeat { item, ty, .. } => self.load_operand(item.clone(), ty, span),
            Ready::Zip(a, b) => {
                let a = self.item(a, i, span);
                let b = self.item(b, i, span);
                Operand::Tuple(vec![a, b])
            }
            Ready::Enumerate(inner) => {
                let v = self.item(inner, i, span);
                Operand::Tuple(vec![Operand::Val(i), v])
            }
            Ready::Rev(inner) => {
                let Some(n) = self.length(inner, span) else {
                    self.cx.mismatch();
                    return Operand::unit();
                };
                let one = self.lit_usize(1, span);
                let last = self.let_op(usize.clone(), Op::Bin(BinOp::Sub, n, one), span);
                let j = self.let_op(usize, Op::Bin(BinOp::Sub, last, i), span);
                self.item(inner, j, span)
            }
            Ready::Cycle(inner) => {
                let Some(n) = self.length(inner, span) else {
                    return self.item(inner, i, span);
                };
                let j = self.let_op(usize, Op::Bin(BinOp::Rem, i, n), span);
                self.item(inner, j, span)
            }
            Ready::Take(inner, _) => self.item(inner, i, span),
            Ready::Skip(inner, n) => {
                let j = self.let_op(usize, Op::Bin(BinOp::Add, i, *n), span);
                self.item(inner, j, span)
            }
            Ready::StepBy(inner, n) => {
                let j = self.let_op(usize, Op::Bin(BinOp::Mul, i, *n), span);
                self.item(inner, j, span)
            }
            Ready::Map(inner, f) => {
                let v = self.item(inner, i, span);
                self.apply(f, vec![v], span)
            }
            Ready::Chain(..)
            | Ready::Inspect(..)
            | Ready::Test { .. }
            | Ready::Optional { .. }
            | Ready::FlatMap { .. }
            | Ready::Flatten { .. } => unreachable!("is_indexed: these have no item numbers"),
        }
    }

    /// Bounds of part number `i`.
    fn part(&mut self, i: Val, n: Val, size: Val, how: Parts, span: Extent) -> (Val, Val) {
        let usize = Type::usize();
        if how == Parts::Windows {
            let hi = self.let_op(usize, Op::Bin(BinOp::Add, i, size), span);
            return (i, hi);
        }
        let at = self.let_op(usize.clone(), Op::Bin(BinOp::Mul, i, size), span);
        match how {
            Parts::FromEnd => {
                let hi = self.let_op(usize.clone(), Op::Bin(BinOp::Sub, n, at), span);
                let lo = self.int_op("saturating_sub", &[hi, size], usize, span);
                (lo, hi)
            }
            Parts::Chunks => {
                let left = self.let_op(usize.clone(), Op::Bin(BinOp::Sub, n, at), span);
                let size = self.int_op("min", &[left, size], usize.clone(), span);
                let hi = self.let_op(usize, Op::Bin(BinOp::Add, at, size), span);
                (at, hi)
            }
            Parts::Exact | Parts::Windows => {
                let hi = self.let_op(usize, Op::Bin(BinOp::Add, at, size), span);
                (at, hi)
            }
        }
    }

    pub(super) fn counts_from_zero(&self, lo: Val) -> bool {
        self.zeros.contains(&lo) && self.body.val(lo).ty == Type::usize()
    }
}
