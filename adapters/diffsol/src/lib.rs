//! Equations of [diffsol](https://docs.rs/diffsol) 0.18 from functions annotated with `#[differentiable]`.
//!
//! diffsol needs a right-hand side with its Jacobian products; for sensitivities also products by parameters, and for
//! adjoints the negative transposed products. All of them come from one function `fn f(x: &[f64], p: &[f64], t: f64,
//! dx: &mut [f64])`, which may also have constants: it becomes [`Equations`], for right-hand sides and outputs.
//! Initial values `fn x0(p: &[f64], t: f64, x: &mut [f64])` become [`Initial`]. Their methods are the closures that an
//! `OdeBuilder` takes. To use another engine, replace `AutoSource::new()`.
//!
//! | builder | closures |
//! |---|---|
//! | `rhs_implicit`, `out_implicit` | `value`, `jacobian` |
//! | `rhs_sens_implicit`, `out_sens_implicit` | `value`, `jacobian`, `sens` |
//! | `rhs_adjoint_implicit`, `out_adjoint_implicit` | `value`, `jacobian`, `adjoint`, `sens_adjoint` |
//! | `init`, `init_sens`, `init_adjoint` | `value`; `value`, `sens`; `value`, `adjoint` |
//!
//! ```
//! use di::prelude::*;
//! use di_diffsol::{Equations, Initial};
//! use diffsol::{DenseMatrix, NalgebraLU, NalgebraMat, OdeBuilder, SensitivitiesOdeSolverMethod};
//!
//! /// Decay, and how much has decayed.
//! #[differentiable]
//! fn decay(x: &[f64], p: &[f64], _t: f64, dx: &mut [f64]) {
//!     dx[0] = -p[0] * x[0];
//!     dx[1] = p[0] * x[0];
//! }
//!
//! #[differentiable]
//! fn start(p: &[f64], _t: f64, x: &mut [f64]) {
//!     x[0] = p[1];
//! }
//!
//! let p = [0.5, 3.0];
//! let f = Equations::new(decay::AD.output(&mut [0.0; 2]), AutoSource::new(), &[3.0, 0.0], &p)?;
//! let x0 = Initial::new(start::AD.output(&mut [0.0; 2]), AutoSource::new(), &p)?;
//! let problem = OdeBuilder::<NalgebraMat<f64>>::new()
//!     .p(p)
//!     .rhs_sens_implicit(f.value(), f.jacobian(), f.sens())
//!     .init_sens(x0.value(), x0.sens(), x0.rows())
//!     .build()?;
//! let mut solver = problem.bdf_sens::<NalgebraLU<f64>>()?;
//! let (x, by_parameter, _) = solver.solve_dense_sensitivities(&[1.0, 2.0])?;
//! // of the first reactant at the second time, by its rate
//! assert!((x.get_index(0, 1) - 3.0 * (-1.0_f64).exp()).abs() < 1e-3);
//! assert!((by_parameter[0].get_index(0, 1) + 6.0 * (-1.0_f64).exp()).abs() < 1e-2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Closures of diffsol return nothing. If a function or an operator fails, the result is NaN, which ends the solver,
//! and [`Equations::failure`] returns the error. All of them may run on several threads.

mod equations;
mod failure;
mod initial;

pub use equations::{Equations, Rhs, RhsBackend};
pub use initial::{Initial, Start, StartBackend};
