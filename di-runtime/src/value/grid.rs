//! The family of arrays of `ndarray` with their dimension, for functions on any scalar and closures. Containers
//! are in [`super::nd`].

use core::marker::PhantomData;

use ndarray::{Array as NdArray, ArrayBase, ArrayView, ArrayViewMut, Data, Dimension};

use super::{Entry, Family, Leaf, Part};
use crate::context::Snapshot;

/// Arrays of `ndarray` with the dimension `D`, read as `ArrayView<T, D>` and returned as `Array<T, D>`.
///
/// Views that a function gets are always contiguous in row-major order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nd<D>(PhantomData<D>);

/// Message of an invariant: storage is made in standard layout, and what users pass is copied to it.
const STANDARD: &str = "arrays of engines are in standard layout";

/// All of an array: the method of the same name as one of `Container`.
pub(super) fn whole<S: Data, D: Dimension>(array: &ArrayBase<S, D>) -> ArrayView<'_, S::Elem, D> {
    array.view()
}

fn slice<'a, T, D: Dimension>(view: &ArrayView<'a, T, D>) -> &'a [T] {
    view.to_slice().expect(STANDARD)
}

fn slice_mut<T, D: Dimension>(view: ArrayViewMut<'_, T, D>) -> &mut [T] {
    view.into_slice().expect(STANDARD)
}

impl<D: Dimension + Copy + 'static> Family for Nd<D> {
    type Shape = D;
    type Owned<T: Entry> = NdArray<T, D>;
    type Ref<'a, T: Entry> = ArrayView<'a, T, D>;
    type LanesRef<'a, T: Entry> = ArrayView<'a, T, D>;
    type LanesMut<'a, T: Entry> = ArrayViewMut<'a, T, D>;
    type Adjoint<'a, T: Entry> = ArrayViewMut<'a, T, D>;
    type Spare<T: Entry> = Option<NdArray<T, D>>;

    fn constants<T: Entry>(_: Self::Ref<'_, T>, _: &mut Snapshot) {}
    fn shape<T: Entry>(value: ArrayView<'_, T, D>) -> D {
        value.raw_dim()
    }
    fn shape_of<T: Entry>(owned: &NdArray<T, D>) -> D {
        owned.raw_dim()
    }
    fn fixed_shape() -> Option<D> {
        None
    }
    fn len(shape: &D) -> usize {
        shape.size()
    }
    fn describe(shape: &D, parts: &mut Vec<Part>) {
        parts.push(Part::new(shape.slice().to_vec()));
    }
    fn store<T: Entry>(shape: &D, fill: T) -> NdArray<T, D> {
        NdArray::from_elem(*shape, fill)
    }
    fn vacant<T: Entry>(fill: T) -> NdArray<T, D> {
        NdArray::from_elem(D::default(), fill)
    }
    fn get<'a, T: Entry, U: Entry>(
        owned: &'a NdArray<T, D>,
        _: ArrayView<'a, U, D>,
    ) -> ArrayView<'a, T, D> {
        owned.view()
    }
    fn lanes<T: Entry>(owned: &NdArray<T, D>) -> ArrayView<'_, T, D> {
        owned.view()
    }
    fn lanes_mut<T: Entry>(owned: &mut NdArray<T, D>) -> ArrayViewMut<'_, T, D> {
        owned.view_mut()
    }
    fn lent<'s, T: Entry>(lanes: &'s ArrayViewMut<'_, T, D>) -> ArrayView<'s, T, D> {
        lanes.view()
    }
    fn shorten<'s, 'l: 's, T: Entry>(value: ArrayView<'l, T, D>) -> ArrayView<'s, T, D> {
        value
    }
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: ArrayView<'l, T, D>) -> ArrayView<'s, T, D> {
        lanes
    }
    fn reborrow_lanes<'s, T: Entry>(
        lanes: &'s mut ArrayViewMut<'_, T, D>,
    ) -> ArrayViewMut<'s, T, D> {
        lanes.view_mut()
    }
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    fn lanes_shape<T: Entry>(lanes: ArrayView<'_, T, D>) -> D {
        lanes.raw_dim()
    }
    fn values<T: Entry>(value: ArrayView<'_, T, D>, visit: &mut impl FnMut(T)) {
        slice(&value).iter().for_each(|v| visit(*v));
    }
    fn each<T: Entry>(lanes: ArrayView<'_, T, D>, visit: &mut impl FnMut(T)) {
        slice(&lanes).iter().for_each(|v| visit(*v));
    }
    fn each_mut<T: Entry>(lanes: ArrayViewMut<'_, T, D>, visit: &mut impl FnMut(&mut T)) {
        slice_mut(lanes).iter_mut().for_each(visit);
    }
    fn zip<T: Entry, U: Entry>(
        lanes: ArrayViewMut<'_, T, D>,
        other: ArrayView<'_, U, D>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        let pairs = slice_mut(lanes).iter_mut().zip(slice(&other));
        pairs.for_each(|(a, b)| visit(a, *b));
    }
    fn zip_values<T: Entry, U: Entry>(
        lanes: ArrayViewMut<'_, T, D>,
        value: ArrayView<'_, U, D>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        Self::zip(lanes, value, visit);
    }
    fn count<T: Entry>(lanes: &ArrayViewMut<'_, T, D>) -> usize {
        lanes.len()
    }
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T {
        &mut slice_mut(lanes)[index]
    }
}

impl<D: Dimension + Copy + 'static> Leaf for Nd<D> {
    const FLAT: bool = true;
    type Lane<T: Entry> = [T];
    #[inline]
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a [T] {
        slice(&lanes)
    }
    #[inline]
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut [T] {
        slice_mut(lanes)
    }
}
