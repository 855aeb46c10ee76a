//! Sparse Jacobians and Hessians against dense ones, closed forms and definitions.
#![allow(
    clippy::assign_op_pattern,
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::useless_vec,
    reason = "loops over indices are under test"
)]

mod adversarial;
mod branches;
mod colorings;
mod contexts;
#[allow(unused_parens, reason = "bodies are pasted by a macro")]
mod detection;
mod hessians;
mod jacobians;
mod random_programs;
mod teams;
mod trust;
mod verified;

use di_test::allocations::Counting;
use di_test::compare::{Tolerance, assert_close, assert_empty};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

use di::Matrix;

#[test]
fn table_of_parity_is_what_the_tests_show() {
    di_test::parity::check();
}

/// The stored entries as a dense matrix.
fn dense(matrix: &sprs::CsMat<f64>) -> Matrix {
    let mut dense = Matrix::zeros(matrix.shape());
    for (value, (i, j)) in matrix.iter() {
        dense[[i, j]] = *value;
    }
    dense
}

/// Equal up to rounding, or both without entries.
fn close(found: &Matrix, expected: &(impl Clone + Into<Matrix>)) {
    let expected: Matrix = expected.clone().into();
    assert_eq!(found.shape(), expected.shape());
    let tolerance = Tolerance {
        relative: 1e-12,
        absolute: 1e-12,
    };
    match expected.as_slice() {
        [] => assert_empty("entries", found.as_slice()),
        expected => assert_close("entry", found.as_slice(), expected, tolerance),
    }
}
