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
                if i == j {
                    self.stay
                } else {
                    (1.0 - self.stay) / (n - 1) as f64
                }
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
            let states = x[1..]
                .chunks(2)
                .map(|c| State {
                    mean: c[0],
                    sd: c[1].exp(),
                })
                .collect();
            let hmm = Hmm {
                states,
                stay: 1.0 / (1.0 + (-x[0]).exp()),
            };
            let (belief, loglik) = hmm.filter(ys);
            loglik + 0.1 * belief[0]
        }
    }

    #[test]
    fn gaussian_hmm() {
        scalar!(
            problem::objective,
            (&[0.1, 0.3, 1.2, 1.0, 0.2]),
            &[0.8, 0.0, -0.7, 1.1, -0.4]
        );
    }
}

/// Continuous-time chain: matrix exponential by scaling and squaring; inline module.
mod ctmc_expm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod ctmc {
        use std::ops::Mul;

        #[derive(Clone, Copy, Debug)]
        struct M3([[f64; 3]; 3]);

        impl M3 {
            fn identity() -> M3 {
                let mut m = [[0.0; 3]; 3];
                for i in 0..3 {
                    m[i][i] = 1.0;
                }
                M3(m)
            }

            fn scaled(&self, s: f64) -> M3 {
                let mut m = self.0;
                for row in m.iter_mut() {
                    for v in row.iter_mut() {
                        *v *= s;
                    }
                }
                M3(m)
            }

            fn plus(&self, o: &M3) -> M3 {
                let mut m = self.0;
                for i in 0..3 {
                    for j in 0..3 {
                        m[i][j] += o.0[i][j];
                    }
                }
                M3(m)
            }
        }

        impl Mul for M3 {
            type Output = M3;
            fn mul(self, o: M3) -> M3 {
                let mut m = [[0.0; 3]; 3];
                for i in 0..3 {
                    for j in 0..3 {
                        for k in 0..3 {
                            m[i][j] += self.0[i][k] * o.0[k][j];
                        }
                    }
                }
                M3(m)
            }
        }

        fn expm(a: M3) -> M3 {
            let squarings = 4;
            let b = a.scaled(1.0 / (1 << squarings) as f64);
            let mut term = M3::identity();
            let mut sum = M3::identity();
            for k in 1..10 {
                term = (term * b).scaled(1.0 / k as f64);
                sum = sum.plus(&term);
            }
            for _ in 0..squarings {
                sum = sum * sum;
            }
            sum
        }

        fn generator(r: &[f64]) -> M3 {
            let [a, b, c, d] = [r[0], r[1], r[2], r[3]];
            M3([[-a, a, 0.0], [b, -(b + c), c], [0.0, d, -d]])
        }

        pub fn log_lik(r: &[f64], transitions: &[(usize, usize)], #[constant] dt: f64) -> f64 {
            let p = expm(generator(r).scaled(dt));
            transitions.iter().map(|&(i, j)| p.0[i][j].ln()).sum()
        }
    }

    #[test]
    fn ctmc_expm() {
        scalar!(
            ctmc::log_lik,
            (&[(0, 1), (1, 1), (1, 2), (2, 0)], 0.5),
            &[0.8, 0.5, 1.1, 0.6]
        );
    }
}

// E0446 private type `Mdp` in public interface
/// Markov decision process: value iteration with a soft maximum.
mod soft_value_iteration {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Mdp {
        next: Vec<Vec<usize>>,
        slip: f64,
        gamma: f64,
    }

    #[differentiable]
    fn soft_max(q: &[f64], temp: f64) -> f64 {
        let s: f64 = q.iter().map(|v| (v / temp).exp()).sum();
        temp * s.ln()
    }

    #[differentiable]
    pub fn values(x: &[f64], #[constant] mdp: &Mdp) -> Vec<f64> {
        let states = mdp.next.len();
        let rewards = &x[..states];
        let temp = x[states];
        let mut v = vec![0.0; states];
        for _sweep in 0..8 {
            v = mdp
                .next
                .iter()
                .enumerate()
                .map(|(s, actions)| {
                    let q: Vec<f64> = actions
                        .iter()
                        .map(|&n| {
                            rewards[s] + mdp.gamma * ((1.0 - mdp.slip) * v[n] + mdp.slip * v[s])
                        })
                        .collect();
                    soft_max(&q, temp)
                })
                .collect();
        }
        v
    }

    #[test]
    fn soft_value_iteration() {
        let mdp = Mdp {
            next: vec![vec![1, 2], vec![0, 3], vec![3, 0], vec![3, 1]],
            slip: 0.1,
            gamma: 0.7,
        };
        vector!(values, (&mdp), &[0.1, -0.2, 0.3, 0.9, 0.5]);
    }
}
