//! A tape over an inner engine: the gradient by the inner engine runs in the tape's scalar once, and is replayed and
//! swept backwards while the recording holds.

use super::AutoTape;
use super::replay::{Replay, Reuse};
use super::variable::Variable;
use crate::backend::Backend;
use crate::batch::{WIDEST, passes};
use crate::capability::Operator;
use crate::context::Snapshot;
use crate::error::Error;
use crate::function::{
    CachesOwned, Call, Env, FixedOwned, Generic, Kind, NumberValued, OfNumber, Slot, XLanes,
    XLanesMut, XOwned, XRef, XShape, YLanesMut, YOwned, YShape,
};
use crate::generated::Pool;
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::rules::{one, zero};
use crate::scalar::Real;
use crate::second_order::{Inside, Nested, Outer};
use crate::value::Family;

/// Inputs and results of the inner engine in the tape's scalar, and the recording.
pub struct Level<K: Generic> {
    x: XOwned<K, Variable<K::Real>>,
    g: XOwned<K, Variable<K::Real>>,
    y: YOwned<K, Variable<K::Real>>,
    dy: YOwned<K, Variable<K::Real>>,
    fixed: FixedOwned<K, Variable<K::Real>>,
    caches: CachesOwned<K, Variable<K::Real>>,
    pool: Pool,
    shapes: (XShape<K>, YShape<K>),
    operator: Operator,
    /// Is it worth while to optimise the first recording?
    lasting: bool,
    /// Its results: derivatives that the inner engine computed, then values.
    replay: Replay<K::Real>,
    /// How many of its results are derivatives.
    slopes: u32,
    /// Values, each number replaced by its index among them.
    values: YOwned<K, u32>,
    v: Vec<K::Real>,
    bar: Vec<[K::Real; WIDEST]>,
}

impl<K: Generic> Clone for Level<K> {
    fn clone(&self) -> Self {
        Level {
            x: self.x.clone(),
            g: self.g.clone(),
            y: self.y.clone(),
            dy: self.dy.clone(),
            fixed: self.fixed.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
            shapes: self.shapes.clone(),
            operator: self.operator,
            lasting: self.lasting,
            replay: self.replay.clone(),
            slopes: self.slopes,
            values: self.values.clone(),
            v: self.v.clone(),
            bar: self.bar.clone(),
        }
    }
}

/// Everything that decides what is recorded, but for the numbers of `x`.
fn constants<K: Generic>(call: Call<'_, K>, x: XRef<'_, K, K::Real>, snapshot: &mut Snapshot) {
    K::constants(call.ctx, snapshot);
    K::X::constants::<K::Real>(x, snapshot);
    K::Fixed::constants::<K::Real>(call.fixed, snapshot);
    K::Fixed::values(call.fixed, &mut |v: K::Real| {
        snapshot.word(Real::to_f64(v).to_bits());
    });
}

impl<K: Generic> Level<K> {
    fn new(reuse: Reuse, plan: &Plan<'_, K>, call: Call<'_, K>) -> Self {
        let (x, y) = (plan.x, plan.y);
        let fixed = K::Fixed::shape::<K::Real>(call.fixed);
        let caches = K::Caches::shape::<K::Real>(K::caches(call.ctx));
        Level {
            x: K::X::store(x, zero()),
            g: K::X::store(x, zero()),
            y: K::Kind::storage::<K::Y, _>(y, zero()),
            dy: K::Kind::storage::<K::Y, _>(y, zero()),
            fixed: K::Fixed::store(&fixed, zero()),
            caches: K::Caches::store(&caches, zero()),
            pool: Pool::new(),
            shapes: (x.clone(), y.clone()),
            operator: plan.operator,
            lasting: plan.lasting,
            replay: Replay::new(reuse, K::X::len(x)),
            slopes: 0,
            values: K::Kind::storage::<K::Y, _>(y, 0),
            v: Vec::new(),
            bar: Vec::new(),
        }
    }

    /// All that the inner engine computes, at `x`: by a replay, or by a recording of what `run` does.
    fn evaluate(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        run: impl FnOnce(&mut Self, u32),
    ) -> Result<(), Error> {
        let mut inputs = self.replay.inputs(&mut self.v, 0).iter_mut();
        K::X::values(x, &mut |v: K::Real| {
            if let Some(to) = inputs.next() {
                *to = v;
            }
        });
        let look = |snapshot: &mut Snapshot| constants::<K>(call, x, snapshot);
        let operator = self.operator;
        let replayed = self.replay.replay(&mut self.v, look);
        if replayed.map_err(|change| Error::Recorded { operator, change })? {
            return Ok(());
        }
        let n = K::X::len(&self.shapes.0);
        let session = self.replay.begin(n, look);
        let (v, level) = (&self.v, session.level);
        let mut node = 0;
        let lanes = K::X::lanes_mut(&mut self.x);
        K::X::each_mut(lanes, &mut |to: &mut Variable<K::Real>| {
            *to = Variable {
                value: v[node as usize],
                node,
                level,
            };
            node += 1;
        });
        let lift = &mut |to: &mut Variable<K::Real>, v| *to = Variable::constant(v);
        K::Fixed::zip_values(K::Fixed::lanes_mut(&mut self.fixed), call.fixed, lift);
        // what the last recording left behind is of another one
        let clear = &mut |to: &mut Variable<K::Real>| *to = zero();
        K::Caches::each_mut(K::Caches::lanes_mut(&mut self.caches), clear);
        K::X::each_mut(K::X::lanes_mut(&mut self.g), clear);
        self.y = K::Kind::storage::<K::Y, _>(&self.shapes.1, zero());
        self.dy = K::Kind::storage::<K::Y, _>(&self.shapes.1, zero());
        run(self, level);
        let roots = &mut self.replay.roots;
        self.slopes = roots.len() as u32;
        let mut values = K::Kind::slot::<K::Y, u32>(&mut self.values);
        K::Kind::convert::<K::Y, _, u32>(&self.y, &mut values, 0, &mut |y| {
            roots.push(Variable::operand(y, level));
            roots.len() as u32 - 1
        });
        self.replay.end(session);
        if std::mem::take(&mut self.lasting) {
            self.replay.optimise();
        }
        self.replay.forward(&mut self.v);
        Ok(())
    }

    /// Evaluates the gradient; returns the value.
    fn gradient<I: Nested<K>>(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        self.evaluate(call, x, |own, level| {
            let mut state = I::Inside::new::<Variable<K::Real>>(
                inner.size(),
                &own.shapes.0,
                &own.shapes.1,
                call.form(),
            );
            let env = Env {
                ctx: call.ctx,
                fixed: K::Fixed::get(&own.fixed, K::Fixed::shorten::<K::Real>(call.fixed)),
                caches: &mut own.caches,
                pool: &mut own.pool,
            };
            let view = K::X::get(&own.x, K::X::shorten::<K::Real>(x));
            let g = K::X::lanes_mut(&mut own.g);
            own.y = inner.gradient_in(&mut state, env, view, g, 0, true);
            let roots = &mut own.replay.roots;
            K::X::each(K::X::lanes(&own.g), &mut |g: Variable<K::Real>| {
                roots.push(g.operand(level));
            });
        })?;
        Ok(self.root(self.values))
    }

    /// What was found for a result of the recording.
    fn root(&self, index: u32) -> K::Real {
        self.v[self.replay.places[index as usize] as usize]
    }

    /// Writes the gradient that was found.
    fn write_gradient(&self, g: &mut Option<XLanesMut<'_, K, K::Real>>) {
        if let Some(g) = g {
            let mut index = 0;
            K::X::each_mut(K::X::reborrow_lanes(g), &mut |to: &mut K::Real| {
                *to = self.root(index);
                index += 1;
            });
        }
    }

    /// One reverse sweep of the adjoints in `bar`.
    fn sweep(&mut self) {
        self.replay.reverse(&self.v, &mut self.bar);
    }

    fn clear(&mut self) {
        self.replay.adjoints::<_, K::Real>(&mut self.bar);
    }

    /// The place of a derivative that the inner engine computed.
    fn place(&self, index: usize) -> usize {
        self.replay.places[index] as usize
    }
}

impl<K: Generic, I: Nested<K> + Backend<K>> Outer<K, I> for AutoTape {
    type Scratch = Level<K>;

    fn scratch(
        &self,
        _: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Level<K>, Error> {
        Ok(Level::new(self.reuse, plan, call))
    }

    fn second_derivative(
        &self,
        inner: &I,
        level: &mut Level<K>,
        call: Call<'_, K>,
        x: K::Real,
        mut y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        mut ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        level.evaluate(call, x, |level, session| {
            let shapes = &level.shapes;
            let mut state = I::Inside::new::<Variable<K::Real>>(
                inner.size(),
                &shapes.0,
                &shapes.1,
                call.form(),
            );
            let env = Env {
                ctx: call.ctx,
                fixed: K::Fixed::get(&level.fixed, K::Fixed::shorten::<K::Real>(call.fixed)),
                caches: &mut level.caches,
                pool: &mut level.pool,
            };
            let slot = K::Kind::slot::<K::Y, _>(&mut level.y);
            let slope = K::Kind::lane_slot::<K::Y, _>(&mut level.dy);
            inner.derivative_in(&mut state, env, level.x, slot, slope);
            let roots = &mut level.replay.roots;
            K::Y::each(K::Y::lanes(&level.dy), &mut |v: Variable<K::Real>| {
                roots.push(v.operand(session));
            });
        })?;
        let mut count = 0;
        K::Y::each_mut(dy, &mut |to: &mut K::Real| {
            // a result of another length is noticed by the operator
            if count < level.slopes {
                *to = level.root(count);
                count += 1;
            }
        });
        let value = &mut |index: u32| level.root(index);
        K::Kind::convert::<K::Y, u32, K::Real>(&level.values, &mut y, zero(), value);
        for (at, count) in passes(count as usize, WIDEST) {
            level.clear();
            for k in 0..count {
                let place = level.place(at + k);
                level.bar[place][k] = one();
            }
            level.sweep();
            for k in 0..count {
                *K::Y::entry(K::Y::reborrow_lanes(&mut ddy), at + k) = level.bar[0][k];
            }
        }
        Ok(())
    }

    fn hvp(
        &self,
        inner: &I,
        level: &mut Level<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        mut g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = level.gradient(inner, call, x)?;
        level.write_gradient(&mut g);
        for (at, count) in passes(dx.len(), WIDEST) {
            level.clear();
            for (k, dx) in dx[at..at + count].iter().enumerate() {
                let mut entry = 0;
                K::X::each(*dx, &mut |v: K::Real| {
                    let place = level.place(entry);
                    let bar = &mut level.bar[place][k];
                    *bar = *bar + v;
                    entry += 1;
                });
            }
            level.sweep();
            for (k, product) in products[at..at + count].iter_mut().enumerate() {
                let mut from = level.bar.iter();
                K::X::each_mut(K::X::reborrow_lanes(product), &mut |to: &mut K::Real| {
                    if let Some(from) = from.next() {
                        *to = from[k];
                    }
                });
            }
        }
        Ok(y)
    }

    fn hessian(
        &self,
        inner: &I,
        level: &mut Level<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = level.gradient(inner, call, x)?;
        level.write_gradient(&mut g);
        let n = K::X::len(&level.shapes.0);
        for (at, count) in passes(n, WIDEST) {
            level.clear();
            for k in 0..count {
                let place = level.place(at + k);
                let bar = &mut level.bar[place][k];
                *bar = *bar + one();
            }
            level.sweep();
            // what lies on and below the diagonal is written on both sides
            for k in 0..count {
                for column in 0..=at + k {
                    let v = level.bar[column][k];
                    h[[at + k, column]] = v;
                    h[[column, at + k]] = v;
                }
            }
        }
        Ok(y)
    }
}
