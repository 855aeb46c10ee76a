//! `gradient`: `R^n -> R`, result of the shape of `x`.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Operand};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape};
use crate::function::{NumberValued, Primal};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Gradient;

impl Sealed for Gradient {}

impl Op for Gradient {
    const OPERATOR: Operator = Operator::Gradient;
}

/// Prepares [`gradient`] and its variants for `x` of this shape.
///
/// Cost: it allocates all scratch memory. Generated code also computes the gradient at `x`, once or a few times, until
/// each vector of the function has a buffer. If a call at another point needs more, for a branch or a length that did
/// not occur at `x`, it allocates that once, and the prep keeps it.
///
/// # Errors
/// [`Error::Chunk`] if a fixed chunk of the backend does not fit; [`Error::Function`] if the function fails.
pub fn prepare_gradient<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<Gradient, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    prepare(f, backend, x, 0, |f, prep| {
        run::<true, _, _, _, _, _>(f, &mut x.blank(), prep, backend, x)?;
        Ok(())
    })
}

/// Gradient of a function that returns one number.
///
/// `f: R^n -> R`, `x` of length `n`; the result has the shape and the container of `x`.
/// Cost: one pullback (reverse backends) or `ceil(n / chunk)` pushforwards.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length or backend; [`Error::Function`] if the function fails;
/// [`Error::InUse`] if the function calls an operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[0] * x[1]
/// }
///
/// let backend = AutoSource::new();
/// let prep = prepare_gradient(f::AD, &backend, &[0.0, 0.0])?;
/// assert_eq!(gradient(f::AD, &prep, &backend, &[3.0, 2.0])?, [12.0, 9.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn gradient<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<X::Result, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Gradient, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut g = x.blank();
    gradient_into(f, &mut g, prep, backend, x)?;
    Ok(g)
}

/// [`gradient`], written to `g`.
///
/// `g` has the length of `x` and may be of another container type. Cost: that of [`gradient`]; prepared, it allocates
/// nothing with generated code and dual numbers, with the exceptions that `docs/limits.md` lists.
///
/// # Errors
/// Those of [`gradient`]; [`Error::Shape`] if `g` differs in length from `x`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn gradient_into<F, G, P, B, X>(
    f: F,
    g: &mut G,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    G: ContainerMut<Input<F>, Float<F>> + ?Sized,
    P: Prepared<Gradient, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    settling.end(run::<false, _, _, _, _, _>(&mut f, g, prep, backend, x))?;
    Ok(())
}

/// [`gradient`], and the value of the function at no extra cost.
///
/// Cost: that of [`gradient`].
///
/// # Errors
/// Those of [`gradient`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn value_and_gradient<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Float<F>, X::Result), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Gradient, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut g = x.blank();
    let y = value_and_gradient_into(f, &mut g, prep, backend, x)?;
    Ok((y, g))
}

/// [`gradient`], written to `g`; returns the value of the function.
///
/// Cost: that of [`gradient`].
///
/// # Errors
/// Those of [`gradient_into`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn value_and_gradient_into<F, G, P, B, X>(
    f: F,
    g: &mut G,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Float<F>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    G: ContainerMut<Input<F>, Float<F>> + ?Sized,
    P: Prepared<Gradient, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    settling.end(run::<true, _, _, _, _, _>(&mut f, g, prep, backend, x))
}

/// All variants; without the value it is zero.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<const VALUE: bool, F, G, K, B, X>(
    f: &mut F,
    g: &mut G,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<K::Real, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + NumberValued,
    G: ContainerMut<K::X, K::Real> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, Gradient::OPERATOR, backend, f, x, 0)?;
    check_shape::<K::X, K::Real>(Operator::Gradient, "result", prep.x(), g)?;
    let State { space, spares, .. } = &mut *state;
    let view = x.view(&mut spares.x);
    let lanes = g.lanes_mut(&mut spares.g);
    let mut y = K::Real::default();
    if VALUE {
        y = backend.gradient(space, f.call(), view, lanes)?;
    } else {
        backend.gradient_alone(space, f.call(), view, lanes)?;
    }
    g.finish(&mut spares.g);
    Ok(y)
}
