//! What generated code needs for arrays of `ndarray`: matrices as slices, and rules of products and sums
//! that work on whole arrays. Not for users.

use std::borrow::Cow;

use ndarray::{Array as NdArray, Dimension, IntoDimension, Ix1, ShapeBuilder};

use crate::generated::Pool;

pub use crate::value::arrays::{MatrixOfF32, MatrixOfF64, VectorOfF32, VectorOfF64};
pub use ndarray::{Array, ArrayView, ArrayViewMut};

mod bilinear;
#[macro_use]
mod handles;
mod products;

/// Products and sums of `f64`.
#[allow(
    non_camel_case_types,
    clippy::too_many_arguments,
    clippy::many_single_char_names,
    reason = "handles are called like functions, with what the contract of generated code says"
)]
pub mod of_f64 {
    handles!(f64);
}

/// Products and sums of `f32`.
#[allow(
    non_camel_case_types,
    clippy::too_many_arguments,
    clippy::many_single_char_names,
    reason = "handles are called like functions, with what the contract of generated code says"
)]
pub mod of_f32 {
    handles!(f32);
}

/// A constant array as generated code reads it: the elements in row-major order.
pub trait Flat<'a> {
    /// What it holds.
    type Elem: Clone + 'a;
    /// The elements; a copy if they do not stand in this order.
    fn flat(self) -> Cow<'a, [Self::Elem]>;
}

impl<'a, T: Clone, D: Dimension> Flat<'a> for ArrayView<'a, T, D> {
    type Elem = T;
    fn flat(self) -> Cow<'a, [T]> {
        match self.to_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(self.iter().cloned().collect()),
        }
    }
}

impl<'a, T: Clone, D: Dimension> Flat<'a> for &'a NdArray<T, D> {
    type Elem = T;
    fn flat(self) -> Cow<'a, [T]> {
        self.view().flat()
    }
}

const FIXED: &str = "an array that is fixed is in row-major order: fix a copy, \
    `&a.as_standard_layout().to_owned()`";

/// What holds a parameter fixed that is an array: the array behind `&` or a view of it, and a slice for a vector.
pub trait Fixed<R> {
    /// As engines take it.
    fn fixed(self) -> R;
}

impl<'a, T, D: Dimension> Fixed<ArrayView<'a, T, D>> for ArrayView<'a, T, D> {
    /// # Panics
    /// If its elements do not stand in row-major order.
    fn fixed(self) -> ArrayView<'a, T, D> {
        assert!(self.is_standard_layout(), "{FIXED}");
        self
    }
}

impl<'a, T, D: Dimension> Fixed<ArrayView<'a, T, D>> for &'a NdArray<T, D> {
    fn fixed(self) -> ArrayView<'a, T, D> {
        self.view().fixed()
    }
}

impl<'a, T> Fixed<&'a [T]> for &'a [T] {
    fn fixed(self) -> &'a [T] {
        self
    }
}

impl<'a, T, const N: usize> Fixed<&'a [T]> for &'a [T; N] {
    fn fixed(self) -> &'a [T] {
        self
    }
}

impl<'a, T> Fixed<&'a [T]> for &'a Vec<T> {
    fn fixed(self) -> &'a [T] {
        self
    }
}

impl<'a, T> Fixed<&'a [T]> for ArrayView<'a, T, Ix1> {
    /// # Panics
    /// If its elements do not stand side by side.
    fn fixed(self) -> &'a [T] {
        self.to_slice().expect(FIXED)
    }
}

impl<'a, T> Fixed<&'a [T]> for &'a NdArray<T, Ix1> {
    fn fixed(self) -> &'a [T] {
        self.view().fixed()
    }
}

/// The elements of a constant array in row-major order.
pub fn flat<'a, A: Flat<'a>>(array: A) -> Cow<'a, [A::Elem]> {
    array.flat()
}

/// Message of an invariant: storage is made in standard layout, and what users pass is copied to it.
const STANDARD: &str = "arrays of engines are in standard layout";

/// The elements of an engine's array.
///
/// # Panics
/// If they do not stand in row-major order, which engines see to.
pub fn whole<'a, T, D: Dimension>(array: ArrayView<'a, T, D>) -> &'a [T] {
    array.to_slice().expect(STANDARD)
}

/// The same, to be written to.
///
/// # Panics
/// If they do not stand in row-major order, which engines see to.
pub fn whole_mut<'a, T, D: Dimension>(array: ArrayViewMut<'a, T, D>) -> &'a mut [T] {
    array.into_slice().expect(STANDARD)
}

/// Elements with distances, as an array.
///
/// # Panics
/// If they do not lie in the slice, which generated code sees to.
fn strided<'a, T, D: Dimension>(x: &'a [T], dims: D, steps: D) -> ArrayView<'a, T, D> {
    if dims.size() == 0 {
        return ArrayView::from_shape(dims, &x[..0]).expect("there are no elements");
    }
    let shape = dims.into_shape_with_order().strides(steps);
    ArrayView::from_shape(shape, x).expect("the elements lie in the slice")
}

/// A result as an array.
///
/// # Panics
/// If the lengths are not those of the elements, which generated code sees to.
pub fn array<T, D, const N: usize>(elements: Vec<T>, lengths: [usize; N]) -> NdArray<T, D>
where
    D: Dimension,
    [usize; N]: IntoDimension<Dim = D>,
{
    let array = NdArray::from_shape_vec(lengths.into_dimension(), elements);
    array.expect("as many elements as the shape has")
}

/// Gives the storage of a result back that is about to be replaced.
pub fn give<T: Send + 'static, D: Dimension>(array: &mut NdArray<T, D>, pool: &mut Pool) {
    let empty = NdArray::from_shape_vec(D::zeros(array.ndim()), Vec::new());
    let old = std::mem::replace(array, empty.expect("no elements"));
    pool.give(old.into_raw_vec_and_offset().0);
}
