//! Colors of structured matrices, known without a search.

use super::algorithm::ColoringAlgorithm;
use super::{Coloring, Partition, by_columns, by_rows, given};
use crate::{Error, Pattern};

/// A matrix whose structure determines its colors. The pattern must lie within the structure, which is checked. Cost:
/// linear.
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Pattern, Structured};
///
/// let band = Pattern::banded((100, 100), 2, 1)?;
/// let coloring = Structured::Banded { lower: 2, upper: 1 }.columns(&band)?;
/// assert_eq!(coloring.ncolors(), 4);
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Structured {
    /// One color.
    Diagonal,
    /// Entries with `j - i` from `-lower` to `upper`: `lower + upper + 1` colors.
    Banded {
        /// Diagonals below the main one.
        lower: usize,
        /// Diagonals above the main one.
        upper: usize,
    },
    /// Blocks along the diagonal: as many colors as the larger side of a block, of rows or columns, has.
    Blocks {
        /// Rows of each block.
        rows: usize,
        /// Columns of each block.
        columns: usize,
    },
}

impl Structured {
    fn check(self, pattern: &Pattern) -> Result<(), Error> {
        let (inside, structure): (Box<dyn Fn(usize, usize) -> bool>, _) = match self {
            Structured::Diagonal => (Box::new(|i, j| i == j), "diagonal"),
            Structured::Banded { lower, upper } => (
                Box::new(move |i, j| j + lower >= i && j <= i + upper),
                "banded",
            ),
            Structured::Blocks { rows, columns } => (
                Box::new(move |i, j| i.checked_div(rows) == j.checked_div(columns)),
                "block diagonal",
            ),
        };
        match pattern.entries().find(|(i, j)| !inside(*i, *j)) {
            None => Ok(()),
            Some(entry) => Err(Error::Structure { entry, structure }),
        }
    }

    /// Colors of `n` columns, or rows.
    fn colors(self, n: usize, of_columns: bool) -> Vec<u32> {
        let period = match self {
            Structured::Diagonal => 1,
            Structured::Banded { lower, upper } => lower + upper + 1,
            Structured::Blocks { rows, columns } => {
                if of_columns {
                    columns
                } else {
                    rows
                }
            }
        };
        (0..n).map(|j| (j % period.max(1)) as u32).collect()
    }
}

impl ColoringAlgorithm for Structured {
    fn columns(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        self.check(pattern)?;
        Ok(by_columns(pattern, self.colors(pattern.shape().1, true)))
    }

    fn rows(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        self.check(pattern)?;
        Ok(by_rows(pattern, self.colors(pattern.shape().0, false)))
    }

    fn symmetric(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        self.check(pattern)?;
        let colors = self.colors(pattern.shape().1, true);
        given::verified(pattern, Partition::Symmetric, &colors, &[])
    }

    fn bidirectional(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        let (columns, rows) = (self.columns(pattern)?, self.rows(pattern)?);
        Ok(if rows.ncolors() < columns.ncolors() {
            rows
        } else {
            columns
        })
    }
}
