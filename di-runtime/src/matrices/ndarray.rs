//! Dense matrices of ndarray, of any layout, and views.

use ndarray::{Array2, ArrayBase, DataMut, Ix2};

use super::{MatrixCopy, MatrixMut};
use crate::error::Error;
use crate::matrix::Matrix;
use crate::scalar::Real;

impl<R: Real, S: DataMut<Elem = R>> MatrixMut<R, Matrix<R>> for ArrayBase<S, Ix2> {
    fn size(&self) -> (usize, usize) {
        self.dim()
    }
    fn finish(&mut self, copy: &mut MatrixCopy<Matrix<R>>) -> Result<(), Error> {
        for (to, from) in self.iter_mut().zip(copy.written()) {
            *to = *from;
        }
        Ok(())
    }
}

/// Without a copy.
impl<T> From<Matrix<T>> for Array2<T> {
    fn from(matrix: Matrix<T>) -> Self {
        let shape = matrix.shape();
        let made = Array2::from_shape_vec(shape, matrix.into_vec());
        made.expect("a matrix has as many entries as its shape says")
    }
}

/// The entries in logical order, whatever the layout.
impl<T> From<Array2<T>> for Matrix<T> {
    fn from(array: Array2<T>) -> Self {
        let shape = array.dim();
        Matrix::from_vec(shape, array.into_iter().collect())
    }
}
