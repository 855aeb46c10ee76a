//! The matrix that dense Jacobians and Hessians are.

use core::fmt;
use core::ops::{Index, IndexMut};
use core::slice;

use crate::context::{Constant, Snapshot};

/// A dense matrix in row-major order: what `jacobian` and `hessian` return.
///
/// It holds numbers and does no linear algebra: for that, convert it with `From` to an `Array2` of ndarray, a `DMatrix`
/// of nalgebra or a `Mat` of faer, or let operators write to these. Each has a feature.
///
/// # Examples
/// ```
/// use di::Matrix;
///
/// let mut m = Matrix::from([[1.0, 2.0], [3.0, 4.0]]);
/// m[[0, 1]] = 5.0;
/// assert_eq!((m.shape(), m.row(0)), ((2, 2), &[1.0, 5.0][..]));
/// assert_eq!(m, [[1.0, 5.0], [3.0, 4.0]]);
/// assert_eq!(format!("{m:.1}"), "[[1.0, 5.0],\n [3.0, 4.0]]");
/// assert_eq!(m.into_vec(), [1.0, 5.0, 3.0, 4.0]);
/// ```
#[derive(Clone, PartialEq)]
pub struct Matrix<T = f64> {
    rows: usize,
    columns: usize,
    entries: Vec<T>,
}

impl<T: Clone> Matrix<T> {
    /// The same number everywhere.
    pub fn filled(shape: (usize, usize), value: T) -> Self {
        Self::from_vec(shape, vec![value; shape.0 * shape.1])
    }

    /// Zeros.
    pub fn zeros(shape: (usize, usize)) -> Self
    where
        T: Default,
    {
        Self::filled(shape, T::default())
    }

    /// Sets all entries.
    pub fn fill(&mut self, value: T) {
        self.entries.fill(value);
    }
}

impl<T> Matrix<T> {
    /// Takes entries that stand row by row.
    ///
    /// # Panics
    /// If there are not as many of them as the matrix has.
    pub fn from_vec((rows, columns): (usize, usize), entries: Vec<T>) -> Self {
        assert_eq!(
            entries.len(),
            rows * columns,
            "entries of a matrix of {rows} rows and {columns} columns"
        );
        Matrix {
            rows,
            columns,
            entries,
        }
    }

    /// A matrix of what the function returns for rows and columns.
    pub fn from_fn(
        (rows, columns): (usize, usize),
        mut entry: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let entries = places.map(|(i, j)| entry(i, j)).collect();
        Self::from_vec((rows, columns), entries)
    }

    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.columns
    }

    /// Numbers of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// A row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, i: usize) -> &[T] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.entries[i * self.columns..][..self.columns]
    }

    /// A row, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &mut self.entries[i * self.columns..][..self.columns]
    }

    /// The rows, one after the other.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[T]> + ExactSizeIterator {
        (0..self.rows).map(|i| self.row(i))
    }

    /// The entries of a column, from top to bottom.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column(&self, j: usize) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        self.rows().map(move |row| &row[j])
    }

    /// All entries, row by row.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// All entries with their rows and columns, row by row.
    pub fn indexed_iter(&self) -> impl Iterator<Item = ((usize, usize), &T)> {
        let rows = self.rows().enumerate();
        rows.flat_map(|(i, row)| (row.iter().enumerate()).map(move |(j, v)| ((i, j), v)))
    }

    /// All entries, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }

    /// All entries, row by row, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// All entries, row by row, without a copy.
    pub fn into_vec(self) -> Vec<T> {
        self.entries
    }

    /// Where an entry stands.
    #[inline]
    fn place(&self, i: usize, j: usize) -> usize {
        assert!(
            i < self.rows && j < self.columns,
            "entry ({i}, {j}) of a matrix of {} rows and {} columns",
            self.rows,
            self.columns
        );
        i * self.columns + j
    }
}

impl<T> Default for Matrix<T> {
    fn default() -> Self {
        Self::from_vec((0, 0), Vec::new())
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.entries[self.place(i, j)]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    #[inline]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        let place = self.place(i, j);
        &mut self.entries[place]
    }
}

impl<T> Index<[usize; 2]> for Matrix<T> {
    type Output = T;

    #[inline]
    fn index(&self, [i, j]: [usize; 2]) -> &T {
        &self[(i, j)]
    }
}

impl<T> IndexMut<[usize; 2]> for Matrix<T> {
    #[inline]
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut T {
        &mut self[(i, j)]
    }
}

impl<T> IntoIterator for Matrix<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Matrix<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, const ROWS: usize, const COLUMNS: usize> From<[[T; COLUMNS]; ROWS]> for Matrix<T> {
    fn from(rows: [[T; COLUMNS]; ROWS]) -> Self {
        let entries = rows.into_iter().flatten().collect();
        Self::from_vec((ROWS, COLUMNS), entries)
    }
}

impl<T: PartialEq, const ROWS: usize, const COLUMNS: usize> PartialEq<[[T; COLUMNS]; ROWS]>
    for Matrix<T>
{
    fn eq(&self, other: &[[T; COLUMNS]; ROWS]) -> bool {
        self.shape() == (ROWS, COLUMNS) && self.entries == other.as_flattened()
    }
}

/// A list of rows.
impl<T: fmt::Debug> fmt::Debug for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

/// One row in each line, with the columns below each other; width and precision are those of entries.
impl<T: fmt::Display> fmt::Display for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |entry: &T| match f.precision() {
            Some(digits) => format!("{entry:.digits$}"),
            None => format!("{entry}"),
        };
        let texts: Vec<String> = self.iter().map(text).collect();
        let widest = texts.iter().map(|text| text.chars().count()).max();
        let width = widest.unwrap_or(0).max(f.width().unwrap_or(0));
        f.write_str("[")?;
        for i in 0..self.rows {
            f.write_str(if i == 0 { "[" } else { ",\n [" })?;
            for (j, text) in texts[i * self.columns..][..self.columns].iter().enumerate() {
                let comma = if j == 0 { "" } else { ", " };
                write!(f, "{comma}{text:>width$}")?;
            }
            f.write_str("]")?;
        }
        f.write_str("]")
    }
}

impl<T: Constant> Constant for Matrix<T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.shape().snapshot(snapshot);
        self.entries.snapshot(snapshot);
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn entries_stand_row_by_row() {
        let mut m = Matrix::from_fn((2, 3), |i, j| (10 * i + j) as f64);
        assert_eq!(m, [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]);
        assert_eq!((m.nrows(), m.ncols(), m.shape()), (2, 3, (2, 3)));
        assert_eq!((m[[1, 0]], m[(0, 2)]), (10.0, 2.0));
        assert_eq!(m.row(1), [10.0, 11.0, 12.0]);
        assert_eq!(m.rows().map(<[f64]>::len).collect::<Vec<_>>(), [3, 3]);
        assert_eq!(m.column(2).copied().collect::<Vec<_>>(), [2.0, 12.0]);
        m.row_mut(0).fill(-1.0);
        m[[1, 2]] = 7.0;
        m[(1, 1)] = 6.0;
        assert_eq!(m.as_slice(), [-1.0, -1.0, -1.0, 10.0, 6.0, 7.0]);
        assert_eq!(m.iter().sum::<f64>(), 20.0);
        let places: Vec<_> = m.indexed_iter().map(|(place, _)| place).collect();
        assert_eq!(places, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
        assert!(m.indexed_iter().all(|(place, v)| *v == m[place]));
        m.fill(0.5);
        assert_eq!(m, Matrix::filled((2, 3), 0.5));
        assert_eq!(m.into_vec(), [0.5; 6]);
    }

    #[test]
    fn matrices_of_other_shapes_differ() {
        let m: Matrix = Matrix::zeros((2, 3));
        assert_ne!(m, Matrix::zeros((3, 2)));
        assert_ne!(m, [[0.0; 2]; 3]);
        assert_eq!(m, [[0.0; 3]; 2]);
        assert_ne!(Matrix::<f64>::zeros((0, 2)), Matrix::default());
    }

    #[test]
    fn there_may_be_nothing_in_it() {
        let none: Matrix = Matrix::zeros((3, 0));
        assert_eq!((none.rows().count(), none.iter().count()), (3, 0));
        assert!(none.row(2).is_empty());
        assert_eq!(format!("{none}"), "[[],\n [],\n []]");
        let flat: Matrix = Matrix::zeros((0, 2));
        assert_eq!((flat.rows().count(), flat.column(1).count()), (0, 0));
        assert_eq!(format!("{flat} {flat:?}"), "[] []");
    }

    #[test]
    fn it_can_be_read() {
        let m = Matrix::from([[1.0, -20.5], [0.25, 3.0]]);
        assert_eq!(format!("{m}"), "[[    1, -20.5],\n [ 0.25,     3]]");
        assert_eq!(format!("{m:.1}"), "[[  1.0, -20.5],\n [  0.2,   3.0]]");
        assert_eq!(
            format!("{m:7.1}"),
            "[[    1.0,   -20.5],\n [    0.2,     3.0]]"
        );
        assert_eq!(format!("{m:?}"), "[[1.0, -20.5], [0.25, 3.0]]");
    }

    #[test]
    #[should_panic(expected = "entry (0, 3) of a matrix of 2 rows and 3 columns")]
    fn a_column_beyond_the_last_is_not_the_next_row() {
        let m: Matrix = Matrix::zeros((2, 3));
        let _ = m[[0, 3]];
    }

    #[test]
    #[should_panic(expected = "row 2 of 2")]
    fn a_row_of_no_columns_can_be_beyond_the_last() {
        let m: Matrix = Matrix::zeros((2, 0));
        let _ = m.row(2);
    }

    #[test]
    #[should_panic(expected = "entries of a matrix of 2 rows and 2 columns")]
    fn entries_must_fill_it() {
        let _ = Matrix::from_vec((2, 2), vec![0.0; 3]);
    }
}
