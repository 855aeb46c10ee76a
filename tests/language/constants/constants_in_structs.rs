//! Constants in the fields of derived structs, which are made, copied and kept: enums, options, structs without floats.
//! Lists of constant structs that are changed.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::differences::columns;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    One,
    Many(u8, [f64; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    On,
    Off,
    Dimmed(f64),
    Blinks { every: Option<u32>, by: Unit },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Switch {
    Full,
    Half { since: u8 },
}

#[derive(Clone, Debug, PartialEq)]
struct Place {
    floor: u32,
    room: (usize, char),
}

#[derive(Clone, Debug, Differentiable)]
struct Lamp {
    power: f64,
    /// There is a float in it.
    #[constant]
    mode: Mode,
    switch: Switch,
    age: Option<u32>,
    place: Place,
}

impl Mode {
    fn switch(&self, k: usize) -> Switch {
        match k % 3 {
            1 => Switch::Half { since: k as u8 },
            _ => Switch::Full,
        }
    }
    fn next(&self, k: usize) -> Mode {
        match (self, k % 4) {
            (_, 0) => Mode::Dimmed(0.5),
            (Mode::Dimmed(by), _) => Mode::Blinks {
                every: Some(k as u32),
                by: Unit::Many(3, [*by, 0.1]),
            },
            (Mode::Blinks { .. }, _) => Mode::On,
            _ => *self,
        }
    }
}

#[differentiable]
fn light(lamp: &Lamp) -> f64 {
    let age = lamp.age.unwrap_or(2) as f64 + lamp.place.floor as f64;
    let part = match lamp.switch {
        Switch::Full => 1.0,
        Switch::Half { since } => 0.5 + 0.1 * since as f64,
    };
    part * match lamp.mode {
        Mode::On => lamp.power * lamp.power / age,
        Mode::Off => 0.0,
        Mode::Dimmed(by) => by * lamp.power.sin(),
        Mode::Blinks { every, by } => {
            let by = match by {
                Unit::One => 1.0,
                Unit::Many(n, of) => n as f64 * of[0] - of[1],
            };
            0.1 * by * (lamp.power * every.unwrap_or(1) as f64).cos()
        }
    }
}

/// The mode changes in each trip, so that reverse code reads what was kept.
#[differentiable]
fn lights(x: &[f64], #[constant] first: Mode, #[constant] place: &Place) -> f64 {
    let mode = Mode::Dimmed(0.3);
    let mut lamp = Lamp {
        power: x[0],
        mode,
        switch: Switch::Full,
        age: Some(3),
        place: place.clone(),
    };
    let mut sum = light(&lamp);
    for k in 0..7 {
        let (mode, switch) = (first.next(k), first.switch(k));
        lamp = Lamp {
            power: lamp.power * x[1] + x[2] * light(&lamp),
            mode,
            switch,
            ..lamp.clone()
        };
        sum += light(&lamp);
    }
    sum
}

#[test]
fn constants_in_structs_that_are_made() {
    let place = Place {
        floor: 1,
        room: (3, 'b'),
    };
    let blinks = Mode::Blinks {
        every: None,
        by: Unit::One,
    };
    for first in [Mode::On, Mode::Off, Mode::Dimmed(0.8), blinks] {
        scalar!(lights::AD.with(first, &place), |x: &[f64]| lights(
            x, first, &place
        ))
        .row(293)
        .check(&POINTS);
    }
}

// ---- lists of constant structs ----

struct Garden {
    lamps: Vec<Lamp>,
}

#[differentiable]
fn scaled(x: &[f64], #[constant] garden: &Garden, #[constant] spare: &[Lamp]) -> f64 {
    let mut lamps = garden.lamps.clone();
    let mut others = spare.to_vec();
    for (k, lamp) in lamps.iter_mut().enumerate() {
        lamp.power *= x[k];
    }
    for lamp in others.iter_mut() {
        lamp.power += x[2];
    }
    let sum: f64 = lamps.iter().map(|lamp| light(lamp)).sum();
    sum * others.iter().map(|lamp| light(lamp)).sum::<f64>()
}

#[test]
fn lists_of_constant_structs_that_are_changed() {
    let lamp = |power, mode| Lamp {
        power,
        mode,
        switch: Switch::Half { since: 3 },
        age: None,
        place: Place {
            floor: 2,
            room: (0, 'a'),
        },
    };
    let lamps = vec![lamp(0.4, Mode::On), lamp(0.9, Mode::Dimmed(0.6))];
    let spare = [lamp(0.8, Mode::On), lamp(0.1, Mode::Dimmed(0.2))];
    let garden = Garden { lamps };
    let handle = scaled::AD.with(&garden, &spare);
    scalar!(handle, |x: &[f64]| scaled(x, &garden, &spare))
        .row(294)
        .check(&POINTS);
}

// ---- structs and methods that a function does not name ----

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<Vec<f64>>,
    switch: Switch,
}

#[derive(Clone, Debug, Differentiable)]
struct Network {
    name: String,
    layers: Vec<Layer>,
}

#[differentiable]
impl Layer {
    fn forward(&self, input: &[f64]) -> Vec<f64> {
        let rows = self.weights.iter();
        let sums = rows.map(|row| row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>());
        sums.map(|sum| match self.switch {
            Switch::Full => sum.tanh(),
            _ => sum,
        })
        .collect()
    }
}

#[differentiable]
impl Network {
    fn title(&self) -> String {
        format!("{} of {}", self.name, self.layers.len())
    }
    fn outputs(&self, x: &[f64]) -> Vec<f64> {
        let mut x = x.to_vec();
        for layer in &self.layers {
            x = layer.forward(&x);
        }
        x
    }
}

#[differentiable]
fn network(x: &[f64], #[constant] net: &Network) -> f64 {
    net.outputs(x).iter().map(|y| y * y).sum()
}

#[test]
fn structs_in_fields_that_are_not_named() {
    let layer = |a: f64, switch| Layer {
        weights: vec![vec![a, 0.2, -0.3], vec![0.5, a, 0.1], vec![0.3, -0.4, a]],
        switch,
    };
    let layers = vec![
        layer(0.6, Switch::Full),
        layer(-0.2, Switch::Half { since: 1 }),
    ];
    let net = Network {
        name: "two".to_owned(),
        layers,
    };
    assert_eq!(net.title(), "two of 2");
    scalar!(network::AD.with(&net), |x: &[f64]| network(x, &net))
        .takes_memory()
        .row(295)
        .check(&POINTS);
}

#[derive(Clone, Debug, Differentiable)]
struct Graph {
    w: Vec<f64>,
    neighbors: Vec<Vec<usize>>,
}

#[differentiable]
fn energy(x: &[f64], g: &Graph) -> f64 {
    let mut e = 0.0;
    for i in 0..g.neighbors.len() {
        for &j in &g.neighbors[i] {
            e += g.w[i] * (x[i] - x[j]).powi(2);
        }
        for k in 0..g.neighbors[i].len() {
            e += x[g.neighbors[i][k]].sin() / g.neighbors[i].len() as f64;
        }
    }
    for (w, row) in g.w.iter().zip(&g.neighbors) {
        e += w * row.iter().map(|&j| x[j] * x[j]).sum::<f64>();
    }
    for row in &g.neighbors {
        for j in row.iter() {
            e += x[*j] * g.w[*j];
        }
    }
    e
}

fn graph(x: &[f64]) -> Graph {
    Graph {
        w: vec![0.3, 0.6 * x[0], 0.9],
        neighbors: vec![vec![1, 2], vec![0], vec![]],
    }
}

#[differentiable]
fn near(x: &[f64], row: &[usize]) -> f64 {
    row.iter().map(|&j| x[j] * x[j]).sum()
}

#[differentiable]
fn all_near(x: &[f64], rows: &[Vec<usize>]) -> f64 {
    let mut sum = 0.0;
    for (row, v) in rows.iter().zip(x) {
        sum += v * near(x, row);
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct Mesh {
    graph: Graph,
    order: Vec<usize>,
    ends: [usize; 2],
    pairs: Vec<[usize; 2]>,
    k: f64,
}

#[differentiable]
fn first_pair(x: &[f64], pairs: &[[usize; 2]], ends: &[usize; 2]) -> f64 {
    let [i, j] = pairs[0];
    x[i] * x[j] * x[ends[1]]
}

#[differentiable]
fn borrowed(x: &[f64], m: &Mesh) -> f64 {
    let mut sum = near(x, &m.order) * m.k + all_near(&m.graph.w, &m.graph.neighbors);
    for row in &m.graph.neighbors {
        sum += near(x, row).sin();
    }
    for i in 0..2 {
        sum += m.graph.w[i] * near(x, &m.graph.neighbors[i]);
    }
    let order = &m.order;
    sum * near(&m.graph.w, order) + near(x, &m.order[1..]) + first_pair(x, &m.pairs, &m.ends)
}

fn mesh(x: &[f64]) -> Mesh {
    Mesh {
        graph: graph(x),
        order: vec![2, 0, 1],
        ends: [0, 2],
        pairs: vec![[1, 0]],
        k: 0.7,
    }
}

#[test]
fn lists_of_integers_in_fields_that_are_borrowed() {
    for x in POINTS {
        let m = mesh(x);
        scalar!(borrowed::AD.fix_m(&m), |x| borrowed(x, &m))
            .row(386)
            .check(&[x]);
        let of_weights = |w: &[f64]| {
            let w = w.to_vec();
            let graph = Graph {
                w,
                ..m.graph.clone()
            };
            vec![borrowed(x, &Mesh { graph, ..m.clone() })]
        };
        let expected = columns(of_weights, &m.graph.w, 0.1).concat();
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let found = gradient(borrowed::AD, NoPrep, &backend, &(&x.to_vec(), &m)).unwrap();
            assert_close("by weights", &found.1.graph.w, &expected, DIFFERENCES);
            let sum = near(x, &m.order);
            let sum = sum * near(&m.graph.w, &m.order);
            assert_close("by k", &[found.1.k], &[sum], DIFFERENCES);
        }
    }
}

#[differentiable]
fn twice(x: &[f64], g: &Graph) -> f64 {
    energy(x, g) * g.neighbors[0][1] as f64 + energy(&[x[1], x[0], x[2]], g).sin()
}

#[test]
fn lists_of_lists_of_integers_in_fields() {
    for x in POINTS {
        let g = graph(x);
        scalar!(energy::AD.fix_g(&g), |x| energy(x, &g))
            .row(386)
            .check(&[x]);
        scalar!(twice::AD.fix_g(&g), |x| twice(x, &g))
            .row(386)
            .check(&[x]);
        let of_weights = |w: &[f64]| {
            let w = w.to_vec();
            vec![twice(x, &Graph { w, ..g.clone() })]
        };
        let expected = columns(of_weights, &g.w, 0.1).concat();
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let found = gradient(twice::AD, NoPrep, &backend, &(&x.to_vec(), &g)).unwrap();
            assert_close("by weights", &found.1.w, &expected, DIFFERENCES);
        }
    }
}
