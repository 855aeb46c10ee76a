//! Log densities of [nuts-rs](https://docs.rs/nuts-rs) 0.19 from functions annotated with `#[differentiable]`.
//!
//! [`LogDensity`] implements the trait `Model` of nuts-rs: pass it to a `Sampler`, which runs chains on threads.
//! [`Chain`] is its `CpuLogpFunc`, for one chain by hand. The gradient is prepared once; each chain has a clone of the
//! prep, and shares nothing with the others but the data.
//!
//! A sampler keeps its model, so the model owns its data, by [`di::owning`]. To use another engine,
//! replace `AutoSource::new()`.
//!
//! ```
//! use di::prelude::*;
//! use di_nuts_rs::LogDensity;
//! use nuts_rs::{Chain, CpuMath, DiagNutsSettings, Settings, rand};
//! use std::sync::Arc;
//!
//! /// Mean and log scale of normal data.
//! #[differentiable]
//! fn log_density(x: &[f64], #[constant] y: &[f64]) -> f64 {
//!     let mut sum = -0.5 * (x[0] * x[0] / 100.0 + x[1] * x[1]);
//!     for y in y {
//!         let z = (y - x[0]) * (-x[1]).exp();
//!         sum -= 0.5 * z * z + x[1];
//!     }
//!     sum
//! }
//!
//! let y = vec![2.1, 1.7, 2.5, 1.9, 2.3];
//! let f = di::owning(y, |y| log_density::AD.with(y));
//! let model = Arc::new(LogDensity::new(f, AutoSource::new(), &[0.0; 2])?);
//!
//! let (settings, mut rng) = (DiagNutsSettings::default(), rand::rng());
//! let mut chain = settings.new_chain(0, CpuMath::new(model.chain()), &mut rng)?;
//! chain.set_position(&[0.0; 2])?;
//! let mut mean = 0.0;
//! for k in 0..1500 {
//!     let (x, _) = chain.draw()?;
//!     mean += if k >= 500 { x[0] / 1000.0 } else { 0.0 };
//! }
//! assert!((mean - 2.1).abs() < 0.3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex};

use di::extend::{Backend, NumberValued, Reusable, Signature, Slice};
use di::{Gradient, Prep, prepare_gradient, value_and_gradient_into};
use nuts_rs::rand::{Rng, RngExt};
use nuts_rs::{CpuLogpFunc, CpuMath, CpuMathError, HasDims, InitPositionError, LogpError, Model};

/// A log density on unconstrained parameters, as nuts-rs samples it: a `Model`.
///
/// `F` is an annotated function from `&[f64]` to `f64` with its data, `B` the backend. Constraints are up to the function:
/// a positive parameter is the exponential of one of `x`, and the logarithm of that derivative is added.
pub struct LogDensity<F: Reusable, B: Backend<F::Key>> {
    f: F,
    backend: B,
    prep: Mutex<Prep<Gradient, F::Key, B>>,
    x: Vec<f64>,
    spread: f64,
}

impl<F, B> LogDensity<F, B>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key>,
{
    /// Prepares the gradient. Chains begin near `x`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`di::Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: F, backend: B, x: &[f64]) -> Result<Self, di::Error> {
        let prep = prepare_gradient(f.once(), &backend, x)?;
        Ok(LogDensity {
            f,
            backend,
            prep: Mutex::new(prep),
            x: x.to_vec(),
            spread: 1.0,
        })
    }

    /// How far from `x` chains begin at most, in each coordinate; 1 by default.
    pub fn spread(self, spread: f64) -> Self {
        LogDensity { spread, ..self }
    }

    /// The function of one chain, for `CpuMath::new`.
    pub fn chain(self: &Arc<Self>) -> Chain<F, B> {
        let prep = self.prep.lock().unwrap_or_else(|held| held.into_inner());
        Chain {
            prep: prep.clone(),
            density: Arc::clone(self),
        }
    }
}

impl<F: Reusable, B: Backend<F::Key>> fmt::Debug for LogDensity<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogDensity")
            .field("backend", &self.backend)
            .field("x", &self.x)
            .finish_non_exhaustive()
    }
}

impl<F, B> Model for LogDensity<F, B>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>> + Send + Sync + 'static,
    B: Backend<F::Key> + Send + Sync + 'static,
    Prep<Gradient, F::Key, B>: Send + 'static,
{
    type Math = CpuMath<Chain<F, B>>;

    fn math<R: Rng + ?Sized>(self: Arc<Self>, _: &mut R) -> anyhow::Result<Self::Math> {
        Ok(CpuMath::new(self.chain()))
    }

    fn init_position<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        _: u64,
        position: &mut [f64],
    ) -> Result<(), InitPositionError> {
        for (position, x) in position.iter_mut().zip(&self.x) {
            *position = x + self.spread * (2.0 * rng.random::<f64>() - 1.0);
        }
        Ok(())
    }
}

/// The log density and its gradient for one chain, with a prep of its own.
pub struct Chain<F: Reusable, B: Backend<F::Key>> {
    density: Arc<LogDensity<F, B>>,
    prep: Prep<Gradient, F::Key, B>,
}

impl<F: Reusable, B: Backend<F::Key>> fmt::Debug for Chain<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.density).finish()
    }
}

impl<F: Reusable, B: Backend<F::Key>> HasDims for Chain<F, B> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        let n = self.density.x.len() as u64;
        ["unconstrained_parameter", "dim"]
            .map(|name| (name.to_owned(), n))
            .into()
    }
}

impl<F, B> CpuLogpFunc for Chain<F, B>
where
    F: Reusable<Key: NumberValued + Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key>,
{
    type LogpError = Failure;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.density.x.len()
    }

    fn logp(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<f64, Failure> {
        let LogDensity { f, backend, .. } = &*self.density;
        value_and_gradient_into(f.once(), gradient, &self.prep, backend, x).map_err(Failure)
    }

    fn expand_vector<R: Rng + ?Sized>(
        &mut self,
        _: &mut R,
        x: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(x.to_vec())
    }
}

/// An error of this library, as nuts-rs needs it.
///
/// An error of the function itself ([`di::Error::Function`]) is a divergence: the chain turns away from the point. Any
/// other error ends the sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure(pub di::Error);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

impl LogpError for Failure {
    fn is_recoverable(&self) -> bool {
        matches!(self.0, di::Error::Function(_))
    }
}
