//! Sequences as a whole: the order of sorted elements, and parts of one slice that are lent at once.

use super::slot::{Live, Seed};
use crate::pool::Pool;
use crate::scalar::{Real, Scalar};
use std::cmp::Ordering;
use std::ops::Range;

/// The permutation that sorts floats by `total_cmp`, stable.
pub fn sorted_total<S: Scalar>(keys: &[S], descending: bool, pool: &mut Pool) -> Vec<usize> {
    let key = |i: usize| keys[i].primal().to_f64();
    sorted(keys.len(), descending, pool, |i, j| {
        key(i).total_cmp(&key(j))
    })
}

/// The permutation that sorts floats by `partial_cmp`, stable.
///
/// # Panics
/// If NaN is compared.
pub fn sorted_partial<S: Scalar>(keys: &[S], descending: bool, pool: &mut Pool) -> Vec<usize> {
    let key = |i: usize| keys[i].primal();
    sorted(keys.len(), descending, pool, |i, j| {
        let order = key(i).partial_cmp(&key(j));
        order.expect("NaN cannot be compared")
    })
}

/// The permutation that sorts integers or bools, stable.
pub fn sorted_int<T: Ord>(keys: &[T], descending: bool, pool: &mut Pool) -> Vec<usize> {
    sorted(keys.len(), descending, pool, |i, j| keys[i].cmp(&keys[j]))
}

/// A part that overlaps with another argument of its call. The type is inferred from the callee: a
/// reference that reads. Where the callee would write, the user's function could not have come here.
pub trait OnlyRead<'a, T> {
    /// The argument.
    fn only_read(part: &'a [T]) -> Self;
}

impl<'a, T> OnlyRead<'a, T> for &'a [T] {
    fn only_read(part: &'a [T]) -> Self {
        part
    }
}

impl<'a, T, const N: usize> OnlyRead<'a, T> for &'a [T; N] {
    fn only_read(part: &'a [T]) -> Self {
        part.try_into().expect("an array has its length")
    }
}

impl<'a, T> OnlyRead<'a, T> for &'a mut [T] {
    fn only_read(_: &'a [T]) -> Self {
        overlap()
    }
}

impl<'a, T, const N: usize> OnlyRead<'a, T> for &'a mut [T; N] {
    fn only_read(_: &'a [T]) -> Self {
        overlap()
    }
}

impl<'a, T> OnlyRead<'a, T> for Seed<'a, [T], Live> {
    fn only_read(part: &'a [T]) -> Self {
        Seed::new(part)
    }
}

/// The argument for such a part, or its tangent.
pub fn only_read<'a, T, U: OnlyRead<'a, T>>(part: &'a [T]) -> U {
    U::only_read(part)
}

fn overlap() -> ! {
    panic!("parts that are lent at once overlap")
}

fn sorted(
    n: usize,
    descending: bool,
    pool: &mut Pool,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut order: Vec<usize> = pool.take_empty(n);
    order.extend(0..n);
    // equal elements stay in order, so that the sort need not be stable itself
    order.sort_unstable_by(|i, j| {
        let found = compare(*i, *j);
        let found = if descending { found.reverse() } else { found };
        found.then(i.cmp(j))
    });
    order
}

/// A copy of all elements of a slice, as an array.
///
/// # Panics
/// If the array has another length.
#[must_use]
pub fn whole<T: Clone, const N: usize>(slice: &[T]) -> [T; N] {
    assert!(slice.len() == N, "an array has its length");
    std::array::from_fn(|i| slice[i].clone())
}

/// Parts of one slice for one loop, which are known not to overlap.
///
/// # Panics
/// If a part is out of bounds, or they overlap all the same.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rows<T, const N: usize>(whole: &mut [T], parts: [Range<usize>; N]) -> [&mut [T]; N] {
    match whole.get_disjoint_mut(parts) {
        Ok(rows) => rows,
        Err(error) => panic!("rows of a loop: {error}"),
    }
}

/// Parts of one slice: those of `mutable`, which overlap with nothing, and those of `shared`.
///
/// # Panics
/// If a part is out of bounds or overlaps with a mutable one.
pub fn parts<'a, T, const M: usize, const N: usize>(
    whole: &'a mut [T],
    mutable: [Range<usize>; M],
    shared: [Range<usize>; N],
) -> ([&'a mut [T]; M], [&'a [T]; N]) {
    let mut order: [usize; M] = std::array::from_fn(|k| k);
    order.sort_unstable_by_key(|k| (mutable[*k].start, mutable[*k].end));
    let mut lent: [&'a mut [T]; M] = std::array::from_fn(|_| &mut [][..]);
    let mut read: [&'a [T]; N] = [&[]; N];
    let (mut rest, mut start) = (whole, 0);
    for last in 0..=M {
        // what lies before the next mutable part is only read
        let next = order.get(last).map(|k| mutable[*k].clone());
        let end = next.as_ref().map_or(start + rest.len(), |r| r.start);
        if end < start {
            overlap();
        }
        let (gap, behind) = std::mem::take(&mut rest).split_at_mut(end - start);
        let gap: &'a [T] = gap;
        for (part, range) in read.iter_mut().zip(&shared) {
            let inside = start <= range.start && range.end <= end && range.start < range.end;
            if inside {
                *part = &gap[range.start - start..range.end - start];
            }
        }
        if let Some(next) = next {
            let (part, behind) = behind.split_at_mut(next.end - next.start);
            lent[order[last]] = part;
            (rest, start) = (behind, next.end);
        }
    }
    for (part, range) in read.iter().zip(&shared) {
        if part.len() != range.len() {
            overlap();
        }
    }
    (lent, read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_stable() {
        let pool = &mut Pool::new();
        assert_eq!(
            sorted_total(&[2.0, -1.0, 2.0, 0.5], false, pool),
            [1, 3, 0, 2]
        );
        assert_eq!(
            sorted_partial(&[2.0, -1.0, 2.0, 0.5], true, pool),
            [0, 2, 3, 1]
        );
        assert_eq!(sorted_int(&[3, 1, 3, 2], false, pool), [1, 3, 0, 2]);
    }

    #[test]
    fn parts_in_any_order() {
        let mut x = [0, 1, 2, 3, 4, 5];
        let ([a, b], [c, d, e]) = parts(&mut x, [4..6, 1..2], [2..4, 0..1, 3..4]);
        assert_eq!((&*a, &*b), (&[4, 5][..], &[1][..]));
        assert_eq!((c, d, e), (&[2, 3][..], &[0][..], &[3][..]));
        let ([a, b], []) = parts(&mut x, [3..6, 3..3], []);
        assert_eq!((a.len(), b.len()), (3, 0));
    }

    #[test]
    #[should_panic(expected = "overlap")]
    #[allow(clippy::single_range_in_vec_init, reason = "one part of each kind")]
    fn overlapping_parts_panic() {
        parts(&mut [0, 1, 2], [0..2], [1..3]);
    }
}
