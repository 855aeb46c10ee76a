//! Graphs whose vertices are colored: of a symmetric matrix, and of rows and columns together.
//!
//! Knows no colors.

use crate::{Error, Pattern};

/// What is absent: a color, an edge, a vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// An undirected graph without loops; both halves of an edge carry its number.
pub(crate) struct Graph {
    starts: Vec<u32>,
    /// Neighbor and number of the edge.
    halves: Vec<(u32, u32)>,
    /// Number of edges.
    pub(crate) edges: usize,
}

impl Graph {
    /// Vertices: rows (and columns) of a symmetric matrix; edges: its entries below the diagonal,
    /// numbered row by row. Cost: linear.
    ///
    /// # Errors
    /// [`Error::NotSymmetric`]; [`Error::Shape`] if the matrix is not square.
    pub(crate) fn of_symmetric(pattern: &Pattern) -> Result<Graph, Error> {
        let (n, columns) = pattern.shape();
        if n != columns {
            return Err(Error::Shape {
                what: "a square pattern",
                expected: (n, n),
                found: (n, columns),
            });
        }
        let mut starts = vec![0u32; n + 1];
        let mut halves = vec![(0u32, 0u32); pattern.len()];
        // where the mirror image of the next entry of a column is expected
        let mut next = vec![0u32; n];
        let (mut edges, mut end) = (0, 0);
        for i in 0..n as u32 {
            let mut above = 0;
            for &j in pattern.row(i as usize) {
                if j < i {
                    let at = &mut next[j as usize];
                    let mirror = &mut halves[*at as usize];
                    if *at >= starts[j as usize + 1] || mirror.0 != i {
                        return Err(missing(pattern));
                    }
                    mirror.1 = edges;
                    *at += 1;
                    halves[end] = (j, edges);
                    edges += 1;
                } else if j > i {
                    halves[end] = (j, NONE);
                    above += 1;
                } else {
                    continue;
                }
                end += 1;
            }
            next[i as usize] = end as u32 - above;
            starts[i as usize + 1] = end as u32;
        }
        halves.truncate(end);
        if next.iter().zip(&starts[1..]).any(|(at, end)| at != end) {
            return Err(missing(pattern));
        }
        Ok(Graph {
            starts,
            halves,
            edges: edges as usize,
        })
    }

    /// Vertices: first columns, then rows; edges: entries, numbered row by row. Cost: linear.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn of_rows_and_columns(pattern: &Pattern) -> Result<Graph, Error> {
        let (m, n) = pattern.shape();
        for (what, found) in [
            ("rows and columns", m + n),
            ("entries, counted twice", 2 * pattern.len()),
        ] {
            if found >= NONE as usize {
                return Err(Error::TooLarge { what, found });
            }
        }
        let (transpose, places) = pattern.by_columns();
        let nonzeros = pattern.len() as u32;
        let mut starts: Vec<u32> = transpose.starts().to_vec();
        starts.extend(pattern.starts()[1..].iter().map(|at| at + nonzeros));
        let of_columns = transpose.indices().iter().zip(places);
        let mut halves: Vec<(u32, u32)> = of_columns.map(|(i, e)| (i + n as u32, e)).collect();
        halves.extend(pattern.indices().iter().copied().zip(0..));
        Ok(Graph {
            starts,
            halves,
            edges: pattern.len(),
        })
    }

    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Neighbors of a vertex, in increasing order, each with the number of the edge.
    #[inline]
    pub(crate) fn neighbors(&self, v: u32) -> &[(u32, u32)] {
        &self.halves[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// Both ends of each edge, the larger first.
    pub(crate) fn ends(&self) -> Vec<(u32, u32)> {
        let mut ends = vec![(NONE, NONE); self.edges];
        for v in 0..self.len() as u32 {
            for &(w, e) in self.neighbors(v) {
                if w < v {
                    ends[e as usize] = (v, w);
                }
            }
        }
        ends
    }
}

#[cold]
fn missing(pattern: &Pattern) -> Error {
    let lonely = pattern.entries().find(|(i, j)| !pattern.contains(*j, *i));
    Error::NotSymmetric {
        entry: lonely.unwrap_or((0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::{Error, Pattern};

    #[test]
    fn halves_share_the_number_of_their_edge() {
        let pattern = Pattern::banded((4, 4), 1, 1).unwrap();
        let graph = Graph::of_symmetric(&pattern).unwrap();
        assert_eq!(graph.edges, 3);
        assert_eq!(graph.neighbors(1), [(0, 0), (2, 1)]);
        assert_eq!(graph.neighbors(3), [(2, 2)]);
        assert_eq!(graph.ends(), [(1, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn what_lacks_its_mirror_image_is_named() {
        for entries in [[(0, 2), (1, 1)], [(2, 0), (1, 1)]] {
            let pattern = Pattern::from_entries((3, 3), entries).unwrap();
            let error = Graph::of_symmetric(&pattern).err();
            let entry = entries[0];
            assert_eq!(error, Some(Error::NotSymmetric { entry }));
        }
    }

    #[test]
    fn rows_come_after_columns() {
        let pattern = Pattern::from_entries((2, 3), [(0, 2), (1, 0), (1, 2)]).unwrap();
        let graph = Graph::of_rows_and_columns(&pattern).unwrap();
        assert_eq!((graph.len(), graph.edges), (5, 3));
        assert_eq!(graph.neighbors(2), [(3, 0), (4, 2)]);
        assert_eq!(graph.neighbors(4), [(0, 1), (2, 2)]);
    }
}
