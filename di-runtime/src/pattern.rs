//! Which results depend on which inputs, found by running the function on index sets.
//!
//! Experimental: `di-sparse` will own this query.

use crate::bound::{Evaluate, Float, Function, Input, Key};
use crate::error::Error;
use crate::function::{Env, Generic, Kind, Signature};
use crate::generated::Pool;
use crate::rules::zero;
use crate::scalar::{Trace, Tracer};
use crate::value::{Container, Family};

/// Structural pattern of the Jacobian: for each result the inputs it depends on, ascending.
///
/// Valid for every `x` of this shape; an entry that is there may still be zero. Cost: one run on index
/// sets.
///
/// # Errors
/// [`Error::MissingPrimal`] if a branch depends on the inputs.
///
/// # Examples
/// ```
/// use di_runtime::closure::{OnScalars, generic};
/// use di_runtime::pattern::jacobian_pattern;
/// use di_runtime::scalar::Scalar;
/// use di_runtime::value::{Array, Slice};
///
/// struct Differences;
///
/// impl OnScalars for Differences {
///     type Real = f64;
///     type X = Slice;
///     type Y = Array<2>;
///     fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> [S; 2] {
///         [x[1] - x[0], x[2] - x[1]]
///     }
/// }
///
/// let rows = jacobian_pattern(generic(Differences), &[0.0; 3]).unwrap();
/// assert_eq!(rows, [[0, 1], [1, 2]]);
/// ```
pub fn jacobian_pattern<F, X>(f: F, x: &X) -> Result<Vec<Vec<usize>>, Error>
where
    F: Function,
    Key<F>: Generic,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    type S<F> = Tracer<Float<F>>;
    type Y<F> = <Key<F> as Signature>::Y;
    type K<F> = <Key<F> as Signature>::Kind;
    type Fixed<F> = <Key<F> as Signature>::Fixed;
    type Caches<F> = <Key<F> as Signature>::Caches;

    let f = f.bind();
    let call = f.call();
    let trace = Trace::begin();
    let mut spare = Default::default();
    let view = x.view(&mut spare);
    let mut traced = Input::<F>::store::<S<F>>(&x.shape(), Tracer::constant());
    let mut index = 0;
    Input::<F>::each_mut(Input::<F>::lanes_mut(&mut traced), &mut |x: &mut S<F>| {
        *x = trace.input(index);
        index += 1;
    });
    let fixed_shape = Fixed::<F>::shape::<Float<F>>(call.fixed);
    let fixed = Fixed::<F>::store::<S<F>>(&fixed_shape, zero());
    let caches_shape = Caches::<F>::shape::<Float<F>>(<Key<F> as Signature>::caches(call.ctx));
    let mut caches = Caches::<F>::store::<S<F>>(&caches_shape, zero());
    let mut y = match f.output_shape() {
        Some(shape) => Y::<F>::store::<S<F>>(&shape, zero()),
        None => Y::<F>::vacant::<S<F>>(zero()),
    };
    let env = Env {
        ctx: call.ctx,
        fixed: Fixed::<F>::get(&fixed, call.fixed),
        caches: &mut caches,
        pool: &mut Pool::new(),
    };
    let slot = <K<F> as Kind>::slot::<Y<F>, S<F>>(&mut y);
    Key::<F>::generic::<S<F>>(env, Input::<F>::get(&traced, view), slot);
    let mut rows = Vec::new();
    Y::<F>::each(Y::<F>::lanes(&y), &mut |y: S<F>| {
        rows.push(trace.inputs_of(y))
    });
    match trace.take_error() {
        Some(missing) => Err(Error::MissingPrimal(missing)),
        None => Ok(rows),
    }
}
