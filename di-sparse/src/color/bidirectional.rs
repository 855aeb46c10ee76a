//! Colorings of columns and rows together.
//!
//! Reference: A. Montoison, G. Dalle, A. Gebremedhin: Revisiting sparse matrix coloring and
//! bicoloring (2025): a star or acyclic coloring of the graph of rows and columns. With full lines
//! apart: T. Coleman, A. Verma: The efficient computation of sparse Jacobian matrices using automatic
//! differentiation (1998).

use super::neutral::count;
use super::{ByRow, Coloring, Elimination, Partition, Recovery, Source, Step, acyclic, star};
use crate::Pattern;
use crate::graph::{Graph, NONE};
use crate::order::Order;

/// Colors of columns and of rows, numbered apart.
struct Split {
    columns: Vec<u32>,
    rows: Vec<u32>,
    column_count: u32,
}

impl Split {
    fn new(colors: &[u32], columns: usize) -> Self {
        let (columns, rows) = colors.split_at(columns);
        let (columns, rows) = (renumbered(columns), renumbered(rows));
        Split {
            column_count: count(&columns) as u32,
            columns,
            rows,
        }
    }

    /// Where the entry between two vertices, or a sum that contains it, is read: by the color of `of`.
    fn source(&self, of: u32, at: u32) -> Source {
        let n = self.columns.len() as u32;
        if of < n {
            Source {
                color: self.columns[of as usize],
                line: at - n,
            }
        } else {
            Source {
                color: self.column_count + self.rows[(of - n) as usize],
                line: at,
            }
        }
    }
}

/// Without the colors that do not occur.
fn renumbered(colors: &[u32]) -> Vec<u32> {
    let mut new = vec![NONE; count(colors)];
    for color in colors.iter().filter(|color| **color != NONE) {
        new[*color as usize] = 0;
    }
    let occurring = new.iter_mut().filter(|color| **color != NONE);
    for (next, color) in (0..).zip(occurring) {
        *color = next;
    }
    let map = |color: &u32| new.get(*color as usize).copied().unwrap_or(NONE);
    colors.iter().map(map).collect()
}

/// Colors the graph of rows and columns, which has an edge for each entry.
pub(super) fn color(
    pattern: &Pattern,
    graph: &Graph,
    order: Order,
    substitution: bool,
    neutral: bool,
) -> Coloring {
    let order = (order != Order::Natural).then(|| order.of(graph));
    let order = order.as_deref();
    let n = pattern.shape().1;
    let (split, recovery) = if substitution {
        let mut trees = acyclic::acyclic(graph, order, acyclic::HEAVY);
        let (peels, sums) = trees.settle(graph, std::iter::empty(), neutral);
        let split = Split::new(&trees.colors, n);
        let step = |peel: &acyclic::Peel| Step {
            source: split.source(peel.parent, peel.leaf),
            value: peel.edge,
            sum: peel.sum,
            parent: peel.parent_sum,
        };
        let elimination = Elimination {
            steps: peels.iter().map(step).collect(),
            value_of: (0..pattern.len() as u32).collect(),
            values: pattern.len(),
            sums,
        };
        (split, Recovery::Substitution(elimination))
    } else {
        let mut stars = star::star(graph, order, star::HEAVY);
        stars.settle(graph, std::iter::empty(), neutral);
        let split = Split::new(&stars.colors, n);
        let by_row = stars.hubs.iter().map(|hub| *hub as usize >= n).collect();
        (split, Recovery::Direct(ByRow::Some(by_row)))
    };
    let Split { columns, rows, .. } = split;
    Coloring::new(pattern, Partition::Bidirectional, columns, rows, recovery)
}

/// Numbers of full lines that are tried.
const APART: [usize; 8] = [1, 2, 3, 4, 8, 16, 32, 64];

/// The best of `best` and colorings in which some of the fullest rows are found by rows and all else by
/// columns, or some of the fullest columns by columns and all else by rows. `color(lines, crossing)`
/// colors lines by distance 2.
pub(super) fn with_full_lines_apart(
    pattern: &Pattern,
    transpose: &Pattern,
    mut best: Coloring,
    color: impl Fn(&Pattern, &Pattern) -> Vec<u32>,
) -> Coloring {
    for by_rows in [true, false] {
        let lines = if by_rows { pattern } else { transpose };
        let mut fullest: Vec<usize> = (0..lines.shape().0).collect();
        fullest.sort_by_key(|i| std::cmp::Reverse(lines.row(*i).len()));
        for k in APART.into_iter().filter(|k| *k < fullest.len()) {
            // the fullest line that is left, and one for those apart
            let bound = lines.row(fullest[k]).len() + 1;
            let last = lines.row(fullest[k - 1]).len();
            if bound >= best.ncolors() || last <= 1 {
                continue;
            }
            let mut apart = vec![false; fullest.len()];
            fullest[..k].iter().for_each(|i| apart[*i] = true);
            let (those, rest) = split_lines(lines, &apart);
            let mut of_lines = color(&those, &those.transpose());
            for (color, apart) in of_lines.iter_mut().zip(&apart) {
                if !apart {
                    *color = NONE;
                }
            }
            let crossing = rest.transpose();
            let mut of_crossing = color(&crossing, &rest);
            for (j, color) in of_crossing.iter_mut().enumerate() {
                if crossing.row(j).is_empty() {
                    *color = NONE;
                }
            }
            if count(&of_lines) + count(&of_crossing) < best.ncolors() {
                let (columns, rows) = if by_rows {
                    (of_crossing, of_lines)
                } else {
                    (of_lines, of_crossing)
                };
                best = covered(pattern, columns, rows, |i, j| {
                    if by_rows { apart[i] } else { !apart[j] }
                });
            }
        }
    }
    best
}

/// The lines that are marked, and the others; both with all lines, some of them empty.
fn split_lines(pattern: &Pattern, apart: &[bool]) -> (Pattern, Pattern) {
    let mut parts = [(vec![0u32], Vec::new()), (vec![0u32], Vec::new())];
    for (i, apart) in apart.iter().enumerate() {
        parts[usize::from(!apart)].1.extend(pattern.row(i));
        for (starts, indices) in &mut parts {
            starts.push(indices.len() as u32);
        }
    }
    let columns = pattern.shape().1;
    let [those, rest] =
        parts.map(|(starts, indices)| Pattern::from_parts(columns, starts, indices));
    (those, rest)
}

/// A direct coloring in which some entries are read by rows.
fn covered(
    pattern: &Pattern,
    columns: Vec<u32>,
    rows: Vec<u32>,
    by_row: impl Fn(usize, usize) -> bool,
) -> Coloring {
    let (columns, rows) = (renumbered(&columns), renumbered(&rows));
    let by_row = pattern.entries().map(|(i, j)| by_row(i, j)).collect();
    Coloring::new(
        pattern,
        Partition::Bidirectional,
        columns,
        rows,
        Recovery::Direct(ByRow::Some(by_row)),
    )
}
