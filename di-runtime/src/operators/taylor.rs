//! Derivatives of any order along a line: `taylor_coefficients`, and `nth_derivative` by a number.

use crate::backends::PowerSeries;
use crate::bound::{Evaluate, Float, Input, Key, Like, Operand, Output};
use crate::capability::Operator;
use crate::error::{Error, Settling, check_count, check_shape};
use crate::function::{OfNumber, Primal};
use crate::prep::{BodyOf, Op, Prep, Prepared, State, StateOf, enter, prepare};
use crate::rules::one;
use crate::sealed::Sealed;
use crate::value::{Container, ContainerMut, Number};

/// Marker of the operators.
#[derive(Clone, Copy, Debug)]
pub struct Taylor;

impl Sealed for Taylor {}

impl Op for Taylor {
    const OPERATOR: Operator = Operator::Taylor;
}

/// Prepares [`taylor_coefficients`] for this order.
///
/// Cost: it allocates all scratch memory, and calls the operator at `x` if the function takes buffers.
///
/// # Errors
/// [`Error::Order`] if the order is higher than the backend supports; [`Error::Function`] if the function fails.
pub fn prepare_taylor_coefficients<F, B, X>(
    f: F,
    order: usize,
    backend: &B,
    x: &X,
) -> Result<Prep<Taylor, Key<F>, B>, Error>
where
    F: Operand,
    B: PowerSeries<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    prepare(f, backend, x, order, |f, prep| {
        let y = run(f, order, prep, backend, x, &x.blank(), |_, _| Ok(()))?;
        prep.keep(f, y);
        Ok(())
    })
}

/// Taylor coefficients along a line: `f(x + t dx)` is `c[0] + c[1] t + c[2] t^2 + ..`, up to the power `order`.
///
/// `f: R^n -> R^m`, `dx` of the shape of `x`; each of the `order + 1` coefficients has the shape of `f(x)`, and
/// `c[0]` is `f(x)`. The `k`-th derivative along the line is `k! c[k]`: `c[1]` is the pushforward of `dx`, `2 c[2]`
/// is `dx . H dx`. Cost: one evaluation on power series, about `order^2 / 2` multiplications for each multiplication
/// of the function.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another order, length or backend; [`Error::Shape`] if `dx` differs in length
/// from `x`; without a prep, [`Error::Order`] if the order is higher than the backend supports; [`Error::Function`] if
/// the function fails; [`Error::InUse`] if the function calls an operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::AutoTaylor;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0].sin() * x[1]
/// }
///
/// let backend = AutoTaylor::new();
/// let c = taylor_coefficients(f::AD, 3, NoPrep, &backend, &[0.0, 1.0], &[1.0, 0.0])?;
/// // sin t = t - t^3 / 6
/// assert_eq!(c, [0.0, 1.0, 0.0, -1.0 / 6.0]);
/// # Ok::<(), di::Error>(())
/// ```
///
/// Reference: A. Griewank, A. Walther: evaluating derivatives (2008), chapter 13.
pub fn taylor_coefficients<F, P, B, X, V>(
    f: F,
    order: usize,
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<Vec<Like<F>>, Error>
where
    F: Operand,
    P: Prepared<Taylor, Key<F>, B>,
    B: PowerSeries<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, order))?;
    let mut c: Vec<Like<F>> = (0..=order).map(|_| f.like(prep.y())).collect();
    let y = settling.end(run(&mut f, order, prep, backend, x, dx, |state, prep| {
        all(&mut c, state, prep, backend)
    }))?;
    prep.keep(&mut f, y);
    Ok(c)
}

/// [`taylor_coefficients`], written to `c`: `order + 1` buffers.
///
/// # Errors
/// Those of [`taylor_coefficients`]; [`Error::Shape`] if there is no buffer, or one differs in length from `f(x)`.
pub fn taylor_coefficients_into<F, T, P, B, X, V>(
    f: F,
    c: &mut [T],
    prep: P,
    backend: &B,
    x: &X,
    dx: &V,
) -> Result<(), Error>
where
    F: Operand,
    T: ContainerMut<Output<F>, Float<F>>,
    P: Prepared<Taylor, Key<F>, B>,
    B: PowerSeries<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
    V: Container<Input<F>, Float<F>> + ?Sized,
{
    check_count(
        Operator::Taylor,
        "number of results, at least",
        1,
        c.len().min(1),
    )?;
    let order = c.len() - 1;
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, order))?;
    for c in &*c {
        let fits = check_shape::<Output<F>, Float<F>>(Operator::Taylor, "coefficient", prep.y(), c);
        settling.check(fits)?;
    }
    let y = settling.end(run(&mut f, order, prep, backend, x, dx, |state, prep| {
        all(c, state, prep, backend)
    }))?;
    prep.keep(&mut f, y);
    Ok(())
}

/// Prepares [`nth_derivative`] for this order.
///
/// Cost: that of [`prepare_taylor_coefficients`].
///
/// # Errors
/// Those of [`prepare_taylor_coefficients`].
pub fn prepare_nth_derivative<F, B, X>(
    f: F,
    n: usize,
    backend: &B,
    x: &X,
) -> Result<Prep<Taylor, Key<F>, B>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    B: PowerSeries<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    prepare_taylor_coefficients(f, n, backend, x)
}

/// Derivative of order `n` of a function of one number.
///
/// `f: R -> R^m`; the result has the shape of `f(x)`. Order 0 is the value.
/// Cost: one evaluation on power series of `n + 1` coefficients.
///
/// # Errors
/// [`Error::Preparation`] if `prep` is for another order or backend; without a prep, [`Error::Order`] if the order is
/// higher than the backend supports; [`Error::Function`] if the function fails; [`Error::InUse`] if the function calls
/// an operator with the same prep.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::AutoTaylor;
///
/// #[differentiable]
/// fn f(t: f64) -> f64 {
///     1.0 / (1.0 - t)
/// }
///
/// let backend = AutoTaylor::new();
/// let prep = prepare_nth_derivative(f::AD, 4, &backend, &0.0)?;
/// assert_eq!(nth_derivative(f::AD, 4, &prep, &backend, &0.0)?, 24.0);
/// # Ok::<(), di::Error>(())
/// ```
pub fn nth_derivative<F, P, B, X>(
    f: F,
    n: usize,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<Like<F>, Error>
where
    F: Operand,
    Key<F>: OfNumber,
    P: Prepared<Taylor, Key<F>, B>,
    B: PowerSeries<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, n))?;
    let mut result = f.like(prep.y());
    settling.end(nth(&mut f, n, &mut result, prep, backend, x))?;
    Ok(result)
}

/// [`nth_derivative`], written to `result`.
///
/// # Errors
/// Those of [`nth_derivative`]; [`Error::Shape`] if `result` differs in length from `f(x)`.
pub fn nth_derivative_into<F, T, P, B, X>(
    f: F,
    n: usize,
    result: &mut T,
    prep: P,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Operand,
    Key<F>: OfNumber,
    T: ContainerMut<Output<F>, Float<F>> + ?Sized,
    P: Prepared<Taylor, Key<F>, B>,
    B: PowerSeries<Key<F>>,
    X: Container<Number, Float<F>> + ?Sized,
{
    let mut made = Default::default();
    let (settling, mut f) = (Settling::begin(), f.bind());
    let prep = settling.check(prep.ready(&mut made, &mut f, backend, x, n))?;
    settling.end(nth(&mut f, n, result, prep, backend, x))
}

fn nth<F, T, K, B, X>(
    f: &mut F,
    n: usize,
    result: &mut T,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
) -> Result<(), Error>
where
    F: Evaluate<Key = K>,
    K: Primal + OfNumber,
    T: ContainerMut<K::Y, K::Real> + ?Sized,
    B: PowerSeries<K>,
    X: Container<Number, K::Real> + ?Sized,
{
    check_shape::<K::Y, K::Real>(Operator::Taylor, "result", prep.y(), result)?;
    let factorial = (1..=n).map(|k| k as f64).product();
    let mut slope = x.blank();
    *slope.lanes_mut(&mut ()) = one::<K::Real>();
    slope.finish(&mut ());
    let y = run(f, n, prep, backend, x, &slope, |state, _| {
        let lanes = result.lanes_mut(&mut state.spares.dy);
        backend.coefficient(&mut state.space, n, factorial, lanes);
        result.finish(&mut state.spares.dy);
        Ok(())
    })?;
    prep.keep(f, y);
    Ok(())
}

/// All coefficients of the last expansion.
fn all<T, K, B>(
    c: &mut [T],
    state: &mut StateOf<K, B>,
    _: &BodyOf<K, B>,
    backend: &B,
) -> Result<(), Error>
where
    K: Primal,
    T: ContainerMut<K::Y, K::Real>,
    B: PowerSeries<K>,
{
    for (power, c) in c.iter_mut().enumerate() {
        let lanes = c.lanes_mut(&mut state.spares.dy);
        backend.coefficient(&mut state.space, power, 1.0, lanes);
        c.finish(&mut state.spares.dy);
    }
    Ok(())
}

/// Expands, and then reads the coefficients.
fn run<F, K, B, X, V>(
    f: &mut F,
    order: usize,
    prep: &BodyOf<K, B>,
    backend: &B,
    x: &X,
    dx: &V,
    read: impl FnOnce(&mut StateOf<K, B>, &BodyOf<K, B>) -> Result<(), Error>,
) -> Result<F::Stored, Error>
where
    F: Evaluate<Key = K>,
    K: Primal,
    B: PowerSeries<K>,
    X: Container<K::X, K::Real> + ?Sized,
    V: Container<K::X, K::Real> + ?Sized,
{
    let mut state = enter(prep, Taylor::OPERATOR, backend, f, x, order)?;
    check_shape::<K::X, K::Real>(Operator::Taylor, "direction", prep.x(), dx)?;
    let State { space, spares, .. } = &mut *state;
    let (view, dx) = (x.view(&mut spares.x), dx.lanes(&mut spares.g));
    let mut y = f.take(&mut spares.y);
    let slot = F::slot(&mut y, &mut spares.y);
    backend.expand(space, f.call(), view, dx, order, slot)?;
    F::finish(&mut y, &mut spares.y, Operator::Taylor, prep.y())?;
    read(&mut state, prep)?;
    Ok(y)
}
