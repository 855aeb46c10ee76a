//! `derivative`: of a function of one number, result of the shape of the result.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Key, Like, Operand, Output, Value};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape};
use crate::function::{OfNumber, Primal};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Number};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Derivative;

impl Sealed for Derivative {}

impl Op for Derivative {
    const OPERATOR: Operator = Operator::Derivative;
}

/// Prepares [`derivative`] and its variants.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
pub fn prepare_derivative<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<Derivative, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut room = None;
    prepare(f, backend, x, 0, |f, prep| {
        let dy = match &mut room {
            Some(dy) => dy,
            none => none.insert(f.like(prep.y())),
        };
        let y = run(f, dy, prep, backend, x)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Derivative of a function of one number.
///
/// `f: R -> R^m`; the result has the shape of `f(x)`.
/// Cost: one evaluation with tangents (forward backends), or `ceil(m / 8)` pullbacks.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another backend or output; [`Error::Function`] if the function fails;
/// [`Error::InUse`] if the function calls an operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn curve(t: f64) -> (f64, f64) {
///     (t * t, 3.0 * t)
/// }
///
/// assert_eq!(derivative(curve::AD, NoPrep, &AutoSource::new(), &2.0)?, (4.0, 3.0));
/// # Ok::<(), di::Error>(())
/// ```
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn derivative<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<Like<F>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    P: Prepared<Derivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut dy = f.like(prep.y());
    let y = settling.end(run(&mut f, &mut dy, prep, backend, x))?;
    prep.keep(&mut f, y);
    Ok(dy)
}

/// [`derivative`], written to `dy`.
///
/// Cost: that of [`derivative`].
///
/// # Errors
/// Those of [`derivative`]; [`Error::Shape`] if `dy` differs in length from `f(x)`.
pub fn derivative_into<F, T, P, B, X>(
    f: F,
    dy: &mut T,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: OfNumber,
    T: ContainerMut<Output<F>, Float<F>> + ?Sized,
    P: Prepared<Derivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, dy, prep, backend, x))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// [`derivative`], and the value of the function at no extra cost.
///
/// Cost: that of [`derivative`].
///
/// # Errors
/// Those of [`derivative`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn value_and_derivative<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Value<F>, Like<F>), Error>
where
    F: Operand,
    Key<F>: OfNumber,
    P: Prepared<Derivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut dy = f.like(prep.y());
    let y = settling.end(run(&mut f, &mut dy, prep, backend, x))?;
    Ok((prep.give(&mut f, y), dy))
}

/// [`derivative`], written to `dy`; returns the value of the function.
///
/// Cost: that of [`derivative`].
///
/// # Errors
/// Those of [`derivative_into`].
pub fn value_and_derivative_into<F, T, P, B, X>(
    f: F,
    dy: &mut T,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Value<F>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    T: ContainerMut<Output<F>, Float<F>> + ?Sized,
    P: Prepared<Derivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, dy, prep, backend, x))?;
    Ok(prep.give(&mut f, y))
}

/// All variants.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<F, T, K, B, X>(
    f: &mut F,
    dy: &mut T,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + OfNumber,
    T: ContainerMut<K::Y, K::Real> + ?Sized,
    B: Backend<K>,
    X: Container<Number, K::Real> + ?Sized,
{
    let mut state = enter(prep, Derivative::OPERATOR, backend, f, x, 0)?;
    check_shape::<K::Y, K::Real>(Operator::Derivative, "result", prep.y(), dy)?;
    let State { space, spares, .. } = &mut *state;
    let x = x.view(&mut spares.x);
    let lanes = dy.lanes_mut(&mut spares.dy);
    let mut y = f.take(&mut spares.y);
    let slot = F::slot(&mut y, &mut spares.y);
    backend.derivative(space, f.call(), x, slot, lanes)?;
    F::finish(&mut y, &mut spares.y, Operator::Derivative, prep.y())?;
    dy.finish(&mut spares.dy);
    Ok(y)
}
