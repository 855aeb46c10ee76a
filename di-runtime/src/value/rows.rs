//! Slices of derived structs as arguments and as fields.

use core::any::Any;
use core::marker::PhantomData;

use super::list::Leaf;
use super::structure::RefShape;
use super::{Container, ContainerMut, Differentiable, Entry, Family, Part, Struct};
use crate::context::Snapshot;
use crate::generated::Stack;
use crate::scalar::Scalar;

/// `&[P]` with the floats as `S`.
pub enum Rows<'a, P: Differentiable, S: Entry> {
    /// The user's, where `S` is the float itself.
    Plain(&'a [P]),
    /// Floats of an engine, and the user's structs for what is passive.
    Over(&'a [P::Lanes<S>], &'a [P]),
    /// Made by generated code.
    Made(&'a [P::Of<S>]),
}

impl<P: Differentiable, S: Entry> Clone for Rows<'_, P, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Differentiable, S: Entry> Copy for Rows<'_, P, S> {}

/// `P::View<'a, T>`
pub(crate) type ViewShape<'a, P> = RefShape<'a, Struct<P>>;

impl<'a, P: Differentiable, S: Entry> Rows<'a, P, S> {
    /// Number of structs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn len(self) -> usize {
        match self {
            Rows::Plain(rows) => rows.len(),
            Rows::Over(lanes, _) => lanes.len(),
            Rows::Made(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Those from `lo` up to `hi`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn range(self, lo: usize, hi: usize) -> Self {
        match self {
            Rows::Plain(rows) => Rows::Plain(&rows[lo..hi]),
            Rows::Over(lanes, rows) => Rows::Over(&lanes[lo..hi], &rows[lo..hi]),
            Rows::Made(rows) => Rows::Made(&rows[lo..hi]),
        }
    }

    /// Its lengths.
    fn shape(self) -> Lengths<P> {
        match self {
            Rows::Plain(rows) => Lengths::of_rows(rows),
            Rows::Over(lanes, _) => Lengths::of_lanes::<S>(lanes),
            Rows::Made(rows) => {
                Lengths::new(rows.len(), |i| Struct::<P>::shape::<S>(P::lend(&rows[i])))
            }
        }
    }

    /// Are its lengths these?
    fn has_shape(self, shape: &Lengths<P>) -> bool {
        match self {
            Rows::Plain(rows) => shape.is(rows.len(), |i, one| {
                Struct::<P>::has_shape::<P::Real>(rows[i].view(), one)
            }),
            Rows::Over(lanes, _) => shape.is(lanes.len(), |i, one| {
                Struct::<P>::lanes_have::<S>(&lanes[i], one)
            }),
            Rows::Made(rows) => shape.is(rows.len(), |i, one| {
                Struct::<P>::has_shape::<S>(P::lend(&rows[i]), one)
            }),
        }
    }

    /// Visits the floats.
    pub fn visit(self, visit: &mut impl FnMut(S)) {
        match self {
            Rows::Plain(rows) => {
                for row in rows {
                    Struct::<P>::values::<P::Real>(row.view(), &mut |v| visit(same::<_, S>(v)));
                }
            }
            Rows::Over(lanes, _) => {
                for lane in lanes {
                    Struct::<P>::each::<S>(lane, visit);
                }
            }
            Rows::Made(rows) => {
                for row in rows {
                    Struct::<P>::values::<S>(P::lend(row), visit);
                }
            }
        }
    }

    /// Other floats beside the passive fields of these.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn over<T: Entry>(self, lanes: &'a [P::Lanes<T>]) -> Rows<'a, P, T> {
        match self {
            Rows::Plain(rows) | Rows::Over(_, rows) => Rows::Over(lanes, rows),
            Rows::Made(_) => unreachable!("operators take what the user owns"),
        }
    }
}

impl<'a, P: Differentiable, S: Scalar> Rows<'a, P, S> {
    /// The struct with this index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn at(self, i: usize) -> P::View<'a, S> {
        match self {
            Rows::Plain(rows) => match S::same::<ViewShape<'a, P>>(rows[i].view_as::<S::Real>()) {
                Ok(view) => view,
                Err(_) => unreachable!("rows of the user hold floats"),
            },
            Rows::Over(lanes, rows) => P::assemble(&lanes[i], rows[i].view()),
            Rows::Made(rows) => P::lend(&rows[i]),
        }
    }

    /// Copies, put into an empty vector.
    pub fn copied_to(self, mut to: Vec<P::Of<S>>) -> Vec<P::Of<S>> {
        to.extend((0..self.len()).map(|i| P::own(self.at(i))));
        to
    }

    /// A vector of copies.
    pub fn to_vec(self) -> Vec<P::Of<S>> {
        (0..self.len()).map(|i| P::own(self.at(i))).collect()
    }

    /// An array of copies.
    ///
    /// # Panics
    /// If there are not `N`.
    pub fn to_array<const N: usize>(self) -> [P::Of<S>; N] {
        assert!(self.len() == N, "{} structs for {N}", self.len());
        core::array::from_fn(|i| P::own(self.at(i)))
    }
}

/// A float of the user's type as `T`, which is the same type.
#[cfg_attr(not(debug_assertions), inline(always))]
fn same<R: Entry, T: Entry>(v: R) -> T {
    match (&v as &dyn Any).downcast_ref::<T>() {
        Some(v) => *v,
        None => unreachable!("rows of the user hold floats"),
    }
}

/// How many structs there are, and the shape of each if the type does not determine it.
pub struct Lengths<P: Differentiable> {
    count: usize,
    each: Vec<<P::Fields as Family>::Shape>,
}

impl<P: Differentiable> Clone for Lengths<P> {
    fn clone(&self) -> Self {
        Lengths {
            count: self.count,
            each: self.each.clone(),
        }
    }
}

impl<P: Differentiable> PartialEq for Lengths<P> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.each == other.each
    }
}

impl<P: Differentiable> core::fmt::Debug for Lengths<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.each.as_slice() {
            [] => self.count.fmt(f),
            each => each.fmt(f),
        }
    }
}

impl<P: Differentiable> Lengths<P> {
    /// So many structs, whose shapes are asked for if they are not all the same.
    fn new(count: usize, shape: impl FnMut(usize) -> <P::Fields as Family>::Shape) -> Self {
        let each = match P::Fields::fixed_shape() {
            Some(_) => Vec::new(),
            None => (0..count).map(shape).collect(),
        };
        Lengths { count, each }
    }

    fn of_lanes<T: Entry>(lanes: &[P::Lanes<T>]) -> Self {
        Self::new(lanes.len(), |i| Struct::<P>::lanes_shape::<T>(&lanes[i]))
    }

    fn of_rows(rows: &[P]) -> Self {
        Self::new(rows.len(), |i| super::structure::shape(&rows[i]))
    }

    /// Whether these have this shape, where each struct is looked at.
    fn is(
        &self,
        count: usize,
        mut is_one: impl FnMut(usize, &<P::Fields as Family>::Shape) -> bool,
    ) -> bool {
        self.count == count
            && self
                .each
                .iter()
                .enumerate()
                .all(|(i, shape)| is_one(i, shape))
    }

    fn floats(&self) -> usize {
        match P::Fields::fixed_shape() {
            Some(shape) => self.count * P::Fields::len(&shape),
            None => self.each.iter().map(P::Fields::len).sum(),
        }
    }

    fn keep(&self, tape: &mut Stack<usize>) {
        tape.push(self.count);
        for shape in &self.each {
            P::Fields::keep_shape(shape, tape);
        }
    }

    fn kept(lengths: &mut core::slice::Iter<'_, usize>) -> Option<Self> {
        let count = *lengths.next()?;
        let each = match P::Fields::fixed_shape() {
            Some(_) => Vec::new(),
            None => (0..count)
                .map(|_| P::Fields::kept_shape(lengths))
                .collect::<Option<_>>()?,
        };
        Some(Lengths { count, each })
    }

    /// Lanes of these shapes.
    fn lanes<T: Entry>(&self, fill: T) -> Vec<P::Lanes<T>> {
        match P::Fields::fixed_shape() {
            Some(shape) => vec![P::from_fields(P::Fields::store(&shape, fill)); self.count],
            None => {
                let store = |shape| P::from_fields(P::Fields::store(shape, fill));
                self.each.iter().map(store).collect()
            }
        }
    }
}

/// `&[P]`, `&mut [P]` and `Vec<P>` for a derived struct `P`.
pub struct Structs<P>(PhantomData<fn() -> P>);

/// `&[P; N]` and `[P; N]` for a derived struct `P` of fixed size.
pub struct StructArray<const N: usize, P>(PhantomData<fn() -> P>);

macro_rules! rows_family {
    ([$($generics:tt)*] $family:ty, $owned:ty, |$n:ident, $fill:ident| $store:expr, $vacant:expr, $fixed:expr) => {
        impl<$($generics)*> Family for $family {
            const COPIED: bool = true;
            type Shape = Lengths<P>;
            type Owned<T: Entry> = $owned;
            type Ref<'a, T: Entry> = Rows<'a, P, T>;
            type LanesRef<'a, T: Entry> = &'a [P::Lanes<T>];
            type LanesMut<'a, T: Entry> = &'a mut [P::Lanes<T>];
            type Adjoint<'a, T: Entry> = &'a mut [P::Lanes<T>];
            type Spare<T: Entry> = Option<$owned>;

            fn constants<T: Entry>(value: Rows<'_, P, T>, snapshot: &mut Snapshot) {
                match value {
                    Rows::Plain(rows) | Rows::Over(_, rows) => {
                        for row in rows {
                            P::constants::<P::Real>(row.view(), snapshot);
                        }
                    }
                    Rows::Made(_) => snapshot.opaque(),
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape<T: Entry>(value: Rows<'_, P, T>) -> Lengths<P> {
                value.shape()
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape_of<T: Entry>(owned: &Self::Owned<T>) -> Lengths<P> {
                Lengths::of_lanes::<T>(owned)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn has_shape<T: Entry>(value: Rows<'_, P, T>, shape: &Lengths<P>) -> bool {
                value.has_shape(shape)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_have<T: Entry>(lanes: &[P::Lanes<T>], shape: &Lengths<P>) -> bool {
                shape.is(lanes.len(), |i, one| Struct::<P>::lanes_have::<T>(&lanes[i], one))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fixed_shape() -> Option<Lengths<P>> {
                $fixed
            }
            fn keep_shape(shape: &Lengths<P>, tape: &mut Stack<usize>) {
                if Self::fixed_shape().is_none() {
                    shape.keep(tape);
                }
            }
            fn kept_shape(lengths: &mut core::slice::Iter<'_, usize>) -> Option<Lengths<P>> {
                Self::fixed_shape().or_else(|| Lengths::kept(lengths))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn len(shape: &Lengths<P>) -> usize {
                shape.floats()
            }
            fn describe(shape: &Lengths<P>, parts: &mut Vec<Part>) {
                parts.push(Part::new(vec![shape.count]));
                for one in &shape.each {
                    P::Fields::describe(one, parts);
                }
            }
            fn store<T: Entry>($n: &Lengths<P>, $fill: T) -> Self::Owned<T> {
                $store
            }
            fn vacant<T: Entry>($fill: T) -> Self::Owned<T> {
                $vacant
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn get<'a, T: Entry, U: Entry>(
                owned: &'a Self::Owned<T>,
                like: Rows<'a, P, U>,
            ) -> Rows<'a, P, T> {
                like.over(&owned[..])
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<T: Entry>(owned: &Self::Owned<T>) -> &[P::Lanes<T>] {
                owned
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<T: Entry>(owned: &mut Self::Owned<T>) -> &mut [P::Lanes<T>] {
                owned
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lent<'s, T: Entry>(values: &'s &mut [P::Lanes<T>]) -> &'s [P::Lanes<T>] {
                values
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'s, 'l: 's, T: Entry>(value: Rows<'l, P, T>) -> Rows<'s, P, T> {
                match value {
                    Rows::Plain(rows) => Rows::Plain(rows),
                    Rows::Over(lanes, rows) => Rows::Over(lanes, rows),
                    Rows::Made(rows) => Rows::Made(rows),
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten_lanes<'s, 'l: 's, T: Entry>(
                lanes: &'l [P::Lanes<T>],
            ) -> &'s [P::Lanes<T>] {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn reborrow_lanes<'s, T: Entry>(
                lanes: &'s mut &mut [P::Lanes<T>],
            ) -> &'s mut [P::Lanes<T>] {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_shape<T: Entry>(lanes: &[P::Lanes<T>]) -> Lengths<P> {
                Lengths::of_lanes::<T>(lanes)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn values<T: Entry>(value: Rows<'_, P, T>, visit: &mut impl FnMut(T)) {
                value.visit(visit);
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn each<T: Entry>(lanes: &[P::Lanes<T>], visit: &mut impl FnMut(T)) {
                for lane in lanes {
                    Struct::<P>::each::<T>(lane, visit);
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn each_mut<T: Entry>(lanes: &mut [P::Lanes<T>], visit: &mut impl FnMut(&mut T)) {
                for lane in lanes {
                    Struct::<P>::each_mut::<T>(lane, visit);
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zip<T: Entry, U: Entry>(
                lanes: &mut [P::Lanes<T>],
                other: &[P::Lanes<U>],
                visit: &mut impl FnMut(&mut T, U),
            ) {
                for (lane, other) in lanes.iter_mut().zip(other) {
                    Struct::<P>::zip::<T, U>(lane, other, visit);
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn zip_values<T: Entry, U: Entry>(
                lanes: &mut [P::Lanes<T>],
                value: Rows<'_, P, U>,
                visit: &mut impl FnMut(&mut T, U),
            ) {
                match value {
                    Rows::Plain(rows) => {
                        for (lane, row) in lanes.iter_mut().zip(rows) {
                            Struct::<P>::zip_values::<T, P::Real>(lane, row.view(), &mut |t, v| {
                                visit(t, same::<_, U>(v))
                            });
                        }
                    }
                    Rows::Over(others, _) => Self::zip::<T, U>(lanes, others, visit),
                    Rows::Made(rows) => {
                        for (lane, row) in lanes.iter_mut().zip(rows) {
                            Struct::<P>::zip_values::<T, U>(lane, P::lend(row), visit);
                        }
                    }
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn count<T: Entry>(lanes: &&mut [P::Lanes<T>]) -> usize {
                match floats::<P>() {
                    Some(n) => lanes.len() * n,
                    None => lanes.iter().map(in_lanes::<P, T>).sum(),
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn entry<T: Entry>(lanes: Self::LanesMut<'_, T>, mut index: usize) -> &mut T {
                if let Some(n) = floats::<P>() {
                    return Struct::<P>::entry::<T>(&mut lanes[index / n], index % n);
                }
                for lane in lanes {
                    let n = in_lanes::<P, T>(lane);
                    if index < n {
                        return Struct::<P>::entry::<T>(lane, index);
                    }
                    index -= n;
                }
                panic!("flat index {index} beyond the end of a list of structs")
            }
        }

        impl<$($generics)*> Leaf for $family {
            type Lane<T: Entry> = [P::Lanes<T>];
            const FLAT: bool = false;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T> {
                lanes
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T> {
                lanes
            }
        }
    };
}

rows_family!([P: Differentiable] Structs<P>, Vec<P::Lanes<T>>,
    |shape, fill| shape.lanes(fill), { let _ = fill; Vec::new() }, None);
rows_family!([const N: usize, P: Differentiable] StructArray<N, P>, [P::Lanes<T>; N],
    |shape, fill| match P::Fields::fixed_shape() {
        Some(one) => core::array::from_fn(|_| P::from_fields(P::Fields::store(&one, fill))),
        None => core::array::from_fn(|i| P::from_fields(P::Fields::store(&shape.each[i], fill))),
    },
    core::array::from_fn(|_| P::from_fields(P::Fields::vacant(fill))),
    P::Fields::fixed_shape().map(|_| Lengths { count: N, each: Vec::new() }));

/// Floats in one struct, if all have as many.
#[cfg_attr(not(debug_assertions), inline(always))]
fn floats<P: Differentiable>() -> Option<usize> {
    P::Fields::fixed_shape().map(|shape| P::Fields::len(&shape))
}

/// Floats in the lanes of one struct.
fn in_lanes<P: Differentiable, T: Entry>(lanes: &P::Lanes<T>) -> usize {
    P::Fields::len(&Struct::<P>::lanes_shape::<T>(lanes))
}

macro_rules! rows_container {
    ([$($generics:tt)*] $family:ty, $container:ty, $result:ty, $lanes:ty, |$this:ident| $blank:expr) => {
        impl<$($generics)*> Container<$family, P::Real> for $container {
            type Result = $result;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape(&self) -> Lengths<P> {
                Lengths::of_rows(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn has_shape(&self, shape: &Lengths<P>) -> bool {
                Rows::<P, P::Real>::Plain(self).has_shape(shape)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view<'a>(&'a self, _: &'a mut Option<$lanes>) -> Rows<'a, P, P::Real> {
                Rows::Plain(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<'a>(&'a self, spare: &'a mut Option<$lanes>) -> &'a [P::Lanes<P::Real>] {
                let lanes = super::container::fit::<$family, P::Real>(spare, &Lengths::of_rows(self));
                <$family>::zip_values::<P::Real, P::Real>(
                    &mut lanes[..],
                    Rows::Plain(self),
                    &mut |to, from| *to = from,
                );
                lanes
            }
            fn blank(&self) -> $result {
                let $this = self;
                $blank
            }
        }

        impl<$($generics)*> ContainerMut<$family, P::Real> for $container {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<'a>(
                &'a mut self,
                spare: &'a mut Option<$lanes>,
            ) -> &'a mut [P::Lanes<P::Real>] {
                super::container::fit::<$family, P::Real>(spare, &Lengths::of_rows(self))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn finish(&mut self, spare: &mut Option<$lanes>) {
                for (row, lanes) in self.iter_mut().zip(spare.iter().flatten()) {
                    row.write(lanes);
                }
            }
        }
    };
}

rows_container!([P: Differentiable] Structs<P>, [P], Vec<P>, Vec<P::Lanes<P::Real>>,
    |rows| rows.iter().map(super::structure::blank).collect());
rows_container!([P: Differentiable] Structs<P>, Vec<P>, Vec<P>, Vec<P::Lanes<P::Real>>,
    |rows| rows.iter().map(super::structure::blank).collect());
rows_container!([P: Differentiable, const N: usize] Structs<P>, [P; N], [P; N], Vec<P::Lanes<P::Real>>,
    |rows| rows.each_ref().map(super::structure::blank));
rows_container!([P: Differentiable, const N: usize] StructArray<N, P>, [P; N], [P; N], [P::Lanes<P::Real>; N],
    |rows| rows.each_ref().map(super::structure::blank));
