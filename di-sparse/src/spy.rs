//! Pictures of patterns and colorings: text for terminals, SVG and PNG with the feature `plot`.

#[cfg(feature = "plot")]
mod plot;

#[cfg(feature = "plot")]
pub use plot::PlotError;

use crate::color::Recovery;
use crate::{Coloring, NEUTRAL, Pattern};

/// A picture of a pattern. If there is a coloring, entries are shown in their colors.
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Greedy, Pattern, Spy};
///
/// let tridiagonal = Pattern::banded((5, 5), 1, 1)?;
/// let coloring = Greedy::new().columns(&tridiagonal)?;
/// let expected = "\
/// 01...
/// 012..
/// .120.
/// ..201
/// ...01
/// ";
/// assert_eq!(Spy::of(&coloring).text(80), expected);
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spy<'a> {
    pattern: &'a Pattern,
    coloring: Option<&'a Coloring>,
}

impl<'a> Spy<'a> {
    /// A picture of a pattern alone.
    pub fn new(pattern: &'a Pattern) -> Self {
        Spy {
            pattern,
            coloring: None,
        }
    }

    /// A picture of a pattern with its colors. Colors of rows are numbered after those of columns.
    pub fn of(coloring: &'a Coloring) -> Self {
        Spy {
            pattern: coloring.sparsity_pattern(),
            coloring: Some(coloring),
        }
    }

    /// One line for each row and a character for each entry: its color (`0` to `9`, `a` to `z`, then `#`), `*`
    /// without a coloring, `.` where there is none. Patterns with more than `width` columns are scaled down
    /// to dots, eight of them in a character.
    pub fn text(&self, width: usize) -> String {
        let (rows, columns) = self.pattern.shape();
        if columns > width.max(1) {
            return self.dots(width.max(1));
        }
        let mut text = String::with_capacity(rows * (columns + 1));
        let mut place = 0;
        for i in 0..rows {
            let mut line = vec!['.'; columns];
            for j in self.pattern.row(i) {
                line[*j as usize] = self.character(place, i, *j as usize);
                place += 1;
            }
            text.extend(line);
            text.push('\n');
        }
        text
    }

    fn character(&self, place: usize, i: usize, j: usize) -> char {
        match self.color(place, i, j) {
            None => '*',
            Some(color) => char::from_digit(color as u32, 36).unwrap_or('#'),
        }
    }

    /// The color with which entry `(i, j)`, number `place` by rows, is found.
    fn color(&self, place: usize, i: usize, j: usize) -> Option<usize> {
        let coloring = self.coloring?;
        if let Recovery::Direct(by_row) = coloring.recovery() {
            return Some(coloring.source(by_row, place, (i, j)).color as usize);
        }
        // by substitution an entry needs several colors: that of its column, or of its row
        let of = |colors: &[u32], line: usize| {
            let color = colors.get(line).copied();
            color
                .filter(|color| *color != NEUTRAL)
                .map(|color| color as usize)
        };
        of(coloring.column_colors(), j)
            .or_else(|| Some(coloring.column_count() + of(coloring.row_colors(), i)?))
            .or_else(|| of(coloring.column_colors(), i))
    }

    /// Braille: two columns and four rows of dots in a character.
    fn dots(&self, width: usize) -> String {
        let (rows, columns) = self.pattern.shape();
        let scale = columns as f64 / (2 * width) as f64;
        let height = ((rows as f64 / scale / 4.0).ceil() as usize).max(1);
        let mut cells = vec![0u8; width * height];
        const DOT: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        for (i, j) in self.pattern.entries() {
            let y = ((i as f64 / scale) as usize).min(4 * height - 1);
            let x = ((j as f64 / scale) as usize).min(2 * width - 1);
            cells[y / 4 * width + x / 2] |= DOT[y % 4][x % 2];
        }
        let mut text = String::new();
        for line in cells.chunks(width) {
            let dots = line
                .iter()
                .filter_map(|bits| char::from_u32(0x2800 + u32::from(*bits)));
            text.extend(dots);
            text.push('\n');
        }
        text
    }
}
