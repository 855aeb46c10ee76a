//! Columns and matrices of faer as containers.
//!
//! As for all containers, the flat order of a matrix is row-major; faer stores columns, with gaps between them. A
//! matrix is copied to the prep and back.

use faer_v0_24::{Col, Mat};

use super::container::fit;
use super::{Container, ContainerMut, Slice};
use crate::context::{Constant, Snapshot};
use crate::scalar::Real;

/// Message of an invariant of faer.
const CONTIGUOUS: &str = "an owned column is contiguous";

pub(super) fn slice<R>(column: &Col<R>) -> &[R] {
    column.try_as_col_major().expect(CONTIGUOUS).as_slice()
}

pub(super) fn slice_mut<R>(column: &mut Col<R>) -> &mut [R] {
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
pub(super) fn write<'a, R: Real>(matrix: &mut Mat<R>, mut from: impl Iterator<Item = &'a R>) {
    let (rows, columns) = (matrix.nrows(), matrix.ncols());
    for i in 0..rows {
        for (j, v) in from.by_ref().take(columns).enumerate() {
            matrix[(i, j)] = *v;
        }
    }
}

pub(super) fn copy<'a, R: Real>(matrix: &Mat<R>, to: impl Iterator<Item = &'a mut R>) {
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
