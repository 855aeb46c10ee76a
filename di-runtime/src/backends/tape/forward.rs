//! The forward sweep of a program, in any scalar, and its guards.

use super::super::rows::{Cut, binary, of_one, of_three, of_two, unary};
use super::op::Op;
use super::program::{Group, Lane, Program, Step};
use super::recording::{Guard, Question};
use crate::scalar::{Real, Scalar};

impl<R: Real> Program<R> {
    /// Makes room for the values, whatever they were, and puts the reals in their places.
    pub(super) fn fit<S: Scalar<Real = R>>(&self, v: &mut Vec<S>) {
        v.resize(self.places, S::default());
        for (to, c) in v[self.inputs..].iter_mut().zip(&self.reals) {
            *to = S::from_real(*c);
        }
    }

    /// Computes all results from the inputs. `kept` has the values of foreign results.
    pub(super) fn forward<S: Scalar<Real = R>>(&self, v: &mut [S], kept: &[S]) {
        for group in &self.groups {
            let steps = &self.steps[group.from as usize..group.to as usize];
            if group.strip == 1 {
                for turn in 0..group.turns as usize {
                    for step in steps {
                        self.one(step, turn, v, kept);
                    }
                }
                continue;
            }
            for (turn, count) in strips(group) {
                for step in steps {
                    self.many(step, turn, count, v, kept);
                }
            }
        }
    }

    /// Has every question the answer that it had?
    pub(super) fn holds<S: Scalar<Real = R>>(&self, v: &[S]) -> bool {
        self.guards.iter().all(|guard| {
            let Guard {
                question,
                answer,
                a,
                b,
            } = *guard;
            let (a, b) = (v[a as usize], v[b as usize]);
            let found = match question {
                Question::Lt => a.lt(b),
                Question::Le => a.le(b),
                Question::Gt => a.gt(b),
                Question::Ge => a.ge(b),
                Question::Eq => a.eq(b),
                Question::Ne => a.ne(b),
                Question::Integer => {
                    let (a, b) = (a.integer().trunc(), b.primal());
                    a == b || (a.ne(a) && b.ne(b))
                }
                Question::Exactly => same(a.primal(), b.primal()),
            };
            found == answer
        })
    }

    /// One step in one turn.
    #[inline]
    fn one<S: Scalar<Real = R>>(&self, step: &Step, turn: usize, v: &mut [S], kept: &[S]) {
        let x = |k: usize| v[self.at(step.x[k], turn)];
        let r = || self.real(step.x[1], turn);
        let y = match step.op {
            Op::Add => x(0) + x(1),
            Op::Sub => x(0) - x(1),
            Op::Mul => x(0) * x(1),
            Op::Div => x(0) / x(1),
            Op::Rem => x(0) % x(1),
            Op::Neg => -x(0),
            Op::MulStrong => x(0).mul_strong(x(1)),
            Op::AddReal => x(0).add_real(r()),
            Op::SubReal => x(0).sub_real(r()),
            Op::MulReal => x(0).mul_real(r()),
            Op::DivReal => x(0).div_real(r()),
            Op::RemReal => x(0).rem_real(r()),
            Op::RealSub => S::real_sub(r(), x(0)),
            Op::RealDiv => S::real_div(r(), x(0)),
            Op::RealRem => S::real_rem(r(), x(0)),
            Op::MulAdd => x(0) * x(1) + x(2),
            Op::MulSub => x(0) * x(1) - x(2),
            Op::SubMul => x(2) - x(0) * x(1),
            Op::ScaleAdd => x(0).mul_real(r()) + x(2),
            Op::SubScale => x(2) - x(0).mul_real(r()),
            Op::Sum => self.sum(step, x(0), v),
            Op::Given => kept[step.x[1].base as usize],
            Op::Call(f) => {
                let n = step.x[1].base.cast_signed();
                let value = match f.arity() {
                    1 => [x(0); 3],
                    2 => [x(0), x(1), S::default()],
                    _ => [x(0), x(1), x(2)],
                };
                f.value(value, n)
            }
        };
        v[step.y as usize + turn] = y;
    }

    /// The terms one after the other, as they were added.
    #[inline]
    fn sum<S: Scalar<Real = R>>(&self, step: &Step, first: S, v: &[S]) -> S {
        let (terms, count) = (step.x[1], step.x[2].base as usize);
        let mut sum = first;
        if terms.stride == 1 {
            for x in &v[terms.base as usize..][..count] {
                sum = sum + *x;
            }
        } else {
            for k in 0..count {
                sum = sum + v[self.at(terms, k)];
            }
        }
        sum
    }

    /// One step in several turns: what is cheap goes in loops that the compiler vectorises.
    fn many<S: Scalar<Real = R>>(
        &self,
        step: &Step,
        turn: usize,
        count: usize,
        v: &mut [S],
        kept: &[S],
    ) {
        let y = step.y as usize + turn;
        let [a, b, c] = step.x.map(|lane| cut(lane, turn));
        let reals = || self.reals(step.x[1], turn, count);
        let done = step.plain
            && match step.op {
                Op::Add => binary(v, y, count, a, b, |a, b| a + b),
                Op::Sub => binary(v, y, count, a, b, |a, b| a - b),
                Op::Mul => binary(v, y, count, a, b, |a, b| a * b),
                Op::Div => binary(v, y, count, a, b, |a, b| a / b),
                Op::Neg => unary(v, y, count, a, |a| -a),
                Op::AddReal => real(v, y, count, a, reals(), |a, r| a.add_real(r)),
                Op::SubReal => real(v, y, count, a, reals(), |a, r| a.sub_real(r)),
                Op::MulReal => real(v, y, count, a, reals(), |a, r| a.mul_real(r)),
                Op::DivReal => real(v, y, count, a, reals(), |a, r| a.div_real(r)),
                Op::RealSub => real(v, y, count, a, reals(), |a, r| S::real_sub(r, a)),
                Op::MulAdd => ternary(v, y, count, [a, b, c], |a, b, c| a * b + c),
                Op::MulSub => ternary(v, y, count, [a, b, c], |a, b, c| a * b - c),
                Op::SubMul => ternary(v, y, count, [a, b, c], |a, b, c| c - a * b),
                _ => false,
            };
        if !done {
            for turn in turn..turn + count {
                self.one(step, turn, v, kept);
            }
        }
    }

    /// The reals of a lane, if it is one real or they are side by side.
    pub(super) fn reals(&self, lane: Lane, turn: usize, count: usize) -> Reals<'_, R> {
        match lane.stride {
            0 => Reals::One(self.real(lane, 0)),
            1 => Reals::Many(&self.reals[self.at(lane, turn) - self.inputs..][..count]),
            _ => Reals::Gathered,
        }
    }
}

/// Reals of a loop.
pub(super) enum Reals<'a, R> {
    One(R),
    Many(&'a [R]),
    Gathered,
}

/// The part of a lane in some turns of a loop, from `turn` on.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn cut(lane: Lane, turn: usize) -> Cut {
    let moves = lane.stride == 1;
    Cut {
        base: lane.base as usize + if moves { turn } else { 0 },
        moves,
    }
}

/// Turns of a loop, in strips.
pub(super) fn strips(group: &Group) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
    let (turns, strip) = (group.turns as usize, group.strip as usize);
    (0..turns.div_ceil(strip)).map(move |k| (k * strip, strip.min(turns - k * strip)))
}

/// Bit for bit, but that one NaN is as good as another.
fn same<R: Real>(a: R, b: R) -> bool {
    let (a, b) = (a.to_f64(), b.to_f64());
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn real<S: Scalar>(
    v: &mut [S],
    y: usize,
    count: usize,
    a: Cut,
    r: Reals<'_, S::Real>,
    f: impl Fn(S, S::Real) -> S,
) -> bool {
    let (x, y) = v.split_at_mut(y);
    let y = &mut y[..count];
    match r {
        Reals::Many(r) if a.moves => {
            of_two(y, &x[a.base..][..count], &r[..count], f);
        }
        Reals::One(r) if a.moves => {
            of_one(y, &x[a.base..][..count], |a| f(a, r));
        }
        Reals::One(_) | Reals::Many(_) | Reals::Gathered => return false,
    }
    true
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn ternary<S: Scalar>(
    v: &mut [S],
    y: usize,
    count: usize,
    [a, b, c]: [Cut; 3],
    f: impl Fn(S, S, S) -> S,
) -> bool {
    let (x, y) = v.split_at_mut(y);
    let y = &mut y[..count];
    if !b.moves || !c.moves {
        return false;
    }
    let (b, c) = (&x[b.base..][..count], &x[c.base..][..count]);
    if a.moves {
        of_three(y, &x[a.base..][..count], b, c, f);
    } else {
        let a = x[a.base];
        of_two(y, b, c, |b, c| f(a, b, c));
    }
    true
}
