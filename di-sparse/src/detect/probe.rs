//! Dense probing: the entries of a dense matrix at one point that are not zero. The last resort.

use di_runtime::backend::Backend;
use di_runtime::bound::{Float, Function, Input, Key};
use di_runtime::error::Error;
use di_runtime::function::NumberValued;
use di_runtime::operators::{hessian, jacobian};
use di_runtime::prep::NoPrep;
use di_runtime::scalar::Real;
use di_runtime::value::Container;
use ndarray::Array2;

use super::{Known, Validity};
use crate::Pattern;

/// The entries of the Jacobian at `x` that are larger than `atol`, or no numbers.
///
/// An entry that happens to vanish at `x` is not found: preps verify the pattern at other points. Cost: a dense
/// Jacobian.
///
/// # Errors
/// Those of the dense Jacobian.
pub fn probe_jacobian<F, B, X>(f: F, dense: &B, x: &X, atol: f64) -> Result<Known, Error>
where
    F: Function,
    B: Backend<Key<F>, Matrix = Array2<Float<F>>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let matrix = jacobian(f, NoPrep, dense, x)?;
    let pattern = larger_than(&matrix, atol)?;
    Ok(Known::new(pattern, false, Validity::ThisPoint))
}

/// The entries of the Hessian at `x` that are larger than `atol`, or no numbers; see [`probe_jacobian`].
///
/// # Errors
/// Those of the dense Hessian.
pub fn probe_hessian<F, B, X>(f: F, dense: &B, x: &X, atol: f64) -> Result<Known, Error>
where
    F: Function,
    Key<F>: NumberValued,
    B: Backend<Key<F>, Matrix = Array2<Float<F>>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let matrix = hessian(f, NoPrep, dense, x)?;
    let pattern = larger_than(&matrix, atol)?.symmetrized()?;
    Ok(Known::new(pattern, true, Validity::ThisPoint))
}

fn larger_than<R: Real>(matrix: &Array2<R>, atol: f64) -> Result<Pattern, Error> {
    let vanishes = |value: &R| value.to_f64().abs() <= atol;
    let entries = matrix.indexed_iter().filter(|(_, value)| !vanishes(value));
    let entries = entries.map(|(entry, _)| entry);
    Ok(Pattern::from_entries(matrix.dim(), entries)?)
}
