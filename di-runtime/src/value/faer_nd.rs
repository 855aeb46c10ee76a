//! Columns and matrices of faer for functions of arrays of `ndarray`.

use faer_v0_24::{Col, Mat};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Ix1, Ix2};

use super::container::fit;
use super::faer::{copy, slice, slice_mut, write};
use super::grid::whole;
use super::{Container, ContainerMut, Nd, Slice};
use crate::scalar::Real;

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
