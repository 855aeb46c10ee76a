//! Colors from the user, verified; and one color for each line.

use super::algorithm::ColoringAlgorithm;
use super::neutral::count;
use super::{ByRow, Coloring, NEUTRAL, Partition, Recovery, check_length};
use crate::{Error, Pattern};

/// Colors given by the user. They are verified: each entry must be alone in a compressed column or row. Cost: linear.
///
/// # Examples
/// ```
/// use di_sparse::{ColoringAlgorithm, Given, Pattern};
///
/// let tridiagonal = Pattern::banded((6, 6), 1, 1)?;
/// assert!(Given::columns([0, 1, 2, 0, 1, 2]).columns(&tridiagonal).is_ok());
/// let error = Given::columns([0, 1, 0, 1, 0, 1]).columns(&tridiagonal).unwrap_err();
/// assert!(error.to_string().contains("entry (1, 0)"), "{error}");
/// # Ok::<(), di_sparse::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    columns: Vec<u32>,
    rows: Vec<u32>,
}

impl Given {
    /// Colors of columns; [`NEUTRAL`] for those that are not seeded. Also for symmetric matrices.
    pub fn columns(colors: impl IntoIterator<Item = u32>) -> Self {
        Given {
            columns: colors.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Colors of rows; [`NEUTRAL`] for those that are not seeded.
    pub fn rows(colors: impl IntoIterator<Item = u32>) -> Self {
        Given {
            columns: Vec::new(),
            rows: colors.into_iter().collect(),
        }
    }

    /// Colors of columns and of rows.
    pub fn both(
        columns: impl IntoIterator<Item = u32>,
        rows: impl IntoIterator<Item = u32>,
    ) -> Self {
        Given {
            columns: columns.into_iter().collect(),
            rows: rows.into_iter().collect(),
        }
    }
}

impl ColoringAlgorithm for Given {
    fn columns(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        verified(pattern, Partition::Columns, &self.columns, &[])
    }

    fn rows(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        verified(pattern, Partition::Rows, &[], &self.rows)
    }

    fn symmetric(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        if !pattern.is_symmetric() {
            crate::graph::Graph::of_symmetric(pattern)?;
        }
        verified(pattern, Partition::Symmetric, &self.columns, &[])
    }

    fn bidirectional(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        verified(pattern, Partition::Bidirectional, &self.columns, &self.rows)
    }
}

/// Reads each entry where it stands alone.
pub(super) fn verified(
    pattern: &Pattern,
    partition: Partition,
    columns: &[u32],
    rows: &[u32],
) -> Result<Coloring, Error> {
    let (m, n) = pattern.shape();
    let forward = partition != Partition::Rows;
    let backward = matches!(partition, Partition::Rows | Partition::Bidirectional);
    if forward {
        check_length("colors of columns", n, columns.len())?;
    }
    if backward {
        check_length("colors of rows", m, rows.len())?;
    }
    for (what, colors, lines) in [("columns", columns, n), ("rows", rows, m)] {
        // a color is an index of compressed storage
        let colors = colors.iter().filter(|color| **color != NEUTRAL);
        if let Some(found) = colors.copied().find(|color| *color as usize >= lines) {
            return Err(Error::Length {
                what: if what == "columns" {
                    "colors at most, for columns"
                } else {
                    "colors at most, for rows"
                },
                expected: lines,
                found: found as usize + 1,
            });
        }
    }
    let alone = forward.then(|| alone(pattern, columns));
    let (transpose, places) = pattern.by_columns();
    let mut in_column = vec![false; pattern.len()];
    if backward {
        for (place, alone) in places.iter().zip(self::alone(&transpose, rows)) {
            in_column[*place as usize] = alone;
        }
    }
    // in a symmetric matrix, entry (j, i) has the value of entry (i, j)
    let mut mirror = vec![0; pattern.len()];
    if partition == Partition::Symmetric {
        mirror.copy_from_slice(&places);
    }
    let mut by_row = Vec::with_capacity(pattern.len());
    for (place, (i, j)) in pattern.entries().enumerate() {
        let in_row = alone.as_ref().is_some_and(|alone| alone[place]);
        let in_mirror = partition == Partition::Symmetric
            && alone
                .as_ref()
                .is_some_and(|alone| alone[mirror[place] as usize]);
        by_row.push(if in_row {
            false
        } else if in_mirror || in_column[place] {
            true
        } else {
            let neutral = (!forward || columns[j] == NEUTRAL)
                && (!backward || rows[i] == NEUTRAL)
                && (partition != Partition::Symmetric || columns[i] == NEUTRAL);
            return Err(Error::Coloring {
                entry: (i, j),
                reason: if neutral {
                    "neither its column nor its row has a color"
                } else {
                    "others of the same color are in the same row or column"
                },
            });
        });
    }
    Ok(Coloring::new(
        pattern,
        partition,
        if forward {
            columns.to_vec()
        } else {
            Vec::new()
        },
        if backward { rows.to_vec() } else { Vec::new() },
        Recovery::Direct(ByRow::Some(by_row)),
    ))
}

/// For each entry: is it the only one of its color in its row?
fn alone(pattern: &Pattern, colors: &[u32]) -> Vec<bool> {
    let mut last = vec![(u32::MAX, 0u32); count(colors)];
    let mut alone = vec![false; pattern.len()];
    let mut place = 0;
    for i in 0..pattern.shape().0 as u32 {
        for &j in pattern.row(i as usize) {
            if let Some(last) = last.get_mut(colors[j as usize] as usize) {
                if last.0 == i {
                    alone[last.1 as usize] = false;
                } else {
                    alone[place] = true;
                    *last = (i, place as u32);
                }
            }
            place += 1;
        }
    }
    alone
}

/// No compression: one color for each column, or row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnePerLine;

impl ColoringAlgorithm for OnePerLine {
    fn columns(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        Ok(super::by_columns(
            pattern,
            (0..pattern.shape().1 as u32).collect(),
        ))
    }

    fn rows(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        Ok(super::by_rows(
            pattern,
            (0..pattern.shape().0 as u32).collect(),
        ))
    }

    fn symmetric(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        self.columns(pattern)
    }

    fn bidirectional(&self, pattern: &Pattern) -> Result<Coloring, Error> {
        if pattern.shape().0 < pattern.shape().1 {
            self.rows(pattern)
        } else {
            self.columns(pattern)
        }
    }
}
