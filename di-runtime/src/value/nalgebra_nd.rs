//! Vectors and matrices of nalgebra for functions of arrays of `ndarray`.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Ix1, Ix2};

use super::columns::{by_columns, by_rows, in_order};
use super::container::fit;
use super::grid::whole;
use super::{Container, ContainerMut, Nd, Slice};
use crate::scalar::Real;

/// Message of an invariant: a view has as many numbers as its matrix.
const WHOLE: &str = "a view of all numbers";

macro_rules! containers {
    ($nalgebra:ident) => {
        const _: () = {
            use $nalgebra::allocator::Allocator;
            use $nalgebra::base::storage::{IsContiguous, RawStorage, RawStorageMut};
            use $nalgebra::{DefaultAllocator, Dim, Matrix, OMatrix, OVector, Scalar, U1};

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
                fn view<'a>(&'a self, _: &'a mut Option<Array1<R>>) -> ArrayView1<'a, R> {
                    ArrayView1::from(self.as_slice())
                }
                fn lanes<'a>(&'a self, _: &'a mut Option<Array1<R>>) -> ArrayView1<'a, R> {
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
                    _: &'a mut Option<Array1<R>>,
                ) -> ArrayViewMut1<'a, R> {
                    ArrayViewMut1::from(self.as_mut_slice())
                }
                fn finish(&mut self, _: &mut Option<Array1<R>>) {}
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
        };
    };
}

#[cfg(feature = "nalgebra_v0_34")]
containers!(nalgebra_v0_34);
#[cfg(feature = "nalgebra_v0_35")]
containers!(nalgebra_v0_35);
