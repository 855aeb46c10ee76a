//! Values of a sparse matrix for one whose pattern was made before, line by line.

use std::ops::Range;

use sprs::CsMat;

use super::{MADE, MatrixCopy};
use crate::error::Error;
use crate::scalar::Real;
use crate::sparsity::SparsityError;

/// The stored entries of a matrix of another crate.
pub(super) struct Stored<'a, R, L, I> {
    /// Are lines rows?
    pub by_rows: bool,
    /// The number of lines.
    pub lines: usize,
    /// Places of the entries of a line.
    pub range: L,
    /// Where in its line the entry of a place stands.
    pub index: I,
    /// One value for each place.
    pub values: &'a mut [R],
}

impl<R, L, I> Stored<'_, R, L, I>
where
    R: Real,
    L: Fn(usize) -> Range<usize>,
    I: Fn(usize) -> usize,
{
    /// Copies all values. Entries are expected in order; there is no search.
    ///
    /// # Errors
    /// [`Error::Sparsity`] if other entries are stored.
    pub(super) fn fill(self, copy: &mut MatrixCopy<CsMat<R>>) -> Result<(), Error> {
        let MatrixCopy { matrix, next } = copy;
        let matrix = matrix.as_ref().expect(MADE);
        next.clear();
        next.extend((0..self.lines).map(|line| (self.range)(line).start));
        let straight = matrix.is_csr() == self.by_rows;
        for (outer, entries) in matrix.outer_iterator().enumerate() {
            for (inner, value) in entries.iter() {
                let (line, index) = match straight {
                    true => (outer, inner),
                    false => (inner, outer),
                };
                let place = next[line];
                if place >= (self.range)(line).end || (self.index)(place) != index {
                    return Err(self.difference(matrix, line));
                }
                self.values[place] = *value;
                next[line] = place + 1;
            }
        }
        match (0..self.lines).find(|line| next[*line] != (self.range)(*line).end) {
            None => Ok(()),
            Some(line) => Err(self.difference(matrix, line)),
        }
    }

    #[cold]
    fn difference(&self, matrix: &CsMat<R>, line: usize) -> Error {
        let here = |outer: usize, inner: usize| match matrix.is_csr() == self.by_rows {
            true => outer == line,
            false => inner == line,
        };
        let outer = matrix.outer_iterator().enumerate();
        let entries = outer.flat_map(|(outer, entries)| {
            let inner: Vec<usize> = entries.indices().to_vec();
            inner.into_iter().map(move |inner| (outer, inner))
        });
        Error::from(SparsityError::Pattern {
            line,
            expected: entries
                .filter(|(outer, inner)| here(*outer, *inner))
                .count(),
            found: (self.range)(line).len(),
        })
    }
}
