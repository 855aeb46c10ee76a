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

/// Gaussian-emission HMM with structs for states.
mod gaussian_hmm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        #[derive(Clone, Debug)]
        struct State {
            mean: f64,
            sd: f64,
        }

        #[derive(Clone, Debug)]
        struct Hmm {
            states: Vec<State>,
            stay: f64,
        }

        impl State {
            fn density(&self, #[constant] y: f64) -> f64 {
                let z = (y - self.mean) / self.sd;
                (-0.5 * z * z).exp() / (self.sd * (2.0 * std::f64::consts::PI).sqrt())
            }
        }

        impl Hmm {
            fn transition(&self, i: usize, j: usize) -> f64 {
                let n = self.states.len();
                if i == j { self.stay } else { (1.0 - self.stay) / (n - 1) as f64 }
            }

            fn filter(&self, #[constant] ys: &[f64]) -> (Vec<f64>, f64) {
                let n = self.states.len();
                let mut belief = vec![1.0 / n as f64; n];
                let mut loglik = 0.0;
                for y in ys {
                    let mut next = vec![0.0; n];
                    for j in 0..n {
                        for i in 0..n {
                            next[j] += belief[i] * self.transition(i, j);
                        }
                        next[j] *= self.states[j].density(*y);
                    }
                    let total: f64 = next.iter().sum();
                    loglik += total.ln();
                    belief = next.iter().map(|v| v / total).collect();
                }
                (belief, loglik)
            }
        }

        pub fn objective(x: &[f64], #[constant] ys: &[f64]) -> f64 {
            let states = x[1..].chunks(2).map(|c| State { mean: c[0], sd: c[1].exp() }).collect();
            let hmm = Hmm { states, stay: 1.0 / (1.0 + (-x[0]).exp()) };
            let (belief, loglik) = hmm.filter(ys);
            loglik + 0.1 * belief[0]
        }
    }

    #[test]
    fn gaussian_hmm() {
        scalar!(problem::objective, (&[0.1, 0.3, 1.2, 1.0, 0.2]), &[0.8, 0.0, -0.7, 1.1, -0.4]);
    }
}
