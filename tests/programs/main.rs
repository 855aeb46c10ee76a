//! Whole programs, in which the constructs of the language meet: small solvers and simulations with known derivatives.

mod determinant;
mod everything;
mod oscillator;
mod tridiagonal;
