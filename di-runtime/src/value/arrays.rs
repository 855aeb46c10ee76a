//! Arrays of `ndarray` in fields of derived structs: to generated code structs, of their elements in row-major order and
//! their lengths.

use core::marker::PhantomData;

use ndarray::{Array as NdArray, Ix1, Ix2};

use super::Part;
use super::kept::{held_floats, hold_floats};
use super::outcome::OfFloats;
use super::structure::Derived;
use super::{Differentiable, Entry, Family, One, Slice};
use crate::context::Snapshot;
use crate::generated::{
    Cursor, Lend, LendLanes, LentMut, LentRef, LentView, NoLanes, Own, Stack, Tape,
};
use crate::scalar::{Real, Scalar, Tree};

/// What the compiler calls the arrays.
pub type VectorOfF64 = NdArray<f64, Ix1>;
/// The same.
pub type MatrixOfF64 = NdArray<f64, Ix2>;
/// The same.
pub type VectorOfF32 = NdArray<f32, Ix1>;
/// The same.
pub type MatrixOfF32 = NdArray<f32, Ix2>;

macro_rules! array {
    ($dim:ty; $view:ident $of:ident $lanes:ident; $fields:ty, |$value:ident| $values:expr; $($length:ident $axis:tt),*) => {
        /// The array, borrowed.
        pub struct $view<'a, S: Entry> {
            /// The elements.
            pub data: &'a [S],
            $(
                /// A length.
                pub $length: usize,
            )*
            #[doc(hidden)]
            pub __floats: PhantomData<&'a S>,
        }

        /// The array with an `S` for each float.
        pub struct $of<S: Entry> {
            /// The elements.
            pub data: Vec<S>,
            $(
                /// A length.
                pub $length: usize,
            )*
            #[doc(hidden)]
            pub __floats: PhantomData<S>,
        }

        /// The array with a `T` for each float, and nothing else.
        pub struct $lanes<T: Entry> {
            /// One for each element.
            pub data: Vec<T>,
            $(
                /// None.
                pub $length: NoLanes,
            )*
            #[doc(hidden)]
            pub __floats: PhantomData<T>,
        }

        impl<S: Entry> Clone for $view<'_, S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<S: Entry> Copy for $view<'_, S> {}
        impl<S: Entry> Clone for $of<S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                $of { data: self.data.clone(), $($length: self.$length,)* __floats: PhantomData }
            }
        }
        impl<T: Entry> Clone for $lanes<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clone(&self) -> Self {
                $lanes { data: self.data.clone(), $($length: NoLanes,)* __floats: PhantomData }
            }
        }

        impl<R: Real> Differentiable for NdArray<R, $dim> {
            type Real = R;
            type Fields = $fields;
            type View<'a, S: Entry> = $view<'a, S>;
            type Lanes<T: Entry> = $lanes<T>;
            type Of<S: Entry> = $of<S>;

            const NAMES: &'static [&'static str] = &[];
            const FIXED: bool = false;
            const HELD: bool = true;
            const WORDS: usize = 0;
            const INTS: usize = 0;

            fn constants<T: Entry>(_view: $view<'_, T>, _snapshot: &mut Snapshot) {
                $(_snapshot.word(_view.$length as u64);)*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view(&self) -> $view<'_, R> {
                $view {
                    data: in_order(self.as_slice()),
                    $($length: self.shape()[$axis],)*
                    __floats: PhantomData,
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn assemble<'a, T: Entry, U: Entry>(
                lanes: &'a $lanes<T>,
                _like: $view<'a, U>,
            ) -> $view<'a, T> {
                $view { data: &lanes.data, $($length: _like.$length,)* __floats: PhantomData }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(view: $view<'l, T>) -> $view<'s, T> {
                view
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values<T: Entry>($value: Self::View<'_, T>) -> <$fields as Family>::Ref<'_, T> {
                $values
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields<T: Entry>(lanes: &$lanes<T>) -> &[T] {
                &lanes.data
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fields_mut<T: Entry>(lanes: &mut $lanes<T>) -> &mut [T] {
                &mut lanes.data
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_fields<T: Entry>(data: Vec<T>) -> $lanes<T> {
                $lanes { data, $($length: NoLanes,)* __floats: PhantomData }
            }
            fn rebuild(&self, lanes: &$lanes<R>) -> Self {
                NdArray::from_shape_vec(self.raw_dim(), lanes.data.clone()).expect(FITS)
            }
            fn write(&mut self, lanes: &$lanes<R>) {
                if self.len() == lanes.data.len() {
                    self.iter_mut().zip(&lanes.data).for_each(|(to, from)| *to = *from);
                } else {
                    unreachable!("{FITS}");
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend<S: Entry>(of: &$of<S>) -> $view<'_, S> {
                $view { data: &of.data, $($length: of.$length,)* __floats: PhantomData }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own<S: Scalar>(view: $view<'_, S>) -> $of<S> {
                $of { data: view.data.to_vec(), $($length: view.$length,)* __floats: PhantomData }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zero<S: Scalar>() -> $of<S> {
                $of { data: Vec::new(), $($length: 0,)* __floats: PhantomData }
            }
            fn keep<S: Scalar>(_: $view<'_, S>, _: &mut [S], _: &mut [usize]) {
                unreachable!("an array is kept with its lengths")
            }
            fn kept<S: Scalar>(_: &[S], _: &[usize]) -> $of<S> {
                unreachable!("an array is kept with its lengths")
            }
            fn hold<S: Scalar>(view: $view<'_, S>, tape: &mut Tape<S>) {
                hold_floats::<Slice<One>, S>(view.data, tape);
                $(tape.ints.push(view.$length);)*
            }
            fn held<S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> $of<S> {
                array!(@held [] $($length),*; tape cursor);
                let data = held_floats::<Slice<One>, S>(tape, cursor);
                $of { data, $($length,)* __floats: PhantomData }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R: Real> Derived for NdArray<R, $dim> {}

        impl<T: Entry + Tree> Tree for $lanes<T> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add_from(&mut self, from: &Self) {
                Tree::add_from(&mut self.data, &from.data);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn clear(&mut self) {
                Tree::clear(&mut self.data);
            }
        }
        impl<S: Entry> Lend for $of<S> {
            type Lent<'a> = $view<'a, S> where Self: 'a;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend(&self) -> $view<'_, S> {
                $view { data: &self.data, $($length: self.$length,)* __floats: PhantomData }
            }
        }
        impl<S: Scalar> Own for $view<'_, S> {
            type Owned = $of<S>;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn own(&self) -> $of<S> {
                $of { data: self.data.to_vec(), $($length: self.$length,)* __floats: PhantomData }
            }
        }
        impl<T: Entry> LendLanes for $lanes<T> {
            type Lent = Self;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend_lanes(&self) -> &Self {
                self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lend_lanes_mut(&mut self) -> &mut Self {
                self
            }
        }
        impl<'a, S: Entry> LentMut<'a, $of<S>> for $view<'a, S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_mut(of: &'a mut $of<S>) -> Self {
                of.lend()
            }
        }
        impl<'a, S: Entry> LentMut<'a, $of<S>> for $of<S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_mut(of: &'a mut $of<S>) -> Self {
                of.clone()
            }
        }
        impl<'a, S: Entry> LentRef<$view<'a, S>> for $view<'a, S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_ref(view: Self) -> Self {
                view
            }
        }
        impl<'a, S: Scalar> LentRef<$view<'a, S>> for $of<S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_ref(view: $view<'a, S>) -> Self {
                view.own()
            }
        }
        impl<'a, S: Entry> LentView<$view<'a, S>> for $view<'a, S> {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent_view(view: Option<Self>) -> Self {
                view.expect("kept for a parameter behind `&`")
            }
        }
    };
    // from the last to the first
    (@held [$($done:tt)*] $length:ident $(, $next:ident)*; $tape:ident $cursor:ident) => {
        array!(@held [let $length = $cursor.ints($tape, 1)[0]; $($done)*] $($next),*; $tape $cursor)
    };
    (@held [$($done:tt)*]; $tape:ident $cursor:ident) => { $($done)* };
}

array!(Ix1; Vector VectorOf VectorLanes; Slice<One>, |view| view.data;);
array!(Ix2; Matrix MatrixOf MatrixLanes; Plane, |view| view; rows 0, columns 1);

/// The elements of a matrix, and where they are values its lengths.
pub struct Plane;

/// How many elements a matrix has, and how many rows, which its lanes do not tell.
#[derive(Clone, Debug)]
pub struct PlaneShape {
    len: usize,
    rows: Option<usize>,
}

impl PartialEq for PlaneShape {
    fn eq(&self, other: &PlaneShape) -> bool {
        let mut rows = self.rows.iter().zip(&other.rows);
        self.len == other.len && rows.all(|(a, b)| a == b)
    }
}

impl PlaneShape {
    fn of_lanes(len: usize) -> PlaneShape {
        PlaneShape { len, rows: None }
    }
}

type Flat = Slice<One>;

impl Family for Plane {
    type Shape = PlaneShape;
    type Owned<T: Entry> = Vec<T>;
    type Ref<'a, T: Entry> = Matrix<'a, T>;
    type LanesRef<'a, T: Entry> = &'a [T];
    type LanesMut<'a, T: Entry> = &'a mut [T];
    type Adjoint<'a, T: Entry> = &'a mut [T];
    type Spare<T: Entry> = Option<Vec<T>>;

    fn constants<T: Entry>(_: Matrix<'_, T>, _: &mut Snapshot) {}
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape<T: Entry>(value: Matrix<'_, T>) -> PlaneShape {
        PlaneShape {
            len: value.data.len(),
            rows: Some(value.rows),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape_of<T: Entry>(owned: &Vec<T>) -> PlaneShape {
        PlaneShape::of_lanes(owned.len())
    }
    fn fixed_shape() -> Option<PlaneShape> {
        None
    }
    fn keep_shape(shape: &PlaneShape, tape: &mut Stack<usize>) {
        tape.push(shape.len);
    }
    fn kept_shape(lengths: &mut core::slice::Iter<'_, usize>) -> Option<PlaneShape> {
        lengths.next().copied().map(PlaneShape::of_lanes)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn len(shape: &PlaneShape) -> usize {
        shape.len
    }
    fn describe(shape: &PlaneShape, parts: &mut Vec<Part>) {
        parts.push(Part::new(match shape.rows {
            Some(rows) if rows > 0 => vec![rows, shape.len / rows],
            _ => vec![shape.len],
        }));
    }
    fn store<T: Entry>(shape: &PlaneShape, fill: T) -> Vec<T> {
        vec![fill; shape.len]
    }
    fn vacant<T: Entry>(_: T) -> Vec<T> {
        Vec::new()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get<'a, T: Entry, U: Entry>(owned: &'a Vec<T>, like: Matrix<'a, U>) -> Matrix<'a, T> {
        Matrix {
            data: owned,
            rows: like.rows,
            columns: like.columns,
            __floats: PhantomData,
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<T: Entry>(owned: &Vec<T>) -> &[T] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<T: Entry>(owned: &mut Vec<T>) -> &mut [T] {
        owned
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent<'s, T: Entry>(lanes: &'s &mut [T]) -> &'s [T] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten<'s, 'l: 's, T: Entry>(value: Matrix<'l, T>) -> Matrix<'s, T> {
        value
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: &'l [T]) -> &'s [T] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut &mut [T]) -> &'s mut [T] {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_shape<T: Entry>(lanes: &[T]) -> PlaneShape {
        PlaneShape::of_lanes(lanes.len())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn values<T: Entry>(value: Matrix<'_, T>, visit: &mut impl FnMut(T)) {
        Flat::values::<T>(value.data, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<T: Entry>(lanes: &[T], visit: &mut impl FnMut(T)) {
        Flat::each::<T>(lanes, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        Some(lanes)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each_mut<T: Entry>(lanes: &mut [T], visit: &mut impl FnMut(&mut T)) {
        Flat::each_mut::<T>(lanes, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip<T: Entry, U: Entry>(lanes: &mut [T], other: &[U], visit: &mut impl FnMut(&mut T, U)) {
        Flat::zip::<T, U>(lanes, other, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zip_values<T: Entry, U: Entry>(
        lanes: &mut [T],
        value: Matrix<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        Flat::zip::<T, U>(lanes, value.data, visit);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count<T: Entry>(lanes: &&mut [T]) -> usize {
        lanes.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T {
        &mut lanes[index]
    }
}

/// Message of an invariant: lanes are made from the shape of the array.
const FITS: &str = "as many floats as the array has elements";

/// The elements of an array of the user's.
#[cfg_attr(not(debug_assertions), inline(always))]
#[track_caller]
fn in_order<T>(elements: Option<&[T]>) -> &[T] {
    match elements {
        Some(elements) => elements,
        None => out_of_order(),
    }
}

#[cold]
#[track_caller]
fn out_of_order() -> ! {
    panic!(
        "an array of ndarray in a field of a struct that is differentiated must be in standard layout: \
         store `a.as_standard_layout().into_owned()`"
    )
}

#[diagnostic::do_not_recommend]
impl<R: Real, F> OfFloats<F> for NdArray<R, Ix1> {
    fn made(lanes: VectorLanes<R>) -> Self {
        lanes.data.into()
    }
}
