//! Which entries of a matrix may differ from zero. Knows no numbers.

use crate::Error;
use sprs::CsMat;

/// A sparsity pattern: the positions of a matrix that may hold something else than zero.
///
/// Positions are stored by compressed rows, in increasing order, each once.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    structure: CsMat<()>,
}

impl Pattern {
    /// The pattern of a matrix of `shape` (rows, columns) with the given entries, in any order, repeated or not.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if an entry lies outside of the matrix.
    pub fn from_entries(
        shape: (usize, usize),
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, Error> {
        let mut entries: Vec<(usize, usize)> = entries.into_iter().collect();
        let outside = |(i, j): &(usize, usize)| *i >= shape.0 || *j >= shape.1;
        if let Some(&entry) = entries.iter().find(|entry| outside(entry)) {
            return Err(Error::OutOfBounds { entry, shape });
        }
        entries.sort_unstable();
        entries.dedup();
        let mut starts = vec![0; shape.0 + 1];
        for (i, _) in &entries {
            starts[i + 1] += 1;
        }
        for i in 0..shape.0 {
            starts[i + 1] += starts[i];
        }
        let columns: Vec<usize> = entries.iter().map(|(_, j)| *j).collect();
        let nothing = vec![(); columns.len()];
        Ok(Pattern {
            structure: CsMat::new(shape, starts, columns, nothing),
        })
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.structure.shape()
    }

    /// Number of positions in the pattern.
    pub fn len(&self) -> usize {
        self.structure.nnz()
    }

    /// Whether the matrix is known to be zero.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether entry `(i, j)` may differ from zero. Cost: logarithmic in the length of the row.
    pub fn contains(&self, i: usize, j: usize) -> bool {
        i < self.shape().0 && self.row(i).binary_search(&j).is_ok()
    }

    /// The columns of row `i`, in increasing order.
    ///
    /// # Panics
    /// If there is no row `i`.
    pub fn row(&self, i: usize) -> &[usize] {
        let range = self.structure.indptr().outer_inds_sz(i);
        &self.structure.indices()[range]
    }

    /// A matrix of zeros with this pattern stored, as a place for the values.
    pub fn zeros(&self) -> crate::Matrix {
        self.structure.map(|()| 0.0)
    }
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
        assert_eq!(pattern.row(1), [0; 0]);
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
    }
}
