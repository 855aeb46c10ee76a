//! `hessian_diagonal` and `laplacian`: the second derivatives by each input alone, and their sum.

use crate::backend::Backend;
use crate::batch::{WIDEST, even_batch};
use crate::bound::{Evaluate, Float, Input, Key, Operand};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape};
use crate::function::{NumberValued, Primal};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::rules::zero;
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Family};

/// Marker of both operators.
#[derive(Clone, Copy, Debug)]
pub struct HessianDiagonal;

impl Sealed for HessianDiagonal {}

impl Op for HessianDiagonal {
    const OPERATOR: Operator = Operator::Hvp;
}

/// Products with the Hessian at once.
fn batch<F: Family, R: crate::scalar::Real>(x: &(impl Container<F, R> + ?Sized)) -> usize {
    even_batch(F::len(&x.shape()), WIDEST)
}

/// Prepares [`hessian_diagonal`] and [`laplacian`] for `x` of this shape.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// [`Error::Unsupported`] if the backend has no second order; [`Error::Function`] if the function fails.
pub fn prepare_hessian_diagonal<F, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<HessianDiagonal, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    prepare(f, backend, x, batch(x), |f, prep| {
        run(f, None::<&mut X::Result>, &mut x.blank(), prep, backend, x)?;
        Ok(())
    })
}

/// Diagonal of the Hessian.
///
/// `f: R^n -> R`; the result has the shape of `x`.
/// Cost: `ceil(n / 8)` gradients on dual numbers, without the matrix.
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
///     x[0] * x[0] * x[1] + x[1] * x[1]
/// }
///
/// let (backend, x) = (AutoSource::new(), [3.0, 5.0]);
/// assert_eq!(hessian_diagonal(f::AD, NoPrep, &backend, &x)?, [10.0, 2.0]);
/// assert_eq!(laplacian(f::AD, NoPrep, &backend, &x)?, 12.0);
/// # Ok::<(), di::Error>(())
/// ```
pub fn hessian_diagonal<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<X::Result, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<HessianDiagonal, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut d = x.blank();
    hessian_diagonal_into(f, &mut d, prep, backend, x)?;
    Ok(d)
}

/// [`hessian_diagonal`], written to `d`.
///
/// Cost: that of [`hessian_diagonal`].
///
/// # Errors
/// Those of [`hessian_diagonal`]; [`Error::Shape`] if `d` differs in length from `x`.
pub fn hessian_diagonal_into<F, D, P, B, X>(
    f: F,
    d: &mut D,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    D: ContainerMut<Input<F>, Float<F>> + ?Sized,
    P: Prepared<HessianDiagonal, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, batch(x)))?;
    settling.end(run(&mut f, None::<&mut X::Result>, d, prep, backend, x))?;
    Ok(())
}

/// [`hessian_diagonal`], with the value and the gradient at no extra cost.
///
/// Cost: that of [`hessian_diagonal`].
///
/// # Errors
/// Those of [`hessian_diagonal`].
#[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
pub fn value_gradient_and_hessian_diagonal<F, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Float<F>, X::Result, X::Result), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<HessianDiagonal, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, batch(x)))?;
    let (mut g, mut d) = (x.blank(), x.blank());
    let y = settling.end(run(&mut f, Some(&mut g), &mut d, prep, backend, x))?;
    Ok((y, g, d))
}

/// Sum of the second derivatives by each input.
///
/// `f: R^n -> R`. Takes the prep of [`hessian_diagonal`]. Cost: that of [`hessian_diagonal`].
///
/// # Errors
/// Those of [`hessian_diagonal`].
pub fn laplacian<F, P, B, X>(f: F, prep: P, backend: &B, x: &X) -> Result<Float<F>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<HessianDiagonal, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let d = hessian_diagonal(f, prep, backend, x)?;
    let mut sum = zero::<Float<F>>();
    <Input<F>>::each(d.lanes(&mut Default::default()), &mut |v: Float<F>| {
        sum = sum + v;
    });
    Ok(sum)
}

/// All variants.
fn run<F, G, D, K, B, X>(
    f: &mut F,
    mut g: Option<&mut G>,
    d: &mut D,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<K::Real, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + NumberValued,
    G: ContainerMut<K::X, K::Real> + ?Sized,
    D: ContainerMut<K::X, K::Real> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(
        prep,
        HessianDiagonal::OPERATOR,
        backend,
        f,
        x,
        even_batch(prep.lengths().0, WIDEST),
    )?;
    check_shape::<K::X, K::Real>(Operator::Hvp, "result", prep.x(), d)?;
    if let Some(g) = &g {
        check_shape::<K::X, K::Real>(Operator::Hvp, "gradient", prep.x(), *g)?;
    }
    let State { space, spares, .. } = &mut *state;
    let view = x.view(&mut spares.x);
    let lanes = g.as_mut().map(|g| g.lanes_mut(&mut spares.g));
    let diagonal = d.lanes_mut(&mut spares.xs[0]);
    let y = backend.hessian_diagonal(space, f.call(), view, lanes, diagonal)?;
    if let Some(g) = g {
        g.finish(&mut spares.g);
    }
    d.finish(&mut spares.xs[0]);
    Ok(y)
}
