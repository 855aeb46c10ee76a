//! `jacobian`: the matrix of all partial derivatives.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Operand, Value};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_size};
use crate::function::Primal;
use crate::matrices::MatrixMut;
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::sealed::Sealed;
use crate::value::Container;

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Jacobian;

impl Sealed for Jacobian {}

impl Op for Jacobian {
    const OPERATOR: Operator = Operator::Jacobian;
}

/// Prepares [`jacobian`] and its variants for `x` of this shape.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// [`Error::Chunk`] if a fixed chunk of the backend does not fit; [`Error::Function`] if the function fails.
pub fn prepare_jacobian<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<Jacobian, Key<F>, B>, Error>
where
    F: Operand,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut room = None;
    prepare(f, backend, x, 0, |f, prep| {
        let j = match &mut room {
            Some(j) => j,
            none => none.insert(blank(prep, backend)?),
        };
        let y = run(f, j, prep, backend, x)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Jacobian matrix.
///
/// `f: R^n -> R^m`; the result has `m` rows and `n` columns. Matrices are flattened in row-major order, tuples in the
/// order of their components. Cost: `ceil(n / chunk)` pushforwards, or one forward sweep and `ceil(m / 8)` reverse
/// sweeps; whichever is less if the backend has both modes.
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
/// fn f(x: &[f64], #[constant] a: f64, y: &mut [f64]) {
///     y[0] = a * x[0] * x[1];
///     y[1] = x[2];
/// }
///
/// let (backend, mut y) = (AutoSource::new(), vec![0.0; 2]);
/// let prep = prepare_jacobian(f::AD.with(1.0).output(&mut y), &backend, &[0.0; 3])?;
/// let j = jacobian(f::AD.with(2.0).output(&mut y), &prep, &backend, &[3.0, 5.0, 7.0])?;
/// assert_eq!(j, [[10.0, 6.0, 0.0], [0.0, 0.0, 1.0]]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn jacobian<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<B::Matrix, Error>
where
    F: Operand,
    P: Prepared<Jacobian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut j = blank(prep, backend)?;
    let y = settling.end(run(&mut f, &mut j, prep, backend, x))?;
    prep.keep(&mut f, y);
    Ok(j)
}

/// [`jacobian`], written to `j`.
///
/// Cost: that of [`jacobian`].
///
/// # Errors
/// Those of [`jacobian`]; [`Error::Shape`] if `j` is not `m` by `n`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn jacobian_into<F, J, P, B, X>(
    f: F,
    j: &mut J,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    J: MatrixMut<Float<F>, B::Matrix> + ?Sized,
    P: Prepared<Jacobian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, j, prep, backend, x))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// [`jacobian`], and the value of the function at no extra cost.
///
/// Cost: that of [`jacobian`].
///
/// # Errors
/// Those of [`jacobian`].
pub fn value_and_jacobian<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Value<F>, B::Matrix), Error>
where
    F: Operand,
    P: Prepared<Jacobian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let mut j = blank(prep, backend)?;
    let y = settling.end(run(&mut f, &mut j, prep, backend, x))?;
    Ok((prep.give(&mut f, y), j))
}

/// [`jacobian`], written to `j`; returns the value of the function.
///
/// Cost: that of [`jacobian`].
///
/// # Errors
/// Those of [`jacobian_into`].
pub fn value_and_jacobian_into<F, J, P, B, X>(
    f: F,
    j: &mut J,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Value<F>, Error>
where
    F: Operand,
    J: MatrixMut<Float<F>, B::Matrix> + ?Sized,
    P: Prepared<Jacobian, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 0))?;
    let y = settling.end(run(&mut f, j, prep, backend, x))?;
    Ok(prep.give(&mut f, y))
}

/// A matrix of the right size.
fn blank<K: Primal, B: Backend<K>>(prep: &BodyOf<K, B>, backend: &B) -> Result<B::Matrix, Error> {
    let (n, m) = prep.lengths();
    let state = prep.look(Operator::Jacobian)?;
    Ok(backend.matrix(&state.space.scratch, m, n))
}

/// All variants.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<F, J, K, B, X>(
    f: &mut F,
    j: &mut J,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal,
    J: MatrixMut<K::Real, B::Matrix> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, Jacobian::OPERATOR, backend, f, x, 0)?;
    let (n, m) = prep.lengths();
    check_size(Operator::Jacobian, "result", (m, n), j.size())?;
    let State {
        space,
        spares,
        copy,
        ..
    } = &mut *state;
    let target = j.target(copy, || backend.matrix(&space.scratch, m, n));
    backend.check_matrix(&space.scratch, target)?;
    let view = x.view(&mut spares.x);
    let mut y = f.take(&mut spares.y);
    let slot = F::slot(&mut y, &mut spares.y);
    backend.jacobian(space, f.call(), view, slot, target)?;
    F::finish(&mut y, &mut spares.y, Operator::Jacobian, prep.y())?;
    j.finish(copy)?;
    Ok(y)
}
