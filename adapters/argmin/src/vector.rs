//! Parameters and matrices, as argmin's solvers take them.

use di::ndarray::Array2;

/// A vector of parameters, and the matrix that goes with it.
pub trait Vector: Clone {
    /// Jacobians and Hessians.
    type Matrix;
    /// Its numbers.
    fn view(&self) -> &[f64];
    /// A vector of these numbers.
    fn from_numbers(numbers: Vec<f64>) -> Self;
    /// A matrix of these numbers.
    fn matrix(numbers: &Array2<f64>) -> Self::Matrix;
}

impl Vector for Vec<f64> {
    type Matrix = Vec<Vec<f64>>;

    fn view(&self) -> &[f64] {
        self
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        numbers
    }

    fn matrix(numbers: &Array2<f64>) -> Vec<Vec<f64>> {
        numbers.rows().into_iter().map(|row| row.to_vec()).collect()
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

    fn matrix(numbers: &Array2<f64>) -> nalgebra::DMatrix<f64> {
        let (rows, columns) = numbers.dim();
        nalgebra::DMatrix::from_fn(rows, columns, |i, j| numbers[[i, j]])
    }
}
