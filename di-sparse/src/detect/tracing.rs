//! Detection by running the function on index sets, or on bits.

use di_runtime::bound::{Evaluate, Float, Function, Input, Key};
use di_runtime::error::{Error, settle};
use di_runtime::function::{Generic, NumberValued};
use di_runtime::pattern;
use di_runtime::prep::result_shape;
use di_runtime::scalar::{Bits, Known as Value, Unknown};
use di_runtime::value::{Container, Family};

use super::{Detected, Detector, Point, Validity};
use crate::Pattern;

/// Runs the function once on index sets.
///
/// Globally the pattern holds for every `x`. In an annotated function both arms of a branch on inputs run, and are
/// joined; a loop whose length depends on inputs runs until a trip adds nothing; passive control flow runs as it is.
/// An index, length or argument that depends on inputs is a typed error. In a function on a generic scalar, every
/// branch on an input is an error too, except `Scalar::select_lt` and its variants. Locally, detection follows the
/// function at one `x`: the branches are those taken there, and dependences that do not count there (the smaller
/// argument of `max`, a factor next to a zero) are omitted. Such a pattern holds for that point only, and a prep that
/// uses it verifies it.
///
/// Reference: A. Hill, G. Dalle: Sparser, better, faster, stronger (2025).
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{Tracing, jacobian_pattern};
///
/// #[differentiable]
/// fn f(x: &[f64]) -> [f64; 2] {
///     [x[0] * x[1], if x[2] > 0.0 { x[2] } else { x[0] }]
/// }
///
/// let x = [1.0, 2.0, 3.0];
/// let local = jacobian_pattern(f::AD, &Tracing::local(), &x)?;
/// assert!(local.entries().eq([(0, 0), (0, 1), (1, 2)]));
/// let global = jacobian_pattern(f::AD, &Tracing::global(), &x)?;
/// assert!(global.entries().eq([(0, 0), (0, 1), (1, 0), (1, 2)]));
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tracing {
    local: bool,
    notation: Notation,
}

/// Inputs up to which bits are chosen: three runs on bits take as long as one on sets where results depend on a few
/// inputs each, and a fraction of it where they depend on many.
const FEW: usize = 3 * (Bits::COUNT - 1);

/// How [`Tracing`] represents the inputs that a number depends on. The pattern is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Jacobians of up to 381 inputs as bits, everything else as sets.
    #[default]
    Auto,
    /// As sets in a graph of unions, one run for all inputs.
    Sets,
    /// As bits of machine words, one run for each 127 inputs, which needs no memory for intermediate values: much
    /// faster if results depend on many inputs. Hessians are always detected with sets.
    Bits,
}

impl Tracing {
    /// At every point.
    pub fn global() -> Self {
        Tracing {
            local: false,
            notation: Notation::Auto,
        }
    }

    /// At the point of the preparation.
    pub fn local() -> Self {
        Tracing {
            local: true,
            notation: Notation::Auto,
        }
    }

    /// With this notation.
    pub fn notation(self, notation: Notation) -> Self {
        Tracing { notation, ..self }
    }

    /// Is a Jacobian by `n` inputs found by bits?
    fn by_bits(self, n: usize) -> bool {
        match self.notation {
            Notation::Auto => n <= FEW,
            Notation::Sets => false,
            Notation::Bits => true,
        }
    }

    fn validity(self) -> Validity {
        if self.local {
            Validity::ThisPoint
        } else {
            Validity::EveryPoint
        }
    }
}

impl<K: Generic> Detector<K> for Tracing {
    fn jacobian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        let (m, n) = (K::Y::len(at.y_shape), K::X::len(at.x_shape));
        let find = match (self.local, self.by_bits(n)) {
            (true, false) => pattern::rows::<K, Value<K::Real>>,
            (true, true) => pattern::rows_by_bits::<K, Value<K::Real>>,
            (false, false) => pattern::rows::<K, Unknown<K::Real>>,
            (false, true) => pattern::rows_by_bits::<K, Unknown<K::Real>>,
        };
        let rows = find(at.call, at.x, at.x_shape, at.y_shape)?;
        // a function that returns another length than before has as many rows as it was prepared for
        let found = rows.starts.len() - 1;
        crate::decompress::check("results", m, found)?;
        Ok(Detected {
            pattern: Pattern::from_parts(n, rows.starts, rows.inputs),
            validity: self.validity(),
            constant: false,
        })
    }

    fn hessian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        let found = if self.local {
            pattern::pairs::<K, Value<K::Real>>(at.call, at.x, at.x_shape, at.y_shape)
        } else {
            pattern::pairs::<K, Unknown<K::Real>>(at.call, at.x, at.x_shape, at.y_shape)
        }?;
        Ok(Detected {
            pattern: Pattern::from_lower(K::X::len(at.x_shape), &found.pairs)?,
            validity: self.validity(),
            constant: found.constant,
        })
    }
}

/// The pattern of a Jacobian.
///
/// `f: R^n -> R^m`; the pattern has `m` rows and `n` columns. Cost: one run on index sets, for [`Tracing`].
///
/// # Errors
/// Those of the detector: [`Error::MissingPrimal`] if inputs decide what global detection has to know;
/// [`Error::Function`] if the function fails.
pub fn jacobian_pattern<F, D, X>(f: F, detector: &D, x: &X) -> Result<Pattern, Error>
where
    F: Function,
    D: Detector<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let mut f = f.bind();
    settle(|| {
        let mut spare = Default::default();
        let y_shape = result_shape(&mut f, x, &mut spare);
        let at = Point {
            call: f.call(),
            x: x.view(&mut spare),
            x_shape: &x.shape(),
            y_shape: &y_shape,
        };
        Ok(detector.jacobian(at)?.pattern)
    })
}

/// The pattern of a Hessian.
///
/// `f: R^n -> R`; the pattern has `n` rows and columns and is symmetric. Cost: one run on index sets, for
/// [`Tracing`], and the number of pairs that nonlinear operations create.
///
/// # Errors
/// Those of the detector: [`Error::MissingPrimal`] if inputs decide what global detection has to know;
/// [`Error::Function`] if the function fails.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{Tracing, hessian_pattern};
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] + x[1] * x[2] + 1.0 / x[3]
/// }
///
/// let pattern = hessian_pattern(f::AD, &Tracing::global(), &[1.0; 4])?;
/// assert!(pattern.entries().eq([(1, 2), (2, 1), (3, 3)]));
/// # Ok::<(), di::Error>(())
/// ```
pub fn hessian_pattern<F, D, X>(f: F, detector: &D, x: &X) -> Result<Pattern, Error>
where
    F: Function,
    Key<F>: NumberValued,
    D: Detector<Key<F>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let f = f.bind();
    settle(|| {
        let mut spare = Default::default();
        let at = Point {
            call: f.call(),
            x: x.view(&mut spare),
            x_shape: &x.shape(),
            y_shape: &(),
        };
        Ok(detector.hessian(at)?.pattern)
    })
}
