//! `check_gradient`: compares a gradient with extrapolated differences, for authors of rules and functions.

use crate::backend::Backend;
use crate::backends::AutoSource;
use crate::bound::{Evaluate, Float, Function, Input, Key, Operand};
use crate::error::{Disagreement, Entry, Error, settle};
use crate::function::{NumberValued, Source};
use crate::prep::{NoPrep, run_primal};
use crate::scalar::Real;
use crate::value::{Container, ContainerMut, Family};

use super::gradient;

/// Compares the gradient by generated code with differences of the function, at one point.
///
/// Central differences with two steps, extrapolated (Richardson, 1911). An entry is reported if its distance from
/// them is larger than the distance between the two steps (of which at most a thousandth of the entry's size is
/// accepted), and larger than a millionth of the entry's size (a hundredth for `f32`). The size of an entry is at
/// least 1, so errors up to 1e-6 are never reported (1e-2 for `f32`): scale functions whose gradient is small. An
/// infinite entry is reported unless the differences grow as the step shrinks. If steps relative to one are too wide,
/// steps relative to the entry are tried. Cost: one gradient and `4 n` evaluations, `8 n` at most. For other engines
/// see [`check_gradient_of`].
///
/// # Errors
/// [`Error::Gradient`], whose message lists the entries that differ, and those of the gradient.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0].sin() * x[1]
/// }
///
/// check_gradient(f::AD, &[0.3, 2.0])?;
/// # Ok::<(), di::Error>(())
/// ```
pub fn check_gradient<F, X>(f: F, x: &X) -> Result<(), Error>
where
    F: Operand + Copy,
    Key<F>: NumberValued + Source,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    check_gradient_of(f, &AutoSource::new(), x)
}

/// [`check_gradient`] for any backend.
///
/// Cost: one gradient and `4 n` evaluations.
///
/// # Errors
/// Those of [`check_gradient`].
pub fn check_gradient_of<F, B, X>(f: F, backend: &B, x: &X) -> Result<(), Error>
where
    F: Operand + Copy,
    Key<F>: NumberValued,
    B: Backend<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let found = gradient(f, NoPrep, backend, x)?;
    let (found, x0) = (flat::<F>(&found), flat::<F>(x));
    let f = f.bind();
    let mut point = x.blank();
    let mut value = |x: &[f64]| -> Result<f64, Error> {
        let mut values = x.iter();
        let mut spare = Default::default();
        <Input<F>>::each_mut(point.lanes_mut(&mut spare), &mut |to: &mut Float<F>| {
            *to = Float::<F>::from_f64(*values.next().expect("one value for each entry"));
        });
        point.finish(&mut spare);
        let mut y = Float::<F>::default();
        settle(|| {
            run_primal::<Key<F>>(f.call(), point.view(&mut Default::default()), &mut y);
            Ok(())
        })?;
        Ok(y.to_f64())
    };
    let precision = Float::<F>::EPSILON.to_f64();
    let tolerance = if precision < 1e-10 { 1e-6 } else { 1e-2 };
    let mut entries = Vec::new();
    let mut x = x0.clone();
    for (index, gradient) in found.iter().copied().enumerate() {
        let mut slope = |step: f64| -> Result<f64, Error> {
            x[index] = x0[index] + step;
            let (up, ahead) = (x[index], value(&x)?);
            x[index] = x0[index] - step;
            let (down, behind) = (x[index], value(&x)?);
            x[index] = x0[index];
            Ok((ahead - behind) / (up - down))
        };
        let mut extrapolated = |scale: f64| -> Result<(f64, f64), Error> {
            // a power of two, so that the points are what they are meant to be
            let step = (4.0 * scale * precision.cbrt()).log2().round().exp2();
            let (wide, narrow) = (slope(step)?, slope(0.5 * step)?);
            Ok(((4.0 * narrow - wide) / 3.0, (narrow - wide).abs()))
        };
        let here = x0[index].abs();
        let (mut differences, mut uncertainty) = extrapolated(here.max(1.0))?;
        // steps that lead out of where the function is defined, or across what it does there
        if (uncertainty > 1e-3 * differences.abs().max(1.0) || !differences.is_finite())
            && here > 0.0
            && here < 1.0
        {
            (differences, uncertainty) = extrapolated(here)?;
        }
        // what is infinite has no size
        let finite = |v: f64| if v.is_finite() { v.abs() } else { 0.0 };
        let size = finite(differences).max(finite(gradient)).max(1.0);
        let allowed = uncertainty.min(1e-3 * size).max(tolerance * size);
        // there differences grow as the steps shrink
        let pole = gradient.is_infinite()
            && uncertainty > 1e-3 * size
            && differences.signum() == gradient.signum();
        let agree = pole
            || (differences - gradient).abs() <= allowed
            || (differences.is_nan() && gradient.is_nan());
        if !agree {
            entries.push(Entry {
                index,
                gradient,
                differences,
                uncertainty,
            });
        }
    }
    if entries.is_empty() {
        return Ok(());
    }
    Err(Error::Gradient(Box::new(Disagreement {
        inputs: found.len(),
        entries,
    })))
}

/// All floats of a container.
fn flat<F: Function>(x: &(impl Container<Input<F>, Float<F>> + ?Sized)) -> Vec<f64> {
    let mut flat = Vec::new();
    <Input<F>>::each(x.lanes(&mut Default::default()), &mut |v: Float<F>| {
        flat.push(v.to_f64());
    });
    flat
}
