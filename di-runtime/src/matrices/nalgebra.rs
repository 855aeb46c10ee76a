//! Dense matrices of nalgebra, of static and of dynamic size.

use ndarray::Array2;

use super::{FromMatrix, MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::scalar::Real;

macro_rules! matrices {
    ($nalgebra:ident) => {
        const _: () = {
            use $nalgebra::base::storage::RawStorageMut;
            use $nalgebra::{DMatrix, Dim, Matrix};

            impl<R, Rows, Cols, S> MatrixMut<R, Array2<R>> for Matrix<R, Rows, Cols, S>
            where
                R: Real,
                Rows: Dim,
                Cols: Dim,
                S: RawStorageMut<R, Rows, Cols>,
            {
                fn size(&self) -> (usize, usize) {
                    self.shape()
                }
                fn finish(&mut self, copy: &mut MatrixCopy<Array2<R>>) -> Result<(), Error> {
                    for (mut to, from) in self.column_iter_mut().zip(copy.written().columns()) {
                        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                    }
                    Ok(())
                }
            }

            impl<R: Real + $nalgebra::Scalar> FromMatrix<Array2<R>> for DMatrix<R> {
                fn from_matrix(matrix: &Array2<R>) -> Self {
                    let (rows, columns) = matrix.dim();
                    DMatrix::from_fn(rows, columns, |i, j| matrix[[i, j]])
                }
            }
        };
    };
}

#[cfg(feature = "nalgebra_v0_34")]
matrices!(nalgebra_v0_34);
#[cfg(feature = "nalgebra_v0_35")]
matrices!(nalgebra_v0_35);
