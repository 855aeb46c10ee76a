//! Colorings: which columns or rows of a matrix can be computed together, and how its entries are
//! read.
//!
//! A *compressed* matrix has one column (or row) for each color: the sum of the columns (or rows) of
//! that color. Knows no functions and no derivatives.

pub(crate) mod acyclic;
mod algorithm;
mod around;
mod bidirectional;
pub mod check;
pub(crate) mod distance2;
mod given;
mod greedy;
mod neutral;
pub(crate) mod star;
mod structured;
mod symmetric;

use crate::graph::NONE;
use crate::{Error, Pattern};

pub use algorithm::ColoringAlgorithm;
pub use given::{Given, OnePerLine};
pub use greedy::Greedy;
pub use structured::Structured;

/// The color of columns and rows that are not needed for any entry: they are not seeded.
pub const NEUTRAL: u32 = NONE;

/// What is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Partition {
    /// Columns: for pushforwards.
    Columns,
    /// Rows: for pullbacks.
    Rows,
    /// Columns of a symmetric matrix, in which each entry occurs twice: for products with a
    /// Hessian.
    Symmetric,
    /// Columns and rows: for pushforwards and pullbacks together.
    Bidirectional,
}

/// The place of an entry, or of a sum that contains it, in the compressed columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Number of the compressed column; from [`Coloring::column_count`] on, of the compressed row.
    pub color: u32,
    /// The row in a compressed column, the column in a compressed row.
    pub line: u32,
}

/// How entries are found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recovery {
    /// Each entry is read directly.
    Direct(ByRow),
    /// One after the other.
    Substitution(Elimination),
}

/// Whether an entry that stands by itself is read by its row; else it is read by its column.
///
/// By its row means: in the compressed row that has the color of its row, or in a symmetric matrix in the compressed
/// column that has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ByRow {
    None,
    All,
    /// For each entry, by rows, as they are stored.
    Some(Vec<bool>),
}

/// Entries in the order in which they are found, by substitution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elimination {
    pub(crate) steps: Vec<Step>,
    /// For each stored entry, by rows: which value it has.
    pub(crate) value_of: Vec<u32>,
    /// Number of values.
    pub(crate) values: usize,
    /// Number of sums.
    pub(crate) sums: usize,
}

/// `values[value] = compressed[source] - sums[sum]`, which is added to `sums[parent]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) source: Source,
    pub(crate) value: u32,
    /// [`NONE`]: nothing is known of it yet.
    pub(crate) sum: u32,
    /// [`NONE`]: nobody reads it.
    pub(crate) parent: u32,
}

/// A coloring of a pattern, and where each entry is read from. Immutable, and can be shared by threads.
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Greedy, Pattern};
///
/// let tridiagonal = Pattern::banded((100, 100), 1, 1)?;
/// let coloring = Greedy::new().columns(&tridiagonal)?;
/// assert_eq!(coloring.ncolors(), 3);
/// assert_eq!(&coloring.column_colors()[..4], [0, 1, 2, 0]);
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coloring {
    pattern: Pattern,
    partition: Partition,
    columns: Vec<u32>,
    rows: Vec<u32>,
    column_count: usize,
    row_count: usize,
    recovery: Recovery,
}

impl Coloring {
    /// `columns` and `rows` are empty where they are not colored.
    pub(crate) fn new(
        pattern: &Pattern,
        partition: Partition,
        columns: Vec<u32>,
        rows: Vec<u32>,
        recovery: Recovery,
    ) -> Self {
        Coloring {
            pattern: pattern.clone(),
            partition,
            column_count: neutral::count(&columns),
            row_count: neutral::count(&rows),
            columns,
            rows,
            recovery,
        }
    }

    /// The pattern that was colored.
    pub fn sparsity_pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// What was colored.
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// Is each entry read directly, with no arithmetic?
    pub fn is_direct(&self) -> bool {
        matches!(self.recovery, Recovery::Direct(_))
    }

    /// Number of compressed columns and rows: the number of sweeps, if each carries one direction.
    pub fn ncolors(&self) -> usize {
        self.column_count + self.row_count
    }

    /// Number of compressed columns.
    pub fn column_count(&self) -> usize {
        self.column_count
    }

    /// Number of compressed rows.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// The color of each column, or [`NEUTRAL`]; empty if only rows are colored.
    pub fn column_colors(&self) -> &[u32] {
        &self.columns
    }

    /// The color of each row, or [`NEUTRAL`]; empty if only columns are colored.
    pub fn row_colors(&self) -> &[u32] {
        &self.rows
    }

    /// The columns of each color.
    pub fn column_groups(&self) -> Vec<Vec<usize>> {
        groups(&self.columns, self.column_count)
    }

    /// The rows of each color.
    pub fn row_groups(&self) -> Vec<Vec<usize>> {
        groups(&self.rows, self.row_count)
    }

    /// Where each entry is read from, by rows; `None` for colorings by substitution.
    pub fn sources(&self) -> Option<impl Iterator<Item = Source> + '_> {
        let Recovery::Direct(by_row) = &self.recovery else {
            return None;
        };
        let entries = self.pattern.entries().enumerate();
        Some(entries.map(move |(place, (i, j))| self.source(by_row, place, (i, j))))
    }

    /// Where entry `(i, j)`, number `place` by rows, is read.
    #[inline]
    pub(crate) fn source(&self, by_row: &ByRow, place: usize, (i, j): (usize, usize)) -> Source {
        let by_row = match by_row {
            ByRow::None => false,
            ByRow::All => true,
            ByRow::Some(by_row) => by_row[place],
        };
        if !by_row {
            let (color, line) = (self.columns[j], i as u32);
            return Source { color, line };
        }
        let color = if self.partition == Partition::Symmetric {
            self.columns[i]
        } else {
            self.column_count as u32 + self.rows[i]
        };
        let line = j as u32;
        Source { color, line }
    }

    pub(crate) fn recovery(&self) -> &Recovery {
        &self.recovery
    }
}

fn groups(colors: &[u32], count: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); count];
    for (line, color) in colors.iter().enumerate() {
        if let Some(group) = groups.get_mut(*color as usize) {
            group.push(line);
        }
    }
    groups
}

/// Colors of columns alone.
fn by_columns(pattern: &Pattern, columns: Vec<u32>) -> Coloring {
    Coloring::new(
        pattern,
        Partition::Columns,
        columns,
        Vec::new(),
        Recovery::Direct(ByRow::None),
    )
}

/// Colors of rows alone.
fn by_rows(pattern: &Pattern, rows: Vec<u32>) -> Coloring {
    Coloring::new(
        pattern,
        Partition::Rows,
        Vec::new(),
        rows,
        Recovery::Direct(ByRow::All),
    )
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected,
        found,
    })
}
