//! What can be wrong with a pattern.

use std::fmt;

/// A mistake in the description of a sparse matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An entry lies outside of the matrix.
    OutOfBounds {
        /// Row and column of the entry.
        entry: (usize, usize),
        /// Rows and columns of the matrix.
        shape: (usize, usize),
    },
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::OutOfBounds {
                entry: (i, j),
                shape: (rows, columns),
            } => write!(
                out,
                "expected entries within a {rows} by {columns} matrix, found row {i}, column {j}"
            ),
        }
    }
}

impl std::error::Error for Error {}
