//! Compressed Jacobians and Hessians: sums of the columns, or rows, that have the same color.
//!
//! A backend seeds all colors of a pass at once and hands the lanes of its results to a [`Reader`], which
//! picks the entries it wants. Nothing here knows patterns.

use std::sync::Arc;

use crate::scalar::Real;
use crate::value::{Entry, Family};

/// The color of inputs (or results) that are not seeded.
pub const NEUTRAL: u32 = u32::MAX;

/// Colors of inputs, for sums of columns, or of results, for sums of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds {
    colors: Arc<[u32]>,
    count: usize,
}

impl Seeds {
    /// One color for each line; [`NEUTRAL`] for those that are in no sum.
    pub fn new(colors: impl Into<Arc<[u32]>>) -> Self {
        let colors = colors.into();
        let used = colors.iter().filter(|color| **color != NEUTRAL);
        let count = used.max().map_or(0, |color| *color as usize + 1);
        Seeds { colors, count }
    }

    /// The color of each line.
    pub fn colors(&self) -> &[u32] {
        &self.colors
    }

    /// Number of colors.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Visits each seeded line whose color is among `count` from `first`, with its lane.
    pub fn each(&self, first: usize, count: usize, mut visit: impl FnMut(usize, usize)) {
        for (line, color) in self.colors.iter().enumerate() {
            if let Some(lane) = (*color as usize).checked_sub(first)
                && lane < count
            {
                visit(line, lane);
            }
        }
    }
}

/// Takes entries out of the results of a sweep.
pub trait Reader<R: Real> {
    /// Line `i` of `lines` has the entries of line `i` in the sums of the colors from `first` on.
    fn take<const W: usize>(&mut self, first: usize, lines: &[[R; W]]);
}

/// Hands results over that are nothing but their lanes: as they are if they lie in one piece, else by way of `copy`.
#[inline]
pub(crate) fn read<F: Family, R: Real, const W: usize>(
    results: F::LanesRef<'_, [R; W]>,
    copy: &mut Vec<[R; W]>,
    first: usize,
    reader: &mut impl Reader<R>,
) {
    match F::flat(results) {
        Some(lines) => reader.take(first, lines),
        None => {
            copy.clear();
            F::each(results, &mut |line| copy.push(line));
            reader.take(first, copy);
        }
    }
}

/// Hands the sums of one color over.
#[inline]
pub(crate) fn read_one<F: Family, R: Real>(
    results: F::LanesRef<'_, R>,
    copy: &mut Vec<[R; 1]>,
    first: usize,
    reader: &mut impl Reader<R>,
) {
    match F::flat(results) {
        Some(lines) => reader.take(first, lines.as_chunks::<1>().0),
        None => {
            copy.clear();
            F::each(results, &mut |line| copy.push([line]));
            reader.take(first, copy);
        }
    }
}

/// Hands lanes of numbers over, by way of `copy`: what is read out of lanes that lie side by side is found by one
/// index, which is faster than the copy is long.
#[inline]
pub(crate) fn read_lanes<F: Family, R: Real, T: Entry, const W: usize>(
    results: F::LanesRef<'_, T>,
    copy: &mut Vec<[R; W]>,
    first: usize,
    reader: &mut impl Reader<R>,
    lanes: impl Fn(&T) -> &[R; W],
) {
    copy.clear();
    match F::flat(results) {
        Some(lines) => copy.extend(lines.iter().map(|line| *lanes(line))),
        None => F::each(results, &mut |line| copy.push(*lanes(&line))),
    }
    reader.take(first, copy);
}
