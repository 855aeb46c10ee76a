//! Trait objects: all types behind them are known in their module.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9], &[0.2, 0.37, 0.55]];

#[differentiable]
mod market {
    pub(super) trait Payoff {
        fn value(&self, spot: f64) -> f64;

        fn over(&self, spots: &[f64], k: usize) -> f64 {
            self.value(spots[k] * spots[0])
        }

        fn name(&self) -> String {
            String::from("payoff")
        }
    }

    pub(super) struct Put {
        pub(super) strike: f64,
    }

    struct Steps {
        low: f64,
        slopes: Vec<f64>,
    }

    pub(super) struct Wave;

    impl Payoff for Put {
        fn value(&self, spot: f64) -> f64 {
            (self.strike - spot).max(0.0) * spot
        }
    }

    impl Payoff for Steps {
        fn value(&self, spot: f64) -> f64 {
            let mut sum = 0.0;
            for (k, slope) in self.slopes.iter().enumerate() {
                if spot > self.low * (1.0 + k as f64) {
                    sum += slope * spot * spot;
                }
            }
            sum
        }

        fn name(&self) -> String {
            String::from("steps")
        }
    }

    impl Payoff for Wave {
        fn value(&self, spot: f64) -> f64 {
            spot.sin()
        }

        fn over(&self, spots: &[f64], k: usize) -> f64 {
            spots[k] * spots[1]
        }
    }

    fn one(x: &[f64], payoff: &dyn Payoff) -> f64 {
        x[0] * payoff.value(x[0] * x[1])
    }

    pub(super) fn listed(x: &[f64], payoffs: &[Box<dyn Payoff>]) -> f64 {
        let each = payoffs.iter().map(|p| p.value(x[2] + x[1]));
        each.sum::<f64>() + payoffs.iter().map(|p| one(x, p.as_ref())).sum::<f64>()
    }

    pub(super) fn in_loops(x: &[f64], payoffs: &[Box<dyn Payoff>]) -> f64 {
        let mut sum = 0.0;
        for payoff in payoffs {
            sum += payoff.value(x[0] * x[1]).max(0.05);
            sum += payoff.over(x, 2);
        }
        for i in 0..payoffs.len() {
            sum *= payoffs[i].value(x[i % 3]) + 1.0;
        }
        sum
    }

    pub(super) struct Book {
        payoffs: Vec<Box<dyn Payoff>>,
        weight: f64,
    }

    pub(super) fn held(x: &[f64], book: &Book) -> f64 {
        let mut sum = 0.0;
        for (i, p) in book.payoffs.iter().enumerate() {
            sum += p.value(x[0] + x[1] * i as f64) * book.weight;
        }
        sum + book
            .payoffs
            .iter()
            .zip(x)
            .map(|(p, v)| p.value(*v))
            .sum::<f64>()
    }

    pub(super) fn all() -> Vec<Box<dyn Payoff>> {
        let steps = Steps {
            low: 0.15,
            slopes: vec![0.3, 0.4],
        };
        vec![
            Box::new(Put { strike: 2.0 }),
            Box::new(steps),
            Box::new(Wave),
        ]
    }

    pub(super) fn book() -> Book {
        Book {
            payoffs: all(),
            weight: 0.4,
        }
    }
}

#[test]
fn trait_objects() {
    use market::{Payoff, all, book, held, in_loops, listed};
    let (payoffs, book) = (all(), book());
    assert_eq!(payoffs[1].name(), "steps");
    scalar!(listed::AD.with(&payoffs), |x: &[f64]| listed(x, &payoffs))
        .row(313)
        .takes_memory()
        .check(&POINTS);
    scalar!(in_loops::AD.with(&payoffs), |x: &[f64]| in_loops(
        x, &payoffs
    ))
    .row(313)
    .takes_memory()
    .check(&POINTS);
    scalar!(held::AD.with(&book), |x: &[f64]| held(x, &book))
        .row(313)
        .takes_memory()
        .check(&POINTS);
    // a single one
    let put = market::Put { strike: 1.4 };
    let single: [Box<dyn Payoff>; 1] = [Box::new(put)];
    scalar!(in_loops::AD.with(&single[..]), |x: &[f64]| in_loops(
        x, &single
    ))
    .check(&POINTS);
}
