//! Fields that are tuples without floats, and lists of tuples and of structs without floats: reactions, bonds, terms.

use di::prelude::*;
use di_test::scalar;

use network::{collected, replaced, total};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.9], &[-1.2, 0.4, 1.5]];

#[derive(Clone, Debug, Differentiable)]
struct Reaction {
    rate: f64,
    orders: Vec<(usize, u32)>,
    between: (usize, usize),
}

#[differentiable]
fn speed(x: &[f64], r: &Reaction) -> f64 {
    let mut speed = r.rate;
    for &(i, n) in &r.orders {
        speed *= x[i].powi(n as i32);
    }
    speed + x[r.between.0] * x[r.between.1] + r.orders.len() as f64
}

#[differentiable]
fn made(x: &[f64]) -> f64 {
    let r = Reaction {
        rate: x[0],
        orders: vec![(0, 2), (1, 1)],
        between: (1, 2),
    };
    speed(x, &r)
}

#[differentiable]
mod network {
    #[derive(Clone, Debug)]
    pub struct Term {
        pub i: usize,
        pub n: i32,
    }

    #[derive(Clone, Debug)]
    pub struct Law {
        pub orders: Vec<(usize, u32)>,
        pub terms: Vec<Term>,
        pub last: [Term; 1],
        pub k: f64,
    }

    impl Law {
        pub fn rate(&self, x: &[f64]) -> f64 {
            let product: f64 = self
                .orders
                .iter()
                .map(|&(i, n)| x[i].powi(n as i32))
                .product();
            let sum: f64 = self.terms.iter().map(|t| x[t.i].powi(t.n)).sum();
            self.k * product + sum + x[self.last[0].i]
        }

        pub fn scaled(&self, by: f64) -> Law {
            Law {
                orders: self.orders.clone(),
                terms: self.terms.clone(),
                last: self.last.clone(),
                k: self.k * by,
            }
        }

        pub fn with(&self, k: f64) -> Law {
            Law { k, ..self.clone() }
        }
    }

    pub fn laws(x: &[f64]) -> Vec<Law> {
        vec![
            Law {
                orders: vec![(0, 2), (1, 1)],
                terms: vec![Term { i: 1, n: 2 }, Term { i: 2, n: 1 }],
                last: [Term { i: 0, n: 1 }],
                k: x[0],
            },
            Law {
                orders: vec![(2, 1)],
                terms: vec![],
                last: [Term { i: 1, n: 1 }],
                k: x[1] * x[2],
            },
        ]
    }

    pub fn total(x: &[f64]) -> f64 {
        let laws = laws(x);
        let mut sum = 0.0;
        for law in &laws {
            sum += law.rate(x);
        }
        let first = laws[0].clone();
        sum * first.scaled(x[1]).rate(x) + laws[1].with(x[0]).rate(x)
    }

    pub fn replaced(x: &[f64]) -> f64 {
        let mut law = laws(x)[0].clone();
        let before: Vec<usize> = law.orders.iter().map(|t| t.0).collect();
        let many = law.orders.iter().any(|t| t.1 > 1);
        for k in 0..2 {
            law = Law {
                orders: law.orders.iter().map(|&(i, n)| (1 - i, n + 1)).collect(),
                terms: vec![],
                last: [Term { i: k, n: 1 }],
                k: law.k * x[k],
            };
        }
        law.rate(x) * x[before[0]] * if many { 2.0 } else { 1.0 }
    }

    pub fn collected(x: &[f64]) -> f64 {
        let laws: Vec<Law> = (0..2)
            .map(|i| Law {
                orders: vec![(i, 1), (2, 2)],
                terms: vec![Term { i, n: 2 }],
                last: [Term { i: 0, n: 1 }],
                k: x[i],
            })
            .collect();
        laws.iter().map(|law| law.rate(x)).sum()
    }
}

#[test]
fn lists_of_tuples_and_of_structs_are_constants_in_fields() {
    scalar!(made).row(388).takes_memory().check(&POINTS);
    scalar!(total).row(388).takes_memory().check(&POINTS);
    scalar!(collected).row(388).takes_memory().check(&POINTS);
}

#[test]
fn what_is_read_before_a_change_stays() {
    scalar!(replaced).takes_memory().check(&POINTS);
}

#[test]
fn parameters_that_hold_them() {
    let r = Reaction {
        rate: 3.0,
        orders: vec![(0, 2), (1, 1)],
        between: (0, 1),
    };
    let g = gradient(
        speed::AD,
        NoPrep,
        &AutoSource::new(),
        &(&[1.0, 2.0][..], &r),
    )
    .unwrap();
    assert_eq!(g.0, [14.0, 4.0]);
    assert_eq!((g.1.rate, g.1.orders, g.1.between), (2.0, r.orders, (0, 1)));
}
