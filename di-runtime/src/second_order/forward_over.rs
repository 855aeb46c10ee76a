//! Dual numbers over an inner engine that can run in them.

use crate::batch::{lane_width, passes};
use crate::capability::Operator;
use crate::compressed::{Reader, Seeds, read_lanes};
use crate::entries;
use crate::function::{
    CachesOwned, Call, Env, FixedOwned, Generic, Kind, LaneSlot, NumberValued, OfNumber, Slot,
    XLanes, XLanesMut, XOwned, XRef, XShape, YLanesMut, YOwned, YShape,
};
use crate::generated::Pool;
use crate::matrix::Matrix;
use crate::pool::mix;
use crate::primitive::Plan;
use crate::primitive::choice::{Choice, may};
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::value::Family;

/// An engine whose first derivatives can be taken in any scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be nested inside another engine for this function",
    note = "the inner engine is `AutoSource` or `AutoDual`, or else the outer one is `AutoFiniteDiff`"
)]
pub trait Nested<K: Generic> {
    /// What it needs in the scalar `S`.
    type Inner<S: Scalar<Real = K::Real>>: Clone;

    /// Everything for calls with these shapes.
    fn inner<S: Scalar<Real = K::Real>>(
        &self,
        x: &XShape<K>,
        y: &YShape<K>,
        call: Call<'_, K>,
    ) -> Self::Inner<S>;

    /// [`Backend::buffers`](crate::backend::Backend::buffers) of what is not the environment's.
    fn buffers<S: Scalar<Real = K::Real>>(_inner: &Self::Inner<S>) -> u64 {
        0
    }

    /// Value and gradient in the scalar `S`. Entries of `g` below `from` are not asked for, and stay
    /// as they are or get their value.
    fn gradient_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Self::Inner<S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
        from: usize,
    ) -> S
    where
        K: NumberValued + 'c;

    /// The gradient, when nobody asks for the value.
    fn gradient_alone_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Self::Inner<S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
    ) where
        K: NumberValued + 'c,
    {
        self.gradient_in(inner, env, x, g, 0);
    }

    /// Value and derivative in the scalar `S`.
    fn derivative_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut Self::Inner<S>,
        env: Env<'_, 'c, K, S>,
        x: S,
        y: Slot<'_, K, S>,
        dy: LaneSlot<'_, K, S>,
    ) where
        K: OfNumber + 'c;
}

/// Dual numbers over the engine `I`, in one of the compiled widths.
pub enum ForwardOver<K: Generic, I: Nested<K>> {
    /// One direction.
    One(Level<K, I, 1>),
    /// Up to three at once, for sums of columns alone: with its value a number is then four floats.
    #[cfg(not(debug_assertions))]
    Three(Level<K, I, 3>),
    /// Up to four at once.
    #[cfg(not(debug_assertions))]
    Four(Level<K, I, 4>),
    /// Up to eight at once.
    Eight(Level<K, I, 8>),
}

/// Message of an invariant: [`ForwardOver::for_plan`] chooses among the widths that the operator is compiled in.
const WIDTH: &str = "the operator is not compiled in this width";

/// Runs generic code on whichever width there is, of those that are for everything.
macro_rules! levels {
    ($value:expr, $level:ident => $body:expr) => {
        match $value {
            #[cfg(not(debug_assertions))]
            ForwardOver::Three(_) => unreachable!("{WIDTH}"),
            ForwardOver::One($level) => $body,
            #[cfg(not(debug_assertions))]
            ForwardOver::Four($level) => $body,
            ForwardOver::Eight($level) => $body,
        }
    };
}

impl<K: Generic, I: Nested<K>> ForwardOver<K, I> {
    /// What the operator of `plan` needs, if it is of second order and `C` allows it; a Hessian is computed with
    /// `columns` at once.
    pub(crate) fn for_plan<C: Choice>(
        inner: &I,
        columns: usize,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
    ) -> Option<Self> {
        let (x, y) = (plan.x, plan.y);
        if const { may::<C>(Operator::SecondDerivative) }
            && plan.operator == Operator::SecondDerivative
        {
            return Some(ForwardOver::One(Level::new(inner, x, y, call)));
        }
        if const { may::<C>(Operator::Hvp) } && plan.operator == Operator::Hvp {
            #[cfg(not(debug_assertions))]
            if const { C::ONLY.is_none() } && plan.seeds.is_some() && matches!(plan.batch, 2 | 3) {
                return Some(ForwardOver::Three(Level::new(inner, x, y, call)));
            }
            return Some(match lane_width(plan.batch) {
                1 => ForwardOver::One(Level::new(inner, x, y, call)),
                #[cfg(not(debug_assertions))]
                2 | 4 => ForwardOver::Four(Level::new(inner, x, y, call)),
                _ => ForwardOver::Eight(Level::new(inner, x, y, call)),
            });
        }
        if const { may::<C>(Operator::Hessian) } && plan.operator == Operator::Hessian {
            return Some(match lane_width(columns) {
                #[cfg(not(debug_assertions))]
                1 | 2 | 4 => ForwardOver::Four(Level::new(inner, x, y, call)),
                _ => ForwardOver::Eight(Level::new(inner, x, y, call)),
            });
        }
        None
    }

    /// [`Backend::buffers`](crate::backend::Backend::buffers) of these.
    pub(crate) fn buffers(&self) -> u64 {
        match self {
            ForwardOver::One(level) => level.buffers(),
            #[cfg(not(debug_assertions))]
            ForwardOver::Three(level) => level.buffers(),
            #[cfg(not(debug_assertions))]
            ForwardOver::Four(level) => level.buffers(),
            ForwardOver::Eight(level) => level.buffers(),
        }
    }

    /// Value, the gradient if requested, and products with the Hessian.
    pub(crate) fn hvp(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> K::Real
    where
        K: NumberValued,
    {
        levels!(self, level => level.hvp(inner, call, x, dx, g, products))
    }

    /// Value, the gradient if requested, and the Hessian, exactly symmetric.
    pub(crate) fn hessian(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        n: usize,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        match self {
            #[cfg(not(debug_assertions))]
            ForwardOver::Four(level) => level.hessian(inner, call, x, n, g, h),
            ForwardOver::Eight(level) => level.hessian(inner, call, x, n, g, h),
            #[cfg(not(debug_assertions))]
            ForwardOver::Three(_) => unreachable!("{WIDTH}"),
            ForwardOver::One(_) => unreachable!("{WIDTH}"),
        }
    }

    /// Value, the gradient if requested, and sums of columns of the Hessian. Seeds are written once: the levels are
    /// used for nothing else. The value is that of the function only if `valued`.
    #[allow(clippy::too_many_arguments, reason = "seeds in, results to a reader")]
    pub(crate) fn compressed(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        g: Option<XLanesMut<'_, K, K::Real>>,
        valued: bool,
        reader: &mut impl Reader<K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        #[cfg(not(debug_assertions))]
        if let ForwardOver::Three(level) = self {
            return level.compressed(inner, call, x, seeds, g, valued, reader);
        }
        levels!(self, level => level.compressed(inner, call, x, seeds, g, valued, reader))
    }

    /// Value, first and second derivative.
    pub(crate) fn second_derivative(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) where
        K: OfNumber,
    {
        let ForwardOver::One(level) = self else {
            unreachable!("{WIDTH}")
        };
        level.second_derivative(inner, call, x, y, dy, ddy);
    }
}

impl<K: Generic, I: Nested<K>> Clone for ForwardOver<K, I> {
    fn clone(&self) -> Self {
        match self {
            ForwardOver::One(level) => ForwardOver::One(level.clone()),
            #[cfg(not(debug_assertions))]
            ForwardOver::Three(level) => ForwardOver::Three(level.clone()),
            #[cfg(not(debug_assertions))]
            ForwardOver::Four(level) => ForwardOver::Four(level.clone()),
            ForwardOver::Eight(level) => ForwardOver::Eight(level.clone()),
        }
    }
}

/// Dual numbers of one width over the engine `I`.
pub struct Level<K: Generic, I: Nested<K>, const W: usize> {
    x: XOwned<K, Dual<K::Real, W>>,
    g: XOwned<K, Dual<K::Real, W>>,
    y: YOwned<K, Dual<K::Real, W>>,
    dy: YOwned<K, Dual<K::Real, W>>,
    fixed: FixedOwned<K, Dual<K::Real, W>>,
    caches: CachesOwned<K, Dual<K::Real, W>>,
    pool: Pool,
    inner: I::Inner<Dual<K::Real, W>>,
    /// First color of the pass whose seeds are written.
    seeded: Option<usize>,
    copy: Vec<[K::Real; W]>,
}

impl<K: Generic, I: Nested<K>, const W: usize> Clone for Level<K, I, W> {
    fn clone(&self) -> Self {
        Level {
            x: self.x.clone(),
            g: self.g.clone(),
            y: self.y.clone(),
            dy: self.dy.clone(),
            fixed: self.fixed.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
            inner: self.inner.clone(),
            seeded: self.seeded,
            copy: Vec::new(),
        }
    }
}

impl<K: Generic, I: Nested<K>, const W: usize> Level<K, I, W> {
    fn buffers(&self) -> u64 {
        mix(self.pool.state(), I::buffers(&self.inner))
    }

    fn new(inner: &I, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
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
            inner: inner.inner(x, y, call),
            seeded: None,
            copy: Vec::new(),
        }
    }

    /// Takes over the values of a call; tangents become zero, but for the first of each number if they are given.
    fn load(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>, first: Option<&[K::Real]>) {
        let lift = &mut entries::constant::<K::Real, W>();
        let to = K::X::lanes_mut(&mut self.x);
        match first {
            Some(first) => {
                let lift = &mut entries::moving::<K::Real, W>();
                K::X::zip_values_and::<_, K::Real, _>(to, x, first, lift);
            }
            None => K::X::zip_values::<_, K::Real>(to, x, lift),
        }
        let fixed = K::Fixed::lanes_mut(&mut self.fixed);
        K::Fixed::zip_values::<_, K::Real>(fixed, call.fixed, lift);
    }

    /// The gradient at the values and tangents that are loaded; returns the value.
    fn gradient<'c>(
        &mut self,
        inner: &I,
        call: Call<'c, K>,
        x: XRef<'_, K, K::Real>,
        from: usize,
    ) -> K::Real
    where
        K: NumberValued + 'c,
    {
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&self.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut self.caches,
            pool: &mut self.pool,
        };
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(x));
        let g = K::X::lanes_mut(&mut self.g);
        inner.gradient_in(&mut self.inner, env, view, g, from).value
    }

    /// The same without the value.
    fn gradient_alone<'c>(&mut self, inner: &I, call: Call<'c, K>, x: XRef<'_, K, K::Real>)
    where
        K: NumberValued + 'c,
    {
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&self.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut self.caches,
            pool: &mut self.pool,
        };
        let view = K::X::get(&self.x, K::X::shorten::<K::Real>(x));
        let g = K::X::lanes_mut(&mut self.g);
        inner.gradient_alone_in(&mut self.inner, env, view, g);
    }

    #[inline(never)]
    #[allow(clippy::too_many_arguments, reason = "seeds in, results to a reader")]
    fn compressed(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        seeds: &Seeds,
        mut g: Option<XLanesMut<'_, K, K::Real>>,
        valued: bool,
        reader: &mut impl Reader<K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let lift = &mut entries::set_value::<K::Real, W>();
        K::X::zip_values::<_, K::Real>(K::X::lanes_mut(&mut self.x), x, lift);
        let fixed = K::Fixed::lanes_mut(&mut self.fixed);
        K::Fixed::zip_values::<_, K::Real>(fixed, call.fixed, lift);
        let empty = (seeds.count() == 0).then_some((0, 0));
        for (first, _) in passes(seeds.count(), W).chain(empty) {
            if self.seeded != Some(first) {
                let zeros = &mut entries::clear_tangents::<K::Real, W>();
                K::X::each_mut(K::X::lanes_mut(&mut self.x), zeros);
                let mut inputs = K::X::lanes_mut(&mut self.x);
                seeds.each(first, W, |line, lane| {
                    let to = K::X::reborrow_lanes::<Dual<K::Real, W>>(&mut inputs);
                    K::X::entry::<Dual<K::Real, W>>(to, line).tangents[lane] = one();
                });
                self.seeded = Some(first);
            }
            if valued {
                y = self.gradient(inner, call, x, 0);
            } else {
                self.gradient_alone(inner, call, x);
            }
            let products = K::X::lanes(&self.g);
            read_lanes::<K::X, K::Real, Dual<K::Real, W>, W>(
                products,
                &mut self.copy,
                first,
                reader,
                |line| &line.tangents,
            );
        }
        self.write_gradient(&mut g);
        y
    }

    #[inline(never)]
    fn hvp(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        mut g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let empty = dx.is_empty().then_some((0, 0));
        for (at, count) in passes(dx.len(), W).chain(empty) {
            let first = dx.get(at).and_then(|dx| K::X::flat(*dx));
            self.load(call, x, first);
            let rest = dx[at..at + count].iter().enumerate();
            for (k, dx) in rest.skip(usize::from(first.is_some())) {
                let to = K::X::lanes_mut(&mut self.x);
                K::X::zip(to, *dx, &mut entries::set_tangent::<K::Real, W>(k));
            }
            // the value is asked for with the gradient
            if g.is_some() {
                y = self.gradient(inner, call, x, 0);
            } else {
                self.gradient_alone(inner, call, x);
            }
            for (k, product) in products[at..at + count].iter_mut().enumerate() {
                let (to, from) = (K::X::reborrow_lanes(product), K::X::lanes(&self.g));
                K::X::zip(to, from, &mut entries::tangent::<K::Real, W>(k));
            }
        }
        self.write_gradient(&mut g);
        y
    }

    #[inline(never)]
    fn hessian(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        n: usize,
        mut g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> K::Real
    where
        K: NumberValued,
    {
        let mut y = zero();
        let empty = (n == 0).then_some((0, 0));
        self.load(call, x, None);
        for (at, count) in passes(n, W).chain(empty) {
            self.seed(at, count, one());
            y = self.gradient(inner, call, x, at);
            self.seed(at, count, zero());
            // What lies on and below the diagonal is written on both sides; the rest was not asked for.
            let g = K::X::lanes(&self.g);
            K::X::each(g, &mut entries::symmetric::<K::Real, W>(h, at, count));
        }
        self.write_gradient(&mut g);
        y
    }

    fn second_derivative(
        &mut self,
        inner: &I,
        call: Call<'_, K>,
        x: K::Real,
        mut y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) where
        K: OfNumber,
    {
        self.load(call, x, None);
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::get(&self.fixed, K::Fixed::shorten(call.fixed)),
            caches: &mut self.caches,
            pool: &mut self.pool,
        };
        let x = Dual::variable(x, 0);
        let slot = K::Kind::slot::<K::Y, _>(&mut self.y);
        let slot_dy = K::Kind::lane_slot::<K::Y, _>(&mut self.dy);
        inner.derivative_in(&mut self.inner, env, x, slot, slot_dy);
        let from = K::Y::lanes(&self.dy);
        K::Y::zip(dy, from, &mut entries::value::<K::Real, W>());
        K::Y::zip(ddy, from, &mut entries::tangent::<K::Real, W>(0));
        K::Kind::convert::<K::Y, _, K::Real>(&self.y, &mut y, zero(), &mut |v| v.value);
    }

    /// Writes `value` to the tangents of the inputs from `at`, one in each lane.
    fn seed(&mut self, at: usize, count: usize, value: K::Real) {
        for k in 0..count {
            K::X::entry(K::X::lanes_mut(&mut self.x), at + k).tangents[k] = value;
        }
    }

    fn write_gradient(&self, g: &mut Option<XLanesMut<'_, K, K::Real>>) {
        if let Some(g) = g {
            let (to, from) = (K::X::reborrow_lanes(g), K::X::lanes(&self.g));
            K::X::zip(to, from, &mut entries::value::<K::Real, W>());
        }
    }
}
