//! One module for each case: its annotated function, and derivatives of it by hand.
//!
//! The derivatives by hand are as fast as we can write them and are reviewed like the product: a slow one would
//! flatter the generated code. Each does exactly what its name says, no more.

pub mod rosenbrock;
pub mod sumsq;

/// The inputs of the small cases: `x[i] = sin(0.37 i)`.
pub fn input(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.37 * i as f64).sin()).collect()
}

/// A direction without pattern, for Hessian-vector products: `v[i] = cos(i)`.
pub fn direction(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64).cos()).collect()
}
