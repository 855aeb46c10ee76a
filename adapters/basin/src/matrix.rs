//! Jacobians as backends compute them, and as basin's solvers take them.

use di::extend::{MatrixMut, ResultMatrix};
use di::{Error, Matrix};

use crate::vector::Vector;

/// What a backend computes for a Jacobian; it decides, with the parameters `P`, which matrix the solver has.
#[diagnostic::on_unimplemented(
    message = "basin has no matrix for a Jacobian of type `{Self}` with parameters of type `{P}`",
    note = "a sparse Jacobian needs the feature `faer_v0_24`, and parameters in a `faer::Col<f64>`"
)]
pub trait Computed<P: Vector>: ResultMatrix<f64> + Sized {
    /// Where an operator writes the numbers.
    type Kept: MatrixMut<f64, Self> + Clone;
    /// The solver's matrix.
    type Matrix;
    /// A place for matrices of this size. If their pattern matters, it is that of the first one.
    ///
    /// # Errors
    /// Those of `first`.
    fn keep(
        size: (usize, usize),
        first: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Self::Kept, Error>;
    /// A matrix of these numbers.
    fn matrix(kept: &Self::Kept) -> Self::Matrix;
    /// Writes the numbers, and allocates only if the solver's matrix had another size or pattern.
    fn write(kept: &Self::Kept, out: &mut Self::Matrix);
}

impl<P: Vector> Computed<P> for Matrix {
    type Kept = Matrix;
    type Matrix = P::Matrix;

    fn keep(
        size: (usize, usize),
        _: impl FnOnce() -> Result<Self, Error>,
    ) -> Result<Matrix, Error> {
        Ok(Matrix::zeros(size))
    }

    fn matrix(kept: &Matrix) -> P::Matrix {
        P::matrix(kept)
    }

    fn write(kept: &Matrix, out: &mut P::Matrix) {
        P::write(kept, out);
    }
}

#[cfg(feature = "faer_v0_24")]
mod sparse {
    use di::sprs::CsMat;
    use di::{Error, FromMatrix};
    use faer::Col;
    use faer::sparse::SparseColMat;

    use super::Computed;

    impl Computed<Col<f64>> for CsMat<f64> {
        type Kept = SparseColMat<usize, f64>;
        type Matrix = SparseColMat<usize, f64>;

        fn keep(
            _: (usize, usize),
            first: impl FnOnce() -> Result<Self, Error>,
        ) -> Result<Self::Kept, Error> {
            Ok(SparseColMat::from_matrix(&first()?))
        }

        fn matrix(kept: &Self::Kept) -> Self::Matrix {
            kept.clone()
        }

        fn write(kept: &Self::Kept, out: &mut Self::Matrix) {
            let (to, from) = (out.symbolic(), kept.symbolic());
            let is_same = out.shape() == kept.shape()
                && to.col_ptr() == from.col_ptr()
                && to.col_nnz().is_none()
                && to.row_idx() == from.row_idx();
            if is_same {
                out.val_mut().copy_from_slice(kept.val());
            } else {
                out.clone_from(kept);
            }
        }
    }
}
