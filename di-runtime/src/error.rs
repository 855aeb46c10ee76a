//! Errors that occur with valid types: sizes, preparation, operators that an engine does not support.

mod checks;

use core::cell::{Cell, RefCell};
use core::fmt;
use std::sync::Arc;

use crate::capability::Operator;
use crate::scalar::MissingPrimal;
use crate::sparsity::SparsityError;

pub use checks::check_lanes;
pub(crate) use checks::{
    check_count, check_results, check_shape, check_size, check_tangents, count_row, shape_row,
};

/// Error of an operator.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The arguments do not fit the prep.
    Preparation(Box<Comparison>),
    /// The arguments of one call do not fit each other: a result buffer, a tangent, an output.
    Shape(Box<Comparison>),
    /// The prep is in use: the function that is being differentiated calls an operator with the same prep.
    InUse {
        /// The operator that was called.
        operator: Operator,
    },
    /// The backend does not support this.
    Unsupported {
        /// The operator that was called.
        operator: Operator,
        /// The backend.
        backend: &'static str,
        /// Why, and what can be done instead.
        reason: &'static str,
    },
    /// A fixed chunk is zero, or larger than the number of inputs or than the widest lanes.
    Chunk {
        /// The chunk of the backend.
        chunk: usize,
        /// The largest one that is allowed.
        largest: usize,
    },
    /// A difference formula has too few points, or repeated ones.
    Stencil {
        /// Number of different points in the formula.
        points: usize,
        /// The number that its derivative needs.
        least: usize,
    },
    /// The function itself failed: it returns a `Result`, and this is its error.
    Function(Failure),
    /// A gradient disagrees with differences.
    Gradient(Box<Disagreement>),
    /// A derivative of too high an order.
    Order {
        /// The order that was requested.
        order: usize,
        /// The highest order that is supported.
        highest: usize,
    },
    /// A recording is not valid for this call, and the backend must not record again.
    Recorded {
        /// The operator that was called.
        operator: Operator,
        /// What has changed.
        change: Change,
    },
    /// There is no backend with this name.
    Backend {
        /// The valid names.
        expected: Vec<&'static str>,
        /// The name that was requested.
        found: String,
    },
    /// A branch depends on a value that the engine does not know.
    MissingPrimal(MissingPrimal),
    /// A pattern, a coloring or a sparse matrix is wrong.
    Sparsity(Box<SparsityError>),
}

impl From<SparsityError> for Error {
    fn from(error: SparsityError) -> Self {
        Error::Sparsity(Box::new(error))
    }
}

/// The error of a function that is differentiated.
#[derive(Clone, Debug)]
pub struct Failure(Arc<dyn std::error::Error + Send + Sync>);

impl Failure {
    /// The error as the function returned it, if it is of this type.
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl PartialEq for Failure {
    /// Is it the same error, and not just an equal one?
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

thread_local! {
    static FAILED: Cell<bool> = const { Cell::new(false) };
    static FAILURE: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Notes the error of a function that is differentiated: its own call cannot return it. The first one stays until
/// the operator takes it.
#[cold]
pub fn fail(error: Box<dyn std::error::Error + Send + Sync>) {
    FAILED.with(|failed| failed.set(true));
    FAILURE.with(|failure| {
        failure
            .borrow_mut()
            .get_or_insert_with(|| Failure(Arc::from(error)));
    });
}

/// Runs an operator and returns its result, or the error of the function if that failed meanwhile. Every operator
/// runs through this; without it, a function that fails would have an arbitrary value.
///
/// Operators may be nested: a failure outside stays noted.
///
/// # Errors
/// [`Error::Function`], before that of `run`.
#[inline]
pub fn settle<T>(run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let settling = Settling::begin();
    let result = run();
    settling.end(result)
}

/// The same in two parts, for what is run by code of many types: there is less of it than with a closure.
///
/// What failed outside is noted again when this is dropped, so that an operator that panics loses only its own.
#[must_use]
pub(crate) struct Settling {
    /// What failed outside.
    before: Option<Failure>,
}

impl Drop for Settling {
    #[inline]
    fn drop(&mut self) {
        if has_failed() || self.before.is_some() {
            restore(self.before.take());
        }
    }
}

impl Settling {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn begin() -> Self {
        let before = if has_failed() { take_failure() } else { None };
        Settling { before }
    }

    /// The operator's result, or the error of the function if it failed.
    ///
    /// Only the value of a success is moved: to move the whole result copies the error's bytes too, in wider pieces than
    /// they were written, which takes a processor as long as a gradient by ten inputs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn end<T>(self, result: Result<T, Error>) -> Result<T, Error> {
        match result {
            Ok(value) if !has_failed() && self.before.is_none() => {
                core::mem::forget(self);
                Ok(value)
            }
            Ok(value) => match self.late() {
                Some(failure) => Err(Error::Function(failure)),
                None => Ok(value),
            },
            Err(error) => Err(self.late().map_or(error, Error::Function)),
        }
    }

    /// The error of the function if it failed, or that of the operator, which ends if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn check<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        match result {
            Ok(value) => Ok(value),
            Err(error) => Err(take_failure().map_or(error, Error::Function)),
        }
    }

    #[cold]
    #[inline(never)]
    fn late(self) -> Option<Failure> {
        take_failure()
    }
}

/// Has a function failed since the operator began? Then its result must not be kept.
#[inline]
pub fn has_failed() -> bool {
    FAILED.with(Cell::get)
}

#[cold]
#[inline(never)]
pub(crate) fn take_failure() -> Option<Failure> {
    FAILED.with(|failed| failed.set(false));
    FAILURE.with(|failure| failure.borrow_mut().take())
}

#[cold]
pub(crate) fn restore(failure: Option<Failure>) {
    FAILED.with(|failed| failed.set(failure.is_some()));
    FAILURE.with(|kept| *kept.borrow_mut() = failure);
}

/// Where a gradient differs from differences. Its text is a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// Number of inputs.
    pub inputs: usize,
    /// The entries that differ.
    pub entries: Vec<Entry>,
}

/// One entry of a gradient that differs from differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its flat index.
    pub index: usize,
    /// The entry by the backend.
    pub gradient: f64,
    /// The entry by differences.
    pub differences: f64,
    /// The uncertainty of the differences.
    pub uncertainty: f64,
}

/// Entries in a message.
const SHOWN: usize = 10;

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, n) = (self.entries.len(), self.inputs);
        write!(
            f,
            "{count} of {n} entries of the gradient differ from differences:"
        )?;
        for e in self.entries.iter().take(SHOWN) {
            write!(
                f,
                "\n  entry {}: expected {:e} (uncertain by {:.0e}), found {:e}",
                e.index, e.differences, e.uncertainty, e.gradient
            )?;
        }
        if count > SHOWN {
            write!(f, "\n  and {} more", count - SHOWN)?;
        }
        Ok(())
    }
}

impl std::error::Error for Disagreement {}

/// Why a recorded function cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A comparison of values, or an integer part, has another outcome.
    Branch,
    /// A constant, or a passive field, has another value.
    Constants,
    /// There are constants that cannot be compared.
    Opaque,
    /// There is foreign code, which cannot be recorded.
    Foreign,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Change::Branch => {
                "expected the branches that were recorded, found that a comparison of values, or an \
                 integer part, has another outcome"
            }
            Change::Constants => {
                "expected the constants that were recorded, found that one has another value"
            }
            Change::Opaque => {
                "expected constants that can be compared, found a type that does not implement `Constant`"
            }
            Change::Foreign => {
                "expected arithmetic and elementary functions, found a custom rule"
            }
        })
    }
}

/// A comparison of expected and found, argument by argument.
#[derive(Clone, PartialEq)]
pub struct Comparison {
    /// The operator that was called.
    pub operator: Operator,
    /// One row for each argument that was compared, including those that agree.
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
    /// Do they agree?
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

/// The rows as they are displayed: this is what `main` and `unwrap` print for an error.
impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`{self}", self.operator)
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
                "`{operator}` was called with a prep that is in use: expected a separate prep for \
                 each call that runs at the same time, found one that an outer call is using; clone it"
            ),
            Error::Unsupported {
                operator,
                backend,
                reason,
            } => write!(f, "`{backend}` does not support `{operator}`: {reason}"),
            Error::Chunk { chunk, largest } => write!(
                f,
                "the fixed chunk of the backend does not fit: expected 1 to {largest} (the number of inputs, or of the \
                 widest lanes), found {chunk}"
            ),
            Error::Backend { expected, found } => write!(
                f,
                "there is no backend with this name: expected one of `{}`, found `{found}`",
                expected.join("`, `")
            ),
            Error::Stencil { points, least } => write!(
                f,
                "a difference formula has too few points: expected at least {least} different ones, \
                 found {points}"
            ),
            Error::Function(failure) => failure.fmt(f),
            Error::Gradient(disagreement) => disagreement.fmt(f),
            Error::Order { order, highest } => write!(
                f,
                "the order is too high: expected at most {highest}, found {order}"
            ),
            Error::Recorded { operator, change } => write!(
                f,
                "the recording that `{operator}` replays is not valid for this call: {change}; `AutoTape::new()` records \
                 again, `AutoTape::eager()` records in each call"
            ),
            Error::MissingPrimal(missing) => missing.fmt(f),
            Error::Sparsity(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Function(failure) => Some(&*failure.0),
            Error::Gradient(disagreement) => Some(&**disagreement),
            Error::MissingPrimal(missing) => Some(missing),
            Error::Sparsity(error) => Some(error),
            Error::Preparation(_)
            | Error::Shape(_)
            | Error::InUse { .. }
            | Error::Unsupported { .. }
            | Error::Chunk { .. }
            | Error::Backend { .. }
            | Error::Stencil { .. }
            | Error::Order { .. }
            | Error::Recorded { .. } => None,
        }
    }
}
