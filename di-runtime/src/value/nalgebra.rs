//! Vectors and matrices of nalgebra as containers, of static and of dynamic size.
//!
//! As for all containers, the flat order of a matrix is row-major. nalgebra stores columns: a matrix with several of
//! both is copied to the prep and back.

use super::columns::{by_columns, by_rows, in_order};
use super::container::fit;
use super::{Array, Container, ContainerMut, Slice};
use crate::context::{Constant, Snapshot};
use crate::scalar::Real;

macro_rules! containers {
    ($nalgebra:ident) => {
        const _: () = {
            use $nalgebra::allocator::Allocator;
            use $nalgebra::base::storage::{IsContiguous, RawStorage, RawStorageMut};
            use $nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, SVector, Scalar};

            impl<R, Rows, Cols, S> Container<Slice, R> for Matrix<R, Rows, Cols, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                Cols: Dim,
                S: RawStorage<R, Rows, Cols> + IsContiguous,
                DefaultAllocator: Allocator<Rows, Cols>,
            {
                type Result = OMatrix<R, Rows, Cols>;

                fn shape(&self) -> usize {
                    self.len()
                }
                fn view<'a>(&'a self, spare: &'a mut Option<Vec<R>>) -> &'a [R] {
                    if in_order(Matrix::shape(self)) {
                        return self.as_slice();
                    }
                    let copy = fit::<Slice, R>(spare, &self.len());
                    by_rows(self.as_slice(), self.nrows(), copy);
                    copy
                }
                fn lanes<'a>(&'a self, spare: &'a mut Option<Vec<R>>) -> &'a [R] {
                    Container::<Slice, R>::view(self, spare)
                }
                fn blank(&self) -> OMatrix<R, Rows, Cols> {
                    let (rows, columns) = self.shape_generic();
                    OMatrix::from_element_generic(rows, columns, R::default())
                }
            }

            impl<R, Rows, Cols, S> ContainerMut<Slice, R> for Matrix<R, Rows, Cols, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                Cols: Dim,
                S: RawStorageMut<R, Rows, Cols> + IsContiguous,
                DefaultAllocator: Allocator<Rows, Cols>,
            {
                fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<Vec<R>>) -> &'a mut [R] {
                    match in_order(Matrix::shape(self)) {
                        true => self.as_mut_slice(),
                        false => fit::<Slice, R>(spare, &self.len()),
                    }
                }
                fn finish(&mut self, spare: &mut Option<Vec<R>>) {
                    let (rows, columns) = Matrix::shape(self);
                    if let (false, Some(from)) = (in_order((rows, columns)), spare) {
                        by_columns(from, rows, self.as_mut_slice());
                    }
                }
            }

            impl<R: Real + Scalar, const N: usize> Container<Array<N>, R> for SVector<R, N> {
                type Result = SVector<R, N>;

                fn shape(&self) {}
                fn view<'a>(&'a self, (): &'a mut ()) -> &'a [R; N] {
                    &self.data.0[0]
                }
                fn lanes<'a>(&'a self, (): &'a mut ()) -> &'a [R; N] {
                    &self.data.0[0]
                }
                fn blank(&self) -> SVector<R, N> {
                    SVector::repeat(R::default())
                }
            }

            impl<R: Real + Scalar, const N: usize> ContainerMut<Array<N>, R> for SVector<R, N> {
                fn lanes_mut<'a>(&'a mut self, (): &'a mut ()) -> &'a mut [R; N] {
                    &mut self.data.0[0]
                }
                fn finish(&mut self, (): &mut ()) {}
            }

            impl<T, Rows, Cols, S> Constant for Matrix<T, Rows, Cols, S>
            where
                T: Constant,
                Rows: Dim,
                Cols: Dim,
                S: RawStorage<T, Rows, Cols>,
            {
                fn snapshot(&self, snapshot: &mut Snapshot) {
                    Matrix::shape(self).snapshot(snapshot);
                    for x in self.iter() {
                        x.snapshot(snapshot);
                    }
                }
            }
        };
    };
}

#[cfg(feature = "nalgebra_v0_34")]
containers!(nalgebra_v0_34);
#[cfg(feature = "nalgebra_v0_35")]
containers!(nalgebra_v0_35);
