//! Lists of integers that functions without derivatives return: chosen by branches, taken out of options, run through
//! where they are made.

use di::prelude::*;
use di_test::scalar;
use model::{by_branches, by_question, in_loops};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, -0.4, 1.5], &[-1.2, 0.6, 0.3]];

#[differentiable]
mod model {
    pub struct Link {
        pub a: f64,
        pub k: usize,
    }

    impl Link {
        pub fn turned(&self, q: f64) -> f64 {
            self.a * q.sin()
        }
    }

    fn chain() -> Vec<Link> {
        vec![Link { a: 1.5, k: 0 }, Link { a: 0.5, k: 2 }]
    }

    fn order(n: usize) -> Vec<usize> {
        (0..n).rev().collect()
    }

    fn sorted(n: usize) -> Option<Vec<usize>> {
        if n > 9 { None } else { Some(order(n)) }
    }

    fn last(n: usize) -> Option<usize> {
        n.checked_sub(1)
    }

    fn pairs() -> Vec<(usize, f64)> {
        vec![(0, 1.5), (2, 0.5)]
    }

    pub fn by_branches(p: &[f64]) -> f64 {
        let o = if p[0] > 0.5 { order(3) } else { order(2) };
        let q = match p.len() {
            3 => order(3),
            2 => vec![1, 0],
            _ => return 0.0,
        };
        let r = if q.len() > 2 { order(2) } else { order(1) };
        p[o[1]] * p[q[0]] * p[r[0]] * o.len() as f64
    }

    fn found(p: &[f64]) -> Option<f64> {
        let o = sorted(p.len())?;
        let k = last(p.len())?;
        let mut sum = 0.0;
        for &i in &o {
            sum += p[i] * p[k];
        }
        Some(sum * p[o[1]])
    }

    pub fn by_question(p: &[f64]) -> f64 {
        found(p).unwrap_or(0.0)
    }

    pub fn in_loops(p: &[f64]) -> f64 {
        let mut sum = p[0];
        for link in &chain() {
            sum *= link.turned(p[1]);
        }
        for (link, x) in chain().iter().zip(p) {
            sum += link.turned(*x) * p[link.k];
        }
        'all: for i in order(3) {
            for (k, &j) in order(i + 1).iter().enumerate().rev() {
                if j == 2 {
                    continue 'all;
                }
                sum += p[i] * p[j] * k as f64;
            }
        }
        for (i, w) in pairs() {
            sum += p[i] * w;
        }
        for &(i, w) in &pairs() {
            sum *= p[i] + w;
        }
        sum
    }
}

#[test]
fn lists_of_integers_are_chosen_and_taken() {
    scalar!(by_branches).row(389).takes_memory().check(&POINTS);
    scalar!(by_question).row(389).takes_memory().check(&POINTS);
}

#[test]
fn lists_are_run_through_where_they_are_made() {
    scalar!(in_loops).row(389).takes_memory().check(&POINTS);
}
