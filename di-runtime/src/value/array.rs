//! The family of arrays whose length is part of the type.

use super::list::Leaf;
use super::{Cell, Entry, Family, One, Part};
use crate::context::Snapshot;

/// `&[f64; N]`, `[f64; N]` by value, `&mut [f64; N]`, and the same of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array<const N: usize, C = One>(core::marker::PhantomData<C>);

impl<const N: usize, C: Cell> Family for Array<N, C> {
    const FIXED: bool = true;
    type Shape = ();
    type Owned<T: Entry> = [C::Of<T>; N];
    type Ref<'a, T: Entry> = &'a [C::Of<T>; N];
    type LanesRef<'a, T: Entry> = &'a [C::Of<T>; N];
    type LanesMut<'a, T: Entry> = &'a mut [C::Of<T>; N];
    type Adjoint<'a, T: Entry> = &'a mut [C::Of<T>];
    type Spare<T: Entry> = ();

    fn constants<T: Entry>(_: Self::Ref<'_, T>, _: &mut Snapshot) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>(_: &[C::Of<T>; N]) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>(_: &[C::Of<T>; N]) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed_shape() -> Option<()> {
        Some(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len((): &()) -> usize {
        N * C::LEN
    }
    fn describe((): &(), parts: &mut Vec<Part>) {
        let mut lengths = vec![N];
        C::describe(&mut lengths);
        parts.push(Part::new(lengths));
    }
    fn store<T: Entry>((): &(), fill: T) -> [C::Of<T>; N] {
        [C::fill(fill); N]
    }
    fn vacant<T: Entry>(fill: T) -> [C::Of<T>; N] {
        [C::fill(fill); N]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<'a, T: Entry, U: Entry>(
        owned: &'a [C::Of<T>; N],
        _: &'a [C::Of<U>; N],
    ) -> &'a [C::Of<T>; N] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>(owned: &[C::Of<T>; N]) -> &[C::Of<T>; N] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>(owned: &mut [C::Of<T>; N]) -> &mut [C::Of<T>; N] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<'s, T: Entry>(values: &'s &mut [C::Of<T>; N]) -> &'s [C::Of<T>; N] {
        values
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>(value: &'l [C::Of<T>; N]) -> &'s [C::Of<T>; N] {
        value
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: &'l [C::Of<T>; N]) -> &'s [C::Of<T>; N] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut &mut [C::Of<T>; N]) -> &'s mut [C::Of<T>; N] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>(_: &[C::Of<T>; N]) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>(value: &[C::Of<T>; N], visit: &mut impl FnMut(T)) {
        C::flat(value).iter().for_each(|v| visit(*v));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>(lanes: &[C::Of<T>; N], visit: &mut impl FnMut(T)) {
        C::flat(lanes).iter().for_each(|v| visit(*v));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        Some(C::flat(lanes))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>(lanes: &mut [C::Of<T>; N], visit: &mut impl FnMut(&mut T)) {
        C::flat_mut(lanes).iter_mut().for_each(visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>(
        lanes: &mut [C::Of<T>; N],
        other: &[C::Of<U>; N],
        visit: &mut impl FnMut(&mut T, U),
    ) {
        let pairs = C::flat_mut::<T>(lanes).iter_mut().zip(C::flat::<U>(other));
        pairs.for_each(|(a, b)| visit(a, *b));
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>(
        lanes: &mut [C::Of<T>; N],
        value: &[C::Of<U>; N],
        visit: &mut impl FnMut(&mut T, U),
    ) {
        Self::zip(lanes, value, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>(_: &&mut [C::Of<T>; N]) -> usize {
        N * C::LEN
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T {
        &mut C::flat_mut(lanes.as_mut_slice())[index]
    }
}

impl<const N: usize, C: Cell> Leaf for Array<N, C> {
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
