//! What can be wrong with patterns, colorings and matrices.

use std::fmt;

/// A mistake in a pattern, a coloring or a sparse matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SparsityError {
    /// An entry lies outside the matrix.
    OutOfBounds {
        /// Row and column of the entry.
        entry: (usize, usize),
        /// Rows and columns of the matrix.
        shape: (usize, usize),
    },
    /// More rows, columns or entries than 32 bits count.
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// The count.
        found: usize,
    },
    /// The size of a pattern differs from that of what it is used with.
    Shape {
        /// What was compared.
        what: &'static str,
        /// Rows and columns that were expected.
        expected: (usize, usize),
        /// Rows and columns that were found.
        found: (usize, usize),
    },
    /// A list does not have the expected length.
    Length {
        /// What was compared.
        what: &'static str,
        /// Expected length.
        expected: usize,
        /// Found length.
        found: usize,
    },
    /// A pattern that must be symmetric is not.
    NotSymmetric {
        /// An entry whose mirror image is missing.
        entry: (usize, usize),
    },
    /// A matrix has other stored entries than the pattern.
    Pattern {
        /// First row (or column, in compressed columns) that differs.
        line: usize,
        /// Its entries in the pattern.
        expected: usize,
        /// Its entries in the matrix.
        found: usize,
    },
    /// A matrix is stored by columns instead of by rows, or the other way round.
    Storage {
        /// How it should be stored.
        expected: &'static str,
        /// How it is stored.
        found: &'static str,
    },
    /// Two entries cannot be separated with these colors.
    Coloring {
        /// An entry that the colors do not determine.
        entry: (usize, usize),
        /// What makes it undetermined.
        reason: &'static str,
    },
    /// A pattern of one kind of matrix is used for another.
    Kind {
        /// The kind that is needed.
        expected: &'static str,
        /// What the pattern is of.
        found: &'static str,
    },
    /// A derivative in a random direction disagrees with the entries of the matrix.
    Verification {
        /// A row where it differs; by pullbacks it may be a column.
        line: usize,
    },
    /// A pattern that may not hold cannot be verified: the derivative is not finite in this line.
    Unverified {
        /// The first row (or column, if columns are verified) that cannot be checked.
        line: usize,
    },
    /// A structured pattern does not contain an entry of the pattern it is used for.
    Structure {
        /// An entry outside the structure.
        entry: (usize, usize),
        /// The structure.
        structure: &'static str,
    },
}

impl fmt::Display for SparsityError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SparsityError::OutOfBounds {
                entry: (i, j),
                shape: (rows, columns),
            } => write!(
                out,
                "expected entries within a {rows} by {columns} matrix, found row {i}, column {j}"
            ),
            SparsityError::TooLarge { what, found } => write!(
                out,
                "expected at most {} {what}, found {found}",
                u32::MAX - 1
            ),
            SparsityError::Shape {
                what,
                expected,
                found,
            } => write!(
                out,
                "expected {what} of {} by {}, found {} by {}",
                expected.0, expected.1, found.0, found.1
            ),
            SparsityError::Length {
                what,
                expected,
                found,
            } => write!(out, "expected {expected} {what}, found {found}"),
            SparsityError::NotSymmetric { entry: (i, j) } => write!(
                out,
                "expected a symmetric pattern, found entry ({i}, {j}) without ({j}, {i})"
            ),
            SparsityError::Pattern {
                line,
                expected,
                found,
            } if expected == found => write!(
                out,
                "expected a matrix with the stored entries of the pattern, found others in row or column {line}"
            ),
            SparsityError::Pattern {
                line,
                expected,
                found,
            } => write!(
                out,
                "expected a matrix with the stored entries of the pattern, {expected} in row or column {line}, found {found}"
            ),
            SparsityError::Storage { expected, found } => write!(
                out,
                "expected a matrix stored by {expected}, found one stored by {found}"
            ),
            SparsityError::Coloring {
                entry: (i, j),
                reason,
            } => write!(
                out,
                "expected colors that determine entry ({i}, {j}), found that {reason}"
            ),
            SparsityError::Kind { expected, found } => {
                write!(
                    out,
                    "expected the pattern of {expected}, found that of {found}"
                )
            }
            SparsityError::Verification { line } => write!(
                out,
                "expected a pattern that holds at this point and with these constants, found that line {line} \
                 of the matrix has other entries; prepare anew, with a pattern that holds here"
            ),
            SparsityError::Unverified { line } => write!(
                out,
                "expected derivatives that are finite, to verify the pattern by, found others in line {line} of the \
                 matrix; call it where they are finite, or trust the pattern by `.verify(Verify::Never)`"
            ),
            SparsityError::Structure {
                entry: (i, j),
                structure,
            } => write!(
                out,
                "expected entries within the {structure} structure, found row {i}, column {j}"
            ),
        }
    }
}

impl std::error::Error for SparsityError {}
