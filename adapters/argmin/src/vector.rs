//! Parameters and matrices, as argmin's solvers take them.

use di::Matrix;

/// A vector of parameters, and the matrix that goes with it.
pub trait Vector: Clone {
    /// Jacobians and Hessians.
    type Matrix;
    /// Its numbers.
    fn view(&self) -> &[f64];
    /// A vector of these numbers.
    fn from_numbers(numbers: Vec<f64>) -> Self;
    /// A matrix of these numbers.
    fn matrix(numbers: &Matrix) -> Self::Matrix;
}

impl Vector for Vec<f64> {
    type Matrix = Vec<Vec<f64>>;

    fn view(&self) -> &[f64] {
        self
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        numbers
    }

    fn matrix(numbers: &Matrix) -> Vec<Vec<f64>> {
        numbers.rows().map(<[f64]>::to_vec).collect()
    }
}

#[cfg(feature = "nalgebra_v0_34")]
impl Vector for nalgebra::DVector<f64> {
    type Matrix = nalgebra::DMatrix<f64>;

    fn view(&self) -> &[f64] {
        self.as_slice()
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        Self::from_vec(numbers)
    }

    fn matrix(numbers: &Matrix) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_row_slice(numbers.nrows(), numbers.ncols(), numbers.as_slice())
    }
}
