//! Tuples of families: several arguments, several results, and nothing at all.

use crate::context::Snapshot;
use crate::generated::Stack;

use super::{Entry, Family, Part};

impl Family for () {
    const FIXED: bool = true;
    type Shape = ();
    type Owned<T: Entry> = ();
    type Ref<'a, T: Entry> = ();
    type LanesRef<'a, T: Entry> = ();
    type LanesMut<'a, T: Entry> = ();
    type Adjoint<'a, T: Entry> = ();
    type Spare<T: Entry> = ();

    fn constants<T: Entry>((): (), _: &mut Snapshot) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>((): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>((): &()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed_shape() -> Option<()> {
        Some(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len((): &()) -> usize {
        0
    }
    fn describe((): &(), _: &mut Vec<Part>) {}
    fn store<T: Entry>((): &(), _: T) {}
    fn vacant<T: Entry>(_: T) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<T: Entry, U: Entry>((): &(), (): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>((): &()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>((): &mut ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<T: Entry>((): &()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>((): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>((): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<T: Entry>((): &mut ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>((): Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>((): ()) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>((): (), _: &mut impl FnMut(T)) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>((): (), _: &mut impl FnMut(T)) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>((): (), _: &mut impl FnMut(&mut T)) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>((): (), (): (), _: &mut impl FnMut(&mut T, U)) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>((): (), (): (), _: &mut impl FnMut(&mut T, U)) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>((): &()) -> usize {
        0
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>((): Self::LanesMut<'_, T>, index: usize) -> &mut T {
        panic!("flat index {index} of a container without floats")
    }
}

/// `Family` for a tuple of families, component by component.
macro_rules! tuple {
    ($($family:ident $at:tt),+) => {
        impl<$($family: Family),+> Family for ($($family,)+) {
            const FIXED: bool = true $(&& $family::FIXED)+;
            const PASSIVE: bool = false $(|| $family::PASSIVE)+;
            const COPIED: bool = false $(|| $family::COPIED)+;
            type Shape = ($($family::Shape,)+);
            type Owned<T: Entry> = ($($family::Owned<T>,)+);
            type Ref<'a, T: Entry> = ($($family::Ref<'a, T>,)+);
            type LanesRef<'a, T: Entry> = ($($family::LanesRef<'a, T>,)+);
            type LanesMut<'a, T: Entry> = ($($family::LanesMut<'a, T>,)+);
            type Adjoint<'a, T: Entry> = ($($family::Adjoint<'a, T>,)+);
            type Spare<T: Entry> = ($($family::Spare<T>,)+);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape<T: Entry>(value: Self::Ref<'_, T>) -> Self::Shape {
                ($($family::shape(value.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn has_shape<T: Entry>(value: Self::Ref<'_, T>, shape: &Self::Shape) -> bool {
                true $(&& $family::has_shape(value.$at, &shape.$at))+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_have<T: Entry>(lanes: Self::LanesRef<'_, T>, shape: &Self::Shape) -> bool {
                true $(&& $family::lanes_have(lanes.$at, &shape.$at))+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn alike<T: Entry, U: Entry>(
                a: Self::LanesRef<'_, T>,
                b: Self::LanesRef<'_, U>,
            ) -> bool {
                true $(&& $family::alike(a.$at, b.$at))+
            }
            fn constants<T: Entry>(value: Self::Ref<'_, T>, snapshot: &mut Snapshot) {
                $($family::constants::<T>(value.$at, snapshot);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape_of<T: Entry>(owned: &Self::Owned<T>) -> Self::Shape {
                ($($family::shape_of(&owned.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fixed_shape() -> Option<Self::Shape> {
                Some(($($family::fixed_shape()?,)+))
            }
            fn keep_shape(shape: &Self::Shape, tape: &mut Stack<usize>) {
                $($family::keep_shape(&shape.$at, tape);)+
            }
            fn kept_shape(lengths: &mut core::slice::Iter<'_, usize>) -> Option<Self::Shape> {
                Some(($($family::kept_shape(lengths)?,)+))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn len(shape: &Self::Shape) -> usize {
                0 $(+ $family::len(&shape.$at))+
            }
            fn describe(shape: &Self::Shape, parts: &mut Vec<Part>) {
                $($family::describe(&shape.$at, parts);)+
            }
            fn store<T: Entry>(shape: &Self::Shape, fill: T) -> Self::Owned<T> {
                ($($family::store(&shape.$at, fill),)+)
            }
            fn vacant<T: Entry>(fill: T) -> Self::Owned<T> {
                ($($family::vacant(fill),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn get<'a, T: Entry, U: Entry>(
                owned: &'a Self::Owned<T>,
                like: Self::Ref<'a, U>,
            ) -> Self::Ref<'a, T> {
                ($($family::get(&owned.$at, like.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<T: Entry>(owned: &Self::Owned<T>) -> Self::LanesRef<'_, T> {
                ($($family::lanes(&owned.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<T: Entry>(owned: &mut Self::Owned<T>) -> Self::LanesMut<'_, T> {
                ($($family::lanes_mut(&mut owned.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent<'s, T: Entry>(
                values: &'s Self::LanesMut<'_, T>,
            ) -> Self::LanesRef<'s, T> {
                ($($family::lent::<T>(&values.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(value: Self::Ref<'l, T>) -> Self::Ref<'s, T> {
                ($($family::shorten(value.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten_lanes<'s, 'l: 's, T: Entry>(
                lanes: Self::LanesRef<'l, T>,
            ) -> Self::LanesRef<'s, T> {
                ($($family::shorten_lanes(lanes.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn reborrow_lanes<'s, T: Entry>(
                lanes: &'s mut Self::LanesMut<'_, T>,
            ) -> Self::LanesMut<'s, T> {
                ($($family::reborrow_lanes(&mut lanes.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
                ($($family::adjoint(lanes.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_shape<T: Entry>(lanes: Self::LanesRef<'_, T>) -> Self::Shape {
                ($($family::lanes_shape(lanes.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values<T: Entry>(value: Self::Ref<'_, T>, visit: &mut impl FnMut(T)) {
                $($family::values(value.$at, visit);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values_and<'l, T: Entry, U>(
                value: Self::Ref<'_, T>,
                list: &'l mut [U],
                visit: &mut impl FnMut(T, &mut U),
            ) -> &'l mut [U] {
                $(let list = $family::values_and::<T, U>(value.$at, list, visit);)+
                list
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn each_mut_and<'l, T: Entry, U: Entry>(
                lanes: Self::LanesMut<'_, T>,
                list: &'l [U],
                visit: &mut impl FnMut(&mut T, U),
            ) -> &'l [U] {
                $(let list = $family::each_mut_and::<T, U>(lanes.$at, list, visit);)+
                list
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn each<T: Entry>(lanes: Self::LanesRef<'_, T>, visit: &mut impl FnMut(T)) {
                $($family::each(lanes.$at, visit);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn each_mut<T: Entry>(lanes: Self::LanesMut<'_, T>, visit: &mut impl FnMut(&mut T)) {
                $($family::each_mut(lanes.$at, visit);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zip<T: Entry, U: Entry>(
                lanes: Self::LanesMut<'_, T>,
                other: Self::LanesRef<'_, U>,
                visit: &mut impl FnMut(&mut T, U),
            ) {
                $($family::zip(lanes.$at, other.$at, visit);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zip_values<T: Entry, U: Entry>(
                lanes: Self::LanesMut<'_, T>,
                value: Self::Ref<'_, U>,
                visit: &mut impl FnMut(&mut T, U),
            ) {
                $($family::zip_values(lanes.$at, value.$at, visit);)+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn count<T: Entry>(lanes: &Self::LanesMut<'_, T>) -> usize {
                0 $(+ $family::count::<T>(&lanes.$at))+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, mut index: usize) -> &mut T {
                $(
                    let len = $family::count::<T>(&lanes.$at);
                    if index < len {
                        return $family::entry(lanes.$at, index);
                    }
                    index -= len;
                )+
                panic!("flat index {index} beyond the end of a tuple")
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
