//! Matrices that users bring: what Jacobians and Hessians are written to, whatever the backend computes.

#[cfg(all(
    feature = "sparse",
    any(feature = "faer_v0_24", feature = "nalgebra_sparse_v0_12")
))]
mod compressed;
#[cfg(feature = "faer_v0_24")]
mod faer;
#[cfg(all(feature = "faer_v0_24", feature = "sparse"))]
mod faer_sparse;
#[cfg(any(feature = "nalgebra_v0_34", feature = "nalgebra_v0_35"))]
mod nalgebra;
#[cfg(feature = "nalgebra_sparse_v0_12")]
mod nalgebra_sparse;
#[cfg(feature = "ndarray")]
mod ndarray;

use crate::error::Error;
use crate::primitive::ResultMatrix;
use crate::scalar::Real;

/// A matrix that `jacobian_into` and `hessian_into` write to: the backend's own matrix `M`, or one of another crate.
///
/// What is written to a matrix of another crate is copied from one that the prep keeps: the first call allocates it,
/// later ones allocate nothing. Sparse matrices keep their pattern, which must be that of the prep.
#[diagnostic::on_unimplemented(
    message = "`{M}` cannot be written to `{Self}`",
    label = "not a matrix for the results of this backend",
    note = "dense results are `di::Matrix`, sparse ones `CsMat` of `di::sprs`; matrices of ndarray, nalgebra and faer are behind features such as `ndarray`, `nalgebra_v0_35` and `faer_v0_24`"
)]
pub trait MatrixMut<R: Real, M: ResultMatrix<R>> {
    /// Rows and columns.
    fn size(&self) -> (usize, usize);
    /// Where the backend writes: to a copy, unless this is a matrix of its own.
    fn target<'a>(
        &'a mut self,
        copy: &'a mut MatrixCopy<M>,
        blank: impl FnOnce() -> M,
    ) -> &'a mut M {
        copy.matrix.get_or_insert_with(blank)
    }
    /// Takes over what was written to the copy.
    ///
    /// # Errors
    /// [`Error::Sparsity`] if this matrix has other stored entries.
    fn finish(&mut self, copy: &mut MatrixCopy<M>) -> Result<(), Error>;
}

impl<R: Real, M: ResultMatrix<R>> MatrixMut<R, M> for M {
    fn size(&self) -> (usize, usize) {
        ResultMatrix::size(self)
    }
    #[inline]
    fn target<'a>(&'a mut self, _: &'a mut MatrixCopy<M>, _: impl FnOnce() -> M) -> &'a mut M {
        self
    }
    #[inline]
    fn finish(&mut self, _: &mut MatrixCopy<M>) -> Result<(), Error> {
        Ok(())
    }
}

/// A sparse matrix of another crate that is made from one of a backend; dense ones are made by `From`.
///
/// `CsrMatrix::from_matrix(&hessian(f::AD, &prep, &backend, &x)?)` copies a Hessian once; later calls write values
/// alone. There is a program in `docs/containers.md`.
#[cfg(feature = "sparse")]
pub trait FromMatrix<M>: Sized {
    /// The same pattern with the same entries.
    fn from_matrix(matrix: &M) -> Self;
}

/// The matrix of a backend that is copied to one of another crate, in a prep.
pub struct MatrixCopy<M> {
    matrix: Option<M>,
    /// Where the next entry of each line of a sparse matrix goes.
    #[cfg(all(
        feature = "sparse",
        any(feature = "faer_v0_24", feature = "nalgebra_sparse_v0_12")
    ))]
    next: Vec<usize>,
}

impl<M> Default for MatrixCopy<M> {
    fn default() -> Self {
        MatrixCopy {
            matrix: None,
            #[cfg(all(
                feature = "sparse",
                any(feature = "faer_v0_24", feature = "nalgebra_sparse_v0_12")
            ))]
            next: Vec::new(),
        }
    }
}

/// Why there is a copy to read.
#[cfg(any(
    feature = "faer_v0_24",
    feature = "nalgebra_v0_34",
    feature = "nalgebra_v0_35",
    feature = "ndarray"
))]
const MADE: &str = "`target` comes before `finish`, and makes the copy";

#[cfg(any(
    feature = "faer_v0_24",
    feature = "nalgebra_v0_34",
    feature = "nalgebra_v0_35",
    feature = "ndarray"
))]
impl<M> MatrixCopy<M> {
    /// What the backend has written.
    fn written(&self) -> &M {
        self.matrix.as_ref().expect(MADE)
    }
}
