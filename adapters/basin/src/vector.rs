//! Parameters and matrices, as basin's solvers take them.

use basin::DenseMatrixFromFn;
use di::Matrix;

/// A vector of parameters or of residuals; basin knows the matrix that goes with it.
pub trait Vector: Clone + DenseMatrixFromFn<f64> {
    /// Its numbers.
    fn view(&self) -> &[f64];
    /// Its numbers, for writing, once it has this length. Their values are unspecified.
    fn room(&mut self, length: usize) -> &mut [f64];
    /// A vector of zeros.
    fn zeros(length: usize) -> Self;
    /// Writes a matrix, and allocates only if it had another size.
    fn write(numbers: &Matrix, out: &mut Self::Matrix) {
        let (rows, columns) = numbers.shape();
        Self::dense_from_fn_into(rows, columns, |i, j| numbers[[i, j]], out);
    }
    /// A matrix of these numbers.
    fn matrix(numbers: &Matrix) -> Self::Matrix {
        let (rows, columns) = numbers.shape();
        Self::dense_from_fn(rows, columns, |i, j| numbers[[i, j]])
    }
}

impl Vector for Vec<f64> {
    fn view(&self) -> &[f64] {
        self
    }

    fn room(&mut self, length: usize) -> &mut [f64] {
        self.resize(length, 0.0);
        self
    }

    fn zeros(length: usize) -> Self {
        vec![0.0; length]
    }
}

#[cfg(feature = "nalgebra_v0_35")]
impl Vector for nalgebra::DVector<f64> {
    fn view(&self) -> &[f64] {
        self.as_slice()
    }

    fn room(&mut self, length: usize) -> &mut [f64] {
        if self.len() != length {
            *self = Self::zeros(length);
        }
        self.as_mut_slice()
    }

    fn zeros(length: usize) -> Self {
        nalgebra::DVector::zeros(length)
    }
}

/// Message of an invariant of faer.
#[cfg(feature = "faer_v0_24")]
const CONTIGUOUS: &str = "an owned column is contiguous";

#[cfg(feature = "faer_v0_24")]
impl Vector for faer::Col<f64> {
    fn view(&self) -> &[f64] {
        self.try_as_col_major().expect(CONTIGUOUS).as_slice()
    }

    fn room(&mut self, length: usize) -> &mut [f64] {
        self.resize_with(length, |_| 0.0);
        let column = self.try_as_col_major_mut().expect(CONTIGUOUS);
        column.as_slice_mut()
    }

    fn zeros(length: usize) -> Self {
        faer::Col::zeros(length)
    }
}
