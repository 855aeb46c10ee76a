//! The family of slices and vectors, and what their elements may be.

use super::list::Leaf;
use super::{Entry, Family, Part};
use crate::context::Snapshot;
use crate::generated::Stack;

/// Element of a slice or array: a float, or a fixed array of elements.
pub trait Cell: 'static {
    /// The element, holding a `T` in place of each float.
    type Of<T: Entry>: Entry;
    /// Floats in one element.
    const LEN: usize;
    /// An element with all its entries `fill`.
    fn fill<T: Entry>(fill: T) -> Self::Of<T>;
    /// Elements as their floats, in row-major order.
    fn flat<T: Entry>(cells: &[Self::Of<T>]) -> &[T];
    /// Elements as their floats, in row-major order.
    fn flat_mut<T: Entry>(cells: &mut [Self::Of<T>]) -> &mut [T];
    /// Lengths inside of an element, from the outermost in.
    fn describe(lengths: &mut Vec<usize>);
}

/// An element that is one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct One;

impl Cell for One {
    type Of<T: Entry> = T;
    const LEN: usize = 1;
    fn fill<T: Entry>(fill: T) -> T {
        fill
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<T: Entry>(cells: &[T]) -> &[T] {
        cells
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat_mut<T: Entry>(cells: &mut [T]) -> &mut [T] {
        cells
    }
    fn describe(_: &mut Vec<usize>) {}
}

/// An element that is an array of `N` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<const N: usize, C = One>(core::marker::PhantomData<C>);

impl<const N: usize, C: Cell> Cell for Row<N, C> {
    type Of<T: Entry> = [C::Of<T>; N];
    const LEN: usize = N * C::LEN;
    fn fill<T: Entry>(fill: T) -> Self::Of<T> {
        [C::fill(fill); N]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<T: Entry>(cells: &[Self::Of<T>]) -> &[T] {
        C::flat(cells.as_flattened())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat_mut<T: Entry>(cells: &mut [Self::Of<T>]) -> &mut [T] {
        C::flat_mut(cells.as_flattened_mut())
    }
    fn describe(lengths: &mut Vec<usize>) {
        lengths.push(N);
        C::describe(lengths);
    }
}

/// `&[f64]`, `&mut [f64]`, `Vec<f64>`, and the same of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice<C = One>(core::marker::PhantomData<C>);

impl<C: Cell> Family for Slice<C> {
    type Shape = usize;
    type Owned<T: Entry> = Vec<C::Of<T>>;
    type Ref<'a, T: Entry> = &'a [C::Of<T>];
    type LanesRef<'a, T: Entry> = &'a [C::Of<T>];
    type LanesMut<'a, T: Entry> = &'a mut [C::Of<T>];
    type Adjoint<'a, T: Entry> = &'a mut [C::Of<T>];
    type Spare<T: Entry> = Option<Vec<C::Of<T>>>;

    fn constants<T: Entry>(_: Self::Ref<'_, T>, _: &mut Snapshot) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>(value: &[C::Of<T>]) -> usize {
        value.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>(owned: &Vec<C::Of<T>>) -> usize {
        owned.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed_shape() -> Option<usize> {
        None
    }
    fn keep_shape(shape: &usize, tape: &mut Stack<usize>) {
        tape.push(*shape);
    }
    fn kept_shape(lengths: &mut core::slice::Iter<'_, usize>) -> Option<usize> {
        lengths.next().copied()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len(shape: &usize) -> usize {
        shape * C::LEN
    }
    fn describe(shape: &usize, parts: &mut Vec<Part>) {
        let mut lengths = vec![*shape];
        C::describe(&mut lengths);
        parts.push(Part::new(lengths));
    }
    fn store<T: Entry>(shape: &usize, fill: T) -> Vec<C::Of<T>> {
        vec![C::fill(fill); *shape]
    }
    fn vacant<T: Entry>(_: T) -> Vec<C::Of<T>> {
        Vec::new()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<'a, T: Entry, U: Entry>(owned: &'a Vec<C::Of<T>>, _: &'a [C::Of<U>]) -> &'a [C::Of<T>] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>(owned: &Vec<C::Of<T>>) -> &[C::Of<T>] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>(owned: &mut Vec<C::Of<T>>) -> &mut [C::Of<T>] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<'s, T: Entry>(values: &'s &mut [C::Of<T>]) -> &'s [C::Of<T>] {
        values
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>(value: &'l [C::Of<T>]) -> &'s [C::Of<T>] {
        value
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: &'l [C::Of<T>]) -> &'s [C::Of<T>] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut &mut [C::Of<T>]) -> &'s mut [C::Of<T>] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>(lanes: &[C::Of<T>]) -> usize {
        lanes.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>(value: &[C::Of<T>], visit: &mut impl FnMut(T)) {
        C::flat(value).iter().for_each(|v| visit(*v));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values_and<'l, T: Entry, U>(
        value: &[C::Of<T>],
        list: &'l mut [U],
        visit: &mut impl FnMut(T, &mut U),
    ) -> &'l mut [U] {
        let value = C::flat::<T>(value);
        let (own, left) = list.split_at_mut(value.len().min(list.len()));
        value.iter().zip(own).for_each(|(v, to)| visit(*v, to));
        left
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>(lanes: &[C::Of<T>], visit: &mut impl FnMut(T)) {
        C::flat(lanes).iter().for_each(|v| visit(*v));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        Some(C::flat(lanes))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>(lanes: &mut [C::Of<T>], visit: &mut impl FnMut(&mut T)) {
        C::flat_mut(lanes).iter_mut().for_each(visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut_and<'l, T: Entry, U: Entry>(
        lanes: &mut [C::Of<T>],
        list: &'l [U],
        visit: &mut impl FnMut(&mut T, U),
    ) -> &'l [U] {
        let lanes = C::flat_mut::<T>(lanes);
        let (own, left) = list.split_at(lanes.len().min(list.len()));
        lanes.iter_mut().zip(own).for_each(|(to, v)| visit(to, *v));
        left
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>(
        lanes: &mut [C::Of<T>],
        other: &[C::Of<U>],
        visit: &mut impl FnMut(&mut T, U),
    ) {
        let pairs = C::flat_mut::<T>(lanes).iter_mut().zip(C::flat::<U>(other));
        pairs.for_each(|(a, b)| visit(a, *b));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>(
        lanes: &mut [C::Of<T>],
        value: &[C::Of<U>],
        visit: &mut impl FnMut(&mut T, U),
    ) {
        Self::zip(lanes, value, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values_and<T: Entry, U: Entry, V: Entry>(
        lanes: &mut [C::Of<T>],
        value: &[C::Of<U>],
        list: &[V],
        visit: &mut impl FnMut(&mut T, U, V),
    ) {
        let pairs = C::flat_mut::<T>(lanes).iter_mut().zip(C::flat::<U>(value));
        pairs.zip(list).for_each(|((a, b), c)| visit(a, *b, *c));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>(lanes: &&mut [C::Of<T>]) -> usize {
        lanes.len() * C::LEN
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T {
        &mut C::flat_mut(lanes)[index]
    }
}

impl<C: Cell> Leaf for Slice<C> {
    const FLAT: bool = true;
    type Lane<T: Entry> = [C::Of<T>];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T> {
        lanes
    }
}
