//! Arrays of `ndarray` as containers: any dimension, in logical (row-major) order.
//!
//! An array that is not contiguous in that order is copied to the prep and back.

use ndarray::{Array as NdArray, ArrayBase, Data, DataMut, Dimension};

use super::container::fit;
use super::{Cell, Container, ContainerMut, Entry, Slice};
use crate::scalar::Real;

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
