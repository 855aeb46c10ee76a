//! Vectors and matrices of nalgebra as containers, of static and of dynamic size.
//!
//! As for all containers, the flat order of a matrix is row-major. nalgebra stores columns: a matrix with several of
//! both is copied to the prep and back.

use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Ix1, Ix2};

use super::columns::{by_columns, by_rows, in_order};
use super::container::fit;
use super::grid::whole;
use super::{Array, Container, ContainerMut, Nd, Slice};
use crate::context::{Constant, Snapshot};
use crate::scalar::Real;

/// Message of an invariant: a view has as many numbers as its matrix.
const WHOLE: &str = "a view of all numbers";

macro_rules! containers {
    ($nalgebra:ident) => {
        const _: () = {
            use $nalgebra::allocator::Allocator;
            use $nalgebra::base::storage::{IsContiguous, RawStorage, RawStorageMut};
            use $nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, OVector, SVector, Scalar, U1};

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

            impl<R, Rows, S> Container<Nd<Ix1>, R> for Matrix<R, Rows, U1, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                S: RawStorage<R, Rows, U1> + IsContiguous,
                DefaultAllocator: Allocator<Rows>,
            {
                type Result = OVector<R, Rows>;

                fn shape(&self) -> Ix1 {
                    Ix1(self.len())
                }
                fn view<'a>(&'a self, _: &'a mut Option<ndarray::Array1<R>>) -> ArrayView1<'a, R> {
                    ArrayView1::from(self.as_slice())
                }
                fn lanes<'a>(&'a self, _: &'a mut Option<ndarray::Array1<R>>) -> ArrayView1<'a, R> {
                    ArrayView1::from(self.as_slice())
                }
                fn blank(&self) -> OVector<R, Rows> {
                    Container::<Slice, R>::blank(self)
                }
            }

            impl<R, Rows, S> ContainerMut<Nd<Ix1>, R> for Matrix<R, Rows, U1, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                S: RawStorageMut<R, Rows, U1> + IsContiguous,
                DefaultAllocator: Allocator<Rows>,
            {
                fn lanes_mut<'a>(
                    &'a mut self,
                    _: &'a mut Option<ndarray::Array1<R>>,
                ) -> ArrayViewMut1<'a, R> {
                    ArrayViewMut1::from(self.as_mut_slice())
                }
                fn finish(&mut self, _: &mut Option<ndarray::Array1<R>>) {}
            }

            impl<R, Rows, Cols, S> Container<Nd<Ix2>, R> for Matrix<R, Rows, Cols, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                Cols: Dim,
                S: RawStorage<R, Rows, Cols> + IsContiguous,
                DefaultAllocator: Allocator<Rows, Cols>,
            {
                type Result = OMatrix<R, Rows, Cols>;

                fn shape(&self) -> Ix2 {
                    Ix2(self.nrows(), self.ncols())
                }
                fn view<'a>(&'a self, spare: &'a mut Option<Array2<R>>) -> ArrayView2<'a, R> {
                    let shape = Matrix::shape(self);
                    if in_order(shape) {
                        return ArrayView2::from_shape(shape, self.as_slice()).expect(WHOLE);
                    }
                    let copy = fit::<Nd<Ix2>, R>(spare, &Ix2(shape.0, shape.1));
                    by_rows(self.as_slice(), shape.0, copy.as_slice_mut().expect(WHOLE));
                    whole(copy)
                }
                fn lanes<'a>(&'a self, spare: &'a mut Option<Array2<R>>) -> ArrayView2<'a, R> {
                    Container::<Nd<Ix2>, R>::view(self, spare)
                }
                fn blank(&self) -> OMatrix<R, Rows, Cols> {
                    Container::<Slice, R>::blank(self)
                }
            }

            impl<R, Rows, Cols, S> ContainerMut<Nd<Ix2>, R> for Matrix<R, Rows, Cols, S>
            where
                R: Real + Scalar,
                Rows: Dim,
                Cols: Dim,
                S: RawStorageMut<R, Rows, Cols> + IsContiguous,
                DefaultAllocator: Allocator<Rows, Cols>,
            {
                fn lanes_mut<'a>(
                    &'a mut self,
                    spare: &'a mut Option<Array2<R>>,
                ) -> ArrayViewMut2<'a, R> {
                    let shape = Matrix::shape(self);
                    match in_order(shape) {
                        true => ArrayViewMut2::from_shape(shape, self.as_mut_slice()).expect(WHOLE),
                        false => fit::<Nd<Ix2>, R>(spare, &Ix2(shape.0, shape.1)).view_mut(),
                    }
                }
                fn finish(&mut self, spare: &mut Option<Array2<R>>) {
                    let (rows, columns) = Matrix::shape(self);
                    if let (false, Some(from)) = (in_order((rows, columns)), spare) {
                        by_columns(from.as_slice().expect(WHOLE), rows, self.as_mut_slice());
                    }
                }
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
