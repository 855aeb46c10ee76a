//! The colors around a vertex: looked up among its neighbors, or remembered where they are many.

use crate::graph::{Graph, NONE};

/// For each vertex of large degree: for each color around it a neighbor of that color, and the edge.
pub(super) struct Around {
    /// By vertex: which table, or [`NONE`]; empty if there are none.
    table_of: Vec<u32>,
    tables: Vec<Table>,
}

#[derive(Clone, Default)]
struct Table {
    /// By color; [`NONE`] if there is no such neighbor.
    mates: Vec<(u32, u32)>,
    /// The colors that there are.
    colors: Vec<u32>,
}

impl Around {
    pub(super) fn new(graph: &Graph, heavy: usize) -> Self {
        let is_heavy = |v: &u32| graph.neighbors(*v).len() > heavy;
        let all = 0..graph.len() as u32;
        let count = all.clone().filter(is_heavy).count();
        if count == 0 {
            // nothing is remembered, and nothing looked up
            return Around {
                table_of: Vec::new(),
                tables: Vec::new(),
            };
        }
        let mut numbers = 0..;
        let mut number = |v| {
            let number = is_heavy(&v).then(|| numbers.next());
            number.flatten().unwrap_or(NONE)
        };
        Around {
            table_of: all.map(&mut number).collect(),
            tables: vec![Table::default(); count],
        }
    }

    #[inline]
    fn table(&self, w: u32) -> Option<&Table> {
        let number = self.table_of.get(w as usize)?;
        self.tables.get(*number as usize)
    }

    /// Visits the colors of the neighbors of `w`, perhaps repeatedly.
    #[inline]
    pub(super) fn each_color(
        &self,
        graph: &Graph,
        colors: &[u32],
        w: u32,
        mut visit: impl FnMut(u32),
    ) {
        match self.table(w) {
            Some(table) => table.colors.iter().for_each(|color| visit(*color)),
            None => {
                for (x, _) in graph.neighbors(w) {
                    let color = colors[*x as usize];
                    if color != NONE {
                        visit(color);
                    }
                }
            }
        }
    }

    /// Visits neighbors of `w` with their edges: all of them, or one of each color.
    #[inline]
    pub(super) fn each_mate(
        &self,
        graph: &Graph,
        colors: &[u32],
        w: u32,
        mut visit: impl FnMut(u32, u32),
    ) {
        match self.table(w) {
            Some(table) => {
                for color in &table.colors {
                    let (x, e) = table.mates[*color as usize];
                    visit(x, e);
                }
            }
            None => {
                for &(x, e) in graph.neighbors(w) {
                    if colors[x as usize] != NONE {
                        visit(x, e);
                    }
                }
            }
        }
    }

    /// A neighbor of `w` with this color, and the edge.
    #[inline]
    pub(super) fn edge_to(
        &self,
        graph: &Graph,
        colors: &[u32],
        w: u32,
        color: u32,
    ) -> Option<(u32, u32)> {
        match self.table(w) {
            Some(table) => {
                let mate = table.mates.get(color as usize).copied();
                mate.filter(|(x, _)| *x != NONE)
            }
            None => {
                let mut all = graph.neighbors(w).iter();
                all.find(|(x, _)| colors[*x as usize] == color).copied()
            }
        }
    }

    /// `w` has a new neighbor of this color.
    #[inline]
    pub(super) fn note(&mut self, w: u32, color: u32, mate: (u32, u32)) {
        let number = self.table_of.get(w as usize);
        let Some(table) = number.and_then(|number| self.tables.get_mut(*number as usize)) else {
            return;
        };
        if table.mates.len() <= color as usize {
            table.mates.resize(color as usize + 1, (NONE, NONE));
        }
        let known = &mut table.mates[color as usize];
        if known.0 == NONE {
            *known = mate;
            table.colors.push(color);
        }
    }
}
