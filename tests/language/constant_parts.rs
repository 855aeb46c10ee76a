//! What constants are made of, by its methods: payloads of enums, fields and elements, which the function does not name.

use di::prelude::*;
use di_test::scalar;

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
