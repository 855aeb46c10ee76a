//! Maps and deques of constants and of what is differentiated, which helpers take without a mark.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];

#[differentiable]
mod game {
    use std::collections::{BTreeMap, HashMap, VecDeque};

    pub type Payoffs = HashMap<(u8, u8), f64>;

    fn expected(pay: &Payoffs, p: f64) -> f64 {
        pay.get(&(0, 1)).copied().unwrap_or(0.0) * p * p
    }

    fn total(pay: &BTreeMap<&str, f64>, p: f64) -> f64 {
        let mut s = 0.0;
        for (k, v) in pay {
            if *k == "b" {
                continue;
            }
            s += v * p;
        }
        s + pay["b"].powi(2) * p.sin()
    }

    fn largest(pay: &BTreeMap<&str, f64>) -> f64 {
        pay.values().fold(0.0, |m: f64, v| m.max(*v))
    }

    pub struct Cell {
        k: f64,
    }

    impl Cell {
        fn volt(&self, c: &BTreeMap<&str, f64>, name: &str) -> f64 {
            self.k * c[name] + c.values().sum::<f64>()
        }

        fn line(&self, c: &VecDeque<f64>) -> f64 {
            c.iter().map(|v| v * v * self.k).sum()
        }
    }

    fn drained(c: BTreeMap<&str, f64>) -> f64 {
        c.into_iter().map(|(k, v)| v * k.len() as f64).sum()
    }

    fn squares(cell: &Cell, c: &VecDeque<f64>) -> f64 {
        c.iter().map(|v| v * v * cell.k).sum()
    }

    pub fn constant(
        x: &[f64],
        #[constant] pay: &Payoffs,
        #[constant] names: &BTreeMap<&str, f64>,
        #[constant] line: &VecDeque<f64>,
    ) -> f64 {
        let cell = Cell { k: x[0] * x[0] };
        let mut s = expected(pay, x[1]);
        for i in 0..3 {
            s += total(names, x[0] * i as f64) * largest(names) + cell.volt(names, "a");
        }
        if s > 0.0 && largest(names) > 1.0 {
            s *= cell.line(line);
        }
        s
    }

    pub fn varying(x: &[f64]) -> f64 {
        let cell = Cell { k: x[0] };
        let mut c: BTreeMap<&str, f64> = BTreeMap::new();
        c.insert("a", x[0] * x[1]);
        c.insert("b", x[1].sin());
        let mut line = VecDeque::new();
        line.push_back(x[0]);
        line.push_back(2.0 * x[1]);
        let s = total(&c, x[1]) + squares(&cell, &line);
        s * drained(c)
    }
}

type Table = BTreeMap<u32, f64>;

#[derive(Clone, Copy, Differentiable)]
pub struct Act {
    k: f64,
}

#[differentiable]
impl Act {
    fn at(&self, c: &HashMap<u32, f64>, n: u32) -> f64 {
        self.k * c[&n] + c.values().sum::<f64>()
    }

    fn first(c: &BTreeMap<u32, f64>, x: f64) -> f64 {
        c[&1] * x
    }
}

#[differentiable]
fn scaled(t: &Table, x: f64) -> f64 {
    t.get(&1).map_or(0.0, |v| v * x)
}

#[differentiable]
fn alone(x: &[f64], #[constant] c: &HashMap<u32, f64>, #[constant] t: &Table) -> f64 {
    let act = Act { k: x[0] * x[1] };
    let mut own: Table = BTreeMap::new();
    own.insert(1, x[0].exp());
    let s: f64 = (0..2).map(|i| scaled(t, x[0] + i as f64)).sum();
    s * act.at(c, 2) + Act::first(t, x[1]) * scaled(&own, x[1])
}

#[test]
fn maps_as_parameters_of_helpers() {
    let pay = game::Payoffs::from([((0, 1), 2.0), ((1, 1), -1.0)]);
    let names: BTreeMap<&str, f64> = [("a", 1.2), ("b", 0.3), ("c", -0.4)].into();
    let line = [0.2, 0.4].into();
    scalar!(
        game::constant::AD.with(&pay, &names, &line),
        |x: &[f64]| game::constant(x, &pay, &names, &line)
    )
    .row(820)
    .takes_memory()
    .check(&POINTS);
    scalar!(game::varying::AD, game::varying)
        .row(820)
        .takes_memory()
        .check(&POINTS);
    let (c, t) = ([(2, 0.3), (5, 0.7)].into(), [(1, 0.4)].into());
    scalar!(alone::AD.with(&c, &t), |x: &[f64]| alone(x, &c, &t))
        .row(820)
        .takes_memory()
        .check(&POINTS);
}
