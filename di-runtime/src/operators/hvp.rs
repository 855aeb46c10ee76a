//! `hvp`: Hessian times vector, result of the shape of `x`.

use crate::backend::Backend;
use crate::bound::{Evaluate, Float, Input, Key, Operand};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_results, check_shape, check_tangents};
use crate::function::{NumberValued, Primal};
use crate::prep::{
    BodyOf, Op, Prep, Prepared, State, check_point, enter, prepare, prepare_same_point,
};
use crate::scalar::Real;
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Count as _, Family, Tangents, TangentsMut};

/// Marker type of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Hvp;

impl Sealed for Hvp {}

impl Op for Hvp {
    const OPERATOR: Operator = Operator::Hvp;
}

/// Prepares [`hvp`] and its variants for `x` of this shape and this number of tangents.
///
/// Cost: it allocates all scratch memory. Some engines also call the operator at `x`, once or a few times, until each
/// vector of the function has a buffer.
///
/// # Errors
/// [`Error::Unsupported`] if the backend has no second order; [`Error::Function`] if the function fails.
pub fn prepare_hvp<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Prep<Hvp, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut products = like_x::<X, V, _, _, M>(x);
    prepare(f, backend, x, dx.directions(), |f, prep| {
        run(
            f,
            None::<&mut X::Result>,
            &mut products,
            prep,
            backend,
            x,
            dx,
        )?;
        Ok(())
    })
}

/// Prepares [`hvp`] and its variants for this `x` only.
///
/// Calls compare `x` and the constants with those of the preparation, bit for bit. Constants cannot be compared if
/// their type is not a [`Constant`](crate::context::Constant), or if a closure captured them. They may change, because
/// nothing that depends on them is kept.
///
/// Cost: that of [`prepare_hvp`], and one forward sweep with engines that keep a record.
///
/// # Errors
/// [`Error::Unsupported`] if the backend has no second order; [`Error::Function`] if the function fails. Calls at
/// another point or with other constants return [`Error::Preparation`].
pub fn prepare_hvp_same_point<F, B, X, V, M>(
    f: F,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Prep<Hvp, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    prepare_same_point(f, backend, x, dx.directions())
}

/// Hessian times vector.
///
/// `f: R^n -> R`; `dx` and the result have the shape of `x`. For an array of tangents the result is an array. Cost: one
/// gradient on dual numbers for each 8 tangents.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another length, number of tangents or backend; [`Error::Shape`] if a tangent
/// differs in length from `x`; [`Error::Unsupported`] if the backend has no second order; [`Error::Function`] if the
/// function fails; [`Error::InUse`] if the function calls an operator with the same prep.
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
/// let (backend, x) = (AutoSource::new(), [3.0, 2.0]);
/// assert_eq!(hvp(f::AD, NoPrep, &backend, &x, &[1.0, 0.0])?, [4.0, 6.0]);
/// let (g, hv) = gradient_and_hvp(f::AD, NoPrep, &backend, &x, &[0.0, 1.0])?;
/// assert_eq!((g, hv), ([12.0, 9.0], [6.0, 0.0]));
/// # Ok::<(), di::Error>(())
/// ```
pub fn hvp<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<V::Each<Input<F>, X::Result>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut products = like_x::<X, V, _, _, M>(x);
    hvp_into(f, &mut products, prep, backend, x, dx)?;
    Ok(products)
}

/// [`hvp`], written to `products`: one buffer, or an array of them.
///
/// Cost: that of [`hvp`].
///
/// # Errors
/// Those of [`hvp`]; [`Error::Shape`] if a buffer differs in length from `x`.
pub fn hvp_into<F, T, P, B, X, V, M>(
    f: F,
    products: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    T: TangentsMut<Input<F>, Float<F>, M> + ?Sized,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    settling.end(run(
        &mut f,
        None::<&mut X::Result>,
        products,
        prep,
        backend,
        x,
        dx,
    ))?;
    Ok(())
}

/// [`hvp`], and the gradient at no extra cost.
///
/// Cost: that of [`hvp`].
///
/// # Errors
/// Those of [`hvp`].
#[allow(clippy::type_complexity, reason = "a pair whose parts are named")]
pub fn gradient_and_hvp<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(X::Result, V::Each<Input<F>, X::Result>), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let (_, g, products) = value_gradient_and_hvp(f, prep, backend, x, dx)?;
    Ok((g, products))
}

/// [`hvp`], written to `products`, and the gradient to `g`.
///
/// Cost: that of [`hvp`].
///
/// # Errors
/// Those of [`hvp_into`].
pub fn gradient_and_hvp_into<F, G, T, P, B, X, V, M>(
    f: F,
    g: &mut G,
    products: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    G: ContainerMut<Input<F>, Float<F>> + ?Sized,
    T: TangentsMut<Input<F>, Float<F>, M> + ?Sized,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    value_gradient_and_hvp_into(f, g, products, prep, backend, x, dx)?;
    Ok(())
}

/// [`hvp`], with the value and the gradient at no extra cost.
///
/// Cost: that of [`hvp`].
///
/// # Errors
/// Those of [`hvp`].
#[allow(clippy::type_complexity, reason = "a triple whose parts are named")]
pub fn value_gradient_and_hvp<F, P, B, X, V, M>(
    f: F,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(Float<F>, X::Result, V::Each<Input<F>, X::Result>), Error>
where
    F: Operand,
    Key<F>: NumberValued,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let (mut g, mut products) = (x.blank(), like_x::<X, V, _, _, M>(x));
    let y = value_gradient_and_hvp_into(f, &mut g, &mut products, prep, backend, x, dx)?;
    Ok((y, g, products))
}

/// [`hvp`], written to `products`, and the gradient to `g`; returns the value.
///
/// Cost: that of [`hvp`].
///
/// # Errors
/// Those of [`hvp_into`].
pub fn value_gradient_and_hvp_into<F, G, T, P, B, X, V, M>(
    f: F,
    g: &mut G,
    products: &mut T,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Float<F>, Error>
where
    F: Operand,
    Key<F>: NumberValued,
    G: ContainerMut<Input<F>, Float<F>> + ?Sized,
    T: TangentsMut<Input<F>, Float<F>, M> + ?Sized,
    P: Prepared<Hvp, Key<F>, B>,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Tangents<Input<F>, Float<F>, M> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, dx.directions()))?;
    settling.end(run(&mut f, Some(g), products, prep, backend, x, dx))
}

/// Zeros like `x`, for each tangent. Functions of equal shapes share it.
fn like_x<X, V, I, R, M>(x: &X) -> V::Each<I, X::Result>
where
    I: Family,
    R: Real,
    X: Container<I, R> + ?Sized,
    V: Tangents<I, R, M> + ?Sized,
{
    V::each(&mut || x.blank())
}

/// Compares the arguments with what is expected.
fn check<G, T, I, R, V, M>(x: &I::Shape, g: Option<&G>, products: &T, dx: &V) -> Result<(), Error>
where
    I: Family,
    R: Real,
    G: ContainerMut<I, R> + ?Sized,
    T: TangentsMut<I, R, M> + ?Sized,
    V: Tangents<I, R, M> + ?Sized,
{
    check_tangents::<I, R, M>(Operator::Hvp, "tangent", x, dx)?;
    check_results::<I, R, M>(Operator::Hvp, dx.count(), x, products)?;
    match g {
        Some(g) => check_shape::<I, R>(Operator::Hvp, "gradient", x, g),
        None => Ok(()),
    }
}

/// All variants.
fn run<F, G, T, K, B, X, V, M>(
    f: &mut F,
    mut g: Option<&mut G>,
    products: &mut T,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<K::Real, Error>
where
    F: Evaluate<Key = K>,
    K: Primal + NumberValued,
    G: ContainerMut<K::X, K::Real> + ?Sized,
    T: TangentsMut<K::X, K::Real, M> + ?Sized,
    B: Backend<K>,
    X: Container<K::X, K::Real> + ?Sized,
    V: Tangents<K::X, K::Real, M> + ?Sized,
{
    let mut state = enter(prep, Hvp::OPERATOR, backend, f, x, dx.count())?;
    check::<G, T, K::X, K::Real, V, M>(prep.x(), g.as_deref(), products, dx)?;
    let State {
        space,
        spares,
        point,
        ..
    } = &mut *state;
    let view = x.view(&mut spares.x);
    check_point::<K>(point, Operator::Hvp, f.call(), view)?;
    let lanes = match &mut g {
        Some(g) => Some(g.lanes_mut(&mut spares.g)),
        None => None,
    };
    let dx = dx.all_lanes(&mut spares.xs);
    let mut to = products.all_lanes_mut(&mut spares.gs);
    let (call, dx, products_to) = (f.call(), dx.as_ref(), to.as_mut());
    let y = if const { V::Count::IS_ONE } {
        backend.hvp_one(space, call, view, dx, lanes, products_to)?
    } else {
        backend.hvp(space, call, view, dx, lanes, products_to)?
    };
    drop(to);
    products.finish_all(&mut spares.gs);
    if let Some(g) = g {
        g.finish(&mut spares.g);
    }
    Ok(y)
}
