//! What colorings must be, word by word from the definitions. Slow, for tests.

use super::NEUTRAL;
use crate::Pattern;

/// No two columns of one color have an entry in the same row.
pub fn columns_are_orthogonal(pattern: &Pattern, colors: &[u32]) -> bool {
    (0..pattern.shape().0).all(|i| {
        let row = pattern.row(i);
        row.iter().all(|j| colors[*j as usize] != NEUTRAL)
            && pairs(row).all(|(j, k)| colors[j] != colors[k])
    })
}

/// No two rows of one color have an entry in the same column.
pub fn rows_are_orthogonal(pattern: &Pattern, colors: &[u32]) -> bool {
    columns_are_orthogonal(&pattern.transpose(), colors)
}

/// Each entry (i, j) is the only one of column j's color in row i, or, the matrix being symmetric, of
/// column i's color in row j.
pub fn symmetric_entries_stand_alone(pattern: &Pattern, colors: &[u32]) -> bool {
    let alone = |i: usize, j: usize| {
        let same = |k: &&u32| colors[**k as usize] == colors[j];
        colors[j] != NEUTRAL && pattern.row(i).iter().filter(same).count() == 1
    };
    pattern.entries().all(|(i, j)| alone(i, j) || alone(j, i))
}

/// Each entry (i, j) is the only one of column j's color in row i, or of row i's color in column j.
pub fn entries_stand_alone(pattern: &Pattern, columns: &[u32], rows: &[u32]) -> bool {
    let transpose = pattern.transpose();
    let count = |line: &[u32], colors: &[u32], color: u32| {
        line.iter()
            .filter(|k| colors[**k as usize] == color)
            .count()
    };
    pattern.entries().all(|(i, j)| {
        columns[j] != NEUTRAL && count(pattern.row(i), columns, columns[j]) == 1
            || rows[i] != NEUTRAL && count(transpose.row(j), rows, rows[i]) == 1
    })
}

/// Neighbors have different colors, and each path of four vertices has three colors at least.
///
/// `neighbors` lists those of each vertex.
pub fn is_star_coloring(neighbors: &[Vec<usize>], colors: &[u32]) -> bool {
    (0..neighbors.len()).all(|a| {
        neighbors[a].iter().all(|&b| {
            colors[a] != colors[b]
                && neighbors[b].iter().filter(|c| **c != a).all(|&c| {
                    let others = neighbors[c].iter().filter(|d| **d != b);
                    colors[a] != colors[c] || others.into_iter().all(|d| colors[*d] != colors[b])
                })
        })
    })
}

/// Neighbors have different colors, and no cycle has two colors only.
///
/// `neighbors` lists those of each vertex.
pub fn is_acyclic_coloring(neighbors: &[Vec<usize>], colors: &[u32]) -> bool {
    let n = neighbors.len();
    let proper = (0..n).all(|a| neighbors[a].iter().all(|b| colors[a] != colors[*b]));
    let count = colors.iter().max().map_or(0, |color| color + 1);
    proper
        && (0..count).all(|first| {
            (0..first).all(|second| {
                let member = |v: usize| colors[v] == first || colors[v] == second;
                is_forest(neighbors, member)
            })
        })
}

fn is_forest(neighbors: &[Vec<usize>], member: impl Fn(usize) -> bool) -> bool {
    let mut seen = vec![false; neighbors.len()];
    for root in (0..neighbors.len()).filter(|v| member(*v)) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut open = vec![(root, root)];
        while let Some((v, from)) = open.pop() {
            for &w in neighbors[v].iter().filter(|w| member(**w) && **w != from) {
                if std::mem::replace(&mut seen[w], true) {
                    return false;
                }
                open.push((w, v));
            }
        }
    }
    true
}

fn pairs(row: &[u32]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let each = row.iter().enumerate();
    each.flat_map(|(at, j)| row[..at].iter().map(move |k| (*j as usize, *k as usize)))
}
