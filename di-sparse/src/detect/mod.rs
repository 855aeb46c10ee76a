//! Detectors: which entries of a Jacobian or Hessian may differ from zero.
//!
//! [`Tracing`] runs the function on index sets, [`Known`] takes a pattern, [`AllEntries`] none; dense probing
//! makes a [`Known`] one from a dense matrix.

mod known;
mod probe;
mod tracing;

use di_runtime::error::Error;
use di_runtime::function::{Call, Primal, XRef, XShape, YShape};

use crate::Pattern;

pub use known::{AllEntries, Known};
pub use probe::{Probe, probe_hessian, probe_jacobian};
pub use tracing::{Notation, Tracing, hessian_pattern, jacobian_pattern};

/// The point at which a pattern is detected.
pub struct Point<'p, 'c, K: Primal> {
    /// Constants and fixed parameters.
    pub call: Call<'c, K>,
    /// The point.
    pub x: XRef<'p, K, K::Real>,
    /// Its shape.
    pub x_shape: &'p XShape<K>,
    /// Shape of the result.
    pub y_shape: &'p YShape<K>,
}

/// For which `x` a pattern holds, as long as the constants of the function do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Validity {
    /// For all.
    EveryPoint,
    /// For the point where it was detected.
    ThisPoint,
    /// For all points, according to the user.
    Promised,
}

/// What a detector has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    /// The pattern.
    pub pattern: Pattern,
    /// For which points.
    pub validity: Validity,
    /// Are second derivatives the same at every point, as long as all constants are?
    pub constant: bool,
}

/// Finds patterns of functions with the key `K`.
#[diagnostic::on_unimplemented(
    message = "the detector `{Self}` cannot find the pattern of this function",
    note = "`Tracing` needs a function on any scalar, from `#[differentiable]` or `di::generic(..)`; closures on floats take `Known` or `AllEntries`"
)]
pub trait Detector<K: Primal>: Clone + PartialEq + std::fmt::Debug {
    /// Results by inputs.
    ///
    /// # Errors
    /// If the detector cannot handle this function.
    fn jacobian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error>;

    /// Inputs by inputs, symmetric.
    ///
    /// # Errors
    /// If the detector cannot handle this function.
    fn hessian(&self, at: Point<'_, '_, K>) -> Result<Detected, Error>;
}
