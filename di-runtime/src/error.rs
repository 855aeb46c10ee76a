//! What can go wrong with valid types: sizes, preparation, engines that do not do what is asked.

use core::fmt;

use crate::capability::Operator;
use crate::scalar::MissingPrimal;
use crate::value::Family;

/// Error of an operator.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The arguments are not those that the prep was made for.
    Preparation(Box<Comparison>),
    /// Arguments of one call do not fit each other: a result buffer, a tangent, an output.
    Shape(Box<Comparison>),
    /// The prep is in use: the function that is being differentiated calls the operator with it.
    InUse {
        /// The operator that was called.
        operator: Operator,
    },
    /// The backend cannot do this.
    Unsupported {
        /// The operator that was called.
        operator: Operator,
        /// The backend.
        backend: &'static str,
        /// Why, and what can be done instead.
        reason: &'static str,
    },
    /// A fixed chunk is larger than the number of inputs.
    Chunk {
        /// The chunk of the backend.
        chunk: usize,
        /// The largest one that is allowed.
        largest: usize,
    },
    /// A difference formula has too few points, or some of them twice.
    Stencil {
        /// Different points of the formula.
        points: usize,
        /// As many as its derivative needs.
        least: usize,
    },
    /// A branch depends on a value that the engine does not know.
    MissingPrimal(MissingPrimal),
}

/// Expected and found, argument by argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The operator that was called.
    pub operator: Operator,
    /// One row for each argument that was compared, also those that agree.
    pub rows: Vec<Row>,
}

/// One argument of a [`Comparison`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in the operator's documentation.
    pub argument: &'static str,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl Row {
    /// Do expectation and finding agree?
    pub fn agrees(&self) -> bool {
        self.expected == self.found
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let Row {
                argument,
                expected,
                found,
            } = row;
            if row.agrees() {
                write!(f, "\n  {argument}: {found}, as expected")?;
            } else {
                write!(f, "\n  {argument}: expected {expected}, found {found}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Preparation(comparison) => write!(
                f,
                "`{}` was called with arguments that its prep was not made for:{comparison}",
                comparison.operator
            ),
            Error::Shape(comparison) => write!(
                f,
                "`{}` was called with arguments that do not fit each other:{comparison}",
                comparison.operator
            ),
            Error::InUse { operator } => write!(
                f,
                "`{operator}` was called with a prep that is in use: expected a prep of its own for \
                 each call that runs at the same time, found one that is being used further up; clone it"
            ),
            Error::Unsupported {
                operator,
                backend,
                reason,
            } => write!(f, "`{backend}` does not do `{operator}`: {reason}"),
            Error::Chunk { chunk, largest } => write!(
                f,
                "the chunk of the backend is too large: expected at most {largest}, found {chunk}"
            ),
            Error::Stencil { points, least } => write!(
                f,
                "a difference formula has too few points: expected at least {least} different ones, \
                 found {points}"
            ),
            Error::MissingPrimal(missing) => missing.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::MissingPrimal(missing) => Some(missing),
            Error::Preparation(_)
            | Error::Shape(_)
            | Error::InUse { .. }
            | Error::Unsupported { .. }
            | Error::Chunk { .. }
            | Error::Stencil { .. } => None,
        }
    }
}

/// Compares two shapes.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_shape<F: Family>(
    operator: Operator,
    argument: &'static str,
    expected: &F::Shape,
    found: &F::Shape,
) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(misfit(operator, shape_row::<F>(argument, expected, found)))
}

/// Compares two numbers of things.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_count(
    operator: Operator,
    argument: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(misfit(operator, count_row(argument, expected, found)))
}

/// Compares rows and columns.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_size(
    operator: Operator,
    argument: &'static str,
    expected: (usize, usize),
    found: (usize, usize),
) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    let row = Row {
        argument,
        expected: format!("{expected:?}"),
        found: format!("{found:?}"),
    };
    Err(misfit(operator, row))
}

#[cold]
fn misfit(operator: Operator, row: Row) -> Error {
    Error::Shape(Box::new(Comparison {
        operator,
        rows: vec![row],
    }))
}

/// Two shapes as a row of a comparison.
pub(crate) fn shape_row<F: Family>(
    argument: &'static str,
    expected: &F::Shape,
    found: &F::Shape,
) -> Row {
    let text = |shape: &F::Shape| {
        let mut lengths = Vec::new();
        F::describe(shape, &mut lengths);
        format!("{lengths:?}")
    };
    Row {
        argument,
        expected: text(expected),
        found: text(found),
    }
}

/// Two numbers as a row of a comparison.
pub(crate) fn count_row(argument: &'static str, expected: usize, found: usize) -> Row {
    Row {
        argument,
        expected: expected.to_string(),
        found: found.to_string(),
    }
}
