//! Markov models.

/// PageRank with learnable teleport weights; adjacency lists.
mod pagerank {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod rank {
        pub struct Graph {
            pub links: Vec<Vec<usize>>,
        }

        impl Graph {
            pub fn ring(n: usize) -> Graph {
                Graph {
                    links: (0..n).map(|i| vec![(i + 1) % n, (i * i) % n]).collect(),
                }
            }
        }

        pub fn score(x: &[f64], graph: &Graph, target: usize) -> f64 {
            let n = graph.links.len();
            let damping = x[0];
            let total: f64 = x[1..].iter().sum();
            let teleport: Vec<f64> = x[1..].iter().map(|v| v / total).collect();
            let mut r = teleport.clone();
            for _ in 0..20 {
                let mut next: Vec<f64> = teleport.iter().map(|t| (1.0 - damping) * t).collect();
                for (i, out) in graph.links.iter().enumerate() {
                    let share = damping * r[i] / out.len() as f64;
                    for &j in out {
                        next[j] += share;
                    }
                }
                r = next;
            }
            -r[target % n].ln()
        }
    }

    #[test]
    fn pagerank() {
        let g = rank::Graph::ring(5);
        scalar!(rank::score, (&g, 2), &[0.6, 1.0, 0.8, 0.5, 1.3, 0.7]);
    }
}
