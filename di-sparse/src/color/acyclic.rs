//! Acyclic coloring: any two colors span a forest, so that the entries of a symmetric matrix are
//! found one after the other, from the leaves of its trees to their roots.
//!
//! Reference: A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen: New acyclic and star coloring
//! algorithms with application to computing Hessians (2007), algorithm 3.1. Around vertices of large
//! degree one edge of each color is visited: all those of one color are in one tree.

use super::around::Around;
use super::neutral::Used;
use crate::graph::{Graph, NONE};

/// Degree above which a vertex remembers the colors around it.
pub(crate) const HEAVY: usize = 32;

/// An acyclic coloring: the colors, and for each edge a member of its tree that stands for it.
pub(crate) struct Trees {
    pub(crate) colors: Vec<u32>,
    pub(crate) tree_of: Vec<u32>,
}

/// One entry is found: row `leaf` of the compressed column of `parent`'s color, less what is already
/// known of that sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peel {
    pub(crate) leaf: u32,
    pub(crate) parent: u32,
    pub(crate) edge: u32,
    /// Where the known part of the leaf's sum is.
    pub(crate) sum: u32,
    /// Where the parent's is, or [`NONE`] if nobody will read it.
    pub(crate) parent_sum: u32,
}

/// First fit in this order, or in the natural one; the same result whatever `heavy` is.
///
/// Cost: for each edge the number of colors, or the degree of an end that is not heavy.
pub(crate) fn acyclic(graph: &Graph, order: Option<&[u32]>, heavy: usize) -> Trees {
    let n = graph.len();
    let mut colors = vec![NONE; n];
    let mut forbidden = vec![NONE; n + 1];
    let mut first = vec![(NONE, NONE); n + 1];
    // by tree: the vertex at hand, and its neighbor from which the tree was first seen
    let mut visited = vec![(NONE, NONE); graph.edges];
    let mut around = Around::new(graph, heavy);
    let mut sets = Sets::new(graph.edges);
    for k in 0..n {
        let v = order.map_or(k as u32, |order| order[k]);
        for &(w, _) in graph.neighbors(v) {
            let color = colors[w as usize];
            if color != NONE {
                forbidden[color as usize] = v;
            }
        }
        for &(w, _) in graph.neighbors(v) {
            if colors[w as usize] == NONE {
                continue;
            }
            around.each_mate(graph, &colors, w, |x, e| {
                let color = colors[x as usize] as usize;
                if forbidden[color] == v {
                    return;
                }
                let visit = &mut visited[sets.find(e) as usize];
                if visit.0 != v {
                    *visit = (v, w);
                } else if visit.1 != w {
                    // the tree touches two neighbors: with its color v would close a cycle
                    forbidden[color] = v;
                }
            });
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
            let (p, at_first) = first[other as usize];
            if p == v {
                sets.unite(e, at_first);
            } else {
                first[other as usize] = (v, e);
            }
            if let Some((_, mate)) = around.edge_to(graph, &colors, w, color) {
                sets.unite(e, mate);
            }
            around.note(w, color, (v, e));
            around.note(v, other, (w, e));
        }
        colors[v as usize] = color;
    }
    let tree_of = (0..graph.edges as u32).map(|e| sets.find(e)).collect();
    Trees { colors, tree_of }
}

impl Trees {
    /// The order in which entries are found, trees one after the other, and how many sums a tree
    /// needs at most. Takes away colors that are not read, if `neutral`.
    pub(crate) fn settle(
        &mut self,
        graph: &Graph,
        diagonal: impl Iterator<Item = u32>,
        neutral: bool,
    ) -> (Vec<Peel>, usize) {
        let ends = graph.ends();
        let (starts, members) = self.grouped();
        let mut used = Used::new(&self.colors);
        diagonal.for_each(|v| used.mark(v, &self.colors));
        let mut peels = Vec::with_capacity(graph.edges);
        let mut room = 0;
        let mut trees = Peeling::new(graph.len());
        for tree in starts.windows(2) {
            let edges = &members[tree[0] as usize..tree[1] as usize];
            if edges.len() > 1 {
                let first = peels.len();
                room = room.max(trees.peel(edges, &ends, &mut peels));
                for peel in &peels[first..] {
                    used.mark(peel.parent, &self.colors);
                }
            }
        }
        for tree in starts.windows(2).filter(|tree| tree[1] == tree[0] + 1) {
            let edge = members[tree[0] as usize];
            let (a, b) = ends[edge as usize];
            let parent = used.choose(a, b, &self.colors);
            room = room.max(1);
            peels.push(Peel {
                leaf: if parent == a { b } else { a },
                parent,
                edge,
                sum: 0,
                parent_sum: NONE,
            });
        }
        if neutral {
            used.neutralize(&mut self.colors);
        }
        (peels, room)
    }

    /// Edges tree by tree: where each begins, and the edges.
    fn grouped(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.tree_of.len() + 1];
        for tree in &self.tree_of {
            starts[*tree as usize + 1] += 1;
        }
        crate::pattern::cumulate(&mut starts);
        let mut next = starts.clone();
        let mut members = vec![0; self.tree_of.len()];
        for (e, tree) in self.tree_of.iter().enumerate() {
            let at = &mut next[*tree as usize];
            members[*at as usize] = e as u32;
            *at += 1;
        }
        (starts, members)
    }
}

/// Takes leaves off trees.
struct Peeling {
    /// By vertex: edges left, their exclusive or, and the vertex' number in its tree.
    degree: Vec<u32>,
    edges: Vec<u32>,
    number: Vec<u32>,
    queue: Vec<u32>,
}

impl Peeling {
    fn new(n: usize) -> Self {
        Peeling {
            degree: vec![0; n],
            edges: vec![0; n],
            number: vec![0; n],
            queue: Vec::new(),
        }
    }

    /// Appends the edges of a tree in the order in which they are found; returns its vertices' number.
    fn peel(&mut self, edges: &[u32], ends: &[(u32, u32)], peels: &mut Vec<Peel>) -> usize {
        let mut vertices = 0;
        for &e in edges {
            let (a, b) = ends[e as usize];
            for v in [a as usize, b as usize] {
                if self.degree[v] == 0 {
                    self.number[v] = vertices;
                    self.edges[v] = 0;
                    vertices += 1;
                }
                self.degree[v] += 1;
                self.edges[v] ^= e;
            }
        }
        debug_assert_eq!(
            vertices as usize,
            edges.len() + 1,
            "two colors span a forest"
        );
        self.queue.clear();
        for &e in edges {
            let (a, b) = ends[e as usize];
            let leaves = [a, b].into_iter().filter(|v| self.degree[*v as usize] == 1);
            self.queue.extend(leaves);
        }
        let (mut at, first) = (0, peels.len());
        while peels.len() - first < edges.len() {
            let leaf = self.queue[at];
            at += 1;
            let edge = self.edges[leaf as usize];
            let (a, b) = ends[edge as usize];
            let parent = if a == leaf { b } else { a };
            self.degree[leaf as usize] = 0;
            self.degree[parent as usize] -= 1;
            self.edges[parent as usize] ^= edge;
            if self.degree[parent as usize] == 1 {
                self.queue.push(parent);
            }
            peels.push(Peel {
                leaf,
                parent,
                edge,
                sum: self.number[leaf as usize],
                parent_sum: self.number[parent as usize],
            });
        }
        // nobody reads the sum of the root
        let root = peels[peels.len() - 1].parent;
        for peel in &mut peels[first..] {
            if peel.parent == root {
                peel.parent_sum = NONE;
            }
        }
        vertices as usize
    }
}

/// Disjoint sets of edges, with halved paths, united by size.
struct Sets {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Sets {
    fn new(n: usize) -> Self {
        Sets {
            parent: (0..n as u32).collect(),
            size: vec![1; n],
        }
    }

    #[inline]
    fn find(&mut self, mut e: u32) -> u32 {
        loop {
            let up = self.parent[e as usize];
            if up == e {
                return e;
            }
            let grand = self.parent[up as usize];
            self.parent[e as usize] = grand;
            e = grand;
        }
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (small, large) = if self.size[a as usize] < self.size[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
    }
}
