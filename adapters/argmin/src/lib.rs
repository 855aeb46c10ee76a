//! Problems of [argmin](https://docs.rs/argmin) 0.11 from functions annotated with `#[differentiable]`.
//!
//! | type | implements, for argmin |
//! |---|---|
//! | [`Objective`]: a function to a number | `CostFunction`, `Gradient`, `Hessian` |
//! | [`Objective::by_products`] | the same, with a Hessian that is only ever multiplied: Newton-CG, Steihaug |
//! | [`Residuals`]: a function to a vector | `Operator`, `Jacobian`: Gauss-Newton |
//!
//! Parameters are `Vec<f64>`, with `Vec<Vec<f64>>` for matrices, or with the feature `nalgebra_v0_34` `DVector` and
//! `DMatrix`, which solvers that invert a matrix need. The type of the first point decides. To use another engine,
//! replace `AutoSource::new()`.
//!
//! ```
//! use argmin::core::{Executor, State};
//! use argmin::solver::linesearch::MoreThuenteLineSearch;
//! use argmin::solver::quasinewton::LBFGS;
//! use di::prelude::*;
//! use di_argmin::Objective;
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
//! let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5);
//! let result = Executor::new(problem, solver)
//!     .configure(|state| state.param(w).max_iters(100))
//!     .run()?;
//! let best = result.state.get_best_param().ok_or("nothing was found")?;
//! assert!((best[0] - 2.0).abs() < 1e-6 && (best[1] + 2f64.ln()).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is prepared once: gradients by [`Objective::new`], the rest by the first call that needs it. Problems are
//! `Sync` if their data is, for argmin's feature `rayon`: each thread has clones of the preps.

mod objective;
mod products;
mod residuals;
mod vector;

pub use objective::Objective;
pub use products::{ByProducts, HessianAt};
pub use residuals::Residuals;
pub use vector::Vector;
