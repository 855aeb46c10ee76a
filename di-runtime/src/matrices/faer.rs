//! Dense matrices of faer.

use faer_v0_24::{Mat, MatMut};

use super::{MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::matrix::Matrix;
use crate::scalar::Real;

fn take<R: Real>(mut to: MatMut<'_, R>, copy: &MatrixCopy<Matrix<R>>) {
    for ((i, j), from) in copy.written().indexed_iter() {
        to[(i, j)] = *from;
    }
}

impl<R: Real> MatrixMut<R, Matrix<R>> for Mat<R> {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }
    fn finish(&mut self, copy: &mut MatrixCopy<Matrix<R>>) -> Result<(), Error> {
        take(self.as_mut(), copy);
        Ok(())
    }
}

impl<R: Real> MatrixMut<R, Matrix<R>> for MatMut<'_, R> {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }
    fn finish(&mut self, copy: &mut MatrixCopy<Matrix<R>>) -> Result<(), Error> {
        take(self.as_mut(), copy);
        Ok(())
    }
}

impl<T: Clone> From<Matrix<T>> for Mat<T> {
    fn from(matrix: Matrix<T>) -> Self {
        let (rows, columns) = matrix.shape();
        Mat::from_fn(rows, columns, |i, j| matrix[(i, j)].clone())
    }
}

/// The entries row by row, as everywhere.
impl<T: Clone> From<Mat<T>> for Matrix<T> {
    fn from(matrix: Mat<T>) -> Self {
        Matrix::from_fn(matrix.shape(), |i, j| matrix[(i, j)].clone())
    }
}
