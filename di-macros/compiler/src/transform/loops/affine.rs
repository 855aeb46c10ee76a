//! Indices that move by one from trip to trip.

use super::{Cx, Facts};
use crate::ir::{BinOp, For, Op, Stmt, Type, Val};
use crate::sorted::Map;
use proc_macro2::Span;

/// The trip's number, plus values that do not change in the loop, plus a constant.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Affine {
    /// Values and how often they are added.
    terms: Map<Val, i32>,
    pub(super) constant: i128,
    /// How often the trip's number is added.
    trips: i32,
}

/// Between two indices.
pub(super) enum Distance {
    Number(i128),
    /// Times the number of trips.
    Lengths(i32),
}

impl Affine {
    /// Whether two indices differ by a constant.
    pub(super) fn is_parallel(&self, other: &Affine) -> bool {
        self.terms == other.terms && self.trips == other.trips
    }

    /// How far the other index is, in lengths of the loop or as a number.
    pub(super) fn distance(&self, other: &Affine, length: Val) -> Option<Distance> {
        let gap = other.clone().plus(self, -1);
        if gap.trips != 0 {
            return None;
        }
        let mut terms = gap.terms.iter();
        match (terms.next(), terms.next(), gap.constant) {
            (None, _, c) => Some(Distance::Number(c)),
            (Some((v, n)), None, 0) if *v == length => Some(Distance::Lengths(*n)),
            _ => None,
        }
    }

    fn times(mut self, c: i128) -> Option<Affine> {
        let small = i32::try_from(c).ok()?;
        for n in self.terms.values_mut() {
            *n = n.checked_mul(small)?;
        }
        self.terms.retain(|_, n| *n != 0);
        self.constant = self.constant.checked_mul(c)?;
        self.trips = self.trips.checked_mul(small)?;
        Some(self)
    }

    fn plus(mut self, other: &Affine, sign: i32) -> Affine {
        for (v, n) in &other.terms {
            *self.terms.get_or_default(*v) += sign * n;
        }
        self.terms.retain(|_, n| *n != 0);
        self.constant += i128::from(sign) * other.constant;
        self.trips += sign * other.trips;
        self
    }
}

impl Cx<'_> {
    /// The index as a sum, if it moves by one from trip to trip.
    pub(super) fn unit_stride(&self, v: Val, f: &For, facts: &Facts) -> Option<Affine> {
        let affine = self.affine(v, f, facts)?;
        (affine.trips == 1).then_some(affine)
    }

    fn affine(&self, v: Val, f: &For, facts: &Facts) -> Option<Affine> {
        if v == f.iv {
            return Some(Affine {
                trips: 1,
                ..Affine::default()
            });
        }
        if let Some((c, factor)) = self.multiples.get(&v) {
            let factor = self.affine(*factor, f, facts)?;
            return factor.times(*c);
        }
        if !facts.inside.contains(&v) {
            return Some(match self.literals.get(&v) {
                Some(c) => Affine {
                    constant: *c,
                    ..Affine::default()
                },
                None => Affine {
                    terms: Map::from_iter([(v, 1)]),
                    ..Affine::default()
                },
            });
        }
        match facts.ops.get(&v)? {
            Op::Copy(a) => self.affine(*a, f, facts),
            Op::Bin(BinOp::Add, a, b) => {
                let (a, b) = (self.affine(*a, f, facts)?, self.affine(*b, f, facts)?);
                Some(a.plus(&b, 1))
            }
            Op::Bin(BinOp::Sub, a, b) => {
                let (a, b) = (self.affine(*a, f, facts)?, self.affine(*b, f, facts)?);
                Some(a.plus(&b, -1))
            }
            Op::Induction {
                lo,
                trip,
                reversed: false,
                ..
            } if self.body.val(v).ty == self.body.val(f.iv).ty => {
                let (lo, trip) = (self.affine(*lo, f, facts)?, self.affine(*trip, f, facts)?);
                Some(lo.plus(&trip, 1))
            }
            _ => None,
        }
    }

    /// The index in the first trip, computed as that trip computes it.
    pub(super) fn at_start(&mut self, v: Val, f: &For, facts: &Facts, out: &mut Vec<Stmt>) -> Val {
        if v == f.iv {
            return f.lo;
        }
        let op = match facts.ops.get(&v) {
            Some(op) if facts.inside.contains(&v) => op.clone(),
            _ => return v,
        };
        let op = match op {
            Op::Copy(a) => return self.at_start(a, f, facts, out),
            Op::Bin(op, a, b) => {
                let (a, b) = (
                    self.at_start(a, f, facts, out),
                    self.at_start(b, f, facts, out),
                );
                match (self.literals.get(&a), self.literals.get(&b)) {
                    (Some(0), _) if op == BinOp::Add => return b,
                    (_, Some(0)) => return a,
                    _ => Op::Bin(op, a, b),
                }
            }
            Op::Induction { lo, trip, .. } => {
                let (lo, trip) = (
                    self.at_start(lo, f, facts, out),
                    self.at_start(trip, f, facts, out),
                );
                if self.literals.get(&trip) == Some(&0) {
                    return lo;
                }
                Op::Bin(BinOp::Add, lo, trip)
            }
            _ => unreachable!("affine: only these are sums"),
        };
        let start = self.body.new_val(Type::usize(), None, Span::call_site());
        out.push(Stmt::Let(start, op));
        start
    }
}
