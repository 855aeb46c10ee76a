//! Dense matrices of nalgebra, of static and of dynamic size.

use super::{MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::matrix::Matrix as Dense;
use crate::scalar::Real;

macro_rules! matrices {
    ($nalgebra:ident) => {
        const _: () = {
            use $nalgebra::base::storage::RawStorageMut;
            use $nalgebra::{DMatrix, Dim, Matrix};

            impl<R, Rows, Cols, S> MatrixMut<R, Dense<R>> for Matrix<R, Rows, Cols, S>
            where
                R: Real,
                Rows: Dim,
                Cols: Dim,
                S: RawStorageMut<R, Rows, Cols>,
            {
                fn size(&self) -> (usize, usize) {
                    self.shape()
                }
                fn finish(&mut self, copy: &mut MatrixCopy<Dense<R>>) -> Result<(), Error> {
                    for (mut to, from) in self.row_iter_mut().zip(copy.written().rows()) {
                        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                    }
                    Ok(())
                }
            }

            impl<T: $nalgebra::Scalar> From<Dense<T>> for DMatrix<T> {
                fn from(matrix: Dense<T>) -> Self {
                    let (rows, columns) = matrix.shape();
                    DMatrix::from_row_iterator(rows, columns, matrix)
                }
            }

            /// The entries row by row, as everywhere.
            impl<T: $nalgebra::Scalar> From<DMatrix<T>> for Dense<T> {
                fn from(matrix: DMatrix<T>) -> Self {
                    let shape = matrix.shape();
                    Dense::from_fn(shape, |i, j| matrix[(i, j)].clone())
                }
            }
        };
    };
}

#[cfg(feature = "nalgebra_v0_34")]
matrices!(nalgebra_v0_34);
#[cfg(feature = "nalgebra_v0_35")]
matrices!(nalgebra_v0_35);
