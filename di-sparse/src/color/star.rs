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

/// First fit in this order, or in the natural one; the same result whatever `heavy` is.
///
/// Cost: for each edge the number of colors, or the degree of an end that is not heavy.
pub(crate) fn star(graph: &Graph, order: Option<&[u32]>, heavy: usize) -> Stars {
    let n = graph.len();
    let mut colors = vec![NONE; n];
    // by color, as far as there are colors and one more
    let mut known = vec![Known::default()];
    // one more than the last vertex at which it was: few are, and then they are zeros that no page is made for
    let mut treated = vec![0; n];
    let mut around = Around::new(graph, heavy);
    let mut stars = Growing::new(graph);
    for k in 0..n {
        let v = order.map_or(k as u32, |order| order[k]);
        let mut near = graph.neighbors(v);
        if order.is_none() {
            // those before it have colors
            near = &near[..near.partition_point(|(w, _)| *w < v)];
        }
        for &(w, _) in near {
            let color = colors[w as usize];
            if color != NONE {
                known[color as usize].forbidden = v;
            }
        }
        for &(w, e) in near {
            let color = colors[w as usize];
            if color == NONE {
                continue;
            }
            let of_color = &mut known[color as usize];
            if of_color.at == v {
                // v would be the hub of both: no neighbor of theirs may have its color
                for w in [of_color.first, w] {
                    if treated[w as usize] != v + 1 {
                        treated[w as usize] = v + 1;
                        around.each_color(graph, &colors, w, |c| known[c as usize].forbidden = v);
                    }
                }
            } else {
                (of_color.at, of_color.first, of_color.edge) = (v, w, e);
                stars.each_hub_seen_by(w, |c| known[c as usize].forbidden = v);
            }
        }
        let fits = known.iter().position(|color| color.forbidden != v);
        let color = fits.expect("the last color is new") as u32;
        if color as usize + 1 == known.len() {
            known.push(Known::default());
        }
        for &(w, e) in near {
            let other = colors[w as usize];
            if other == NONE {
                continue;
            }
            let Known { first, edge, .. } = known[other as usize];
            if let Some((x, at_x)) = around.edge_to(graph, &colors, w, color) {
                stars.join(e, (x, at_x), (w, other), v);
            } else if first != w {
                stars.join(e, (first, edge), (v, color), w);
            }
            around.note(w, color, (v, e));
            around.note(v, other, (w, e));
        }
        colors[v as usize] = color;
    }
    Stars {
        hubs: stars.hubs,
        colors,
    }
}

/// What is known of a color at a vertex.
#[derive(Clone, Copy)]
struct Known {
    /// The last vertex that may not have it.
    forbidden: u32,
    /// The last vertex with a neighbor of this color, that neighbor, and their edge.
    at: u32,
    first: u32,
    edge: u32,
}

impl Default for Known {
    fn default() -> Self {
        Known {
            forbidden: NONE,
            at: NONE,
            first: NONE,
            edge: NONE,
        }
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
            if used.all() {
                break;
            }
        }
        if self.hubs.contains(&NONE) {
            for v in 0..graph.len() as u32 {
                for &(w, e) in graph.neighbors(v) {
                    let hub = &mut self.hubs[e as usize];
                    if w < v && *hub == NONE {
                        *hub = used.choose(v, w, &self.colors);
                    }
                }
            }
        }
        if neutral {
            used.neutralize(&mut self.colors);
        }
    }
}

/// Stars while they grow. A star of one edge has no hub yet.
struct Growing {
    /// By edge: the hub of its star.
    hubs: Vec<u32>,
    /// By vertex: the last edge at which it is a spoke.
    last: Vec<u32>,
    /// By edge: the color of the hub, and the edge before at which its spoke is one.
    seen: Vec<(u32, u32)>,
}

impl Growing {
    fn new(graph: &Graph) -> Self {
        Growing {
            hubs: vec![NONE; graph.edges],
            last: vec![NONE; graph.len()],
            seen: vec![(NONE, NONE); graph.edges],
        }
    }

    /// Colors of the hubs of stars in which `spoke` is a spoke; all different.
    #[inline]
    fn each_hub_seen_by(&self, spoke: u32, mut visit: impl FnMut(u32)) {
        let mut e = self.last[spoke as usize];
        while e != NONE {
            let (color, before) = self.seen[e as usize];
            visit(color);
            e = before;
        }
    }

    /// Edge `e` from a hub, of this color, to `spoke` joins the star of an edge from the hub to `mate`.
    #[inline]
    fn join(&mut self, e: u32, (mate, at_mate): (u32, u32), (hub, color): (u32, u32), spoke: u32) {
        let known = &mut self.hubs[at_mate as usize];
        if *known == NONE {
            *known = hub;
            self.see(mate, at_mate, color);
        }
        debug_assert_eq!(self.hubs[at_mate as usize], hub, "a star has one hub");
        self.hubs[e as usize] = hub;
        self.see(spoke, e, color);
    }

    #[inline]
    fn see(&mut self, spoke: u32, e: u32, color: u32) {
        self.seen[e as usize] = (color, self.last[spoke as usize]);
        self.last[spoke as usize] = e;
    }
}
