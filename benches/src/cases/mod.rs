//! One module for each case: its annotated function, and derivatives of it by hand.
//!
//! The derivatives by hand are as fast as we can write them and are reviewed like the product: a slow one would
//! flatter the generated code. Each does exactly what its name says, no more.

#![expect(
    clippy::needless_range_loop,
    clippy::too_many_arguments,
    reason = "the cases are written as numerical programs are, with indices"
)]

pub mod ba;
pub mod brusselator;
mod data;
pub mod fit;
pub mod gmm;
pub mod listing2;
pub mod lotka_volterra;
pub mod lstm;
pub mod mlp;
pub mod mlp_arrays;
pub mod roots;
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

/// `S = sum of g[i] ((i mod 7) + 1)` and `Q = sum of g[i]^2`: what references publish of long gradients.
pub fn checksums<'a>(g: impl IntoIterator<Item = &'a f64>) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for (i, g) in g.into_iter().enumerate() {
        sums.0 += g * (i % 7 + 1) as f64;
        sums.1 += g * g;
    }
    sums
}

/// Whether two numbers differ by `tolerance` of the second at most, or of 1 near zero.
pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}
