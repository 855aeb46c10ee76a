//! Data and structs in calls: options as parameters, defaults of traits, constants in helpers, what the file says of
//! methods and lifetimes.

#![allow(elided_lifetimes_in_paths, reason = "lifetimes that are left out")]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

// ---- options ----

struct Run {
    dose: Option<f64>,
}

#[differentiable]
fn drag(v: f64, cd: Option<f64>, mut area: Option<f64>) -> f64 {
    if let Some(a) = &mut area {
        *a *= v;
    }
    match cd {
        Some(c) if c > 0.5 => c * v * v * area.unwrap_or(2.0),
        _ => v.sin() * area.map_or(0.5, |a| a * a),
    }
}

/// Options of constants, of variables, and written out.
#[differentiable]
fn drags(x: &[f64], #[constant] runs: &[Run]) -> f64 {
    let (mut sum, wide) = (0.0, Some(x[1] * x[2]));
    for run in runs {
        sum += drag(x[0], run.dose, wide);
    }
    let cd = if x[1] > 1.0 { Some(x[1]) } else { None };
    sum + drag(x[2], cd, None) * drag(x[1], Some(x[0] * x[0]), Some(x[2])) + drag(x[0], None, wide)
}

#[test]
fn options_as_parameters() {
    let runs = [Some(0.8), None, Some(0.3)].map(|dose| Run { dose });
    scalar!(drags::AD.with(&runs), |x: &[f64]| drags(x, &runs))
        .row(192)
        .check(&POINTS);
}

// ---- traits ----

#[differentiable]
mod plants {
    pub trait Plant {
        const DT: f64;
        const GAIN: f64 = 1.5;
        fn rate(&self, x: [f64; 2], u: f64) -> [f64; 2];
        fn step(&self, x: [f64; 2], u: f64) -> [f64; 2] {
            let k = self.rate(x, Self::GAIN * u);
            [x[0] + Self::DT * k[0], x[1] + Self::DT * k[1]]
        }
    }
    pub struct Pendulum {
        pub length: f64,
    }
    impl Plant for Pendulum {
        const DT: f64 = 0.1;
        fn rate(&self, x: [f64; 2], u: f64) -> [f64; 2] {
            [x[1], u - x[0].sin() / self.length]
        }
    }

    pub trait Kernel {
        const SIZE: usize;
        fn k(theta: &[f64], d: f64) -> f64;
        fn both(theta: &[f64], d: f64) -> f64 {
            Self::k(theta, d) + Self::k(theta, -0.5 * d)
        }
    }
    pub struct Wide;
    pub struct Narrow;
    impl Kernel for Wide {
        const SIZE: usize = 1;
        fn k(theta: &[f64], d: f64) -> f64 {
            (-theta[0] * d * d).exp()
        }
    }
    impl Kernel for Narrow {
        const SIZE: usize = 2;
        fn k(theta: &[f64], d: f64) -> f64 {
            (theta[1] * d).cos() * theta[0]
        }
    }

    fn likelihood<K: Kernel>(theta: &[f64], at: &[f64]) -> f64 {
        let mut sum = theta[K::SIZE];
        for d in at {
            sum *= K::k(theta, *d) + K::both(theta, d * d);
        }
        sum
    }

    fn rollout<P: Plant>(x: &[f64], plant: &P) -> f64 {
        let mut s = [x[0], x[1]];
        for _ in 0..3 {
            s = plant.step(s, x[2] * s[0]);
        }
        s[0] * s[1]
    }

    pub fn travel(x: &[f64], #[constant] plant: &Pendulum) -> f64 {
        let longer = Pendulum { length: x[1] };
        rollout(x, plant) + rollout(x, &longer)
    }

    pub fn fitted(x: &[f64], #[constant] at: &[f64]) -> f64 {
        likelihood::<Wide>(x, at) * likelihood::<Narrow>(x, at)
    }
}

#[test]
fn defaults_of_traits() {
    use plants::{Pendulum, fitted, travel};
    let plant = Pendulum { length: 1.3 };
    scalar!(travel::AD.with(&plant), |x: &[f64]| travel(x, &plant))
        .row(193)
        .check(&POINTS);
    let at = [0.3, 0.8];
    scalar!(fitted::AD.with(&at), |x: &[f64]| fitted(x, &at))
        .row(194)
        .check(&POINTS);
}

// ---- constants in helpers ----

#[differentiable]
mod rates {
    pub enum Law {
        Fixed,
        Power(f64),
    }
    #[derive(Clone)]
    pub enum Tariff {
        Flat(f64),
        Peak { from: usize, price: f64 },
    }
    impl Tariff {
        fn at(&self, hour: usize) -> f64 {
            match self {
                Tariff::Flat(price) => *price,
                Tariff::Peak { from, price } => {
                    if hour >= *from {
                        *price
                    } else {
                        0.1
                    }
                }
            }
        }
    }
    pub struct Reaction {
        pub law: Law,
        pub order: i32,
    }
    pub struct Network {
        pub reactions: Vec<Reaction>,
        pub temperature: f64,
    }
    /// Its law cannot be copied.
    pub struct Element {
        pub law: Law,
        pub index: f64,
    }
    pub struct Plan {
        pub tariff: Tariff,
        pub capacity: f64,
    }

    fn speed(k: f64, law: &Law, t: f64) -> f64 {
        match law {
            Law::Fixed => k,
            Law::Power(n) => k * t.powf(*n),
        }
    }

    fn total(x: &[f64], net: &Network) -> f64 {
        let mut sum = 0.0;
        for (r, reaction) in net.reactions.iter().enumerate() {
            let rate = speed(x[r], &reaction.law, net.temperature);
            sum += rate.powi(reaction.order) * x[2];
        }
        sum
    }

    fn bent(x: f64, e: &Element) -> f64 {
        speed(x, &e.law, e.index) * e.index
    }

    fn cost(power: f64, hour: usize, plan: &Plan) -> f64 {
        power * power * plan.tariff.at(hour) + plan.capacity * power.sin()
    }

    pub fn network(x: &[f64], #[constant] net: &Network) -> f64 {
        total(x, net)
    }
    pub fn lens(x: &[f64], #[constant] elements: &[Element]) -> f64 {
        elements.iter().map(|e| bent(x[0] * x[1], e)).sum()
    }
    pub fn plan(x: &[f64], #[constant] plan: &Plan) -> f64 {
        x.iter()
            .enumerate()
            .map(|(hour, p)| cost(*p, hour, plan))
            .sum()
    }
}

#[test]
fn constants_that_helpers_take_without_a_mark() {
    use rates::{Element, Law, Network, Plan, Reaction, Tariff, lens, network, plan};
    let net = Network {
        reactions: vec![
            Reaction {
                law: Law::Power(1.3),
                order: 2,
            },
            Reaction {
                law: Law::Fixed,
                order: 3,
            },
        ],
        temperature: 1.4,
    };
    scalar!(network::AD.with(&net), |x: &[f64]| network(x, &net))
        .row(195)
        .takes_memory()
        .check(&POINTS);
    let elements = [(Law::Fixed, 1.5), (Law::Power(0.5), 1.2)];
    let elements = elements.map(|(law, index)| Element { law, index });
    scalar!(lens::AD.with(&elements), |x: &[f64]| lens(x, &elements))
        .row(195)
        .check(&POINTS);
    for tariff in [
        Tariff::Flat(0.3),
        Tariff::Peak {
            from: 1,
            price: 0.7,
        },
    ] {
        let of = Plan {
            tariff,
            capacity: 2.0,
        };
        scalar!(plan::AD.with(&of), |x: &[f64]| plan(x, &of))
            .row(195)
            .check(&POINTS);
    }
}

// ---- what the file says ----

#[derive(Clone, Debug, Differentiable)]
struct Orbit {
    a: f64,
    e: f64,
}

#[differentiable]
impl Orbit {
    fn of(x: &[f64]) -> Self {
        Orbit { a: x[0], e: x[1] }
    }
    fn plane(&self, t: f64) -> [f64; 2] {
        [self.a * (t.cos() - self.e), self.a * t.sin()]
    }
    fn towards(&self, p: &[f64; 2]) -> f64 {
        self.a * p[0] + self.e * p[1] * p[0]
    }
    fn ends(&self) -> (f64, f64) {
        (self.a * (1.0 - self.e), self.a * (1.0 + self.e))
    }
    fn turned(&self) -> [[f64; 2]; 2] {
        [[self.a, -self.e], [self.e, self.a * self.a]]
    }
}

#[differentiable]
fn seen(x: &[f64]) -> f64 {
    let orbit = Orbit::of(x);
    let p = orbit.plane(x[2]);
    let (ends, turned) = (orbit.ends(), orbit.turned());
    let mut sum = p[0] * p[1] + ends.0 / ends.1;
    for (row, p) in turned.iter().zip(p) {
        sum += row[0] * p + row[1];
    }
    sum
}

struct View<'a> {
    point: &'a [f64; 2],
}

/// A reference in a constant goes to a parameter that is one.
#[differentiable]
fn viewed(x: &[f64], #[constant] views: &[View]) -> f64 {
    let orbit = Orbit { a: x[0], e: x[1] };
    let towards = views.iter().map(|v| orbit.towards(v.point) * x[2]);
    towards.sum()
}

#[test]
fn methods_of_the_file() {
    let points = [[0.3, 0.7], [1.2, -0.4]];
    let views = [0, 1].map(|k| View { point: &points[k] });
    scalar!(viewed::AD.with(&views), |x: &[f64]| viewed(x, &views))
        .row(196)
        .check(&POINTS);
    scalar!(seen).row(196).check(&POINTS);
}

struct Sequence<'a> {
    symbols: &'a [usize],
    weight: f64,
}

#[differentiable]
fn weighed(x: &[f64], seq: &Sequence) -> f64 {
    seq.symbols.iter().map(|s| x[*s] * x[0]).sum::<f64>() * seq.weight
}

#[differentiable]
fn all_weighed(x: &[f64], #[constant] seqs: &[Sequence]) -> f64 {
    seqs.iter().map(|s| weighed(x, s).sin()).sum()
}

#[test]
fn lifetimes_that_are_left_out() {
    let (a, b) = ([0, 1, 2], [2, 2]);
    let seqs = [(&a[..], 0.5), (&b[..], 1.5)];
    let seqs = seqs.map(|(symbols, weight)| Sequence { symbols, weight });
    scalar!(all_weighed::AD.with(&seqs), |x: &[f64]| all_weighed(
        x, &seqs
    ))
    .row(197)
    .check(&POINTS);
}

// ---- tuples and arrays on the way to a function ----

/// No annotation: it sees constants only.
fn gap(a: (f64, f64), (b, n): &((f64, f64), usize)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1) * *n as f64
}

#[differentiable]
fn passive_tuples(x: &[f64], #[constant] left: (f64, f64)) -> f64 {
    let anchor = (left.0 + 1.5, left.1.sin());
    let marked = (anchor, x.len());
    let rest = gap(left, &marked);
    x.iter().map(|v| (v - rest).powi(2) * rest).sum()
}

#[test]
fn tuples_in_passive_code() {
    scalar!(passive_tuples::AD.with((0.3, 0.4)), |x| passive_tuples(
        x,
        (0.3, 0.4)
    ))
    .row(111)
    .check(&[&[0.7, 1.1], &[-1.2, 0.4, 2.0, 0.3]]);
}

#[derive(Clone, Copy, Differentiable)]
struct Corner {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
fn corner(x: &[f64], k: usize) -> Corner {
    Corner {
        x: x[k],
        y: x[k] * x[0],
        z: 1.5 - x[k],
    }
}

#[differentiable]
fn volume([a, b]: [Corner; 2]) -> f64 {
    a.x * b.y * b.z - a.z * b.x
}

#[differentiable]
fn by_corners(x: &[f64]) -> f64 {
    let corners: Vec<Corner> = (0..3).map(|k| corner(x, k)).collect();
    volume([2, 0].map(|k| corners[k])) * volume([1, 2].map(|k| corners[k]))
}

#[test]
fn arrays_of_structs_from_their_indices() {
    scalar!(by_corners).row(164).check(&POINTS);
}
