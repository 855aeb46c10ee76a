//! Tuples of numbers in options, lists of pairs that functions compute, queues of what others change, maps of constants,
//! and structs of trait objects that begin empty.

use beside::{Bus, Grid, best, energy, flow, mesh, peak, plant, scored};
use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.9], &[0.6, 1.7, 0.9]];

fn degree(edges: &[(usize, usize)], k: usize) -> usize {
    edges.iter().filter(|e| e.0 == k || e.1 == k).count()
}

#[differentiable]
fn along(x: &[f64], edges: &[(usize, usize)]) -> f64 {
    edges.iter().map(|&(a, b)| (x[a] - x[b]).powi(2)).sum()
}

#[differentiable]
fn springs(x: &[f64]) -> f64 {
    let n = x.len();
    let mut edges = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if (i + j) % 2 == 1 {
                edges.push((i, j));
            }
        }
    }
    let mut sum = along(x, &edges);
    for (i, v) in x.iter().enumerate() {
        sum += degree(&edges, i) as f64 * v.sin();
    }
    edges.push((0, n - 1));
    edges.swap(0, 1);
    sum + x[edges[0].0] * degree(&edges, 0) as f64 * along(x, &edges[1..])
}

#[derive(Clone, Debug, Differentiable)]
struct Limit {
    soft: Option<(f64, f64)>,
    seen: Option<(f64, usize, bool)>,
    hard: f64,
}

#[differentiable]
fn cost(l: &Limit, x: f64) -> f64 {
    let base = (x - l.hard).powi(2) + l.seen.map_or(0.0, |(v, n, _)| v * v * n as f64);
    match l.soft {
        Some((low, high)) if x > low => base + high * low,
        Some((low, _)) => base + low,
        None => base,
    }
}

#[differentiable]
fn limited(x: &[f64]) -> f64 {
    let mut l = Limit {
        soft: Some((x[0], x[1])),
        seen: None,
        hard: x[2],
    };
    let before = cost(&l, x[0] * x[1]);
    l.soft = None;
    l.seen = Some((x[0] * x[2], 2, true));
    before * cost(&l, x[1])
}

#[differentiable]
fn revised(x: &[f64], #[constant] limits: &[Limit]) -> f64 {
    let mut sum = x[1];
    for l in limits {
        let mut own = l.clone();
        own.hard = x[0];
        sum += cost(&own, x[1]);
        own.soft = l.soft.map(|(low, high)| (low * x[2], high));
        sum *= cost(&own, x[2]) + cost(l, 0.5);
    }
    sum
}

#[differentiable]
pub mod beside {
    use std::collections::{BTreeMap, HashMap, VecDeque};

    #[derive(Clone, Debug, Default)]
    pub struct Best {
        pub found: Option<(f64, usize)>,
        pub total: f64,
    }

    impl Best {
        fn offer(&mut self, value: f64, at: usize) {
            self.total += value;
            let better = match self.found {
                Some((v, _)) => value > v,
                None => true,
            };
            if better {
                self.found = Some((value, at));
            }
        }
    }

    fn search(x: &[f64]) -> Best {
        let mut best = Best::default();
        for (i, v) in x.iter().enumerate() {
            best.offer(v * v, i);
        }
        best
    }

    pub fn peak(x: &[f64]) -> f64 {
        let Some((v, at)) = search(x).found else {
            return 0.0;
        };
        v * (at as f64 + 1.0)
    }

    pub fn best(x: &[f64]) -> f64 {
        let Best { found, total } = search(x);
        let bonus = if let Some((v, at)) = found {
            v / (1.0 + at as f64)
        } else {
            0.0
        };
        bonus * total
    }

    pub struct Mesh {
        pub edges: Vec<(usize, usize)>,
        pub length: f64,
    }

    impl Mesh {
        pub fn ring(n: usize, length: f64) -> Self {
            let edges = (0..n).map(|i| (i, (i + 1) % n)).collect();
            Mesh { edges, length }
        }

        pub fn odd(n: usize, length: f64) -> Self {
            let mut edges = vec![];
            for i in 0..n {
                for j in 0..i {
                    if (i + j) % 2 == 1 {
                        edges.push((i, j));
                    }
                }
            }
            let length = length / edges.len() as f64;
            Self { edges, length }
        }

        pub fn energy(&self, x: &[f64]) -> f64 {
            let each = self.edges.iter();
            each.map(|&(a, b)| ((x[a] - x[b]).abs() - self.length).powi(2))
                .sum()
        }
    }

    pub fn mesh(x: &[f64]) -> f64 {
        let n = x.len() - 1;
        Mesh::ring(n, x[n]).energy(x) * Mesh::odd(n + 1, 2.0 * x[n]).energy(x)
    }

    #[derive(Clone, Copy)]
    pub struct Car {
        pub at: f64,
        pub speed: f64,
    }

    fn step(cars: &mut Vec<Car>, wish: f64) {
        for car in cars.iter_mut() {
            car.speed += 0.1 * (wish - car.speed) * car.speed;
            car.at += car.speed;
        }
    }

    pub fn flow(x: &[f64]) -> f64 {
        let mut cars: Vec<Car> = (0..3)
            .map(|i| Car {
                at: i as f64,
                speed: 1.0,
            })
            .collect();
        let mut history: VecDeque<f64> = VecDeque::with_capacity(2);
        for k in 0..4 {
            step(&mut cars, x[k % 3]);
            if history.len() == 2 {
                history.pop_front();
            }
            history.push_back(cars.iter().map(|c| c.speed).sum::<f64>() / 3.0);
        }
        let mean = history.iter().sum::<f64>() / history.len() as f64;
        mean * cars[1].at
    }

    pub enum Bus {
        Slack(f64),
        Load { p: f64 },
    }

    pub struct Grid {
        pub buses: Vec<Bus>,
        pub lines: Vec<(usize, usize, f64)>,
    }

    type Table = BTreeMap<(usize, usize), f64>;

    impl Grid {
        pub fn table(&self) -> Table {
            let mut t = BTreeMap::new();
            for &(a, b, w) in &self.lines {
                *t.entry((a, b)).or_insert(0.0) += w;
            }
            t
        }
    }

    fn loads(grid: &Grid) -> HashMap<usize, f64> {
        let mut t = HashMap::new();
        for (k, bus) in grid.buses.iter().enumerate() {
            if let Bus::Load { p } = bus {
                t.insert(k, *p);
            }
        }
        t
    }

    pub fn energy(x: &[f64], #[constant] grid: &Grid) -> f64 {
        let mut sum = 0.0;
        for ((a, b), w) in &grid.table() {
            sum += w * (x[*a] - x[*b]).powi(2);
        }
        for (k, p) in loads(grid) {
            sum += x[k].sin() * p;
        }
        let mut filled = grid.table();
        filled.insert((0, 2), 0.25);
        sum += x[1] * filled.len() as f64 + x[0] * filled[&(0, 2)];
        for (k, bus) in grid.buses.iter().enumerate() {
            if let Bus::Slack(v) = bus {
                sum *= x[k] * v;
            }
        }
        sum
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Tag {
        Noun,
        Verb,
    }

    fn emission(w: &[f64], word: &str, tag: Tag) -> f64 {
        w[word.len() % 2] * if tag == Tag::Noun { w[2] } else { 1.0 }
    }

    fn score(w: &[f64], sentence: &[(&str, Tag)]) -> f64 {
        let mut sum = [Tag::Noun, Tag::Verb]
            .iter()
            .map(|&t| emission(w, sentence[0].0, t))
            .sum::<f64>();
        let mut previous: Option<Tag> = None;
        for &(word, tag) in &sentence[1..] {
            sum *= emission(w, word, tag);
            if let Some(p) = previous {
                sum += emission(w, word, p);
            }
            previous = Some(tag);
        }
        sum
    }

    pub fn scored(w: &[f64], #[constant] corpus: &[Vec<(&str, Tag)>]) -> f64 {
        corpus.iter().map(|s| score(w, s)).sum()
    }

    pub trait Unit {
        fn process(&self, feed: f64) -> f64;
        fn cost(&self) -> f64 {
            0.0
        }
    }

    pub struct Heater {
        pub duty: f64,
    }

    pub struct Splitter {
        pub purge: f64,
    }

    impl Unit for Heater {
        fn process(&self, feed: f64) -> f64 {
            feed + self.duty
        }
        fn cost(&self) -> f64 {
            0.02 * self.duty.powi(2)
        }
    }

    impl Unit for Splitter {
        fn process(&self, feed: f64) -> f64 {
            feed * (1.0 - self.purge)
        }
    }

    pub struct Prices {
        heat: f64,
    }

    impl Default for Prices {
        fn default() -> Self {
            Self { heat: 1.5 }
        }
    }

    #[derive(Default)]
    pub struct Sheet {
        label: String,
        units: Vec<Box<dyn Unit>>,
        fixed: f64,
        count: usize,
        is_closed: bool,
        most: Option<f64>,
        prices: Prices,
        weights: [f64; 2],
        best: (f64, usize),
        #[cfg(any())]
        absent: f64,
        #[cfg(all())]
        present: f64,
    }

    impl Sheet {
        pub fn add<U: Unit + 'static>(mut self, unit: U) -> Self {
            self.units.push(Box::new(unit));
            self.count += 1;
            self
        }

        pub fn run(&self, feed: f64) -> (f64, f64) {
            let mut s = feed;
            let mut cost = self.fixed + self.label.len() as f64;
            if self.is_closed || self.most.is_some() {
                cost += 100.0;
            }
            for u in self.units.iter() {
                s = u.process(s);
                cost += u.cost();
            }
            let rest = self.best.0 * self.best.1 as f64 + self.present;
            (
                s,
                cost * self.count as f64 * self.prices.heat + rest + self.weights[1],
            )
        }
    }

    pub fn plant(x: &[f64]) -> f64 {
        let mut begun = Sheet::default();
        begun.prices.heat *= x[1];
        begun.weights[1] = x[0] * x[2];
        begun.best = (x[1], 2);
        let sheet = begun
            .add(Heater { duty: x[0] })
            .add(Splitter { purge: 0.1 * x[1] })
            .add(Heater { duty: -x[2] });
        let (product, cost) = sheet.run(x[2]);
        product * product - cost
    }
}

#[test]
fn options_of_tuples_in_fields() {
    scalar!(limited).row(923).check(&POINTS);
    let limit = |soft, seen| Limit {
        soft,
        seen,
        hard: 0.4,
    };
    let limits = [
        limit(Some((0.3, 1.2)), None),
        limit(None, Some((0.7, 3, false))),
    ];
    scalar!(revised::AD.with(&limits), |x: &[f64]| revised(x, &limits))
        .row(923)
        .check(&POINTS);
    scalar!(peak).row(923).check(&POINTS);
    scalar!(best).row(923).check(&POINTS);
}

#[test]
fn lists_of_pairs_that_are_computed() {
    scalar!(mesh).row(924).takes_memory().check(&POINTS);
    scalar!(springs).row(924).takes_memory().check(&POINTS);
}

#[test]
fn queues_of_what_others_change() {
    scalar!(flow).row(932).check(&POINTS);
}

#[test]
fn maps_that_functions_of_constants_return() {
    let grid = Grid {
        buses: vec![Bus::Slack(1.1), Bus::Load { p: 0.5 }, Bus::Load { p: 0.3 }],
        lines: vec![(0, 1, 0.5), (1, 2, 0.7), (0, 1, 0.2)],
    };
    scalar!(energy::AD.with(&grid), |x: &[f64]| energy(x, &grid))
        .row(933)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn words_beside_tags() {
    use beside::Tag::{Noun, Verb};
    let corpus = vec![
        vec![("the", Noun), ("dogs", Verb), ("bark", Noun)],
        vec![("go", Verb), ("on", Noun)],
    ];
    scalar!(scored::AD.with(&corpus), |x: &[f64]| scored(x, &corpus))
        .row(934)
        .check(&POINTS);
}

#[test]
fn structs_of_objects_that_begin_empty() {
    scalar!(plant).row(943).check(&POINTS);
}
