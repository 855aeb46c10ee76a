//! From compressed columns and rows to the entries of a sparse matrix: index maps that are made once.
//!
//! Compressed columns and rows stand one after the other: first the columns, color by color, each with an
//! entry for each row; then the rows, color by color, each with an entry for each column.

mod single;

use crate::color::{Coloring, Recovery, Source, Step};
use crate::graph::NONE;
use crate::{Error, Pattern};

pub use single::ByColor;

/// How the entries of a sparse matrix are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Compressed rows (CSR).
    #[default]
    Rows,
    /// Compressed columns (CSC).
    Columns,
}

/// Which part of a matrix is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    #[default]
    Full,
    /// On and below the diagonal.
    Lower,
    /// On and above the diagonal.
    Upper,
}

impl Part {
    pub(crate) fn holds(self, i: usize, j: usize) -> bool {
        match self {
            Part::Full => true,
            Part::Lower => j <= i,
            Part::Upper => j >= i,
        }
    }
}

/// The stored entries of a matrix: where each row (or column) begins, and the columns (or rows).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    shape: (usize, usize),
    storage: Storage,
    /// Lines of the storage: rows, or columns.
    lines: Pattern,
    /// For each stored entry its place in the pattern, by rows; `None` if it is the same.
    places: Option<Vec<u32>>,
}

impl Layout {
    /// The `part` of `pattern` in this storage. Cost: linear.
    pub fn new(pattern: &Pattern, storage: Storage, part: Part) -> Self {
        let (lines, places) = match storage {
            Storage::Rows => (pattern.clone(), None),
            Storage::Columns => {
                let (lines, places) = pattern.by_columns();
                (lines, Some(places))
            }
        };
        let mut layout = Layout {
            shape: pattern.shape(),
            storage,
            lines,
            places,
        };
        if part != Part::Full {
            layout.keep(part);
        }
        layout
    }

    fn keep(&mut self, part: Part) {
        let entries = self.lines.entries().enumerate();
        let stays = entries.filter(|(_, (outer, inner))| match self.storage {
            Storage::Rows => part.holds(*outer, *inner),
            Storage::Columns => part.holds(*inner, *outer),
        });
        let at: Vec<usize> = stays.map(|(at, _)| at).collect();
        let place = |at: usize| self.places.as_ref().map_or(at as u32, |places| places[at]);
        self.places = Some(at.iter().map(|at| place(*at)).collect());
        let all = self.lines.indices();
        let indices = at.iter().map(|at| all[*at]).collect();
        let start = |start: &u32| at.partition_point(|at| *at < *start as usize) as u32;
        let starts = self.lines.starts().iter().map(start).collect();
        self.lines = Pattern::from_parts(self.lines.shape().1, starts, indices);
    }

    /// Rows and columns of the matrix.
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// Number of stored entries.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Is nothing stored?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// By rows or by columns.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// Where each row (or column) begins among the stored entries, and where the last one ends.
    pub fn starts(&self) -> &[u32] {
        self.lines.starts()
    }

    /// The column (or row) of each stored entry.
    pub fn indices(&self) -> &[u32] {
        self.lines.indices()
    }

    /// Row and column of each stored entry, in the order of the values: the structure of a matrix in
    /// triplets.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.lines
            .entries()
            .map(|(outer, inner)| match self.storage {
                Storage::Rows => (outer, inner),
                Storage::Columns => (inner, outer),
            })
    }

    /// Place in the pattern, by rows, of each stored entry.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let place = |at: usize| match &self.places {
            Some(places) => places[at] as usize,
            None => at,
        };
        (0..self.len()).map(place)
    }

    /// A matrix of zeros with these entries stored.
    pub fn zeros<T: Clone + Default>(&self) -> sprs::CsMat<T> {
        self.filled(vec![T::default(); self.len()])
    }

    /// A matrix with these values stored.
    ///
    /// # Panics
    /// If there are not as many values as stored entries.
    pub fn filled<T>(&self, values: Vec<T>) -> sprs::CsMat<T> {
        let wide = |list: &[u32]| list.iter().map(|v| *v as usize).collect();
        let (starts, indices) = (wide(self.starts()), wide(self.indices()));
        match self.storage {
            Storage::Rows => sprs::CsMat::new(self.shape, starts, indices, values),
            Storage::Columns => sprs::CsMat::new_csc(self.shape, starts, indices, values),
        }
    }

    /// Checks that the matrix stores exactly these entries, in the same layout. Cost: linear.
    ///
    /// # Errors
    /// [`Error::Shape`] if it has another size; [`Error::Pattern`] if it stores other entries.
    pub fn check<T>(&self, matrix: &sprs::CsMat<T>) -> Result<(), Error> {
        if matrix.shape() != self.shape {
            return Err(Error::Shape {
                what: "a matrix",
                expected: self.shape,
                found: matrix.shape(),
            });
        }
        let starts = matrix.indptr();
        let starts = starts.raw_storage();
        let same = |ours: &[u32], theirs: &[usize]| {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| *a as usize == *b)
        };
        let by_rows = self.storage == Storage::Rows;
        if matrix.is_csr() == by_rows
            && same(self.indices(), matrix.indices())
            && same(self.starts(), starts)
        {
            return Ok(());
        }
        Err(self.difference(matrix))
    }

    #[cold]
    fn difference<T>(&self, matrix: &sprs::CsMat<T>) -> Error {
        if matrix.is_csr() != (self.storage == Storage::Rows) {
            let (rows, columns) = ("rows", "columns");
            let (expected, found) = match self.storage {
                Storage::Rows => (rows, columns),
                Storage::Columns => (columns, rows),
            };
            return Error::Storage { expected, found };
        }
        let mut lines = matrix.outer_iterator().enumerate();
        let other = lines.find(|(at, line)| {
            let ours = self.lines.row(*at).iter().map(|v| *v as usize);
            !ours.eq(line.indices().iter().copied())
        });
        let (line, found) = other.map_or((0, 0), |(at, line)| (at, line.indices().len()));
        Error::Pattern {
            line,
            expected: self.lines.row(line).len(),
            found,
        }
    }
}

/// Reads the stored entries of a layout from compressed columns and rows.
///
/// Immutable, and can be shared by threads: the memory that substitution needs is in the caller's [`Sums`].
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Decompressor, Greedy, Part, Pattern, Storage, Sums};
///
/// // [2 1 0; 1 2 1; 0 1 2], by rows
/// let tridiagonal = Pattern::banded((3, 3), 1, 1)?;
/// let values = [2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 2.0];
/// let coloring = Greedy::new().symmetric(&tridiagonal)?;
/// let compressed = coloring.compress(&values)?;
/// let lower = Decompressor::new(&coloring, Storage::Columns, Part::Lower)?;
/// let mut found = [0.0; 5];
/// lower.decompress(&compressed, &mut found, &mut Sums::new(&coloring))?;
/// assert_eq!(found, [2.0, 1.0, 2.0, 1.0, 2.0]);
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Decompressor {
    layout: Layout,
    /// Length of all compressed columns and rows.
    compressed: usize,
    read: Read,
}

#[derive(Clone, Debug, PartialEq)]
enum Read {
    /// For each stored entry: where it is.
    Gather(Vec<u32>),
    /// Steps whose sources are flat, and for each stored entry: which value it has.
    Substitute {
        steps: Vec<Flat>,
        value_of: Vec<u32>,
    },
}

/// A [`Step`] with a flat source.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Flat {
    at: u32,
    value: u32,
    sum: u32,
    parent: u32,
}

/// Working memory for substitution; empty for direct colorings.
#[derive(Clone, Debug)]
pub struct Sums {
    values: Vec<f64>,
    sums: Vec<f64>,
}

impl Sums {
    /// For decompressions of this coloring.
    pub fn new(coloring: &Coloring) -> Self {
        let (values, sums) = match coloring.recovery() {
            Recovery::Direct(_) => (0, 0),
            Recovery::Substitution(elimination) => (elimination.values, elimination.sums),
        };
        Sums {
            values: vec![0.0; values],
            sums: vec![0.0; sums],
        }
    }
}

impl Decompressor {
    /// For the `part` of the matrix in this storage. Cost: linear.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the compressed columns and rows together have more entries than 32 bits count.
    pub fn new(coloring: &Coloring, storage: Storage, part: Part) -> Result<Self, Error> {
        let compressed = coloring.compressed_len();
        if compressed >= NONE as usize {
            return Err(Error::TooLarge {
                what: "compressed entries",
                found: compressed,
            });
        }
        let layout = Layout::new(coloring.sparsity_pattern(), storage, part);
        let flat = |source: Source| coloring.flat(source) as u32;
        let read = match coloring.recovery() {
            Recovery::Direct(by_row) => {
                let entries = layout.places().zip(layout.triplets());
                let source = |(place, entry)| flat(coloring.source(by_row, place, entry));
                Read::Gather(entries.map(source).collect())
            }
            Recovery::Substitution(elimination) => {
                let step = |step: &Step| Flat {
                    at: flat(step.source),
                    value: step.value,
                    sum: step.sum,
                    parent: step.parent,
                };
                let value_of = &elimination.value_of;
                Read::Substitute {
                    steps: elimination.steps.iter().map(step).collect(),
                    value_of: layout.places().map(|place| value_of[place]).collect(),
                }
            }
        };
        Ok(Decompressor {
            layout,
            compressed,
            read,
        })
    }

    /// The stored entries.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Writes the values of the stored entries. Cost: linear, no allocation.
    ///
    /// # Errors
    /// [`Error::Length`] if `compressed`, `values` or `sums` belong to another coloring.
    pub fn decompress(
        &self,
        compressed: &[f64],
        values: &mut [f64],
        sums: &mut Sums,
    ) -> Result<(), Error> {
        check("compressed entries", self.compressed, compressed.len())?;
        check("values", self.layout.len(), values.len())?;
        match &self.read {
            Read::Gather(at) => {
                for (value, at) in values.iter_mut().zip(at) {
                    *value = compressed[*at as usize];
                }
            }
            Read::Substitute { steps, value_of } => {
                check("values of substitution", steps.len(), sums.values.len())?;
                let Sums {
                    values: found,
                    sums,
                } = sums;
                for step in steps {
                    let mut value = compressed[step.at as usize];
                    if step.sum != NONE {
                        value -= std::mem::take(&mut sums[step.sum as usize]);
                    }
                    if step.parent != NONE {
                        sums[step.parent as usize] += value;
                    }
                    found[step.value as usize] = value;
                }
                for (value, of) in values.iter_mut().zip(value_of) {
                    *value = found[*of as usize];
                }
            }
        }
        Ok(())
    }

    /// The same, into a sparse matrix with these stored entries.
    ///
    /// # Errors
    /// Those of [`Decompressor::decompress`] and [`Layout::check`].
    pub fn decompress_into(
        &self,
        compressed: &[f64],
        matrix: &mut sprs::CsMat<f64>,
        sums: &mut Sums,
    ) -> Result<(), Error> {
        self.layout.check(matrix)?;
        self.decompress(compressed, matrix.data_mut(), sums)
    }
}

pub(crate) fn check(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected,
        found,
    })
}

impl Coloring {
    /// Length of all compressed columns and rows together.
    pub fn compressed_len(&self) -> usize {
        let (m, n) = self.sparsity_pattern().shape();
        self.column_count() * m + self.row_count() * n
    }

    /// Place of a source among all compressed columns and rows.
    pub fn flat(&self, source: Source) -> usize {
        let (m, n) = self.sparsity_pattern().shape();
        let (color, columns) = (source.color as usize, self.column_count());
        let line = source.line as usize;
        match color.checked_sub(columns) {
            None => color * m + line,
            Some(row) => columns * m + row * n + line,
        }
    }

    /// Compressed columns and rows of the matrix with these values, which are stored by rows: the sums that
    /// sweeps find. Cost: linear.
    ///
    /// # Errors
    /// [`Error::Length`] if there are not as many values as entries.
    pub fn compress(&self, values: &[f64]) -> Result<Vec<f64>, Error> {
        check("values", self.sparsity_pattern().len(), values.len())?;
        let mut compressed = vec![0.0; self.compressed_len()];
        let columns = self.column_count() as u32;
        for ((i, j), value) in self.sparsity_pattern().entries().zip(values) {
            if let Some(&color) = self.column_colors().get(j).filter(|c| **c != NONE) {
                let line = i as u32;
                compressed[self.flat(Source { color, line })] += value;
            }
            if let Some(&color) = self.row_colors().get(i).filter(|c| **c != NONE) {
                let (color, line) = (columns + color, j as u32);
                compressed[self.flat(Source { color, line })] += value;
            }
        }
        Ok(compressed)
    }
}
