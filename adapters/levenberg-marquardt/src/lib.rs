//! Least squares problems of [levenberg-marquardt](https://docs.rs/levenberg-marquardt) 0.15 from functions annotated
//! with `#[differentiable]`.
//!
//! [`LeastSquares`] takes a function from parameters to residuals, a backend and the first point. The function
//! returns its residuals or writes them to an output; residuals and Jacobian of a point come from one evaluation. To
//! use another engine, replace `AutoSource::new()`.
//!
//! ```
//! use di::prelude::*;
//! use di_levenberg_marquardt::LeastSquares;
//! use levenberg_marquardt::LevenbergMarquardt;
//!
//! #[differentiable]
//! fn residuals(p: &[f64], #[constant] t: &[f64], #[constant] y: &[f64], r: &mut [f64]) {
//!     for i in 0..t.len() {
//!         r[i] = p[0] * (-p[1] * t[i]).exp() - y[i];
//!     }
//! }
//!
//! let (t, y, mut r) = ([0.0, 1.0, 2.0, 3.0], [4.0, 2.0, 1.0, 0.5], [0.0; 4]);
//! let f = residuals::AD.with(&t, &y).output(&mut r);
//! let problem = LeastSquares::new(f, AutoSource::new(), &[1.0, 0.0])?;
//! let (problem, report) = LevenbergMarquardt::new().minimize(problem);
//! let p = problem.solution()?;
//! assert!(report.termination.was_successful());
//! assert!((p[0] - 4.0).abs() < 1e-9 && (p[1] - 2f64.ln()).abs() < 1e-9);
//! # Ok::<(), di::Error>(())
//! ```

use std::cell::RefCell;
use std::fmt;

use di::Matrix;
use di::extend::{Backend, IntoReusable, ReusableVector, Signature, Slice};
use di::{Error, Jacobian, Prep, evaluate, prepare_jacobian, value_and_jacobian_into};
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, Owned};

/// The residuals of an annotated function, and where the solver is.
///
/// `F` is the function with its data, `B` the backend.
pub struct LeastSquares<F: ReusableVector, B: Backend<F::Key>> {
    f: F,
    backend: B,
    prep: Prep<Jacobian, F::Key, B>,
    x: DVector<f64>,
    separate: bool,
    here: RefCell<Here>,
}

/// What is known at the point.
struct Here {
    r: DVector<f64>,
    j: Matrix,
    known: Known,
    evaluations: usize,
    jacobians: usize,
    failure: Option<Error>,
}

/// How much is known at the point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Nothing,
    Residuals,
    Jacobian,
}

impl<F, B> LeastSquares<F, B>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
{
    /// Prepares Jacobians; `x` is the first point. Pass a function that writes with its output, whose length is the
    /// number of residuals: `f::AD.with(&data).output(&mut r)`.
    ///
    /// # Errors
    /// Those of the preparation; among them [`Error::Function`] if it evaluates the function
    /// and it fails.
    pub fn new(f: impl IntoReusable<Reusable = F>, backend: B, x: &[f64]) -> Result<Self, Error> {
        let f = f.into_reusable(x)?;
        let mut r = DVector::zeros(f.rows());
        let prep = prepare_jacobian(f.once(r.as_mut_slice()), &backend, x)?;
        Ok(LeastSquares {
            here: RefCell::new(Here {
                j: Matrix::zeros((f.rows(), x.len())),
                r,
                known: Known::Nothing,
                evaluations: 0,
                jacobians: 0,
                failure: None,
            }),
            f,
            backend,
            prep,
            x: DVector::from_column_slice(x),
            separate: false,
        })
    }

    /// Leaves out the Jacobian where the solver only tries a step. With many parameters, and if steps are often
    /// refused, that is worth one more evaluation at each point that is kept.
    pub fn separately(self) -> Self {
        LeastSquares {
            separate: true,
            ..self
        }
    }

    /// The point where the solver is.
    ///
    /// # Errors
    /// The error that ended it: of the function ([`Error::Function`]) or of an operator. The solver reports it as
    /// `TerminationReason::User`.
    pub fn solution(&self) -> Result<&[f64], Error> {
        match &self.here.borrow().failure {
            Some(error) => Err(error.clone()),
            None => Ok(self.x.as_slice()),
        }
    }

    /// How often residuals were evaluated, and how often the Jacobian was computed with them.
    pub fn counts(&self) -> (usize, usize) {
        let here = self.here.borrow();
        (here.evaluations, here.jacobians)
    }

    /// Makes known what is not, and reads it; nothing if that fails, or has failed.
    fn known<T>(&self, wanted: Known, read: impl FnOnce(&Here) -> T) -> Option<T> {
        let here = &mut *self.here.borrow_mut();
        if here.failure.is_some() {
            return None;
        }
        if here.known < wanted {
            let (r, j, x) = (here.r.as_mut_slice(), &mut here.j, self.x.as_slice());
            let done = match wanted {
                Known::Jacobian => self.f.run(r, |f| {
                    value_and_jacobian_into(f, j, &self.prep, &self.backend, x)
                }),
                Known::Residuals | Known::Nothing => self.f.run(r, |f| evaluate(f, x)),
            };
            here.evaluations += 1;
            here.jacobians += usize::from(wanted == Known::Jacobian);
            if let Err(error) = done {
                here.failure = Some(error);
                return None;
            }
            here.known = wanted;
        }
        Some(read(here))
    }
}

impl<F: ReusableVector, B: Backend<F::Key>> fmt::Debug for LeastSquares<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeastSquares")
            .field("residuals", &self.f.rows())
            .field("backend", &self.backend)
            .field("x", &self.x)
            .finish_non_exhaustive()
    }
}

impl<F, B> LeastSquaresProblem<f64, Dyn, Dyn> for LeastSquares<F, B>
where
    F: ReusableVector<Key: Signature<X = Slice, Real = f64>>,
    B: Backend<F::Key, Matrix = Matrix>,
{
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        if self.x != *x {
            self.x.copy_from(x);
            self.here.get_mut().known = Known::Nothing;
        }
    }

    fn params(&self) -> DVector<f64> {
        self.x.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let wanted = match self.separate {
            true => Known::Residuals,
            false => Known::Jacobian,
        };
        self.known(wanted, |here| here.r.clone())
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        self.known(Known::Jacobian, |Here { j, .. }| {
            DMatrix::from_row_slice(j.nrows(), j.ncols(), j.as_slice())
        })
    }
}
