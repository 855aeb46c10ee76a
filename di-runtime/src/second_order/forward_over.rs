//! Dual numbers over an inner engine that can run in them.

use crate::batch::{lane_width, passes_or_one};
use crate::capability::Operator;
use crate::compressed::{Reader, Seeds, read_lanes};
use crate::function::{
    Call, Env, FormOf, Generic, Kind, LaneSlot, NumberValued, OfNumber, Signature, Slot, XLanes,
    XLanesMut, XRef, YLanesMut,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::primitive::choice::{Choice, may};
use crate::rules::{one, zero};
use crate::scalar::{Dual, Scalar};
use crate::value::Family;

use super::level::{Inside, Level};

/// An engine whose first derivatives can be taken in any scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be nested inside another engine for this function",
    note = "the inner engine is `AutoSource` or `AutoDual`, or else the outer one is `AutoFiniteDiff`"
)]
pub trait Nested<K: Generic> {
    /// What it needs.
    type Inside: Inside<FormOf<K>>;

    /// How much of it.
    fn size(&self) -> SizeOf<K, Self>;

    /// Value and gradient in the scalar `S`. Entries of `g` below `from` are not asked for, and stay
    /// as they are or get their value. Unless it is `valued`, only the tangents of `g` are asked for: the value, and
    /// values of `g`, may be anything.
    fn gradient_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut InsideOf<K, Self, S>,
        env: Env<'_, 'c, K, S>,
        x: XRef<'_, K, S>,
        g: XLanesMut<'_, K, S>,
        from: usize,
        valued: bool,
    ) -> S
    where
        K: NumberValued + 'c;

    /// Value and derivative in the scalar `S`.
    fn derivative_in<'c, S: Scalar<Real = K::Real>>(
        &self,
        inner: &mut InsideOf<K, Self, S>,
        env: Env<'_, 'c, K, S>,
        x: S,
        y: Slot<'_, K, S>,
        dy: LaneSlot<'_, K, S>,
    ) where
        K: OfNumber + 'c;
}

/// What the engine `I` needs inside of another one, in the scalar `S`.
pub type InsideOf<K, I, S> = <<I as Nested<K>>::Inside as Inside<FormOf<K>>>::In<S>;
/// How much the engine `I` needs inside of another one.
pub type SizeOf<K, I> = <<I as Nested<K>>::Inside as Inside<FormOf<K>>>::Size;

/// Dual numbers over an engine that works in `N`, in one of the compiled widths.
pub enum ForwardOver<K: Signature, N: Inside<K>> {
    /// One direction.
    One(Level<K, N, 1>),
    /// Up to three at once, for sums of columns alone: with its value a number is then four floats.
    #[cfg(not(debug_assertions))]
    Three(Level<K, N, 3>),
    /// Up to four at once.
    #[cfg(not(debug_assertions))]
    Four(Level<K, N, 4>),
    /// Up to eight at once.
    Eight(Level<K, N, 8>),
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

impl<K: Signature, N: Inside<K>> ForwardOver<K, N> {
    /// What the operator of `plan` needs, if it is of second order and `C` allows it; a Hessian is computed with
    /// `columns` at once.
    pub(crate) fn for_plan<C: Choice>(
        size: N::Size,
        columns: usize,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
    ) -> Option<Self> {
        let (x, y) = (plan.x, plan.y);
        if const { may::<C>(Operator::SecondDerivative) }
            && plan.operator == Operator::SecondDerivative
        {
            return Some(ForwardOver::One(Level::new(size, x, y, call)));
        }
        if const { may::<C>(Operator::Hvp) } && plan.operator == Operator::Hvp {
            if const { C::ONE_DIRECTION } {
                return Some(ForwardOver::One(Level::new(size, x, y, call)));
            }
            #[cfg(not(debug_assertions))]
            if const { C::ONLY.is_none() } && plan.seeds.is_some() && matches!(plan.batch, 2 | 3) {
                return Some(ForwardOver::Three(Level::new(size, x, y, call)));
            }
            return Some(match lane_width(plan.batch) {
                1 => ForwardOver::One(Level::new(size, x, y, call)),
                #[cfg(not(debug_assertions))]
                2 | 4 => ForwardOver::Four(Level::new(size, x, y, call)),
                _ => ForwardOver::Eight(Level::new(size, x, y, call)),
            });
        }
        if const { may::<C>(Operator::Hessian) } && plan.operator == Operator::Hessian {
            return Some(match lane_width(columns) {
                #[cfg(not(debug_assertions))]
                1 | 2 | 4 => ForwardOver::Four(Level::new(size, x, y, call)),
                _ => ForwardOver::Eight(Level::new(size, x, y, call)),
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
}

impl<K: Signature, N: Inside<K>> Clone for ForwardOver<K, N> {
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

/// Dual numbers over the engine `I` for a function with this key.
pub(crate) type Over<K, I> = ForwardOver<FormOf<K>, <I as Nested<K>>::Inside>;

/// One width of it.
type LevelOf<K, I, const W: usize> = Level<FormOf<K>, <I as Nested<K>>::Inside, W>;

/// Value, the gradient if requested, and products with the Hessian.
pub(crate) fn hvp<K: Generic + NumberValued, I: Nested<K>>(
    over: &mut Over<K, I>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> K::Real {
    levels!(over, level => hvp_in(level, inner, call, x, dx, g, products))
}

/// The same with one tangent.
pub(crate) fn hvp_one<K: Generic + NumberValued, I: Nested<K>>(
    over: &mut Over<K, I>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> K::Real {
    let ForwardOver::One(level) = over else {
        unreachable!("{WIDTH}")
    };
    hvp_in(level, inner, call, x, dx, g, products)
}

/// Value, the gradient if requested, and the Hessian, exactly symmetric. The value is that of the function only if
/// `valued`, as it is with the gradient.
#[allow(
    clippy::too_many_arguments,
    reason = "what is asked for, and where it goes"
)]
pub(crate) fn hessian<K: Generic + NumberValued, I: Nested<K>>(
    over: &mut Over<K, I>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    n: usize,
    g: Option<XLanesMut<'_, K, K::Real>>,
    valued: bool,
    h: &mut Matrix<K::Real>,
) -> K::Real {
    match over {
        #[cfg(not(debug_assertions))]
        ForwardOver::Four(level) => hessian_in(level, inner, call, x, n, g, valued, h),
        ForwardOver::Eight(level) => hessian_in(level, inner, call, x, n, g, valued, h),
        #[cfg(not(debug_assertions))]
        ForwardOver::Three(_) => unreachable!("{WIDTH}"),
        ForwardOver::One(_) => unreachable!("{WIDTH}"),
    }
}

/// Value, the gradient if requested, and sums of columns of the Hessian. Seeds are written once: the levels are
/// used for nothing else. The value is that of the function only if `valued`, as it is with the gradient.
#[allow(clippy::too_many_arguments, reason = "seeds in, results to a reader")]
pub(crate) fn compressed<K: Generic + NumberValued, I: Nested<K>>(
    over: &mut Over<K, I>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    g: Option<XLanesMut<'_, K, K::Real>>,
    valued: bool,
    reader: &mut impl Reader<K::Real>,
) -> K::Real {
    #[cfg(not(debug_assertions))]
    if let ForwardOver::Three(level) = over {
        return compressed_in(level, inner, call, x, seeds, g, valued, reader);
    }
    levels!(over, level => compressed_in(level, inner, call, x, seeds, g, valued, reader))
}

/// Value, first and second derivative.
pub(crate) fn second_derivative<K: Generic + OfNumber, I: Nested<K>>(
    over: &mut Over<K, I>,
    inner: &I,
    call: Call<'_, K>,
    x: K::Real,
    mut y: Slot<'_, K, K::Real>,
    dy: YLanesMut<'_, K, K::Real>,
    ddy: YLanesMut<'_, K, K::Real>,
) {
    let ForwardOver::One(level) = over else {
        unreachable!("{WIDTH}")
    };
    level.load(call.fixed, x, None);
    let env = Env {
        ctx: call.ctx,
        fixed: K::Fixed::get(&level.fixed, K::Fixed::shorten(call.fixed)),
        caches: &mut level.caches,
        pool: &mut level.pool,
    };
    let x = Dual::variable(x, 0);
    let slot = K::Kind::slot::<K::Y, _>(&mut level.y);
    let slot_dy = K::Kind::lane_slot::<K::Y, _>(&mut level.dy);
    inner.derivative_in(&mut level.inner, env, x, slot, slot_dy);
    level.write_derivatives(&mut y, dy, ddy);
}

/// The gradient at the values and tangents that are loaded; returns the value. See [`Nested::gradient_in`].
fn gradient<'c, K: Generic + NumberValued + 'c, I: Nested<K>, const W: usize>(
    level: &mut LevelOf<K, I, W>,
    inner: &I,
    call: Call<'c, K>,
    x: XRef<'_, K, K::Real>,
    from: usize,
    valued: bool,
) -> K::Real {
    let env = Env {
        ctx: call.ctx,
        fixed: K::Fixed::get(&level.fixed, K::Fixed::shorten(call.fixed)),
        caches: &mut level.caches,
        pool: &mut level.pool,
    };
    let view = K::X::get(&level.x, K::X::shorten::<K::Real>(x));
    let g = K::X::lanes_mut(&mut level.g);
    let inside = &mut level.inner;
    inner.gradient_in(inside, env, view, g, from, valued).value
}

#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "seeds in, results to a reader")]
fn compressed_in<K: Generic + NumberValued, I: Nested<K>, const W: usize>(
    level: &mut LevelOf<K, I, W>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    seeds: &Seeds,
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    valued: bool,
    reader: &mut impl Reader<K::Real>,
) -> K::Real {
    debug_assert!(
        valued || g.is_none(),
        "values of the gradient are asked for"
    );
    let mut y = zero();
    level.load_values(call.fixed, x);
    for (first, _) in passes_or_one(seeds.count(), W) {
        level.sow(seeds, first);
        y = gradient::<K, I, W>(level, inner, call, x, 0, valued);
        let products = K::X::lanes(&level.g);
        read_lanes::<K::X, K::Real, Dual<K::Real, W>, W>(
            products,
            &mut level.copy,
            first,
            reader,
            |line| &line.tangents,
        );
    }
    level.write_gradient(&mut g);
    y
}

#[inline(never)]
fn hvp_in<K: Generic + NumberValued, I: Nested<K>, const W: usize>(
    level: &mut LevelOf<K, I, W>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    dx: &[XLanes<'_, K, K::Real>],
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    products: &mut [XLanesMut<'_, K, K::Real>],
) -> K::Real {
    let mut y = zero();
    for (at, count) in passes_or_one(dx.len(), W) {
        level.load_tangents(call.fixed, x, &dx[at..at + count]);
        // the value is asked for with the gradient
        y = gradient::<K, I, W>(level, inner, call, x, 0, g.is_some());
        level.write_products(&mut products[at..at + count]);
    }
    level.write_gradient(&mut g);
    y
}

#[inline(never)]
#[allow(
    clippy::too_many_arguments,
    reason = "what is asked for, and where it goes"
)]
fn hessian_in<K: Generic + NumberValued, I: Nested<K>, const W: usize>(
    level: &mut LevelOf<K, I, W>,
    inner: &I,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    n: usize,
    mut g: Option<XLanesMut<'_, K, K::Real>>,
    valued: bool,
    h: &mut Matrix<K::Real>,
) -> K::Real {
    debug_assert!(
        valued || g.is_none(),
        "values of the gradient are asked for"
    );
    let mut y = zero();
    level.load(call.fixed, x, None);
    for (at, count) in passes_or_one(n, W) {
        level.seed(at, count, one());
        y = gradient::<K, I, W>(level, inner, call, x, at, valued);
        level.seed(at, count, zero());
        level.write_columns(h, at, count);
    }
    level.write_gradient(&mut g);
    y
}
