//! Sparse Jacobians and Hessians against dense ones, closed forms and definitions.
#![allow(
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    reason = "loops over indices are under test"
)]

#[allow(unused_parens, reason = "bodies are pasted by a macro")]
mod detection;
mod hessians;
mod jacobians;
mod random_programs;
mod trust;

use di_test::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

use ndarray::Array2;

/// The stored entries as a dense matrix.
fn dense(matrix: &sprs::CsMat<f64>) -> Array2<f64> {
    let mut dense = Array2::zeros(matrix.shape());
    for (value, (i, j)) in matrix.iter() {
        dense[[i, j]] = *value;
    }
    dense
}

/// Equal up to rounding.
fn close(found: &Array2<f64>, expected: &Array2<f64>) {
    assert_eq!(found.dim(), expected.dim());
    for ((entry, a), b) in found.indexed_iter().zip(expected) {
        let bound = 1e-12 * (1.0 + b.abs());
        assert!((a - b).abs() <= bound, "{entry:?}: {a} instead of {b}");
    }
}
