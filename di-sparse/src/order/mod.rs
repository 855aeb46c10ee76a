//! Orders in which vertices are colored. Knows no colors.
//!
//! Reference: A. Gebremedhin, D. Nguyen, M. Patwary, A. Pothen: ColPack (2013), section 3.

mod dynamic;

use crate::Pattern;
use crate::graph::{Graph, NONE};

/// The order in which greedy colorings go through columns, rows or vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// As they are numbered.
    Natural,
    /// At random, with a seed: the same seed yields the same order.
    Random(u64),
    /// Most neighbors first.
    LargestFirst,
    /// Backwards: the last one has the fewest neighbors, the one before it the fewest among the rest, ..
    SmallestLast,
    /// The next one has the most neighbors among those before it.
    IncidenceDegree,
    /// The next one has the most neighbors among those not yet ordered.
    DynamicLargestFirst,
}

impl Order {
    /// All orders but the random one.
    pub const ALL: [Order; 5] = [
        Order::Natural,
        Order::LargestFirst,
        Order::SmallestLast,
        Order::IncidenceDegree,
        Order::DynamicLargestFirst,
    ];

    /// The vertices in this order. Cost: linear, and for orders by degree the sum of all degrees.
    pub(crate) fn of(self, vertices: &impl Neighborhood) -> Vec<u32> {
        let n = vertices.len() as u32;
        match self {
            Order::Natural => (0..n).collect(),
            Order::Random(seed) => shuffled(n, seed),
            Order::LargestFirst => largest_first(vertices),
            Order::SmallestLast => dynamic::smallest_last(vertices),
            Order::IncidenceDegree => dynamic::incidence_degree(vertices),
            Order::DynamicLargestFirst => dynamic::dynamic_largest_first(vertices),
        }
    }
}

/// Vertices with their neighbors.
pub(crate) trait Neighborhood {
    /// Number of vertices.
    fn len(&self) -> usize;
    /// Visits each neighbor of `v` once. `seen` has an entry for each vertex and marks by `v`; it
    /// begins with [`NONE`].
    fn each(&self, v: u32, seen: &mut [u32], visit: impl FnMut(u32));
}

impl Neighborhood for Graph {
    fn len(&self) -> usize {
        Graph::len(self)
    }
    fn each(&self, v: u32, _: &mut [u32], mut visit: impl FnMut(u32)) {
        self.neighbors(v).iter().for_each(|(w, _)| visit(*w));
    }
}

/// Columns (or rows) that meet in a row (or column).
pub(crate) struct Distance2<'a> {
    /// The lines that are ordered, each with the lines it crosses.
    pub(crate) lines: &'a Pattern,
    /// The crossing lines.
    pub(crate) crossing: &'a Pattern,
}

/// Crossing lines longer than this do not count in orders: all that they meet are neighbors, which
/// says little of any, and would cost the square of the length.
const HEAVY: usize = 1024;

impl Neighborhood for Distance2<'_> {
    fn len(&self) -> usize {
        self.lines.shape().0
    }
    fn each(&self, v: u32, seen: &mut [u32], mut visit: impl FnMut(u32)) {
        seen[v as usize] = v;
        for i in self.lines.row(v as usize) {
            let row = self.crossing.row(*i as usize);
            if row.len() > HEAVY {
                continue;
            }
            for &w in row {
                if seen[w as usize] != v {
                    seen[w as usize] = v;
                    visit(w);
                }
            }
        }
    }
}

fn degrees(vertices: &impl Neighborhood) -> Vec<u32> {
    let mut seen = vec![NONE; vertices.len()];
    let degree = |v| {
        let mut count = 0;
        vertices.each(v, &mut seen, |_| count += 1);
        count
    };
    (0..vertices.len() as u32).map(degree).collect()
}

/// Counting sort, stable.
fn largest_first(vertices: &impl Neighborhood) -> Vec<u32> {
    let degrees = degrees(vertices);
    let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
    order.sort_by_key(|v| std::cmp::Reverse(degrees[*v as usize]));
    order
}

/// Fisher and Yates, with the generator SplitMix64.
fn shuffled(n: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n).collect();
    let mut state = seed;
    for i in (1..order.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        order.swap(i, (z % (i as u64 + 1)) as usize);
    }
    order
}
