//! The reverse sweep of a program: adjoints of all places, in any lanes.

use super::super::rows::{Cut, change, change_by_two};
use super::forward::{Reals, cut, strips};
use super::op::Op;
use super::program::{Program, Step};
use crate::rules;
use crate::scalar::{Lanes, Real, Scalar, products};

impl<R: Real> Program<R> {
    /// Adds to the adjoints of the inputs what belongs to those of the results. `v` and `kept` are those
    /// of the forward sweep.
    pub(super) fn reverse<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        v: &[S],
        bar: &mut [A],
        kept: &[S],
    ) {
        for group in self.groups.iter().rev() {
            let steps = &self.steps[group.from as usize..group.to as usize];
            if group.strip == 1 {
                for turn in (0..group.turns as usize).rev() {
                    for step in steps.iter().rev().filter(|step| step.active != 0) {
                        self.pull(step, turn, v, bar, kept);
                    }
                }
                continue;
            }
            for (turn, count) in strips(group).rev() {
                for step in steps.iter().rev().filter(|step| step.active != 0) {
                    self.pull_many(step, turn, count, v, bar, kept);
                }
            }
        }
    }

    /// One step in one turn.
    #[inline]
    fn pull<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        step: &Step,
        turn: usize,
        v: &[S],
        bar: &mut [A],
        kept: &[S],
    ) {
        let place = step.y as usize + turn;
        let yb = bar[place];
        let active = |k: usize| step.active & (1 << k) != 0;
        let at = |k: usize| self.at(step.x[k], turn);
        let x = |k: usize| v[at(k)];
        let r = || self.real(step.x[1], turn);
        let one = || R::from_f64(1.0);
        match step.op {
            Op::Add => {
                if active(0) {
                    bar[at(0)].acc(yb);
                }
                if active(1) {
                    bar[at(1)].acc(yb);
                }
            }
            Op::Sub => {
                if active(0) {
                    bar[at(0)].acc(yb);
                }
                if active(1) {
                    bar[at(1)].dec(yb);
                }
            }
            Op::Mul => {
                if active(0) {
                    bar[at(0)].acc(yb.scale(x(1)));
                }
                if active(1) {
                    bar[at(1)].acc(yb.scale(x(0)));
                }
            }
            Op::Div => {
                let (a, b, y) = (x(0), x(1), v[place]);
                if active(0) {
                    bar[at(0)].acc(yb.scale(rules::div::d0(a, b, y)));
                }
                if active(1) {
                    bar[at(1)].acc(products::divisor(yb, b, y));
                }
            }
            Op::Rem => {
                if active(0) {
                    bar[at(0)].acc(yb);
                }
                if active(1) {
                    bar[at(1)].acc(yb.scale(rules::rem::d1(x(0), x(1), v[place])));
                }
            }
            Op::Neg => bar[at(0)].dec(yb),
            Op::MulStrong => {
                if active(0) {
                    bar[at(0)].acc(yb.scale_strong(x(1)));
                }
                if active(1) {
                    bar[at(1)].acc(yb.scale_select(x(0)));
                }
            }
            Op::AddReal | Op::SubReal | Op::RemReal => bar[at(0)].acc(yb),
            Op::MulReal => bar[at(0)].acc(yb.scale_real(r())),
            Op::DivReal => bar[at(0)].acc(yb.scale_real(one() / r())),
            Op::RealSub => bar[at(0)].dec(yb),
            Op::RealDiv => {
                bar[at(0)].acc(products::divisor(yb, x(0), v[place]));
            }
            Op::RealRem => {
                let slope = rules::rem::d1(S::from_real(r()), x(0), v[place]);
                bar[at(0)].acc(yb.scale(slope));
            }
            Op::MulAdd | Op::MulSub | Op::SubMul => {
                let product = if step.op == Op::SubMul { yb.neg() } else { yb };
                if active(0) {
                    bar[at(0)].acc(product.scale(x(1)));
                }
                if active(1) {
                    bar[at(1)].acc(product.scale(x(0)));
                }
                if active(2) {
                    let rest = if step.op == Op::MulSub { yb.neg() } else { yb };
                    bar[at(2)].acc(rest);
                }
            }
            Op::ScaleAdd | Op::SubScale => {
                if active(0) {
                    let product = yb.scale_real(r());
                    if step.op == Op::SubScale {
                        bar[at(0)].dec(product);
                    } else {
                        bar[at(0)].acc(product);
                    }
                }
                if active(2) {
                    bar[at(2)].acc(yb);
                }
            }
            Op::Sum => {
                if active(0) {
                    bar[at(0)].acc(yb);
                }
                if active(1) {
                    let (terms, count) = (step.x[1], step.x[2].base as usize);
                    if terms.stride == 1 {
                        for x in &mut bar[terms.base as usize..][..count] {
                            x.acc(yb);
                        }
                    } else {
                        for k in (0..count).rev() {
                            bar[self.at(terms, k)].acc(yb);
                        }
                    }
                }
            }
            Op::Given => {
                let (from, count) = (step.x[0].base as usize, step.x[0].stride as usize);
                let partials = &kept[step.x[1].base as usize + 1..][..count];
                for (x, partial) in self.indices[from..][..count].iter().zip(partials) {
                    bar[*x as usize].acc(yb.scale(*partial));
                }
            }
            Op::Call(f) => {
                let n = step.x[1].base.cast_signed();
                let value = match f.arity() {
                    1 => [x(0); 3],
                    2 => [x(0), x(1), S::default()],
                    _ => [x(0), x(1), x(2)],
                };
                for k in 0..f.arity() {
                    if active(k) {
                        bar[at(k)].acc(f.pull(k, value, n, v[place], yb));
                    }
                }
            }
        }
    }

    /// One step in several turns.
    fn pull_many<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        step: &Step,
        turn: usize,
        count: usize,
        v: &[S],
        bar: &mut [A],
        kept: &[S],
    ) {
        let y = step.y as usize + turn;
        let active = |k: usize| step.active & (1 << k) != 0;
        if !step.plain {
            for turn in (turn..turn + count).rev() {
                self.pull(step, turn, v, bar, kept);
            }
            return;
        }
        let [a, b, c] = step.x.map(|lane| cut(lane, turn));
        let both = [active(0), active(1)];
        let mut rows = Rows { bar, y, count };
        match step.op {
            Op::Add => {
                rows.plain(active(0).then_some(a), |x, yb| x.acc(yb));
                rows.plain(active(1).then_some(b), |x, yb| x.acc(yb));
            }
            Op::Sub => {
                rows.plain(active(0).then_some(a), |x, yb| x.acc(yb));
                rows.plain(active(1).then_some(b), |x, yb| x.dec(yb));
            }
            Op::Mul => {
                rows.product(both, [a, b], v, |x, yb, s| x.acc(yb.scale(s)));
            }
            Op::Neg | Op::RealSub => rows.plain(Some(a), |x, yb| x.dec(yb)),
            Op::AddReal | Op::SubReal => {
                rows.plain(Some(a), |x, yb| x.acc(yb));
            }
            Op::MulReal => {
                let r = self.reals(step.x[1], turn, count);
                rows.real(a, r, |x, yb, r| x.acc(yb.scale_real(r)));
            }
            Op::DivReal => {
                let r = self.reals(step.x[1], turn, count);
                let one = R::from_f64(1.0);
                rows.real(a, r, |x, yb, r| x.acc(yb.scale_real(one / r)));
            }
            Op::MulAdd => {
                rows.product(both, [a, b], v, |x, yb, s| x.acc(yb.scale(s)));
                rows.plain(active(2).then_some(c), |x, yb| x.acc(yb));
            }
            Op::MulSub => {
                rows.product(both, [a, b], v, |x, yb, s| x.acc(yb.scale(s)));
                rows.plain(active(2).then_some(c), |x, yb| x.dec(yb));
            }
            Op::SubMul => {
                rows.product(both, [a, b], v, |x, yb, s| x.dec(yb.scale(s)));
                rows.plain(active(2).then_some(c), |x, yb| x.acc(yb));
            }
            Op::ScaleAdd => {
                let r = self.reals(step.x[1], turn, count);
                if active(0) {
                    rows.real(a, r, |x, yb, r| x.acc(yb.scale_real(r)));
                }
                rows.plain(active(2).then_some(c), |x, yb| x.acc(yb));
            }
            Op::SubScale => {
                let r = self.reals(step.x[1], turn, count);
                if active(0) {
                    rows.real(a, r, |x, yb, r| x.dec(yb.scale_real(r)));
                }
                rows.plain(active(2).then_some(c), |x, yb| x.acc(yb));
            }
            _ => {
                for turn in (turn..turn + count).rev() {
                    self.pull(step, turn, v, rows.bar, kept);
                }
            }
        }
    }
}

/// Adjoints, and which of them belong to the results of a step in some turns.
struct Rows<'a, A> {
    bar: &'a mut [A],
    y: usize,
    count: usize,
}

impl<A: Copy> Rows<'_, A> {
    /// Adjoints of an operand from those of the results.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plain(&mut self, a: Option<Cut>, f: impl Fn(&mut A, A)) {
        let Some(a) = a else { return };
        let (x, yb) = self.bar.split_at_mut(self.y);
        let (count, yb) = (self.count, &yb[..self.count]);
        if a.moves {
            change(&mut x[a.base..][..count], yb, f);
        } else {
            let mut sum = x[a.base];
            for yb in yb {
                f(&mut sum, *yb);
            }
            x[a.base] = sum;
        }
    }

    /// The same, times values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scaled<S: Copy>(&mut self, a: Option<Cut>, v: &[S], by: Cut, f: impl Fn(&mut A, A, S)) {
        if by.moves {
            let by = &v[by.base..][..self.count];
            self.each(a, by, f);
        } else {
            let by = v[by.base];
            self.plain(a, |x, yb| f(x, yb, by));
        }
    }

    /// Adjoints of the factors of a product.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn product<S: Copy>(
        &mut self,
        active: [bool; 2],
        [a, b]: [Cut; 2],
        v: &[S],
        f: impl Fn(&mut A, A, S),
    ) {
        if a.moves && b.moves && a.base == b.base && active == [true; 2] {
            // a square: twice, one after the other
            let by = &v[a.base..][..self.count];
            self.each(Some(a), by, |x, yb, s| {
                f(x, yb, s);
                f(x, yb, s);
            });
            return;
        }
        self.scaled(active[0].then_some(a), v, b, &f);
        self.scaled(active[1].then_some(b), v, a, &f);
    }

    /// The same, times reals.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn real<R: Copy>(&mut self, a: Cut, r: Reals<'_, R>, f: impl Fn(&mut A, A, R)) {
        match r {
            Reals::One(r) => self.plain(Some(a), |x, yb| f(x, yb, r)),
            Reals::Many(r) => {
                self.each(Some(a), &r[..self.count], f);
            }
            Reals::Gathered => unreachable!("optimise: reals of a loop are one or side by side"),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<S: Copy>(&mut self, a: Option<Cut>, by: &[S], f: impl Fn(&mut A, A, S)) {
        let Some(a) = a else { return };
        let (x, yb) = self.bar.split_at_mut(self.y);
        let yb = &yb[..self.count];
        if a.moves {
            change_by_two(&mut x[a.base..][..self.count], yb, by, f);
        } else {
            let mut sum = x[a.base];
            for (yb, by) in yb.iter().zip(by) {
                f(&mut sum, *yb, *by);
            }
            x[a.base] = sum;
        }
    }
}
