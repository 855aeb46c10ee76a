//! Star coloring: no path of four vertices has two colors, so that each entry of a symmetric matrix
//! stands alone in the compressed column of one of its ends.
//!
//! Reference: A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen: New acyclic and star coloring
//! algorithms with application to computing Hessians (2007), algorithm 4.1. The scans of neighbors
//! of a shared hub, which make it quadratic for dense rows, are replaced: each spoke keeps the list
//! of the hubs it sees, and vertices of large degree an edge for each color around them.

use super::around::Around;
use super::neutral::Used;
use crate::graph::{Graph, NONE};

/// Degree above which a vertex remembers the colors around it.
pub(crate) const HEAVY: usize = 128;

/// A star coloring: the colors, and for each edge the end that is the hub of its star.
pub(crate) struct Stars {
    pub(crate) colors: Vec<u32>,
    pub(crate) hubs: Vec<u32>,
}

/// First fit in this order; the same result whatever `heavy` is.
///
/// Cost: for each edge the number of colors, or the degree of an end that is not heavy.
pub(crate) fn star(graph: &Graph, order: &[u32], heavy: usize) -> Stars {
    let n = graph.len();
    let mut colors = vec![NONE; n];
    let mut forbidden = vec![NONE; n + 1];
    // by color: the vertex at hand, its first neighbor of that color, their edge
    let mut first = vec![(NONE, NONE, NONE); n + 1];
    let mut treated = vec![NONE; n];
    let mut around = Around::new(graph, heavy);
    let mut stars = Growing::new(graph);
    for &v in order {
        for &(w, _) in graph.neighbors(v) {
            let color = colors[w as usize];
            if color != NONE {
                forbidden[color as usize] = v;
            }
        }
        for &(w, e) in graph.neighbors(v) {
            let color = colors[w as usize];
            if color == NONE {
                continue;
            }
            let (p, q, _) = first[color as usize];
            if p == v {
                // v would be the hub of both: no neighbor of theirs may have its color
                for w in [q, w] {
                    if treated[w as usize] != v {
                        treated[w as usize] = v;
                        around.each_color(graph, &colors, w, |c| forbidden[c as usize] = v);
                    }
                }
            } else {
                first[color as usize] = (v, w, e);
                stars.each_hub_seen_by(w, |hub| forbidden[colors[hub as usize] as usize] = v);
            }
        }
        let mut color = 0;
        while forbidden[color as usize] == v {
            color += 1;
        }
        for &(w, e) in graph.neighbors(v) {
            let other = colors[w as usize];
            if other == NONE {
                continue;
            }
            let (_, q, at_q) = first[other as usize];
            if let Some((x, at_x)) = around.edge_to(graph, &colors, w, color) {
                stars.join(e, (x, at_x), w, v);
            } else if q != w {
                stars.join(e, (q, at_q), v, w);
            } else {
                stars.begin(e);
            }
            around.note(w, color, (v, e));
            around.note(v, other, (w, e));
        }
        colors[v as usize] = color;
    }
    let star_hubs = stars.hubs;
    let hubs = stars.star_of.iter().map(|star| star_hubs[*star as usize]);
    Stars {
        hubs: hubs.collect(),
        colors,
    }
}

impl Stars {
    /// Decides the hubs of single edges, so that few colors are read, and takes away the colors that
    /// are not, if `neutral`. `diagonal`: vertices whose own color is read.
    pub(crate) fn settle(
        &mut self,
        graph: &Graph,
        diagonal: impl Iterator<Item = u32>,
        neutral: bool,
    ) {
        let mut used = Used::new(&self.colors);
        let decided = self.hubs.iter().copied().filter(|hub| *hub != NONE);
        for v in diagonal.chain(decided) {
            used.mark(v, &self.colors);
        }
        for (hub, (a, b)) in self.hubs.iter_mut().zip(graph.ends()) {
            if *hub == NONE {
                *hub = used.choose(a, b, &self.colors);
            }
        }
        if neutral {
            used.neutralize(&mut self.colors);
        }
    }
}

/// Stars while they grow.
struct Growing {
    /// By edge.
    star_of: Vec<u32>,
    /// By star: its hub, once it has two edges.
    hubs: Vec<u32>,
    /// By vertex: the last edge at which it is a spoke, and by edge: the one before.
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Growing {
    fn new(graph: &Graph) -> Self {
        Growing {
            star_of: vec![NONE; graph.edges],
            hubs: Vec::new(),
            last: vec![NONE; graph.len()],
            before: vec![NONE; graph.edges],
        }
    }

    /// Hubs of stars in which `spoke` is a spoke: their colors are all different.
    #[inline]
    fn each_hub_seen_by(&self, spoke: u32, mut visit: impl FnMut(u32)) {
        let mut e = self.last[spoke as usize];
        while e != NONE {
            visit(self.hubs[self.star_of[e as usize] as usize]);
            e = self.before[e as usize];
        }
    }

    /// A star of one edge.
    fn begin(&mut self, e: u32) {
        self.star_of[e as usize] = self.hubs.len() as u32;
        self.hubs.push(NONE);
    }

    /// Edge `e` from `hub` to `spoke` joins the star of an edge from `hub` to `mate`.
    fn join(&mut self, e: u32, (mate, at_mate): (u32, u32), hub: u32, spoke: u32) {
        let star = self.star_of[at_mate as usize];
        if self.hubs[star as usize] == NONE {
            self.hubs[star as usize] = hub;
            self.see(mate, at_mate);
        }
        debug_assert_eq!(self.hubs[star as usize], hub, "a star has one hub");
        self.star_of[e as usize] = star;
        self.see(spoke, e);
    }

    fn see(&mut self, spoke: u32, e: u32) {
        self.before[e as usize] = self.last[spoke as usize];
        self.last[spoke as usize] = e;
    }
}
