//! `evaluate`: the function itself, through its handle.

use crate::bound::{Evaluate, Float, Input, Key, Operand, Output, RoomOf, Value};
use crate::capability::Operator;
use crate::error::{Error, settle};
use crate::function::{Kind, Signature};
use crate::prep::run_primal;
use crate::value::{Container, Family};

/// Value of the function at `x`, without a derivative.
///
/// Use it in code that is generic over the function, which has the handle with its data but cannot call the function by
/// name. It returns the result of the function, or the output that was bound, which it sets to zero first. It allocates
/// caches.
///
/// Cost: one evaluation on floats.
///
/// # Errors
/// [`Error::Function`] if the function returns an error.
///
/// # Panics
/// If the function panics, for instance because an output is too short.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64], #[constant] k: f64) -> f64 {
///     k * x[0] * x[1]
/// }
///
/// #[differentiable]
/// fn squares(x: &[f64], y: &mut [f64]) {
///     for i in 0..y.len() {
///         y[i] = x[i] * x[i];
///     }
/// }
///
/// let x = [2.0, 3.0];
/// assert_eq!(evaluate(f::AD.with(5.0), &x)?, 30.0);
/// let mut y = [0.0; 2];
/// assert_eq!(*evaluate(squares::AD.output(&mut y), &x)?, [4.0, 9.0]);
/// # Ok::<(), di::Error>(())
/// ```
pub fn evaluate<F, X>(f: F, x: &X) -> Result<Value<F>, Error>
where
    F: Operand,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    settle(|| {
        let (mut f, mut spare) = (f.bind(), Default::default());
        let x = x.view(&mut spare);
        let mut room = RoomOf::<Key<F>>::default();
        // Errors of the shape would name it; there are none, since the shape is the function's own.
        let operator = Operator::Pushforward;
        if let Some(shape) = f.output_shape().or_else(<Output<F>>::fixed_shape) {
            let mut y = f.take(&mut room);
            run_primal::<Key<F>>(f.call(), x, F::Bound::slot(&mut y, &mut room));
            F::Bound::finish(&mut y, &mut room, operator, &shape)?;
            return Ok(F::Bound::give(y));
        }
        let mut y = <Output<F>>::vacant(Float::<F>::default());
        let slot = <Key<F> as Signature>::Kind::slot::<Output<F>, Float<F>>(&mut y);
        run_primal::<Key<F>>(f.call(), x, slot);
        room.kept = Some(y);
        Ok(F::Bound::give(f.take(&mut room)))
    })
}
