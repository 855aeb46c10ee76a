//! `pushforward`: Jacobian times vector, result of the shape of the result.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Like, Operand, Output, Value};
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
pub struct Pushforward;

impl Sealed for Pushforward {}

impl Op for Pushforward {
    const OPERATOR: Operator = Operator::Pushforward;
}

/// Prepares [`pushforward`] and its variants for `x` of this shape and this number of tangents.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
pub fn prepare_pushforward<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Prep<Pushforward, Key<F>, B>, Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut room = None;
    prepare(f, backend, x, dx.directions(), |f, prep| {
        let dy = match &mut room {
            Some(dy) => dy,
            none => none.insert(V::each(&mut || f.like(prep.y()))),
        };
        let y = run(f, dy, prep, backend, x, dx)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Prepares [`pushforward`] and its variants for this `x` only.
///
/// This does the work that does not depend on the tangents, once.
///
/// Calls compare `x` and the constants with those of the preparation, bit for bit. Constants cannot be compared if
/// their type is not a [`Constant`](crate::context::Constant), or if a closure captured them. They may change, because
/// nothing that depends on them is kept.
///
/// Cost: that of [`prepare_pushforward`], and one forward sweep with engines that keep a record.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails. Calls at another point or with other constants
/// return [`Error::Preparation`].
pub fn prepare_pushforward_same_point<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Prep<Pushforward, Key<F>, B>, Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    prepare_same_point(f, backend, x, dx.directions())
}

/// Jacobian times vector: the change of the result as `x` changes by `dx`.
///
/// `f: R^n -> R^m`, `dx` of the shape of `x`; the result has the shape of `f(x)`. For an array of tangents the result
/// is an array. Cost: one evaluation for each 8 tangents (forward backends), or `ceil(m / 8)` pullbacks.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length, number of tangents or backend; [`Error::Shape`] if a tangent
/// differs in length from `x`; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls an
/// operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64], y: &mut [f64]) {
///     y[0] = x[0] * x[1];
///     y[1] = x[1];
/// }
///
/// let (backend, x) = (AutoSource::new(), [3.0, 2.0]);
/// let mut y = [0.0; 2];
/// let dy = pushforward(f::AD.output(&mut y), NoPrep, &backend, &x, &[1.0, 0.0])?;
/// assert_eq!(dy, [2.0, 0.0]);
/// // two tangents at once
/// let both = pushforward(f::AD.output(&mut y), NoPrep, &backend, &x, &[[1.0, 0.0], [0.0, 1.0]])?;
/// assert_eq!(both, [[2.0, 0.0], [3.0, 1.0]]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn pushforward<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<V::Each<Output<F>, Like<F>>, Error>
where
    F: Operand,
    P: Prepared<Pushforward, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    let mut dy = V::each(&mut || f.like(prep.y()));
    let y = settling.end(run(&mut f, &mut dy, prep, backend, x, dx))?;
    prep.keep(&mut f, y);
    Ok(dy)
}

/// [`pushforward`], written to `dy`: one buffer, or an array of them.
///
/// Cost: that of [`pushforward`].
///
/// # Errors
/// Those of [`pushforward`]; [`Error::Shape`] if a buffer differs in length from `f(x)`.
pub fn pushforward_into<F, T, P, B, X, V, M>(
    f: F,
    dy: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(), Error>
where
    F: Operand,
    T: TangentsMut<Output<F>, Float<F>, M> + ?Sized,
    P: Prepared<Pushforward, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    let y = settling.end(run(&mut f, dy, prep, backend, x, dx))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// [`pushforward`], and the value of the function at no extra cost.
///
/// Cost: that of [`pushforward`].
///
/// # Errors
/// Those of [`pushforward`].
#[allow(clippy::type_complexity, reason = "a pair whose parts are named")]
pub fn value_and_pushforward<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(Value<F>, V::Each<Output<F>, Like<F>>), Error>
where
    F: Operand,
    P: Prepared<Pushforward, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    let mut dy = V::each(&mut || f.like(prep.y()));
    let y = settling.end(run(&mut f, &mut dy, prep, backend, x, dx))?;
    Ok((prep.give(&mut f, y), dy))
}

/// [`pushforward`], written to `dy`; returns the value of the function.
///
/// Cost: that of [`pushforward`].
///
/// # Errors
/// Those of [`pushforward_into`].
pub fn value_and_pushforward_into<F, T, P, B, X, V, M>(
    f: F,
    dy: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Value<F>, Error>
where
    F: Operand,
    T: TangentsMut<Output<F>, Float<F>, M> + ?Sized,
    P: Prepared<Pushforward, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    let y = settling.end(run(&mut f, dy, prep, backend, x, dx))?;
    Ok(prep.give(&mut f, y))
}

/// All variants.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<F, T, K, B, X, V, M>(
    f: &mut F,
    dy: &mut T,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal,
    T: TangentsMut<K::Y, K::Real, M> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
    V: Tangents<K::X, K::Real, M> + ?Sized,
{
    const OPERATOR: Operator = Operator::Pushforward;
    let mut state = enter(prep, Pushforward::OPERATOR, backend, f, x, dx.count())?;
    check_tangents::<K::X, K::Real, M>(OPERATOR, "tangent", prep.x(), dx)?;
    check_results::<K::Y, K::Real, M>(OPERATOR, dx.count(), prep.y(), dy)?;
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
    let dx = dx.all_lanes(&mut spares.xs);
    let mut to = dy.all_lanes_mut(&mut spares.ys);
    let (call, dx, lanes) = (f.call(), dx.as_ref(), to.as_mut());
    if const { V::Count::IS_ONE } {
        backend.pushforward_one(space, call, view, dx, slot, lanes)?;
    } else {
        backend.pushforward(space, call, view, dx, slot, lanes)?;
    }
    drop(to);
    dy.finish_all(&mut spares.ys);
    F::finish(&mut y, &mut spares.y, OPERATOR, prep.y())?;
    Ok(y)
}
