//! `value_and_gradient_with_aux`: the gradient of the first of two results, and the value of both.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Function, Input, Key};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_shape};
use crate::function::{Primal, Signature};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, enter, prepare};
use crate::rules::one;
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Family, Number};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct GradientWithAux;

impl Sealed for GradientWithAux {}

impl Op for GradientWithAux {
    const OPERATOR: Operator = Operator::Pullback;
}

/// Prepares [`value_and_gradient_with_aux`] for `x` of this shape.
///
/// Cost: it allocates all scratch memory; some engines also call the pullback at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// Those of the backend; [`Error::Function`] if the function fails.
pub fn prepare_gradient_with_aux<F, A, Y, B, X>(
    f: F,
    backend: &B,
    x: &X,
) -> Result<Prep<GradientWithAux, Key<F>, B>, Error>
where
    F: Function<Bound: Evaluate<Value = (Float<F>, A)>>,
    Key<F>: Signature<Y = (Number, Y)>,
    Y: Family,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    prepare(f, backend, x, 1, |f, prep| {
        let y = run(f, &mut x.blank(), prep, backend, x)?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Value, auxiliary result and gradient of a function that returns a pair: a number, which is differentiated, and an
/// auxiliary result of floats, which is not.
///
/// `f: R^n -> R x A`; the gradient has the shape of `x`. Cost: one pullback of a unit adjoint.
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
/// fn loss(x: &[f64]) -> (f64, Vec<f64>) {
///     let residual: Vec<f64> = x.iter().map(|x| x - 1.0).collect();
///     let mut sum = 0.0;
///     for r in &residual {
///         sum += r * r;
///     }
///     (sum, residual)
/// }
///
/// let (y, residual, g) =
///     value_and_gradient_with_aux(loss::AD, NoPrep, &AutoSource::new(), &[3.0, 0.0])?;
/// assert_eq!((y, residual, g), (5.0, vec![2.0, -1.0], [4.0, -2.0]));
/// # Ok::<(), di::Error>(())
/// ```
#[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
pub fn value_and_gradient_with_aux<F, A, Y, P, B, X>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(Float<F>, A, X::Result), Error>
where
    F: Function<Bound: Evaluate<Value = (Float<F>, A)>>,
    Key<F>: Signature<Y = (Number, Y)>,
    Y: Family,
    P: Prepared<GradientWithAux, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, 1))?;
    let mut g = x.blank();
    let y = settling.end(run(&mut f, &mut g, prep, backend, x))?;
    let (y, aux) = prep.give(&mut f, y);
    Ok((y, aux, g))
}

/// The pullback of one and zeros.
fn run<F, G, K, Y, B, X>(
    f: &mut F,
    g: &mut G,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + Signature<Y = (Number, Y)>,
    Y: Family,
    G: ContainerMut<K::X, K::Real> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, GradientWithAux::OPERATOR, backend, f, x, 1)?;
    check_shape::<K::X, K::Real>(Operator::Pullback, "result", prep.x(), g)?;
    let State {
        space,
        spares,
        first,
        ..
    } = &mut *state;
    let view = x.view(&mut spares.x);
    let seed = first.get_or_insert_with(|| {
        let mut seed = K::Y::store(prep.y(), K::Real::default());
        seed.0 = one::<K::Real>();
        seed
    });
    let seed = K::Y::lanes(seed);
    let lanes = g.lanes_mut(&mut spares.g);
    let mut y = f.take(&mut spares.y);
    let slot = F::slot(&mut y, &mut spares.y);
    backend.pullback(space, f.call(), view, &[seed], slot, &mut [lanes])?;
    F::finish(&mut y, &mut spares.y, Operator::Pullback, prep.y())?;
    g.finish(&mut spares.g);
    Ok(y)
}
