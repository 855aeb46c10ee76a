//! Factors of [apex-solver](https://docs.rs/apex-solver) 1.5 from functions annotated with `#[differentiable]`.
//!
//! A graph has many factors of one kind, such as the observations of a bundle adjustment. [`Factors`] prepares their
//! Jacobian once, and makes a [`Residuals`] of each, which implements the trait `Factor`: residuals and Jacobian come
//! from one evaluation. To use another engine, replace `AutoSource::new()`.
//!
//! The function takes the parameters of its variables one after another, in one slice, and returns its residuals or
//! writes them to an output. A solver keeps its factors, so each owns its data, by [`di::owning`]. Variables are vectors:
//! of type `RN`.
//!
//! ```
//! use apex_solver::core::problem::Problem;
//! use apex_solver::{JacobianMode, LevenbergMarquardt, ManifoldType};
//! use di::prelude::*;
//! use di_apex_solver::Factors;
//!
//! /// A beacon in the plane, seen at a distance from a place.
//! #[differentiable]
//! fn distance(x: &[f64], #[constant] place: &[f64; 2], #[constant] measured: f64) -> [f64; 1] {
//!     [(x[0] - place[0]).hypot(x[1] - place[1]) - measured]
//! }
//!
//! let start = [1.0, 1.0];
//! let mut problem = Problem::new(JacobianMode::Sparse);
//! let beacon = problem.add_variable(ManifoldType::RN, start.to_vec().into());
//! let seen = [([0.0, 0.0], 5.0), ([6.0, 0.0], 5.0), ([3.0, 0.0], 4.0)];
//! let factors = Factors::new(distance::AD.with(&[0.0; 2], 0.0), AutoSource::new(), &[&start])?;
//! for observation in seen {
//!     let f = di::owning(observation, |(place, measured)| distance::AD.with(place, *measured));
//!     problem.add_residual_block(&[beacon], Box::new(factors.factor(f)?), None);
//! }
//! let result = LevenbergMarquardt::new().optimize(&mut problem)?;
//! factors.check()?;
//! let found = result.parameters[beacon].as_param_slice();
//! assert!((found[0] - 3.0).abs() < 1e-6 && (found[1] - 4.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::{Arc, OnceLock};

use apex_solver::Factor;
use apex_solver::core::variable::ManifoldVariable;
use di::extend::{Backend, IntoReusable, Primal, ReusableVector, Signature, Slice};
use di::{Error, Jacobian, Matrix, Prep, Shared};
use di::{evaluate, prepare_jacobian, value_and_jacobian_into};
use faer::MatMut;

/// What all factors of one function share: the prep of their Jacobian, and the first error of any of them.
///
/// `K` is the function, `B` the backend. Factors are `Send` and `Sync`: each thread has a clone of the prep.
pub struct Factors<K: Primal, B: Backend<K>> {
    common: Arc<Common<K, B>>,
}

struct Common<K: Primal, B: Backend<K>> {
    backend: B,
    /// Number of parameters of each variable.
    sizes: Vec<usize>,
    /// Number of residuals.
    rows: usize,
    /// The typical point.
    x: Vec<f64>,
    work: Shared<Work<K, B>>,
    failure: OnceLock<Error>,
}

/// What one thread works in.
struct Work<K: Primal, B: Backend<K>> {
    prep: Prep<Jacobian, K, B>,
    x: Vec<f64>,
    j: Matrix,
}

impl<K: Primal, B: Backend<K>> Clone for Work<K, B> {
    fn clone(&self) -> Self {
        Work {
            prep: self.prep.clone(),
            x: self.x.clone(),
            j: self.j.clone(),
        }
    }
}

impl<K, B> Factors<K, B>
where
    K: Primal + Signature<X = Slice, Real = f64>,
    B: Backend<K, Matrix = Matrix>,
{
    /// Prepares Jacobians for variables like these. The function is a typical one, with any data. Pass one that writes
    /// with its output, whose length is the number of residuals: `f::AD.with(&data).output(&mut r)`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new<F>(
        f: impl IntoReusable<Reusable = F>,
        backend: B,
        variables: &[&[f64]],
    ) -> Result<Self, Error>
    where
        F: ReusableVector<Key = K>,
    {
        let x = variables.concat();
        let f = f.into_reusable(x.as_slice())?;
        let mut r = vec![0.0; f.rows()];
        let prep = prepare_jacobian(f.once(&mut r), &backend, x.as_slice())?;
        let work = Work {
            prep,
            x: Vec::with_capacity(x.len()),
            j: Matrix::zeros((r.len(), x.len())),
        };
        let common = Common {
            backend,
            sizes: variables.iter().map(|variable| variable.len()).collect(),
            rows: r.len(),
            x,
            work: Shared::new(work),
            failure: OnceLock::new(),
        };
        Ok(Factors {
            common: Arc::new(common),
        })
    }

    /// One factor: the function with its data.
    ///
    /// # Errors
    /// [`Error::Function`] if the function returns its residuals, whose number is read from a typical point, and
    /// fails there.
    pub fn factor<F>(&self, f: impl IntoReusable<Reusable = F>) -> Result<Residuals<F, B>, Error>
    where
        F: ReusableVector<Key = K>,
    {
        Ok(Residuals {
            f: f.into_reusable(self.common.x.as_slice())?,
            common: Arc::clone(&self.common),
        })
    }
}

impl<K: Primal, B: Backend<K>> Factors<K, B> {
    /// Whether all factors could be computed so far. One that cannot be writes NaN, because its trait has no place for
    /// an error; the solver then stops or tries a shorter step.
    ///
    /// # Errors
    /// The first error of any factor: of the function ([`Error::Function`]) or of an operator.
    pub fn check(&self) -> Result<(), Error> {
        match self.common.failure.get() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

impl<K: Primal, B: Backend<K>> fmt::Debug for Factors<K, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Factors")
            .field("sizes", &self.common.sizes)
            .field("residuals", &self.common.rows)
            .field("backend", &self.common.backend)
            .finish_non_exhaustive()
    }
}

/// One factor, made by [`Factors::factor`].
///
/// `F` is the function with its data, `B` the backend.
pub struct Residuals<F: ReusableVector, B: Backend<F::Key>> {
    f: F,
    common: Arc<Common<F::Key, B>>,
}

impl<F: ReusableVector, B: Backend<F::Key>> fmt::Debug for Residuals<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals")
            .field("sizes", &self.common.sizes)
            .field("backend", &self.common.backend)
            .finish_non_exhaustive()
    }
}

impl<F, B> Factor for Residuals<F, B>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>> + Send + Sync,
    B: Backend<F::Key, Matrix = Matrix> + Send + Sync,
    Prep<Jacobian, F::Key, B>: Send,
{
    fn linearize(
        &self,
        params: &[&[f64]],
        residual: &mut [f64],
        mut jacobian: Option<MatMut<'_, f64>>,
    ) {
        let Common { backend, work, .. } = &*self.common;
        let done = work.with(|Work { prep, x, j }| {
            x.clear();
            params.iter().for_each(|part| x.extend_from_slice(part));
            let x = x.as_slice();
            let Some(out) = &mut jacobian else {
                return self.f.run(residual, |f| evaluate(f, x));
            };
            self.f.run(residual, |f| {
                value_and_jacobian_into(f, j, &*prep, backend, x)
            })?;
            for (at, entry) in j.indexed_iter() {
                out[at] = *entry;
            }
            Ok(())
        });
        if let Err(error) = done {
            residual.fill(f64::NAN);
            if let Some(out) = &mut jacobian {
                out.fill(f64::NAN);
            }
            // the first one is kept
            let _ = self.common.failure.set(error);
        }
    }

    fn residual_dim(&self) -> usize {
        self.f.rows()
    }

    fn jacobian_shape(&self) -> (usize, usize) {
        (self.f.rows(), self.common.x.len())
    }

    fn validate_variables(&self, variables: &[&dyn ManifoldVariable]) -> Result<(), String> {
        let Common { sizes, rows, .. } = &*self.common;
        if self.f.rows() != *rows {
            let found = self.f.rows();
            return Err(format!("prepared for {rows} residuals, found {found}"));
        }
        // on other manifolds a step is not added to the parameters, which derivatives are by
        let others = variables
            .iter()
            .map(|variable| variable.manifold_type_name());
        if let Some(other) = others.into_iter().find(|name| *name != "Rn") {
            return Err(format!(
                "derivatives are by the parameters, so variables are of type `RN`, found `{other}`"
            ));
        }
        let found = variables
            .iter()
            .map(|variable| variable.as_param_slice().len());
        let found: Vec<usize> = found.collect();
        if found != *sizes {
            return Err(format!(
                "prepared for variables of {sizes:?} parameters, found {found:?}"
            ));
        }
        Ok(())
    }
}
