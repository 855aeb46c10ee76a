//! Orders against their definitions, slow and obvious.

use super::samples::{Random, symmetric};
use crate::Pattern;
use crate::graph::{Graph, NONE};
use crate::order::{Neighborhood, Order};

fn neighbors(graph: &Graph, v: u32) -> Vec<u32> {
    let mut all = Vec::new();
    graph.each(v, &mut vec![NONE; graph.len()], |w| all.push(w));
    all
}

#[test]
fn each_order_takes_every_vertex_once() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let pattern = symmetric(&mut random, 20);
        let graph = Graph::of_symmetric(&pattern).unwrap();
        for order in Order::ALL.into_iter().chain([Order::Random(3)]) {
            let mut taken = order.of(&graph);
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..graph.len() as u32), "{order:?}");
        }
    }
}

#[test]
fn orders_by_degree_follow_their_definition() {
    let mut random = Random::new(2);
    for _ in 0..300 {
        let pattern = symmetric(&mut random, 24);
        let graph = Graph::of_symmetric(&pattern).unwrap();
        let n = graph.len();
        // neighbors of v among those
        let among = |v: u32, those: &[u32]| {
            let all = neighbors(&graph, v);
            all.iter().filter(|w| those.contains(w)).count()
        };
        let order = Order::SmallestLast.of(&graph);
        for at in 0..n {
            let rest = &order[..=at];
            let least = rest.iter().map(|v| among(*v, rest)).min();
            assert_eq!(Some(among(order[at], rest)), least, "smallest last");
        }
        let order = Order::IncidenceDegree.of(&graph);
        for at in 0..n {
            let (before, rest) = order.split_at(at);
            let most = rest.iter().map(|v| among(*v, before)).max();
            assert_eq!(Some(among(order[at], before)), most, "incidence degree");
        }
        let order = Order::DynamicLargestFirst.of(&graph);
        for at in 0..n {
            let rest = &order[at..];
            let most = rest.iter().map(|v| among(*v, rest)).max();
            assert_eq!(Some(among(order[at], rest)), most, "dynamic largest first");
        }
        let order = Order::LargestFirst.of(&graph);
        let degrees: Vec<usize> = order.iter().map(|v| neighbors(&graph, *v).len()).collect();
        assert!(degrees.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_same_seed_gives_the_same_order() {
    let graph = Graph::of_symmetric(&Pattern::diagonal(50).unwrap()).unwrap();
    let order = Order::Random(7).of(&graph);
    assert_eq!(order, Order::Random(7).of(&graph));
    assert_ne!(order, Order::Random(8).of(&graph));
}
