//! Which entries of a matrix may differ from zero. Knows no numbers.

use std::sync::Arc;

use crate::Error;

/// A sparsity pattern: the positions of a matrix that may differ from zero.
///
/// Positions are stored by compressed rows, in increasing order, each once, and counted in 32 bits. Clones share them.
///
/// # Examples
/// ```
/// use di_sparse::Pattern;
///
/// let bidiagonal = Pattern::from_entries((2, 3), [(0, 0), (0, 1), (1, 1), (1, 2)])?;
/// assert_eq!(bidiagonal.row(1), [1, 2]);
/// assert!(!bidiagonal.contains(1, 0));
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    rows: usize,
    columns: usize,
    starts: Arc<Vec<u32>>,
    indices: Arc<Vec<u32>>,
}

/// The largest count that fits beside the mark of what is absent.
const MOST: usize = u32::MAX as usize - 1;

fn check_count(what: &'static str, found: usize) -> Result<(), Error> {
    if found > MOST {
        return Err(Error::TooLarge { what, found });
    }
    Ok(())
}

impl Pattern {
    /// The pattern of a matrix of `shape` (rows, columns) with the given entries, in any order, repeated or not.
    ///
    /// Cost: linear in rows, columns and entries.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if an entry lies outside the matrix; [`Error::TooLarge`].
    pub fn from_entries(
        shape: (usize, usize),
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, Error> {
        let (rows, columns) = shape;
        check_count("rows", rows)?;
        check_count("columns", columns)?;
        let mut list = Vec::new();
        for entry in entries {
            if entry.0 >= rows || entry.1 >= columns {
                return Err(Error::OutOfBounds { entry, shape });
            }
            list.push((entry.0 as u32, entry.1 as u32));
        }
        check_count("entries", list.len())?;
        Ok(Pattern::from_pairs(rows, columns, &list))
    }

    /// Pairs within bounds, in any order, repeated or not: sorted by column, then by row.
    pub(crate) fn from_pairs(rows: usize, columns: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; columns + 1];
        for (_, j) in pairs {
            starts[*j as usize + 1] += 1;
        }
        cumulate(&mut starts);
        let mut next = starts.clone();
        let mut by_column = vec![0u32; pairs.len()];
        for (i, j) in pairs {
            let at = &mut next[*j as usize];
            by_column[*at as usize] = *i;
            *at += 1;
        }
        let mut pattern = transposed(columns, rows, &starts, &by_column);
        pattern.drop_repetitions();
        pattern
    }

    /// The pattern with these columns in each row, in any order, repeated or not.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::TooLarge`].
    pub fn from_rows<R: AsRef<[usize]>>(columns: usize, rows: &[R]) -> Result<Self, Error> {
        let entries = rows.iter().enumerate();
        let entries = entries.flat_map(|(i, row)| row.as_ref().iter().map(move |&j| (i, j)));
        Pattern::from_entries((rows.len(), columns), entries)
    }

    /// The stored entries of a sparse matrix, whatever their values.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn of<T>(matrix: &sprs::CsMat<T>) -> Result<Self, Error> {
        let lines = matrix.outer_iterator().enumerate();
        let by_rows = matrix.is_csr();
        let entries = lines.flat_map(|(outer, line)| {
            let inner: Vec<usize> = line.indices().to_vec();
            inner.into_iter().map(move |inner| {
                if by_rows {
                    (outer, inner)
                } else {
                    (inner, outer)
                }
            })
        });
        Pattern::from_entries(matrix.shape(), entries)
    }

    /// A symmetric pattern from pairs whose first is not the smaller one: ascending, each once. Cost: linear.
    pub(crate) fn from_lower(n: usize, pairs: &[(u32, u32)]) -> Result<Self, Error> {
        let mirrored = pairs.iter().filter(|(i, j)| i != j).count();
        check_count("rows", n)?;
        check_count("entries", pairs.len() + mirrored)?;
        let mut starts = vec![0u32; n + 1];
        for (i, j) in pairs {
            starts[*i as usize + 1] += 1;
            starts[*j as usize + 1] += u32::from(i != j);
        }
        cumulate(&mut starts);
        let mut next = starts.clone();
        let mut indices = vec![0u32; pairs.len() + mirrored];
        let mut put = |i: u32, j: u32| {
            let at = &mut next[i as usize];
            indices[*at as usize] = j;
            *at += 1;
        };
        // each row: first what is below the diagonal, ascending, then what is above it
        for &(i, j) in pairs {
            put(i, j);
            if i != j {
                put(j, i);
            }
        }
        Ok(Pattern::from_parts(n, starts, indices))
    }

    /// Compressed rows that are known to be sorted and within bounds.
    pub(crate) fn from_parts(columns: usize, starts: Vec<u32>, indices: Vec<u32>) -> Self {
        debug_assert!(
            starts
                .last()
                .is_some_and(|end| *end as usize == indices.len())
        );
        Pattern {
            rows: starts.len() - 1,
            columns,
            starts: Arc::new(starts),
            indices: Arc::new(indices),
        }
    }

    /// All entries.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn dense(rows: usize, columns: usize) -> Result<Self, Error> {
        check_count("entries", rows.saturating_mul(columns))?;
        check_count("rows", rows)?;
        check_count("columns", columns)?;
        let starts = (0..=rows).map(|i| (i * columns) as u32).collect();
        let indices = (0..rows).flat_map(|_| 0..columns as u32).collect();
        Ok(Pattern::from_parts(columns, starts, indices))
    }

    /// The diagonal of a square matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn diagonal(n: usize) -> Result<Self, Error> {
        Pattern::banded((n, n), 0, 0)
    }

    /// Entries with `j - i` from `-lower` to `upper`.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn banded(shape: (usize, usize), lower: usize, upper: usize) -> Result<Self, Error> {
        let band = |i: usize| {
            let end = shape.1.min(i.saturating_add(upper).saturating_add(1));
            (i.saturating_sub(lower)..end).map(move |j| (i, j))
        };
        Pattern::from_entries(shape, (0..shape.0).flat_map(band))
    }

    /// Square blocks of these sizes along the diagonal.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn blocks(sizes: &[usize]) -> Result<Self, Error> {
        let n = sizes.iter().sum();
        let mut first = 0;
        let mut entries = Vec::new();
        for &size in sizes {
            for i in first..first + size {
                entries.extend((first..first + size).map(|j| (i, j)));
            }
            first += size;
        }
        Pattern::from_entries((n, n), entries)
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Number of positions in the pattern.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether the matrix is known to be zero.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Whether entry `(i, j)` may differ from zero. Cost: logarithmic in the length of the row.
    pub fn contains(&self, i: usize, j: usize) -> bool {
        i < self.rows && u32::try_from(j).is_ok_and(|j| self.row(i).binary_search(&j).is_ok())
    }

    /// The columns of row `i`, in increasing order.
    ///
    /// # Panics
    /// If there is no row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[u32] {
        &self.indices[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Where each row begins in [`Pattern::indices`], and where the last one ends.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The columns of all rows, one row after the other.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// Row and column of each entry, row by row.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows).flat_map(|i| self.row(i).iter().map(move |j| (i, *j as usize)))
    }

    /// Rows and columns exchanged. Cost: linear.
    pub fn transpose(&self) -> Pattern {
        transposed(self.rows, self.columns, &self.starts, &self.indices)
    }

    /// For each entry in the order of columns, its place in the order of rows.
    pub(crate) fn by_columns(&self) -> (Pattern, Vec<u32>) {
        let transpose = self.transpose();
        let mut next = transpose.starts().to_vec();
        let mut places = vec![0u32; self.len()];
        for (place, j) in self.indices.iter().enumerate() {
            let at = &mut next[*j as usize];
            places[*at as usize] = place as u32;
            *at += 1;
        }
        (transpose, places)
    }

    /// Are `(i, j)` and `(j, i)` always there together? Cost: linear.
    pub fn is_symmetric(&self) -> bool {
        self.rows == self.columns && self.transpose() == *self
    }

    /// The smallest symmetric pattern that contains this one.
    ///
    /// # Errors
    /// [`Error::Shape`] if the matrix is not square; [`Error::TooLarge`].
    pub fn symmetrized(&self) -> Result<Pattern, Error> {
        self.union(&self.transpose())
    }

    /// All entries of both.
    ///
    /// # Errors
    /// [`Error::Shape`] if the sizes differ; [`Error::TooLarge`].
    pub fn union(&self, other: &Pattern) -> Result<Pattern, Error> {
        self.check_shape("a pattern", other.shape())?;
        let entries = self.entries().chain(other.entries());
        Pattern::from_entries(self.shape(), entries)
    }

    /// Does it contain all entries of the other?
    pub fn covers(&self, other: &Pattern) -> bool {
        self.shape() == other.shape() && other.entries().all(|(i, j)| self.contains(i, j))
    }

    /// The entries on and below the diagonal.
    pub fn lower(&self) -> Pattern {
        self.filtered(|i, j| j <= i)
    }

    /// The entries on and above the diagonal.
    pub fn upper(&self) -> Pattern {
        self.filtered(|i, j| j >= i)
    }

    fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Pattern {
        let mut starts = vec![0u32];
        let mut indices = Vec::new();
        for i in 0..self.rows {
            indices.extend(self.row(i).iter().filter(|j| keep(i, **j as usize)));
            starts.push(indices.len() as u32);
        }
        Pattern::from_parts(self.columns, starts, indices)
    }

    /// A matrix of zeros with this pattern stored, as a place for the values: compressed rows.
    pub fn zeros(&self) -> crate::Matrix {
        let starts = self.starts.iter().map(|at| *at as usize).collect();
        let indices = self.indices.iter().map(|j| *j as usize).collect();
        sprs::CsMat::new(self.shape(), starts, indices, vec![0.0; self.len()])
    }

    pub(crate) fn check_shape(
        &self,
        what: &'static str,
        found: (usize, usize),
    ) -> Result<(), Error> {
        if self.shape() == found {
            return Ok(());
        }
        Err(Error::Shape {
            what,
            expected: self.shape(),
            found,
        })
    }

    /// Rows are sorted: what is repeated stands side by side.
    fn drop_repetitions(&mut self) {
        let starts = Arc::make_mut(&mut self.starts);
        let indices = Arc::make_mut(&mut self.indices);
        let (mut kept, mut from) = (0, 0);
        for i in 0..self.rows {
            let first = kept;
            let end = starts[i + 1] as usize;
            for at in from..end {
                let j = indices[at];
                if kept == first || indices[kept - 1] != j {
                    indices[kept] = j;
                    kept += 1;
                }
            }
            from = end;
            starts[i + 1] = kept as u32;
        }
        indices.truncate(kept);
    }
}

/// Counts to first places.
pub(crate) fn cumulate(starts: &mut [u32]) {
    let mut sum = 0;
    for start in starts {
        sum += *start;
        *start = sum;
    }
}

fn transposed(rows: usize, columns: usize, starts: &[u32], indices: &[u32]) -> Pattern {
    // one place further than in the end: where a line goes on is where the one before it has ended
    let mut new_starts = vec![0u32; columns + 2];
    for j in indices {
        new_starts[*j as usize + 2] += 1;
    }
    cumulate(&mut new_starts);
    let mut new_indices = vec![0u32; indices.len()];
    for i in 0..rows {
        for j in &indices[starts[i] as usize..starts[i + 1] as usize] {
            let at = &mut new_starts[*j as usize + 1];
            new_indices[*at as usize] = i as u32;
            *at += 1;
        }
    }
    new_starts.pop();
    Pattern::from_parts(rows, new_starts, new_indices)
}

#[cfg(test)]
mod tests {
    use super::Pattern;
    use crate::Error;

    #[test]
    fn entries_come_in_any_order_and_count_once() {
        let entries = [(2, 1), (0, 2), (2, 0), (0, 2)];
        let pattern = Pattern::from_entries((3, 3), entries).unwrap();
        assert_eq!(pattern.shape(), (3, 3));
        assert_eq!(pattern.len(), 3);
        assert_eq!(pattern.row(0), [2]);
        assert_eq!(pattern.row(1), [0u32; 0]);
        assert_eq!(pattern.row(2), [0, 1]);
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(
                    pattern.contains(i, j),
                    entries.contains(&(i, j)),
                    "({i}, {j})"
                );
            }
        }
    }

    #[test]
    fn matrix_without_rows_has_an_empty_pattern() {
        let pattern = Pattern::from_entries((0, 4), []).unwrap();
        assert!(pattern.is_empty());
        assert!(!pattern.contains(0, 0));
        assert_eq!(pattern.transpose().shape(), (4, 0));
    }

    #[test]
    fn entry_outside_is_shown_beside_the_shape() {
        let error = Pattern::from_entries((2, 3), [(1, 3)]).unwrap_err();
        let (entry, shape) = ((1, 3), (2, 3));
        assert_eq!(error, Error::OutOfBounds { entry, shape });
        let text = "expected entries within a 2 by 3 matrix, found row 1, column 3";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn zeros_have_the_pattern_stored() {
        let pattern = Pattern::from_entries((2, 2), [(0, 1), (1, 0)]).unwrap();
        let zeros = pattern.zeros();
        assert_eq!(zeros.nnz(), 2);
        assert_eq!(zeros.get(0, 1), Some(&0.0));
        assert_eq!(zeros.get(0, 0), None);
        assert_eq!(Pattern::of(&zeros).unwrap(), pattern);
    }

    #[test]
    fn structured_patterns_have_their_entries() {
        let band = Pattern::banded((3, 4), 0, 1).unwrap();
        let expected = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3)];
        assert!(band.entries().eq(expected));
        let blocks = Pattern::blocks(&[1, 2]).unwrap();
        assert!(
            blocks
                .entries()
                .eq([(0, 0), (1, 1), (1, 2), (2, 1), (2, 2)])
        );
        assert!(blocks.is_symmetric() && !band.is_symmetric());
        assert_eq!(Pattern::dense(2, 3).unwrap().len(), 6);
        assert!(
            blocks
                .lower()
                .entries()
                .eq([(0, 0), (1, 1), (2, 1), (2, 2)])
        );
        assert_eq!(blocks.lower().transpose(), blocks.upper());
        assert_eq!(blocks.lower().symmetrized().unwrap(), blocks);
    }
}
