//! What constants are made of, by its methods: payloads of enums, fields and elements, which the function does not name.

use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, HashMap};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];

pub struct Lennard {
    pub depth: f64,
    pub at: f64,
}

pub struct Morse {
    pub depth: f64,
}

pub enum Pair {
    Steep(Lennard),
    Smooth { of: Morse },
    Boxed(Box<Lennard>),
    None,
}

pub struct World {
    pub first: Lennard,
    pub pairs: Vec<Pair>,
    pub smooth: Vec<Morse>,
}

#[differentiable]
impl Lennard {
    fn value(&self, r: f64) -> f64 {
        self.depth * (self.at / (r + 2.0)).powi(3)
    }
}

#[differentiable]
impl Morse {
    fn value(&self, r: f64) -> f64 {
        self.depth * (-r).exp()
    }
}

#[differentiable]
fn of_pair(x: &[f64], #[constant] pair: &Pair) -> f64 {
    match pair {
        Pair::Steep(q) => q.value(x[0]),
        Pair::Smooth { of } => of.value(x[0] * x[1]),
        Pair::Boxed(q) => q.value(x[1]) * x[0],
        Pair::None => x[0],
    }
}

#[differentiable]
fn of_world(x: &[f64], #[constant] world: &World) -> f64 {
    let mut sum = world.first.value(x[0]);
    for pair in &world.pairs {
        sum += of_pair(x, pair);
        if let Pair::Steep(q) = pair {
            sum *= q.value(x[1]);
        }
    }
    for of in &world.smooth {
        sum += of.value(x[0] * x[1]);
    }
    sum * world.smooth[0].value(x[1])
}

mod inner {
    use super::*;

    #[differentiable]
    pub fn from_outside(x: &[f64], #[constant] world: &World) -> f64 {
        let mut sum = world.first.value(x[0]);
        for pair in &world.pairs {
            if let Pair::Steep(q) = pair {
                sum *= q.value(x[1]);
            }
        }
        sum
    }
}

fn steep() -> Lennard {
    Lennard {
        depth: 1.2,
        at: 1.7,
    }
}

#[test]
fn methods_of_payloads() {
    let smooth = Morse { depth: 0.4 };
    let pairs = [
        Pair::Steep(steep()),
        Pair::Smooth { of: smooth },
        Pair::Boxed(Box::new(steep())),
        Pair::None,
    ];
    for pair in &pairs {
        scalar!(of_pair::AD.with(pair), |x| of_pair(x, pair))
            .row(426)
            .check(&POINTS);
    }
    let world = World {
        first: steep(),
        pairs: pairs.into(),
        smooth: vec![Morse { depth: 0.7 }],
    };
    scalar!(of_world::AD.with(&world), |x| of_world(x, &world))
        .row(426)
        .check(&POINTS);
    scalar!(inner::from_outside::AD.with(&world), |x| {
        inner::from_outside(x, &world)
    })
    .row(426)
    .check(&POINTS);
}

#[derive(Clone, Copy)]
pub enum Link {
    Rigid,
    Soft(f64),
    To(usize),
}

#[derive(Clone, Copy)]
pub struct Spring {
    pub k: f64,
    pub at: usize,
}

pub struct Frame {
    pub links: HashMap<usize, Link>,
    pub springs: BTreeMap<usize, Spring>,
    pub rates: BTreeMap<usize, f64>,
    pub own: Option<Link>,
    pub near: Spring,
    pub list: Vec<Spring>,
}

#[differentiable]
fn looked_up(x: &[f64], #[constant] frame: &Frame) -> f64 {
    let link = match frame.links.get(&1) {
        Some(link) => *link,
        None => Link::Rigid,
    };
    let spring = match frame.springs.get(&1) {
        Some(spring) => *spring,
        None => Spring { k: 1.0, at: 0 },
    };
    let rate = if let Some(rate) = frame.rates.get(&1) {
        *rate
    } else {
        2.0
    };
    let first = if let Some(first) = frame.list.first() {
        first
    } else {
        &frame.near
    };
    let mut sum = rate * spring.k * x[spring.at] * x[0] + first.k * x[first.at];
    for link in [link, frame.own.unwrap_or(Link::Soft(0.7))] {
        sum += match link {
            Link::Rigid => x[0],
            Link::Soft(k) => k * x[0] * x[1],
            Link::To(k) => x[k] * x[k],
        };
    }
    sum
}

#[differentiable]
fn chosen(x: &[f64], #[constant] frame: &Frame) -> f64 {
    let by_input = if x[0] > 0.5 {
        frame.near
    } else if x[1] > 0.5 {
        Spring { k: 0.3, at: 1 }
    } else {
        frame.list[0]
    };
    let by_length = match frame.list.len() {
        0 => frame.near,
        _ => frame.list[0],
    };
    by_input.k * x[by_input.at] * x[0] * by_length.k
}

#[test]
fn chosen_by_branches() {
    let near = Spring { k: 0.4, at: 1 };
    let frame = |key: usize| Frame {
        links: [(key, Link::To(1))].into(),
        springs: [(key, near)].into(),
        rates: [(key, 0.6)].into(),
        own: (key == 1).then_some(Link::Rigid),
        near,
        list: vec![Spring { k: 1.4, at: 0 }],
    };
    for frame in [frame(1), frame(2)] {
        scalar!(looked_up::AD.with(&frame), |x| looked_up(x, &frame))
            .row(427)
            .check(&POINTS);
        scalar!(chosen::AD.with(&frame), |x| chosen(x, &frame))
            .row(427)
            .check(&POINTS);
    }
}

#[differentiable]
fn by_letter(x: &[f64], #[constant] n: u8) -> f64 {
    let letter = char::from(n + b'a');
    let k = if letter == 'b' { 2.0 } else { 3.0 };
    k * x[0] * x[1]
}

#[test]
fn characters_of_numbers() {
    for n in 0..2 {
        scalar!(by_letter::AD.with(n), |x| by_letter(x, n))
            .row(435)
            .check(&POINTS);
    }
}
