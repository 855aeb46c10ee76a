//! The family of one number, passed by value.

use super::list::Leaf;
use super::{Entry, Family, Part};
use crate::context::Snapshot;

/// `f64` or `f32`, by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number;

impl Family for Number {
    const FIXED: bool = true;
    type Shape = ();
    type Owned<T: Entry> = T;
    type Ref<'a, T: Entry> = T;
    type LanesRef<'a, T: Entry> = &'a T;
    type LanesMut<'a, T: Entry> = &'a mut T;
    type Adjoint<'a, T: Entry> = T;
    type Spare<T: Entry> = ();

    fn constants<T: Entry>(_: Self::Ref<'_, T>, _: &mut Snapshot) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>(_: T) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>(_: &T) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed_shape() -> Option<()> {
        Some(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len((): &()) -> usize {
        1
    }
    fn describe((): &(), parts: &mut Vec<Part>) {
        parts.push(Part::default());
    }
    fn store<T: Entry>((): &(), fill: T) -> T {
        fill
    }
    fn vacant<T: Entry>(fill: T) -> T {
        fill
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<T: Entry, U: Entry>(owned: &T, _: U) -> T {
        *owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>(owned: &T) -> &T {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>(owned: &mut T) -> &mut T {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<'s, T: Entry>(values: &'s &mut T) -> &'s T {
        values
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>(value: T) -> T {
        value
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: &'l T) -> &'s T {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut &mut T) -> &'s mut T {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        *lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>(_: &T) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>(value: T, visit: &mut impl FnMut(T)) {
        visit(value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>(lanes: &T, visit: &mut impl FnMut(T)) {
        visit(*lanes);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        Some(core::slice::from_ref(lanes))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>(lanes: &mut T, visit: &mut impl FnMut(&mut T)) {
        visit(lanes);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>(lanes: &mut T, other: &U, visit: &mut impl FnMut(&mut T, U)) {
        visit(lanes, *other);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>(lanes: &mut T, value: U, visit: &mut impl FnMut(&mut T, U)) {
        visit(lanes, value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>(_: &&mut T) -> usize {
        1
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, _: usize) -> &mut T {
        lanes
    }
}

impl Leaf for Number {
    const FLAT: bool = true;
    type Lane<T: Entry> = T;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T> {
        lanes
    }
}
