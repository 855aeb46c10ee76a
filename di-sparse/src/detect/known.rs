//! Patterns that need no detection.

use std::sync::Arc;

use di_runtime::error::Error;
use di_runtime::function::Primal;
use di_runtime::value::Family;

use super::{Detected, Detector, Point, Validity};
use crate::Pattern;

/// A pattern that the user knows.
///
/// It must contain all entries that may differ from zero; a prep can verify that.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{AutoSparse, Known, Pattern};
///
/// #[differentiable]
/// fn f(x: &[f64], y: &mut [f64]) {
///     for i in 0..x.len() {
///         y[i] = x[i] * x[i];
///     }
/// }
///
/// let diagonal = Known::jacobian(Pattern::diagonal(3)?);
/// let backend = AutoSparse::new(AutoSource::new()).detector(diagonal);
/// let (x, mut y) = ([1.0, 2.0, 3.0], vec![0.0; 3]);
/// let j = jacobian(f::AD.output(&mut y), NoPrep, &backend, &x)?;
/// assert_eq!(j.data(), [2.0, 4.0, 6.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pattern: Arc<Pattern>,
    of_hessian: bool,
    validity: Validity,
}

impl Known {
    /// Of a Jacobian.
    pub fn jacobian(pattern: Pattern) -> Self {
        Known::new(pattern, false, Validity::Promised)
    }

    /// Of a Hessian; both triangles.
    pub fn hessian(pattern: Pattern) -> Self {
        Known::new(pattern, true, Validity::Promised)
    }

    pub(super) fn new(pattern: Pattern, of_hessian: bool, validity: Validity) -> Self {
        Known {
            pattern: Arc::new(pattern),
            of_hessian,
            validity,
        }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn detected(
        &self,
        of_hessian: bool,
        shape: (usize, usize),
        what: &'static str,
    ) -> Result<Detected, Error> {
        if self.of_hessian != of_hessian {
            let (expected, found) = if of_hessian {
                ("a Hessian", "a Jacobian")
            } else {
                ("a Jacobian", "a Hessian")
            };
            return Err(crate::Error::Kind { expected, found }.into());
        }
        if self.pattern.shape() != shape {
            return Err(crate::Error::Shape {
                what,
                expected: shape,
                found: self.pattern.shape(),
            }
            .into());
        }
        Ok(Detected {
            pattern: Pattern::clone(&self.pattern),
            validity: self.validity,
            constant: false,
        })
    }
}

impl<K: Primal> Detector<K> for Known {
    fn jacobian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        let shape = (K::Y::len(at.y_shape), K::X::len(at.x_shape));
        self.detected(false, shape, "a pattern of a Jacobian")
    }

    fn hessian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        let n = K::X::len(at.x_shape);
        self.detected(true, (n, n), "a pattern of a Hessian")
    }
}

/// No detection: every entry may differ from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllEntries;

impl<K: Primal> Detector<K> for AllEntries {
    fn jacobian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        Ok(Detected {
            pattern: Pattern::dense(K::Y::len(at.y_shape), K::X::len(at.x_shape))?,
            validity: Validity::Promised,
            constant: false,
        })
    }

    fn hessian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error> {
        let n = K::X::len(at.x_shape);
        Ok(Detected {
            pattern: Pattern::dense(n, n)?,
            validity: Validity::Promised,
            constant: false,
        })
    }
}
