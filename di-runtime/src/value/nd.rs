//! Arrays of `ndarray` as containers: any dimension, in logical (row-major) order.
//!
//! An annotated function takes slices, and an array stands for its elements; functions on any scalar and closures
//! may take views, with the dimension ([`Nd`]). In both cases an array that is not contiguous in row-major order
//! is copied to the prep and back.

use ndarray::{Array as NdArray, ArrayBase, ArrayView, ArrayViewMut, Data, DataMut, Dimension};

use super::container::fit;
use super::grid::whole;
use super::{Cell, Container, ContainerMut, Entry, Nd, Slice};
use crate::scalar::Real;

impl<R: Real, S: Data<Elem = R>, D: Dimension + Copy + 'static> Container<Nd<D>, R>
    for ArrayBase<S, D>
{
    type Result = NdArray<R, D>;

    fn shape(&self) -> D {
        self.raw_dim()
    }
    fn view<'a>(&'a self, spare: &'a mut Option<NdArray<R, D>>) -> ArrayView<'a, R, D> {
        if self.is_standard_layout() {
            return whole(self);
        }
        let copy = fit::<Nd<D>, R>(spare, &self.raw_dim());
        copy.assign(self);
        whole(copy)
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<NdArray<R, D>>) -> ArrayView<'a, R, D> {
        Container::<Nd<D>, R>::view(self, spare)
    }
    fn blank(&self) -> NdArray<R, D> {
        NdArray::from_elem(self.raw_dim(), R::default())
    }
}

impl<R: Real, S: DataMut<Elem = R>, D: Dimension + Copy + 'static> ContainerMut<Nd<D>, R>
    for ArrayBase<S, D>
{
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<NdArray<R, D>>) -> ArrayViewMut<'a, R, D> {
        if self.is_standard_layout() {
            return self.view_mut();
        }
        fit::<Nd<D>, R>(spare, &self.raw_dim()).view_mut()
    }
    fn finish(&mut self, spare: &mut Option<NdArray<R, D>>) {
        if self.is_standard_layout() {
            return;
        }
        if let Some(from) = spare {
            self.assign(from);
        }
    }
}
impl<R, C, E, S, D> Container<Slice<C>, R> for ArrayBase<S, D>
where
    R: Real,
    C: Cell<Of<R> = E>,
    E: Entry,
    S: Data<Elem = E>,
    D: Dimension,
{
    type Result = NdArray<E, D>;

    fn shape(&self) -> usize {
        self.len()
    }
    fn view<'a>(&'a self, spare: &'a mut Option<Vec<E>>) -> &'a [E] {
        match self.as_slice() {
            Some(slice) => slice,
            None => {
                let copy = fit::<Slice<C>, R>(spare, &self.len());
                copy.iter_mut().zip(self).for_each(|(to, from)| *to = *from);
                copy
            }
        }
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<Vec<E>>) -> &'a [E] {
        Container::<Slice<C>, R>::view(self, spare)
    }
    fn blank(&self) -> NdArray<E, D> {
        NdArray::from_elem(self.raw_dim(), C::fill(R::default()))
    }
}

impl<R, C, E, S, D> ContainerMut<Slice<C>, R> for ArrayBase<S, D>
where
    R: Real,
    C: Cell<Of<R> = E>,
    E: Entry,
    S: DataMut<Elem = E>,
    D: Dimension,
{
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<Vec<E>>) -> &'a mut [E] {
        if self.is_standard_layout() {
            self.as_slice_mut()
                .expect("an array in standard layout is a slice")
        } else {
            fit::<Slice<C>, R>(spare, &self.len())
        }
    }
    fn finish(&mut self, spare: &mut Option<Vec<E>>) {
        if self.is_standard_layout() {
            return;
        }
        if let Some(from) = spare {
            self.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
    }
}
