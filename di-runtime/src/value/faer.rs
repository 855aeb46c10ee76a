//! Columns and matrices of faer as containers.
//!
//! As for all containers, the flat order of a matrix is row-major; faer stores columns, with gaps between them. A
//! matrix is copied to the prep and back.

use faer_v0_24::{Col, Mat};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Ix1, Ix2};

use super::container::fit;
use super::grid::whole;
use super::{Container, ContainerMut, Nd, Slice};
use crate::context::{Constant, Snapshot};
use crate::scalar::Real;

/// Message of an invariant of faer.
const CONTIGUOUS: &str = "an owned column is contiguous";

fn slice<R>(column: &Col<R>) -> &[R] {
    column.try_as_col_major().expect(CONTIGUOUS).as_slice()
}

fn slice_mut<R>(column: &mut Col<R>) -> &mut [R] {
    column
        .try_as_col_major_mut()
        .expect(CONTIGUOUS)
        .as_slice_mut()
}

/// The numbers of a matrix, row by row.
fn entries<R: Copy>(matrix: &Mat<R>) -> impl Iterator<Item = R> + '_ {
    let (rows, columns) = matrix.shape();
    (0..rows).flat_map(move |i| (0..columns).map(move |j| matrix[(i, j)]))
}

/// Writes the numbers of a matrix, row by row.
fn write<'a, R: Real>(matrix: &mut Mat<R>, mut from: impl Iterator<Item = &'a R>) {
    let (rows, columns) = (matrix.nrows(), matrix.ncols());
    for i in 0..rows {
        for (j, v) in from.by_ref().take(columns).enumerate() {
            matrix[(i, j)] = *v;
        }
    }
}

fn copy<'a, R: Real>(matrix: &Mat<R>, to: impl Iterator<Item = &'a mut R>) {
    to.zip(entries(matrix)).for_each(|(to, from)| *to = from);
}

impl<R: Real> Container<Slice, R> for Col<R> {
    type Result = Col<R>;

    fn shape(&self) -> usize {
        self.nrows()
    }
    fn view<'a>(&'a self, _: &'a mut Option<Vec<R>>) -> &'a [R] {
        slice(self)
    }
    fn lanes<'a>(&'a self, _: &'a mut Option<Vec<R>>) -> &'a [R] {
        slice(self)
    }
    fn blank(&self) -> Col<R> {
        Col::from_fn(self.nrows(), |_| R::default())
    }
}

impl<R: Real> ContainerMut<Slice, R> for Col<R> {
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Vec<R>>) -> &'a mut [R] {
        slice_mut(self)
    }
    fn finish(&mut self, _: &mut Option<Vec<R>>) {}
}

impl<R: Real> Container<Nd<Ix1>, R> for Col<R> {
    type Result = Col<R>;

    fn shape(&self) -> Ix1 {
        Ix1(self.nrows())
    }
    fn view<'a>(&'a self, _: &'a mut Option<Array1<R>>) -> ArrayView1<'a, R> {
        ArrayView1::from(slice(self))
    }
    fn lanes<'a>(&'a self, _: &'a mut Option<Array1<R>>) -> ArrayView1<'a, R> {
        ArrayView1::from(slice(self))
    }
    fn blank(&self) -> Col<R> {
        Container::<Slice, R>::blank(self)
    }
}

impl<R: Real> ContainerMut<Nd<Ix1>, R> for Col<R> {
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Array1<R>>) -> ArrayViewMut1<'a, R> {
        ArrayViewMut1::from(slice_mut(self))
    }
    fn finish(&mut self, _: &mut Option<Array1<R>>) {}
}

impl<R: Real> Container<Slice, R> for Mat<R> {
    type Result = Mat<R>;

    fn shape(&self) -> usize {
        self.nrows() * self.ncols()
    }
    fn view<'a>(&'a self, spare: &'a mut Option<Vec<R>>) -> &'a [R] {
        let room = fit::<Slice, R>(spare, &Container::<Slice, R>::shape(self));
        copy(self, room.iter_mut());
        room
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<Vec<R>>) -> &'a [R] {
        Container::<Slice, R>::view(self, spare)
    }
    fn blank(&self) -> Mat<R> {
        Mat::from_fn(self.nrows(), self.ncols(), |_, _| R::default())
    }
}

impl<R: Real> ContainerMut<Slice, R> for Mat<R> {
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<Vec<R>>) -> &'a mut [R] {
        fit::<Slice, R>(spare, &Container::<Slice, R>::shape(self))
    }
    fn finish(&mut self, spare: &mut Option<Vec<R>>) {
        if let Some(from) = spare {
            write(self, from.iter());
        }
    }
}

impl<R: Real> Container<Nd<Ix2>, R> for Mat<R> {
    type Result = Mat<R>;

    fn shape(&self) -> Ix2 {
        Ix2(self.nrows(), self.ncols())
    }
    fn view<'a>(&'a self, spare: &'a mut Option<Array2<R>>) -> ArrayView2<'a, R> {
        let room = fit::<Nd<Ix2>, R>(spare, &Container::<Nd<Ix2>, R>::shape(self));
        copy(self, room.iter_mut());
        whole(room)
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<Array2<R>>) -> ArrayView2<'a, R> {
        Container::<Nd<Ix2>, R>::view(self, spare)
    }
    fn blank(&self) -> Mat<R> {
        Container::<Slice, R>::blank(self)
    }
}

impl<R: Real> ContainerMut<Nd<Ix2>, R> for Mat<R> {
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<Array2<R>>) -> ArrayViewMut2<'a, R> {
        fit::<Nd<Ix2>, R>(spare, &Container::<Nd<Ix2>, R>::shape(self)).view_mut()
    }
    fn finish(&mut self, spare: &mut Option<Array2<R>>) {
        if let Some(from) = spare {
            write(self, from.iter());
        }
    }
}

impl<T: Constant> Constant for Col<T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        slice(self).snapshot(snapshot);
    }
}

impl<T: Constant + Copy> Constant for Mat<T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.shape().snapshot(snapshot);
        entries(self).for_each(|x| x.snapshot(snapshot));
    }
}
