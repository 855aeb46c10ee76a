//! `second_derivative`: of a function of one number, result of the shape of the result.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Key, Like, Operand, Output, Value};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape};
use crate::function::{OfNumber, Primal};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Family, Number};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct SecondDerivative;

impl Sealed for SecondDerivative {}

impl Op for SecondDerivative {
    const OPERATOR: Operator = Operator::SecondDerivative;
}

/// Prepares [`second_derivative`] and its variants.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// [`Error::Unsupported`] if the backend has no second order; [`Error::Function`] if the function fails.
pub fn prepare_second_derivative<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<SecondDerivative, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut room = None;
    prepare(f, backend, x, 0, |f, prep| {
        let ddy = match &mut room {
            Some(ddy) => ddy,
            none => none.insert(f.like(prep.y())),
        };
        let y = run(f, None::<&mut Like<F>>, ddy, prep, backend, x)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Second derivative of a function of one number.
///
/// `f: R -> R^m`; the result has the shape of `f(x)`.
/// Cost: one evaluation with first and second tangents.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another backend or output; [`Error::Unsupported`] if the backend has no
/// second order; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls an operator with the
/// same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn cube(t: f64) -> f64 {
///     t * t * t
/// }
///
/// let backend = AutoSource::new();
/// assert_eq!(second_derivative(cube::AD, NoPrep, &backend, &2.0)?, 12.0);
/// let all = value_derivative_and_second_derivative(cube::AD, NoPrep, &backend, &2.0)?;
/// assert_eq!(all, (8.0, 12.0, 12.0));
/// # Ok::<(), di::Error>(())
/// ```
pub fn second_derivative<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<Like<F>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    P: Prepared<SecondDerivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut ddy = f.like(prep.y());
    let y = settling.end(run(
        &mut f,
        None::<&mut Like<F>>,
        &mut ddy,
        prep,
        backend,
        x,
    ))?;
    prep.keep(&mut f, y);
    Ok(ddy)
}

/// [`second_derivative`], written to `ddy`.
///
/// Cost: that of [`second_derivative`].
///
/// # Errors
/// Those of [`second_derivative`]; [`Error::Shape`] if `ddy` differs in length from `f(x)`.
pub fn second_derivative_into<F, T, P, B, X>(
    f: F,
    ddy: &mut T,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: OfNumber,
    T: ContainerMut<Output<F>, Float<F>> + ?Sized,
    P: Prepared<SecondDerivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, None::<&mut Like<F>>, ddy, prep, backend, x))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// [`second_derivative`], with the value and the first derivative at no extra cost.
///
/// Cost: that of [`second_derivative`].
///
/// # Errors
/// Those of [`second_derivative`].
#[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
pub fn value_derivative_and_second_derivative<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Value<F>, Like<F>, Like<F>), Error>
where
    F: Operand,
    Key<F>: OfNumber,
    P: Prepared<SecondDerivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let (mut dy, mut ddy) = (f.like(prep.y()), f.like(prep.y()));
    let y = settling.end(run(&mut f, Some(&mut dy), &mut ddy, prep, backend, x))?;
    Ok((prep.give(&mut f, y), dy, ddy))
}

/// [`second_derivative`], written to `ddy`, and the first derivative to `dy`; returns the value.
///
/// Cost: that of [`second_derivative`].
///
/// # Errors
/// Those of [`second_derivative_into`].
pub fn value_derivative_and_second_derivative_into<F, T, U, P, B, X>(
    f: F,
    dy: &mut T,
    ddy: &mut U,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Value<F>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    T: ContainerMut<Output<F>, Float<F>> + ?Sized,
    U: ContainerMut<Output<F>, Float<F>> + ?Sized,
    P: Prepared<SecondDerivative, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, Some(dy), ddy, prep, backend, x))?;
    Ok(prep.give(&mut f, y))
}

/// All variants.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<F, T, U, K, B, X>(
    f: &mut F,
    dy: Option<&mut T>,
    ddy: &mut U,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + OfNumber,
    T: ContainerMut<K::Y, K::Real> + ?Sized,
    U: ContainerMut<K::Y, K::Real> + ?Sized,
    B: Backend<K>,
    X: Container<Number, K::Real> + ?Sized,
{
    const OPERATOR: Operator = Operator::SecondDerivative;
    let mut state = enter(prep, SecondDerivative::OPERATOR, backend, f, x, 0)?;
    check_shape::<K::Y, K::Real>(OPERATOR, "result", prep.y(), ddy)?;
    if let Some(dy) = &dy {
        check_shape::<K::Y, K::Real>(OPERATOR, "first derivative", prep.y(), dy)?;
    }
    let State {
        space,
        spares,
        first,
        ..
    } = &mut *state;
    let x = x.view(&mut spares.x);
    let lanes = ddy.lanes_mut(&mut spares.ddy);
    let y = match dy {
        Some(dy) => {
            let first = dy.lanes_mut(&mut spares.dy);
            let mut y = f.take(&mut spares.y);
            let slot = F::slot(&mut y, &mut spares.y);
            backend.second_derivative(space, f.call(), x, slot, first, lanes)?;
            F::finish(&mut y, &mut spares.y, OPERATOR, prep.y())?;
            dy.finish(&mut spares.dy);
            y
        }
        None => {
            let first = K::Y::lanes_mut(
                first.get_or_insert_with(|| K::Y::store(prep.y(), K::Real::default())),
            );
            let mut y = f.take(&mut spares.y);
            let slot = F::slot(&mut y, &mut spares.y);
            backend.second_derivative(space, f.call(), x, slot, first, lanes)?;
            F::finish(&mut y, &mut spares.y, OPERATOR, prep.y())?;
            y
        }
    };
    ddy.finish(&mut spares.ddy);
    Ok(y)
}
