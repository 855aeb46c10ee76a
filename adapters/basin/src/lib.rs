//! Problems of [basin](https://docs.rs/basin) 3.2 from functions annotated with `#[differentiable]`.
//!
//! | type | implements, for basin |
//! |---|---|
//! | [`Objective`]: a function to a number | `CostFunction`, `Gradient`, `Hessian`, `HessianProduct` |
//! | [`Residuals`]: a function to a vector | `Residual`, `Jacobian` |
//!
//! All `_into` methods write to the solver's own memory and, with generated code, allocate nothing: values and
//! derivatives of one point come from one evaluation. Parameters are `Vec<f64>` with `DenseMatrix`, or with the feature
//! `nalgebra_v0_35` `DVector` with `DMatrix`, or with the feature `faer_v0_24` `Col` with `Mat`; the type of the first
//! point decides. To use another engine, replace `AutoSource::new()`: for least squares with a `Col`, by
//! `AutoSparse::new(AutoSource::new())` of `di::sparse`, and the Jacobian is a `SparseColMat`.
//!
//! ```
//! use basin::{Executor, Lbfgs};
//! use di::prelude::*;
//! use di_basin::Objective;
//!
//! #[differentiable]
//! fn loss(w: &[f64], #[constant] t: &[f64], #[constant] y: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..t.len() {
//!         let r = w[0] * (w[1] * t[i]).exp() - y[i];
//!         sum += r * r;
//!     }
//!     sum
//! }
//!
//! let (t, y) = ([0.0, 1.0, 2.0], [2.0, 1.0, 0.5]);
//! let w = vec![1.0, 0.0];
//! let problem = Objective::new(loss::AD.with(&t, &y), AutoSource::new(), &w)?;
//! let solver = Lbfgs::new().unbounded().with_absolute_gradient_tolerance(1e-9);
//! let result = Executor::from_start(problem, solver, w).max_iter(100).run()?;
//! let best = result.param();
//! assert!((best[0] - 2.0).abs() < 1e-6 && (best[1] + 2f64.ln()).abs() < 1e-6);
//! # Ok::<(), di::Error>(())
//! ```
//!
//! Everything is prepared once: gradients and Jacobians by `new`, second derivatives by the first call that needs them.
//! Problems are `Sync` if their data is, for basin's feature `parallel`: each thread has clones of the preps.

mod matrix;
mod objective;
mod residuals;
mod vector;

pub use matrix::Computed;
pub use objective::Objective;
pub use residuals::Residuals;
pub use vector::Vector;
