//! `hessian`: the matrix of all second derivatives.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Operand};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape, check_size};
use crate::function::{NumberValued, Primal};
use crate::matrices::MatrixMut;
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Hessian;

impl Sealed for Hessian {}

impl Op for Hessian {
    const OPERATOR: Operator = Operator::Hessian;
}

/// Prepares [`hessian`] and its variants for `x` of this shape.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// [`Error::Unsupported`] if the backend has no second order; [`Error::Chunk`] if a fixed chunk of the backend does not
/// fit; [`Error::Function`] if the function fails.
pub fn prepare_hessian<F, B, X>(f: F, backend: &B, x: &X) -> Result<Prep<Hessian, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut room = None;
    prepare(f, backend, x, 0, |f, prep| {
        let h = match &mut room {
            Some(h) => h,
            none => none.insert(blank(prep, backend)?),
        };
        run(f, None::<&mut X::Result>, h, prep, backend, x)?;
        Ok(())
    })
}

/// Hessian matrix, exactly symmetric.
///
/// `f: R^n -> R`; the result is `n` by `n`. Matrices are flattened in row-major order, tuples in the order of their
/// components. Cost: `ceil(n / chunk)` gradients on dual numbers.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length or backend; [`Error::Unsupported`] if the backend has no
/// second order; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls an operator with the
/// same prep.
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
/// let (y, g, h) = value_gradient_and_hessian(f::AD, NoPrep, &AutoSource::new(), &[3.0, 2.0])?;
/// assert_eq!((y, g), (18.0, [12.0, 9.0]));
/// assert_eq!(h, [[4.0, 6.0], [6.0, 0.0]]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn hessian<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<B::Matrix, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Hessian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut h = blank(prep, backend)?;
    settling.end(alone(&mut f, &mut h, prep, backend, x))?;
    Ok(h)
}

/// [`hessian`], written to `h`.
///
/// Cost: that of [`hessian`].
///
/// # Errors
/// Those of [`hessian`]; [`Error::Shape`] if `h` is not `n` by `n`.
pub fn hessian_into<F, H, P, B, X>(
    f: F,
    h: &mut H,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    H: MatrixMut<Float<F>, B::Matrix> + ?Sized,
    P: Prepared<Hessian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    settling.end(alone(&mut f, h, prep, backend, x))
}

/// [`hessian`], with the value and the gradient at no extra cost.
///
/// Cost: that of [`hessian`].
///
/// # Errors
/// Those of [`hessian`].
#[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
pub fn value_gradient_and_hessian<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Float<F>, X::Result, B::Matrix), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Hessian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let (mut g, mut h) = (x.blank(), blank(prep, backend)?);
    let y = settling.end(run(&mut f, Some(&mut g), &mut h, prep, backend, x))?;
    Ok((y, g, h))
}

/// [`hessian`], written to `h`, and the gradient to `g`; returns the value.
///
/// Cost: that of [`hessian`].
///
/// # Errors
/// Those of [`hessian_into`]; [`Error::Shape`] if `g` differs in length from `x`.
pub fn value_gradient_and_hessian_into<F, G, H, P, B, X>(
    f: F,
    g: &mut G,
    h: &mut H,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Float<F>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    G: ContainerMut<Input<F>, Float<F>> + ?Sized,
    H: MatrixMut<Float<F>, B::Matrix> + ?Sized,
    P: Prepared<Hessian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    settling.end(run(&mut f, Some(g), h, prep, backend, x))
}

/// A matrix of the right size.
fn blank<K: Primal, B: Backend<K>>(prep: &BodyOf<K, B>, backend: &B) -> Result<B::Matrix, Error> {
    let (n, _) = prep.lengths();
    let state = prep.look(Operator::Hessian)?;
    Ok(backend.matrix(&state.space.scratch, n, n))
}

/// Variants without the value.
fn alone<F, H, K, B, X>(
    f: &mut F,
    h: &mut H,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Evaluate<Key = K>,
    K: Primal + NumberValued,
    H: MatrixMut<K::Real, B::Matrix> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, Hessian::OPERATOR, backend, f, x, 0)?;
    let (n, _) = prep.lengths();
    check_size(Operator::Hessian, "result", (n, n), h.size())?;
    let State {
        space,
        spares,
        copy,
        ..
    } = &mut *state;
    let target = h.target(copy, || backend.matrix(&space.scratch, n, n));
    backend.check_matrix(&space.scratch, target)?;
    let view = x.view(&mut spares.x);
    backend.hessian_alone(space, f.call(), view, target)?;
    h.finish(copy)
}

/// Variants with the value.
fn run<F, G, H, K, B, X>(
    f: &mut F,
    mut g: Option<&mut G>,
    h: &mut H,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<K::Real, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + NumberValued,
    G: ContainerMut<K::X, K::Real> + ?Sized,
    H: MatrixMut<K::Real, B::Matrix> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, Hessian::OPERATOR, backend, f, x, 0)?;
    let (n, _) = prep.lengths();
    check_size(Operator::Hessian, "result", (n, n), h.size())?;
    if let Some(g) = &g {
        check_shape::<K::X, K::Real>(Operator::Hessian, "gradient", prep.x(), g)?;
    }
    let State {
        space,
        spares,
        copy,
        ..
    } = &mut *state;
    let target = h.target(copy, || backend.matrix(&space.scratch, n, n));
    backend.check_matrix(&space.scratch, target)?;
    let view = x.view(&mut spares.x);
    let lanes = match &mut g {
        Some(g) => Some(g.lanes_mut(&mut spares.g)),
        None => None,
    };
    let y = backend.hessian(space, f.call(), view, lanes, target)?;
    h.finish(copy)?;
    if let Some(g) = g {
        g.finish(&mut spares.g);
    }
    Ok(y)
}
