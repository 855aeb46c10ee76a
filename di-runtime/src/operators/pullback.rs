//! `pullback`: vector times Jacobian, result of the shape of `x`.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Operand, Output, Value};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_results, check_tangents};
use crate::function::Primal;
use crate::prep::{
    BodyOf, Op, Prep, Prepared, State, check_point, enter, prepare, prepare_same_point,
};
use crate::sealed::Sealed;
use crate::value::{Container, Count as _, Tangents, TangentsMut};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Pullback;

impl Sealed for Pullback {}

impl Op for Pullback {
    const OPERATOR: Operator = Operator::Pullback;
}

/// Prepares [`pullback`] and its variants for `x` of this shape and this number of adjoints.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
pub fn prepare_pullback<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<Prep<Pullback, Key<F>, B>, Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    let mut dx = V::each(&mut || x.blank());
    prepare(f, backend, x, dy.directions(), |f, prep| {
        let y = run(f, &mut dx, prep, backend, x, dy)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Prepares [`pullback`] and its variants for this `x` only.
///
/// With generated code, this runs the forward sweep, once.
///
/// Calls compare `x` and the constants with those of the preparation, bit for bit. Constants cannot be compared if
/// their type is not a [`Constant`](crate::context::Constant), or if a closure captured them. They may change, because
/// nothing that depends on them is kept.
///
/// Cost: that of [`prepare_pullback`], and one forward sweep with engines that keep a record.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails. Calls at another point or with other constants
/// return [`Error::Preparation`].
pub fn prepare_pullback_same_point<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<Prep<Pullback, Key<F>, B>, Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    prepare_same_point(f, backend, x, dy.directions())
}

/// Vector times Jacobian: the gradient of `dy . f(x)`.
///
/// `f: R^n -> R^m`, `dy` of the shape of `f(x)`; the result has the shape and the container of `x`. For an array of
/// adjoints the result is an array. Cost: one forward sweep and one reverse sweep for each 8 adjoints (reverse
/// backends), or `ceil(n / 8)` pushforwards.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length, number of adjoints or backend; [`Error::Shape`] if an
/// adjoint differs in length from `f(x)`; [`Error::Function`] if the function fails; [`Error::InUse`] if the function
/// calls an operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> [f64; 2] {
///     [x[0] * x[1], x[1]]
/// }
///
/// let backend = AutoSource::new();
/// let (y, dx) = value_and_pullback(f::AD, NoPrep, &backend, &[3.0, 2.0], &[1.0, 10.0])?;
/// assert_eq!((y, dx), ([6.0, 2.0], [2.0, 13.0]));
/// # Ok::<(), di::Error>(())
/// ```
pub fn pullback<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<V::Each<Input<F>, X::Result>, Error>
where
    F: Operand,
    P: Prepared<Pullback, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    let mut dx = V::each(&mut || x.blank());
    pullback_into(f, &mut dx, prep, backend, x, dy)?;
    Ok(dx)
}

/// [`pullback`], written to `dx`: one buffer, or an array of them.
///
/// Cost: that of [`pullback`].
///
/// # Errors
/// Those of [`pullback`]; [`Error::Shape`] if a buffer differs in length from `x`.
pub fn pullback_into<F, T, P, B, X, V, M>(
    f: F,
    dx: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<(), Error>
where
    F: Operand,
    T: TangentsMut<Input<F>, Float<F>, M> + ?Sized,
    P: Prepared<Pullback, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dy.directions()))?;
    let y = settling.end(run(&mut f, dx, prep, backend, x, dy))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// [`pullback`], and the value of the function at no extra cost.
///
/// Cost: that of [`pullback`].
///
/// # Errors
/// Those of [`pullback`].
#[allow(clippy::type_complexity, reason = "a pair whose parts are named")]
pub fn value_and_pullback<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<(Value<F>, V::Each<Input<F>, X::Result>), Error>
where
    F: Operand,
    P: Prepared<Pullback, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    let mut dx = V::each(&mut || x.blank());
    let y = value_and_pullback_into(f, &mut dx, prep, backend, x, dy)?;
    Ok((y, dx))
}

/// [`pullback`], written to `dx`; returns the value of the function.
///
/// Cost: that of [`pullback`].
///
/// # Errors
/// Those of [`pullback_into`].
pub fn value_and_pullback_into<F, T, P, B, X, V, M>(
    f: F,
    dx: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<Value<F>, Error>
where
    F: Operand,
    T: TangentsMut<Input<F>, Float<F>, M> + ?Sized,
    P: Prepared<Pullback, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Output<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dy.directions()))?;
    let y = settling.end(run(&mut f, dx, prep, backend, x, dy))?;
    Ok(prep.give(&mut f, y))
}

/// All variants.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<F, T, K, B, X, V, M>(
    f: &mut F,
    dx: &mut T,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
    dy: &V,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal,
    T: TangentsMut<K::X, K::Real, M> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
    V: Tangents<K::Y, K::Real, M> + ?Sized,
{
    const OPERATOR: Operator = Operator::Pullback;
    let mut state = enter(prep, Pullback::OPERATOR, backend, f, x, dy.count())?;
    check_tangents::<K::Y, K::Real, M>(OPERATOR, "adjoint", prep.y(), dy)?;
    check_results::<K::X, K::Real, M>(OPERATOR, dy.count(), prep.x(), dx)?;
    let State {
        space,
        spares,
        point,
        ..
    } = &mut *state;
    let view = x.view(&mut spares.x);
    check_point::<K>(point, OPERATOR, f.call(), view)?;
    let mut y = f.take(&mut spares.y);
    let slot = F::slot(&mut y, &mut spares.y);
    let dy = dy.all_lanes(&mut spares.ys);
    let mut to = dx.all_lanes_mut(&mut spares.gs);
    let (call, dy, lanes) = (f.call(), dy.as_ref(), to.as_mut());
    if const { V::Count::IS_ONE } {
        backend.pullback_one(space, call, view, dy, slot, lanes)?;
    } else {
        backend.pullback(space, call, view, dy, slot, lanes)?;
    }
    drop(to);
    dx.finish_all(&mut spares.gs);
    F::finish(&mut y, &mut spares.y, OPERATOR, prep.y())?;
    Ok(y)
}
