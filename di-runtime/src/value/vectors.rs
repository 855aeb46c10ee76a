//! The family of vectors of vectors: the elements of all rows in one vector, and where each row begins.
//!
//! What users pass, `Vec<Vec<f64>>` or a slice of vectors, is copied to the prep and back.

use core::marker::PhantomData;

use super::list::Leaf;
use super::{Cell, Container, ContainerMut, Entry, Family, One, Part};
use crate::context::Snapshot;
use crate::scalar::Real;

/// A row: where it begins and ends among the elements, and where the room that it has ends.
pub type Span = [usize; 3];

/// `&[Vec<f64>]`, `Vec<Vec<f64>>`, and the same of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors<C = One>(PhantomData<C>);

/// Rows of any lengths: what a function that returns `Vec<Vec<f64>>` gives under an operator.
///
/// `rows[i]` is the slice of row `i`, and `Vec::from(rows)` a vector of vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ragged<E> {
    /// The elements, row after row.
    #[doc(hidden)]
    pub data: Vec<E>,
    /// The rows: each begins where the one before ends.
    #[doc(hidden)]
    pub rows: Vec<Span>,
}

/// The rows of these lengths, one after the other.
fn spans(lengths: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut end = 0;
    let next = |n| {
        let begin = end;
        end += n;
        [begin, end, end]
    };
    lengths.map(next).collect()
}

fn each_length(rows: &[Span]) -> impl Iterator<Item = usize> {
    rows.iter().map(|[begin, end, _]| end - begin)
}

fn lengths(rows: &[Span]) -> Vec<usize> {
    each_length(rows).collect()
}

/// The elements of all rows in order.
fn each_row<'a, E>(data: &'a [E], rows: &'a [Span]) -> impl Iterator<Item = &'a [E]> {
    rows.iter().map(|[begin, end, _]| &data[*begin..*end])
}

impl<C: Cell> Family for Vectors<C> {
    const COPIED: bool = true;
    /// Lengths of the rows.
    type Shape = Vec<usize>;
    type Owned<T: Entry> = Ragged<C::Of<T>>;
    type Ref<'a, T: Entry> = (&'a [C::Of<T>], &'a [Span]);
    type LanesRef<'a, T: Entry> = (&'a [C::Of<T>], &'a [Span]);
    type LanesMut<'a, T: Entry> = (&'a mut [C::Of<T>], &'a [Span]);
    type Adjoint<'a, T: Entry> = (&'a mut [C::Of<T>], &'a [Span]);
    type Spare<T: Entry> = Option<Ragged<C::Of<T>>>;

    fn constants<T: Entry>(_: Self::Ref<'_, T>, _: &mut Snapshot) {}
    fn shape<T: Entry>((_, rows): Self::Ref<'_, T>) -> Vec<usize> {
        lengths(rows)
    }
    fn shape_of<T: Entry>(owned: &Self::Owned<T>) -> Vec<usize> {
        lengths(&owned.rows)
    }
    fn has_shape<T: Entry>((_, rows): Self::Ref<'_, T>, shape: &Vec<usize>) -> bool {
        each_length(rows).eq(shape.iter().copied())
    }
    fn lanes_have<T: Entry>((_, rows): Self::LanesRef<'_, T>, shape: &Vec<usize>) -> bool {
        each_length(rows).eq(shape.iter().copied())
    }
    fn alike<T: Entry, U: Entry>(a: Self::LanesRef<'_, T>, b: Self::LanesRef<'_, U>) -> bool {
        each_length(a.1).eq(each_length(b.1))
    }
    fn fixed_shape() -> Option<Vec<usize>> {
        None
    }
    fn len(shape: &Vec<usize>) -> usize {
        shape.iter().sum::<usize>() * C::LEN
    }
    fn describe(shape: &Vec<usize>, parts: &mut Vec<Part>) {
        for n in shape {
            let mut lengths = vec![*n];
            C::describe(&mut lengths);
            parts.push(Part::new(lengths));
        }
    }
    fn store<T: Entry>(shape: &Vec<usize>, fill: T) -> Self::Owned<T> {
        Ragged {
            data: vec![C::fill(fill); shape.iter().sum()],
            rows: spans(shape.iter().copied()),
        }
    }
    fn vacant<T: Entry>(_: T) -> Self::Owned<T> {
        Ragged {
            data: Vec::new(),
            rows: Vec::new(),
        }
    }
    fn get<'a, T: Entry, U: Entry>(
        owned: &'a Self::Owned<T>,
        _: Self::Ref<'a, U>,
    ) -> Self::Ref<'a, T> {
        (&owned.data, &owned.rows)
    }
    fn lanes<T: Entry>(owned: &Self::Owned<T>) -> Self::LanesRef<'_, T> {
        (&owned.data, &owned.rows)
    }
    fn lanes_mut<T: Entry>(owned: &mut Self::Owned<T>) -> Self::LanesMut<'_, T> {
        (&mut owned.data, &owned.rows)
    }
    fn lent<'s, T: Entry>(lanes: &'s Self::LanesMut<'_, T>) -> Self::LanesRef<'s, T> {
        (lanes.0, lanes.1)
    }
    fn shorten<'s, 'l: 's, T: Entry>(value: Self::Ref<'l, T>) -> Self::Ref<'s, T> {
        value
    }
    fn shorten_lanes<'s, 'l: 's, T: Entry>(lanes: Self::LanesRef<'l, T>) -> Self::LanesRef<'s, T> {
        lanes
    }
    fn reborrow_lanes<'s, T: Entry>(lanes: &'s mut Self::LanesMut<'_, T>) -> Self::LanesMut<'s, T> {
        (lanes.0, lanes.1)
    }
    fn adjoint<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> Self::Adjoint<'a, T> {
        lanes
    }
    fn lanes_shape<T: Entry>((_, rows): Self::LanesRef<'_, T>) -> Vec<usize> {
        lengths(rows)
    }
    fn values<T: Entry>((data, _): Self::Ref<'_, T>, visit: &mut impl FnMut(T)) {
        C::flat(data).iter().for_each(|v| visit(*v));
    }
    fn each<T: Entry>((data, _): Self::LanesRef<'_, T>, visit: &mut impl FnMut(T)) {
        C::flat(data).iter().for_each(|v| visit(*v));
    }
    fn flat<'a, T: Entry>((data, _): Self::LanesRef<'a, T>) -> Option<&'a [T]> {
        Some(C::flat(data))
    }
    fn each_mut<T: Entry>((data, _): Self::LanesMut<'_, T>, visit: &mut impl FnMut(&mut T)) {
        C::flat_mut(data).iter_mut().for_each(visit);
    }
    fn zip<T: Entry, U: Entry>(
        (data, _): Self::LanesMut<'_, T>,
        (other, _): Self::LanesRef<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        let pairs = C::flat_mut::<T>(data).iter_mut().zip(C::flat::<U>(other));
        pairs.for_each(|(a, b)| visit(a, *b));
    }
    fn zip_values<T: Entry, U: Entry>(
        lanes: Self::LanesMut<'_, T>,
        value: Self::Ref<'_, U>,
        visit: &mut impl FnMut(&mut T, U),
    ) {
        Self::zip(lanes, value, visit);
    }
    fn count<T: Entry>((data, _): &Self::LanesMut<'_, T>) -> usize {
        data.len() * C::LEN
    }
    fn entry<T: Entry>((data, _): Self::LanesMut<'_, T>, index: usize) -> &mut T {
        &mut C::flat_mut(data)[index]
    }
}

impl<C: Cell> Leaf for Vectors<C> {
    const FLAT: bool = true;
    type Lane<T: Entry> = [C::Of<T>];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seed<'a, T: Entry>(lanes: Self::LanesRef<'a, T>) -> &'a Self::Lane<T> {
        lanes.0
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shadow<'a, T: Entry>(lanes: Self::LanesMut<'a, T>) -> &'a mut Self::Lane<T> {
        lanes.0
    }
}

/// Room for rows of these lengths, kept from the last time if it fits; with `copy` their elements too.
fn fit<'a, E: Entry>(
    spare: &'a mut Option<Ragged<E>>,
    of: &[Vec<E>],
    copy: bool,
) -> &'a mut Ragged<E> {
    let same = |old: &Ragged<E>| each_length(&old.rows).eq(of.iter().map(Vec::len));
    let same = spare.as_ref().is_some_and(same);
    if !same {
        *spare = Some(Ragged {
            data: of.concat(),
            rows: spans(of.iter().map(Vec::len)),
        });
    }
    let room = spare.get_or_insert_with(|| unreachable!("made above"));
    if same && copy {
        for (row, [begin, end, _]) in of.iter().zip(&room.rows) {
            room.data[*begin..*end].copy_from_slice(row);
        }
    }
    room
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> Container<Vectors<C>, R> for [Vec<E>] {
    type Result = Vec<Vec<E>>;

    fn shape(&self) -> Vec<usize> {
        self.iter().map(Vec::len).collect()
    }
    fn has_shape(&self, shape: &Vec<usize>) -> bool {
        self.iter().map(Vec::len).eq(shape.iter().copied())
    }
    fn view<'a>(&'a self, spare: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
        let room = fit(spare, self, true);
        (&room.data, &room.rows)
    }
    fn lanes<'a>(&'a self, spare: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
        Container::<Vectors<C>, R>::view(self, spare)
    }
    fn blank(&self) -> Vec<Vec<E>> {
        let blank = |row: &Vec<E>| vec![C::fill(R::default()); row.len()];
        self.iter().map(blank).collect()
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> ContainerMut<Vectors<C>, R> for [Vec<E>] {
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut Option<Ragged<E>>) -> (&'a mut [E], &'a [Span]) {
        let room = fit(spare, self, false);
        (&mut room.data, &room.rows)
    }
    fn finish(&mut self, spare: &mut Option<Ragged<E>>) {
        if let Some(from) = spare {
            for (to, row) in self.iter_mut().zip(each_row(&from.data, &from.rows)) {
                to.copy_from_slice(row);
            }
        }
    }
}

/// What has rows as a slice has them.
macro_rules! rows {
    ([$($n:tt)*] $container:ty, |$rows:ident, $blank:ident| $made:expr) => {
        impl<R: Real, C: Cell<Of<R> = E>, E: Entry, $($n)*> Container<Vectors<C>, R> for $container {
            type Result = $container;

            fn shape(&self) -> Vec<usize> {
                Container::<Vectors<C>, R>::shape(&self[..])
            }
            fn has_shape(&self, shape: &Vec<usize>) -> bool {
                Container::<Vectors<C>, R>::has_shape(&self[..], shape)
            }
            fn view<'a>(&'a self, spare: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
                Container::<Vectors<C>, R>::view(&self[..], spare)
            }
            fn lanes<'a>(&'a self, spare: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
                Container::<Vectors<C>, R>::view(&self[..], spare)
            }
            fn blank(&self) -> $container {
                let ($rows, $blank) = (self, |row: &Vec<E>| vec![C::fill(R::default()); row.len()]);
                $made
            }
        }

        impl<R: Real, C: Cell<Of<R> = E>, E: Entry, $($n)*> ContainerMut<Vectors<C>, R> for $container {
            fn lanes_mut<'a>(
                &'a mut self,
                spare: &'a mut Option<Ragged<E>>,
            ) -> (&'a mut [E], &'a [Span]) {
                ContainerMut::<Vectors<C>, R>::lanes_mut(&mut self[..], spare)
            }
            fn finish(&mut self, spare: &mut Option<Ragged<E>>) {
                ContainerMut::<Vectors<C>, R>::finish(&mut self[..], spare);
            }
        }
    };
}

rows!([] Vec<Vec<E>>, |rows, blank| rows.iter().map(blank).collect());
rows!([const N: usize] [Vec<E>; N], |rows, blank| rows.each_ref().map(blank));

impl<E> Ragged<E> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, from the first to the last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[E]> {
        self.rows
            .iter()
            .map(|[begin, end, _]| &self.data[*begin..*end])
    }
}

impl<E> core::ops::Index<usize> for Ragged<E> {
    type Output = [E];
    fn index(&self, i: usize) -> &[E] {
        let [begin, end, _] = self.rows[i];
        &self.data[begin..end]
    }
}

impl<E: Clone> From<Ragged<E>> for Vec<Vec<E>> {
    fn from(rows: Ragged<E>) -> Self {
        rows.iter().map(<[E]>::to_vec).collect()
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> Container<Vectors<C>, R> for Ragged<E> {
    type Result = Ragged<E>;

    fn shape(&self) -> Vec<usize> {
        lengths(&self.rows)
    }
    fn has_shape(&self, shape: &Vec<usize>) -> bool {
        each_length(&self.rows).eq(shape.iter().copied())
    }
    fn view<'a>(&'a self, _: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
        (&self.data, &self.rows)
    }
    fn lanes<'a>(&'a self, _: &'a mut Option<Ragged<E>>) -> (&'a [E], &'a [Span]) {
        (&self.data, &self.rows)
    }
    fn blank(&self) -> Ragged<E> {
        Vectors::<C>::store(&lengths(&self.rows), R::default())
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> ContainerMut<Vectors<C>, R> for Ragged<E> {
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Ragged<E>>) -> (&'a mut [E], &'a [Span]) {
        (&mut self.data, &self.rows)
    }
    fn finish(&mut self, _: &mut Option<Ragged<E>>) {}
}
