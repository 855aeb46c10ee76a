//! Families of containers: what functions take and return, whatever is stored in them.
//!
//! A [`Family`] is a shape without an element type: a number, a slice, a fixed array, a tuple, a
//! derived struct. Engines store their own scalars, tangents and adjoints in it. What users pass
//! belongs to [`container`] and `nd`; nothing here computes a derivative.

pub mod array;
#[cfg(feature = "ndarray")]
pub mod arrays;
#[cfg(any(feature = "nalgebra_v0_34", feature = "nalgebra_v0_35"))]
mod columns;
pub mod container;
pub mod element;
#[cfg(feature = "faer_v0_24")]
mod faer;
#[cfg(all(feature = "faer_v0_24", feature = "ndarray"))]
mod faer_nd;
pub mod floats;
#[cfg(feature = "ndarray")]
pub mod grid;
pub mod join;
pub mod kept;
pub mod lifted;
pub mod list;
#[cfg(any(feature = "nalgebra_v0_34", feature = "nalgebra_v0_35"))]
mod nalgebra;
#[cfg(all(
    feature = "ndarray",
    any(feature = "nalgebra_v0_34", feature = "nalgebra_v0_35")
))]
mod nalgebra_nd;
#[cfg(feature = "ndarray")]
pub mod nd;
pub mod nest;
pub mod number;
pub mod option;
pub mod outcome;
pub mod passive;
pub mod record;
pub mod rows;
pub mod shown;
mod single;
pub mod slice;
pub mod structure;
pub mod tangents;
pub mod texts;
pub mod tuple;
pub mod vector;
pub mod vectors;

pub use array::Array;
pub use container::{Container, ContainerMut};
#[cfg(feature = "ndarray")]
pub use grid::Nd;
pub use list::{Arguments, Leaf, List, Marks, Select};
pub use number::Number;
pub use outcome::Outcome;
pub use rows::{Rows, StructArray, Structs};
pub use slice::{Cell, One, Row, Slice};
pub use structure::{Differentiable, Struct};
pub use tangents::{Count, OneDirection, Tangents, TangentsMut};
pub use vectors::{Ragged, Vectors};

use crate::context::Snapshot;
use crate::generated::Stack;

/// What a container may hold: plain values.
pub trait Entry: Copy + Send + 'static {}

impl<T: Copy + Send + 'static> Entry for T {}

/// Part of a shape, as messages show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The field that it is, if it has a name.
    pub name: Option<&'static str>,
    /// Its lengths, from the outermost in; nothing for a number.
    pub lengths: Vec<usize>,
}

impl Part {
    /// A part with these lengths.
    pub fn new(lengths: Vec<usize>) -> Self {
        Part {
            name: None,
            lengths,
        }
    }
}

/// A kind of container, with its element type left open.
///
/// Storage comes in two forms: *values* (what the function reads: [`Family::Ref`])
/// and *lanes* (tangents and adjoints: one entry for each float, passive parts left out).
/// The flat order of entries is the logical one: row-major, fields and arguments as declared.
pub trait Family: 'static {
    /// Lengths, as far as they are not part of the type.
    type Shape: Clone + PartialEq + core::fmt::Debug + Send + Sync + 'static;
    /// Storage for one `T` for each float.
    type Owned<T: Entry>: Clone + Send + 'static;
    /// Values as generated code reads them.
    type Ref<'a, T: Entry>: Copy;
    /// Lanes, read.
    type LanesRef<'a, T: Entry>: Copy;
    /// Lanes, written.
    type LanesMut<'a, T: Entry>;
    /// Adjoint of a result: numbers by value, the rest as lanes.
    type Adjoint<'a, T: Entry>;
    /// Does the type tell the shape? Then [`Family::fixed_shape`] is some.
    const FIXED: bool = false;
    /// Do values have parts that are not floats, and may change from call to call?
    const PASSIVE: bool = false;
    /// Are there containers that users commonly pass, and whose lanes are copies? The first call that
    /// writes to one makes room for it.
    const COPIED: bool = false;
    /// Room for a copy of what cannot be read or written in place; empty until it is needed.
    type Spare<T: Entry>: Default + Clone;

    /// Shape of a value.
    fn shape<T: Entry>(value: Self::Ref<'_, T>) -> Self::Shape;
    /// Shape of a storage.
    fn shape_of<T: Entry>(owned: &Self::Owned<T>) -> Self::Shape;
    /// Does a value have this shape? Called in each call: a family whose shapes are on the heap allocates
    /// none for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape<T: Entry>(value: Self::Ref<'_, T>, shape: &Self::Shape) -> bool {
        Self::shape(value) == *shape
    }
    /// Have lanes this shape?
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_have<T: Entry>(lanes: Self::LanesRef<'_, T>, shape: &Self::Shape) -> bool {
        Self::lanes_shape(lanes) == *shape
    }
    /// Are these of one shape?
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn alike<T: Entry, U: Entry>(a: Self::LanesRef<'_, T>, b: Self::LanesRef<'_, U>) -> bool {
        Self::lanes_have(a, &Self::lanes_shape(b))
    }
    /// The shape, if the type alone determines it.
    fn fixed_shape() -> Option<Self::Shape>;
    /// Puts the lengths that the type does not determine on a tape, for families that a tape can
    /// hold.
    fn keep_shape(_shape: &Self::Shape, _tape: &mut Stack<usize>) {}
    /// The shape whose lengths were put on a tape: the next ones of these.
    fn kept_shape(_lengths: &mut core::slice::Iter<'_, usize>) -> Option<Self::Shape> {
        Self::fixed_shape()
    }
    /// Number of floats.
    fn len(shape: &Self::Shape) -> usize;
    /// The lengths of each part, for messages.
    fn describe(shape: &Self::Shape, parts: &mut Vec<Part>);
    /// Storage of this shape, every entry `fill`.
    fn store<T: Entry>(shape: &Self::Shape, fill: T) -> Self::Owned<T>;
    /// Storage that is about to be replaced: allocates nothing.
    fn vacant<T: Entry>(fill: T) -> Self::Owned<T>;

    /// Values in `owned`; what is passive comes from `like`.
    fn get<'a, T: Entry, U: Entry>(
        owned: &'a Self::Owned<T>,
        like: Self::Ref<'a, U>,
    ) -> Self::Ref<'a, T>;
    /// Lanes in `owned`.
    fn lanes<T: Entry>(owned: &Self::Owned<T>) -> Self::LanesRef<'_, T>;
    /// Lanes in `owned`, for writing.
    fn lanes_mut<T: Entry>(owned: &mut Self::Owned<T>) -> Self::LanesMut<'_, T>;
    /// Lanes that are held for writing, to be read.
    fn lent<'s, T: Entry>(lanes: &'s Self::LanesMut<'_, T>) -> Self::LanesRef<'s, T>;
    /// The same values, for a shorter time.
    fn shorten<'s, 'l: 's, T: Entry>(value: Self::Ref<'l, T>) -> Self::Ref<'s, T>;
    /// The same lanes, for a shorter time.
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: Self::LanesRef<'l, T>) -> Self::LanesRef<'s, T>;
    /// Lanes, reborrowed.
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut Self::LanesMut<'_, T>) -> Self::LanesMut<'s, T>;
    /// Lanes as the adjoint of a result.
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T>;

    /// Shape of lanes.
    fn lanes_shape<T: Entry>(lanes: Self::LanesRef<'_, T>) -> Self::Shape;
    /// Visits the floats of a value.
    fn values<T: Entry>(value: Self::Ref<'_, T>, visit: &mut impl FnMut(T));
    /// Visits the floats of a value, each together with one of a list; returns those that are left.
    fn values_and<'l, T: Entry, U>(
        value: Self::Ref<'_, T>,
        list: &'l mut [U],
        visit: &mut impl FnMut(T, &mut U),
    ) -> &'l mut [U] {
        let mut list = list.iter_mut();
        Self::values::<T>(value, &mut |v| {
            if let Some(to) = list.next() {
                visit(v, to);
            }
        });
        list.into_slice()
    }
    /// Visits the entries of lanes.
    fn each<T: Entry>(lanes: Self::LanesRef<'_, T>, visit: &mut impl FnMut(T));
    /// The entries of lanes, if they lie in one piece.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flat<'a, T: Entry>(_lanes: Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        None
    }
    /// Visits the entries of lanes, for writing.
    fn each_mut<T: Entry>(lanes: Self::LanesMut<'_, T>, visit: &mut impl FnMut(&mut T));
    /// The same, each together with one of a list; returns those that are left.
    fn each_mut_and<'l, T: Entry, U: Entry>(
        lanes: Self::LanesMut<'_, T>,
        list: &'l [U],
        visit: &mut impl FnMut(&mut T, U),
    ) -> &'l [U] {
        let mut list = list.iter();
        Self::each_mut::<T>(lanes, &mut |to| {
            if let Some(from) = list.next() {
                visit(to, *from);
            }
        });
        list.as_slice()
    }
    /// Visits entries of two lanes of one shape together.
    fn zip<T: Entry, U: Entry>(
        lanes: Self::LanesMut<'_, T>,
        other: Self::LanesRef<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    );
    /// Visits entries of lanes together with the floats of a value of their shape.
    fn zip_values<T: Entry, U: Entry>(
        lanes: Self::LanesMut<'_, T>,
        value: Self::Ref<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    );
    /// The same together with the numbers of a list.
    fn zip_values_and<T: Entry, U: Entry, V: Entry>(
        lanes: Self::LanesMut<'_, T>,
        value: Self::Ref<'_, U>,
        list: &[V],
        visit: &mut impl FnMut(&mut T, U, V),
    ) {
        let mut list = list.iter();
        Self::zip_values::<T, U>(lanes, value, &mut |to, v| {
            if let Some(w) = list.next() {
                visit(to, v, *w);
            }
        });
    }
    /// Adds the passive parts of a value; numbers have none.
    fn constants<T: Entry>(value: Self::Ref<'_, T>, snapshot: &mut Snapshot);
    /// Number of entries.
    fn count<T: Entry>(lanes: &Self::LanesMut<'_, T>) -> usize;
    /// The entry with this flat index, which must be below the number of floats.
    fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, index: usize) -> &mut T;
}
