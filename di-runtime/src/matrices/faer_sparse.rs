//! Sparse matrices of faer, in compressed rows and in compressed columns.

use faer_v0_24::Index;
use faer_v0_24::sparse::{SparseColMat, SparseRowMat, SymbolicSparseColMat, SymbolicSparseRowMat};
use sprs::CsMat;

use super::compressed::Stored;
use super::{FromMatrix, MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::scalar::Real;

/// Indices in the type that a matrix of faer has.
///
/// # Panics
/// If an index does not fit.
fn narrow<I: Index>(indices: Vec<usize>) -> Vec<I> {
    let narrow = |wide: usize| {
        let index = I::truncate(wide);
        assert_eq!(
            index.zx(),
            wide,
            "an index of this type holds less than {wide}"
        );
        index
    };
    indices.into_iter().map(narrow).collect()
}

macro_rules! compressed {
    ($matrix:ident, $symbolic:ident, $by_rows:literal, $lines:ident, $range:ident, $index:ident, $convert:ident) => {
        impl<R: Real, I: Index> MatrixMut<R, CsMat<R>> for $matrix<I, R> {
            fn size(&self) -> (usize, usize) {
                self.shape()
            }
            fn finish(&mut self, copy: &mut MatrixCopy<CsMat<R>>) -> Result<(), Error> {
                let (pattern, values) = self.parts_mut();
                let stored = Stored {
                    by_rows: $by_rows,
                    lines: pattern.$lines(),
                    range: |line: usize| pattern.$range(line),
                    index: |place: usize| pattern.$index()[place].zx(),
                    values,
                };
                stored.fill(copy)
            }
        }

        impl<R: Real, I: Index> FromMatrix<CsMat<R>> for $matrix<I, R> {
            /// # Panics
            /// If an index does not fit in an `I`.
            fn from_matrix(matrix: &CsMat<R>) -> Self {
                let matrix = matrix.$convert();
                let (rows, columns) = matrix.shape();
                let (starts, indices, values) = matrix.into_raw_storage();
                let (starts, indices) = (narrow(starts), narrow(indices));
                let pattern = $symbolic::new_checked(rows, columns, starts, None, indices);
                $matrix::new(pattern, values)
            }
        }
    };
}

compressed!(
    SparseRowMat,
    SymbolicSparseRowMat,
    true,
    nrows,
    row_range,
    col_idx,
    to_csr
);
compressed!(
    SparseColMat,
    SymbolicSparseColMat,
    false,
    ncols,
    col_range,
    row_idx,
    to_csc
);
