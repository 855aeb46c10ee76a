//! Sparse matrices of nalgebra-sparse, in compressed rows and in compressed columns.

use nalgebra_sparse_v0_12::{CscMatrix, CsrMatrix};
use sprs::CsMat;

use super::compressed::Stored;
use super::{FromMatrix, MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::scalar::Real;

/// Of a matrix in the storage that is wanted, its parts always make one.
const SORTED: &str = "lines of a compressed matrix are sorted";

macro_rules! compressed {
    ($matrix:ident, $by_rows:literal, $lines:ident, $parts:ident, $new:ident, $convert:ident) => {
        impl<R: Real> MatrixMut<R, CsMat<R>> for $matrix<R> {
            fn size(&self) -> (usize, usize) {
                (self.nrows(), self.ncols())
            }
            fn finish(&mut self, copy: &mut MatrixCopy<CsMat<R>>) -> Result<(), Error> {
                let lines = self.$lines();
                let (starts, indices, values) = self.$parts();
                let stored = Stored {
                    by_rows: $by_rows,
                    lines,
                    range: |line: usize| starts[line]..starts[line + 1],
                    index: |place: usize| indices[place],
                    values,
                };
                stored.fill(copy)
            }
        }

        impl<R: Real> FromMatrix<CsMat<R>> for $matrix<R> {
            fn from_matrix(matrix: &CsMat<R>) -> Self {
                let matrix = matrix.$convert();
                let (rows, columns) = matrix.shape();
                let (starts, indices, values) = matrix.into_raw_storage();
                $matrix::$new(rows, columns, starts, indices, values).expect(SORTED)
            }
        }
    };
}

compressed!(
    CsrMatrix,
    true,
    nrows,
    csr_data_mut,
    try_from_csr_data,
    to_csr
);
compressed!(
    CscMatrix,
    false,
    ncols,
    csc_data_mut,
    try_from_csc_data,
    to_csc
);
