//! A list that a constant makes was made again for each of its elements that a loop inside of a loop read.

use di::prelude::*;
use di_test::scalar;
use std::cell::Cell;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3], &[-0.6, 1.9, 2.2]];

struct Graph {
    ends: Vec<(usize, usize)>,
    asked: Cell<usize>,
}

impl Graph {
    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.asked.set(self.asked.get() + 1);
        self.ends.iter().copied()
    }

    fn next_to(&self, a: usize) -> Vec<usize> {
        self.ends.iter().filter(|e| e.0 == a).map(|e| e.1).collect()
    }
}

#[differentiable]
fn spread(x: &[f64], #[constant] graph: &Graph, rounds: usize) -> f64 {
    let mut u = x.to_vec();
    for round in 0..rounds {
        let old = u.clone();
        for (a, b) in graph.edges() {
            u[b] += 0.1 * old[a] * old[b];
        }
        // these are others in each trip
        for b in graph.next_to(round % 3) {
            u[b] += 0.2 * old[round % 3];
        }
        if round % 2 == 1 {
            for (a, _) in graph.edges() {
                u[a] *= old[a];
            }
        }
    }
    u.iter().map(|u| u * u).sum()
}

#[test]
fn a_list_is_made_once_for_all_trips() -> Result<(), di::Error> {
    let ends = vec![(0, 1), (1, 2), (2, 0), (0, 2)];
    let graph = Graph {
        ends,
        asked: Cell::new(0),
    };
    let f = spread::AD.with(&graph, 4);
    scalar!(f, |x| spread(x, &graph, 4))
        .takes_memory()
        .check(&POINTS);
    let asked = |rounds| {
        graph.asked.set(0);
        let f = spread::AD.with(&graph, rounds);
        gradient(f, NoPrep, &AutoSource::new().reverse(), POINTS[0])?;
        Ok::<usize, di::Error>(graph.asked.get())
    };
    assert_eq!(asked(4)?, asked(12)?);
    Ok(())
}
