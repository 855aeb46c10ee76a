//! Sparse matrices of faer and nalgebra-sparse: the pattern is made once, values are written in each call.

#![allow(
    clippy::needless_range_loop,
    clippy::unwrap_used,
    reason = "functions as users write them"
)]

use di::extend::MatrixMut;
use di::prelude::*;
use di::sparse::{AutoSparse, Storage};
use di::sprs::CsMat;
use di::{Error, FromMatrix};
use di_test::allocations::{Counting, count};
use di_test::compare::{ROUNDING, assert_close};
use faer_v0_24::sparse::{SparseColMat, SparseRowMat};
use nalgebra_sparse_v0_12::{CscMatrix, CsrMatrix};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Four outputs of six inputs: `y_i = x_i^2 + x_i x_(i + 2)`; the second input is read once.
#[differentiable]
fn banded(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = x[i] * x[i] + x[i] * x[i + 2];
    }
}

/// Its Jacobian.
fn banded_jacobian(x: &[f64], i: usize, j: usize) -> f64 {
    match j {
        _ if j == i => 2.0 * x[i] + x[i + 2],
        _ if j == i + 2 => x[i],
        _ => 0.0,
    }
}

#[differentiable]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += (x[i] - x[i - 1]).powi(4);
    }
    sum
}

/// Its Hessian.
fn chain_hessian(x: &[f64], i: usize, j: usize) -> f64 {
    let bend = |k: usize| 12.0 * (x[k] - x[k - 1]).powi(2);
    let own = |i: usize| {
        let before = if i > 0 { bend(i) } else { 0.0 };
        before + if i + 1 < x.len() { bend(i + 1) } else { 0.0 }
    };
    match i.abs_diff(j) {
        0 => own(i),
        1 => -bend(i.max(j)),
        _ => 0.0,
    }
}

const POINTS: [[f64; 6]; 2] = [
    [1.0, 2.0, -3.0, 5.0, 0.5, 7.0],
    [0.5, -1.0, 4.0, 2.0, 9.0, -6.0],
];

/// Fills a matrix of this type at several points, from preps of both storages.
fn check<M>(what: &str, dense: impl Fn(&M) -> Vec<f64>)
where
    M: FromMatrix<CsMat<f64>> + MatrixMut<f64, CsMat<f64>>,
{
    for storage in [Storage::Rows, Storage::Columns] {
        let backend = AutoSparse::new(AutoSource::new()).storage(storage);
        let mut y = [0.0; 4];
        let f = banded::AD.output(&mut y);
        let prep = prepare_jacobian(f, &backend, &POINTS[0]).unwrap();
        let first = jacobian(banded::AD.output(&mut y), &prep, &backend, &[0.0; 6]).unwrap();
        let mut j = M::from_matrix(&first);
        for (at, x) in POINTS.iter().enumerate() {
            let f = banded::AD.output(&mut y);
            let call = || jacobian_into(f, &mut j, &prep, &backend, x);
            let (done, times) = count(call);
            done.unwrap();
            assert!(at == 0 || times == 0, "{what}: {times} allocations");
            let entry = |at: usize| banded_jacobian(x, at / 6, at % 6);
            let expected: Vec<f64> = (0..24).map(entry).collect();
            assert_close(what, &dense(&j), &expected, ROUNDING);
        }
        let prep = prepare_hessian(chain::AD, &backend, &POINTS[0]).unwrap();
        let first = hessian(chain::AD, &prep, &backend, &POINTS[1]).unwrap();
        let mut h = M::from_matrix(&first);
        let entries = |x: &[f64]| -> Vec<f64> {
            (0..36).map(|at| chain_hessian(x, at / 6, at % 6)).collect()
        };
        assert_close(what, &dense(&h), &entries(&POINTS[1]), ROUNDING);
        let mut g = [f64::NAN; 6];
        let x = &POINTS[0];
        value_gradient_and_hessian_into(chain::AD, &mut g, &mut h, &prep, &backend, x).unwrap();
        assert_close(what, &dense(&h), &entries(x), ROUNDING);

        // the pattern of another function, and another size
        let error = jacobian_into(banded::AD.output(&mut y), &mut h, NoPrep, &backend, x);
        assert!(matches!(error, Err(Error::Shape(_))), "{what}: {error:?}");
        let diagonal = CsMat::<f64>::eye(6);
        for other in [diagonal, first.map(|v| *v).transpose_into(), full()] {
            let same = other.nnz() == first.nnz();
            let error = hessian_into(chain::AD, &mut M::from_matrix(&other), &prep, &backend, x);
            match same {
                true => assert_eq!(error, Ok(()), "{what}: it is symmetric"),
                false => {
                    assert!(
                        matches!(error, Err(Error::Sparsity(_))),
                        "{what}: {error:?}"
                    );
                }
            }
        }
    }
}

/// Six by six, without zeros.
fn full() -> CsMat<f64> {
    CsMat::new(
        (6, 6),
        (0..=6).map(|i| 6 * i).collect(),
        (0..36).map(|k| k % 6).collect(),
        vec![1.0; 36],
    )
}

/// Row by row.
fn by_rows(
    rows: usize,
    columns: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> Vec<f64> {
    let mut dense = vec![0.0; rows * columns];
    entries.for_each(|(i, j, v)| dense[i * columns + j] = v);
    dense
}

#[test]
fn compressed_rows_of_nalgebra() {
    check("CsrMatrix", |m: &CsrMatrix<f64>| {
        by_rows(
            m.nrows(),
            m.ncols(),
            m.triplet_iter().map(|(i, j, v)| (i, j, *v)),
        )
    });
}

#[test]
fn compressed_columns_of_nalgebra() {
    check("CscMatrix", |m: &CscMatrix<f64>| {
        by_rows(
            m.nrows(),
            m.ncols(),
            m.triplet_iter().map(|(i, j, v)| (i, j, *v)),
        )
    });
}

#[test]
fn compressed_rows_of_faer() {
    check("SparseRowMat", |m: &SparseRowMat<usize, f64>| {
        by_rows(
            m.nrows(),
            m.ncols(),
            m.triplet_iter().map(|t| (t.row, t.col, *t.val)),
        )
    });
}

#[test]
fn compressed_columns_of_faer() {
    check("SparseColMat", |m: &SparseColMat<u32, f64>| {
        let triplets = m.triplet_iter();
        by_rows(
            m.nrows(),
            m.ncols(),
            triplets.map(|t| (t.row, t.col, *t.val)),
        )
    });
}

/// A pattern with as many entries, in other places.
#[test]
fn other_places_are_an_error() {
    let backend = AutoSparse::new(AutoSource::new());
    let x = [1.0, 2.0];
    let prep = prepare_hessian(product::AD, &backend, &x).unwrap();
    let h = hessian(product::AD, &prep, &backend, &x).unwrap();
    assert_eq!((h.nnz(), h.get(0, 1)), (2, Some(&1.0)));
    let mut right = CscMatrix::from_matrix(&h);
    let mut wrong = CscMatrix::from_matrix(&CsMat::<f64>::eye(2));
    assert_eq!(
        hessian_into(product::AD, &mut right, &prep, &backend, &x),
        Ok(())
    );
    let error = hessian_into(product::AD, &mut wrong, &prep, &backend, &x).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::Sparsity(_)), "{text}");
}

#[differentiable]
fn product(x: &[f64]) -> f64 {
    x[0] * x[1]
}
