//! Star and acyclic colorings as colorings of a symmetric matrix.

use super::{ByRow, Coloring, Elimination, Partition, Recovery, Source, Step, acyclic, star};
use crate::Pattern;
use crate::graph::{Graph, NONE};
use crate::order::Order;

/// Colors the graph of `pattern`.
pub(super) fn color(
    pattern: &Pattern,
    graph: &Graph,
    order: Order,
    substitution: bool,
    neutral: bool,
) -> Coloring {
    let order = (order != Order::Natural).then(|| order.of(graph));
    if substitution {
        by_substitution(pattern, graph, order.as_deref(), neutral)
    } else {
        direct(pattern, graph, order.as_deref(), neutral)
    }
}

/// Vertices whose diagonal entry is in the pattern.
fn diagonal(pattern: &Pattern) -> impl Iterator<Item = u32> + '_ {
    let on_it = |i: &u32| pattern.row(*i as usize).binary_search(i).is_ok();
    (0..pattern.shape().0 as u32).filter(on_it)
}

/// Row by row: each entry with its edge, or [`NONE`] on the diagonal.
fn entries_with_edges<'a>(
    pattern: &'a Pattern,
    graph: &'a Graph,
) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
    (0..pattern.shape().0 as u32).flat_map(move |i| {
        let mut edges = graph.neighbors(i).iter();
        pattern.row(i as usize).iter().map(move |&j| {
            if i == j {
                return (i, j, NONE);
            }
            let (_, e) = edges
                .next()
                .expect("an edge for each entry beside the diagonal");
            (i, j, *e)
        })
    })
}

fn direct(pattern: &Pattern, graph: &Graph, order: Option<&[u32]>, neutral: bool) -> Coloring {
    let mut stars = star::star(graph, order, star::HEAVY);
    stars.settle(graph, diagonal(pattern), neutral);
    let star::Stars { colors, hubs } = stars;
    let mut by_row = Vec::with_capacity(pattern.len());
    for i in 0..pattern.shape().0 as u32 {
        let mut edges = graph.neighbors(i).iter();
        by_row.extend(pattern.row(i as usize).iter().map(|&j| {
            // on the diagonal it is all the same
            let edge = if i == j { None } else { edges.next() };
            edge.is_some_and(|(_, e)| hubs[*e as usize] == i)
        }));
    }
    Coloring::new(
        pattern,
        Partition::Symmetric,
        colors,
        Vec::new(),
        Recovery::Direct(ByRow::Some(by_row)),
    )
}

fn by_substitution(
    pattern: &Pattern,
    graph: &Graph,
    order: Option<&[u32]>,
    neutral: bool,
) -> Coloring {
    let mut trees = acyclic::acyclic(graph, order, acyclic::HEAVY);
    let (peels, sums) = trees.settle(graph, diagonal(pattern), neutral);
    let colors = trees.colors;
    // values: first those of edges, then those of the diagonal
    let edges = graph.edges as u32;
    let on_diagonal = diagonal(pattern).zip(edges..).map(|(i, value)| Step {
        source: Source {
            color: colors[i as usize],
            line: i,
        },
        value,
        sum: NONE,
        parent: NONE,
    });
    let mut steps: Vec<Step> = on_diagonal.collect();
    let values = graph.edges + steps.len();
    steps.extend(peels.iter().map(|peel| Step {
        source: Source {
            color: colors[peel.parent as usize],
            line: peel.leaf,
        },
        value: peel.edge,
        sum: peel.sum,
        parent: peel.parent_sum,
    }));
    let mut next = edges;
    let value_of = entries_with_edges(pattern, graph).map(|(_, _, e)| {
        if e != NONE {
            return e;
        }
        next += 1;
        next - 1
    });
    let value_of = value_of.collect();
    let elimination = Elimination {
        steps,
        value_of,
        values,
        sums,
    };
    Coloring::new(
        pattern,
        Partition::Symmetric,
        colors,
        Vec::new(),
        Recovery::Substitution(elimination),
    )
}
