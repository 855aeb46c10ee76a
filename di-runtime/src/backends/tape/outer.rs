//! A tape over an inner engine: the gradient by the inner engine runs in the tape's scalar, and is swept backwards.

use ndarray::Array2;

use super::AutoTape;
use super::program::{Program, place};
use super::recording::{Recording, Session};
use super::variable::{Variable, kept};
use crate::backend::Backend;
use crate::batch::{WIDEST, passes};
use crate::error::Error;
use crate::function::{
    CachesOwned, Call, Env, FixedOwned, Generic, Kind, NumberValued, OfNumber, Slot, XLanes,
    XLanesMut, XOwned, XRef, XShape, YLanesMut, YOwned, YShape,
};
use crate::generated::Pool;
use crate::primitive::Plan;
use crate::rules::{one, zero};
use crate::scalar::Zero;
use crate::second_order::{Nested, Outer};
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
    recording: Recording,
    program: Program<K::Real>,
    /// Places of the derivatives that the inner engine computed.
    roots: Vec<u32>,
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
            recording: Recording::default(),
            program: Program::new(),
            roots: Vec::new(),
            v: Vec::new(),
            bar: Vec::new(),
        }
    }
}

impl<K: Generic> Level<K> {
    fn new(x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
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
            recording: Recording::default(),
            program: Program::new(),
            roots: Vec::new(),
            v: Vec::new(),
            bar: Vec::new(),
        }
    }

    /// Begins a recording: inputs are numbered, everything else is constant.
    fn begin(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>) -> Session {
        let n = K::X::len(&self.shapes.0);
        let session = Session::begin(std::mem::take(&mut self.recording), n);
        let (v, level) = (&mut self.v, session.level);
        v.clear();
        let lanes = K::X::lanes_mut(&mut self.x);
        K::X::zip_values(
            lanes,
            x,
            &mut |to: &mut Variable<K::Real>, value: K::Real| {
                *to = Variable {
                    value,
                    node: v.len() as u32,
                    level,
                };
                v.push(value);
            },
        );
        let lift = &mut |to: &mut Variable<K::Real>, v| *to = Variable::constant(v);
        K::Fixed::zip_values(K::Fixed::lanes_mut(&mut self.fixed), call.fixed, lift);
        // what the last recording left behind is of another one
        let clear = &mut |to: &mut Variable<K::Real>| *to = zero();
        K::Caches::each_mut(K::Caches::lanes_mut(&mut self.caches), clear);
        K::X::each_mut(K::X::lanes_mut(&mut self.g), clear);
        self.y = K::Kind::storage::<K::Y, _>(&self.shapes.1, zero());
        self.dy = K::Kind::storage::<K::Y, _>(&self.shapes.1, zero());
        session
    }

    /// Ends it: the program of what was recorded, at its values.
    fn end(&mut self, session: Session) {
        self.recording = session.end();
        self.program.flat(&self.recording);
        let reals = self.recording.reals.len() as u32;
        for root in &mut self.roots {
            *root = place(*root, self.recording.inputs, reals);
        }
        self.program.fit(&mut self.v);
        let kept = kept::<K::Real>(self.recording.foreign.as_deref());
        self.program.forward(&mut self.v, kept);
    }

    /// Records the gradient; returns the value.
    fn gradient<I: Nested<K>>(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        let session = self.begin(call, x);
        let mut state =
            Nested::inner::<Variable<K::Real>>(inner, &self.shapes.0, &self.shapes.1, call);
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&self.fixed, K::Fixed::shorten::<K::Real>(call.fixed)),
            caches: &mut self.caches,
            pool: &mut self.pool,
        };
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(x));
        let g = K::X::lanes_mut(&mut self.g);
        let y = inner.gradient_in(&mut state, env, view, g, 0);
        let (roots, level) = (&mut self.roots, session.level);
        roots.clear();
        K::X::each(K::X::lanes(&self.g), &mut |g: Variable<K::Real>| {
            roots.push(g.operand(level));
        });
        self.end(session);
        y.value
    }

    /// Writes the gradient that was recorded.
    fn write_gradient(&self, g: &mut Option<XLanesMut<'_, K, K::Real>>) {
        if let Some(g) = g {
            let (to, from) = (K::X::reborrow_lanes(g), K::X::lanes(&self.g));
            K::X::zip(to, from, &mut |to: &mut K::Real, v: Variable<K::Real>| {
                *to = v.value;
            });
        }
    }

    /// One reverse sweep of the adjoints in `bar`.
    fn sweep(&mut self) {
        let kept = kept::<K::Real>(self.recording.foreign.as_deref());
        self.program.reverse(&self.v, &mut self.bar, kept);
    }

    fn clear(&mut self) {
        self.bar.clear();
        self.bar.resize(self.program.places, Zero::zero());
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
        Ok(Level::new(plan.x, plan.y, call))
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
        let session = level.begin(call, x);
        let mut state =
            Nested::<K>::inner::<Variable<K::Real>>(inner, &level.shapes.0, &level.shapes.1, call);
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&level.fixed, K::Fixed::shorten::<K::Real>(call.fixed)),
            caches: &mut level.caches,
            pool: &mut level.pool,
        };
        let slot = K::Kind::slot::<K::Y, _>(&mut level.y);
        let slope = K::Kind::lane_slot::<K::Y, _>(&mut level.dy);
        inner.derivative_in(&mut state, env, level.x, slot, slope);
        let roots = &mut level.roots;
        roots.clear();
        K::Y::each(K::Y::lanes(&level.dy), &mut |v: Variable<K::Real>| {
            roots.push(v.operand(session.level));
        });
        level.end(session);
        let value = &mut |v: Variable<K::Real>| v.value;
        K::Kind::convert::<K::Y, _, K::Real>(&level.y, &mut y, zero(), value);
        K::Y::zip(
            dy,
            K::Y::lanes(&level.dy),
            &mut |to: &mut K::Real, v: Variable<K::Real>| {
                *to = v.value;
            },
        );
        for (at, count) in passes(level.roots.len(), WIDEST) {
            level.clear();
            for k in 0..count {
                level.bar[level.roots[at + k] as usize][k] = one();
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
        let y = level.gradient(inner, call, x);
        level.write_gradient(&mut g);
        for (at, count) in passes(dx.len(), WIDEST) {
            level.clear();
            for (k, dx) in dx[at..at + count].iter().enumerate() {
                let mut entry = 0;
                K::X::each(*dx, &mut |v: K::Real| {
                    let bar = &mut level.bar[level.roots[entry] as usize][k];
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
        h: &mut Array2<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let y = level.gradient(inner, call, x);
        level.write_gradient(&mut g);
        let n = level.roots.len();
        for (at, count) in passes(n, WIDEST) {
            level.clear();
            for k in 0..count {
                let bar = &mut level.bar[level.roots[at + k] as usize][k];
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
