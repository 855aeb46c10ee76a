//! Structs in `#[constant]` fields: their numbers, lists, parts and methods, and what is handed on of them.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::differences::columns;
use di_test::scalar;
use model::{Car, Rim, Tyre, in_a_module};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone)]
pub struct Setup {
    pub rate: f64,
    pub order: usize,
    pub table: Vec<f64>,
    pub depth: Depth,
}

#[derive(Clone)]
pub struct Depth {
    pub at: [f64; 2],
    pub unit: Unit,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Unit {
    Meter,
    Foot,
}

impl Setup {
    fn twice(&self) -> f64 {
        2.0 * self.rate
    }
}

fn setup() -> Setup {
    Setup {
        rate: 0.8,
        order: 2,
        table: vec![0.3, 1.7, -0.4],
        depth: Depth {
            at: [1.5, 0.25],
            unit: Unit::Foot,
        },
    }
}

fn scaled(of: &Setup, k: f64) -> f64 {
    of.rate * k
}

fn half(order: usize) -> f64 {
    order as f64 / 2.0
}

#[derive(Differentiable)]
pub struct Probe {
    pub gain: f64,
    #[constant]
    pub setup: Setup,
}

#[differentiable]
fn read(p: &Probe) -> f64 {
    let mut sum = p.gain * p.setup.rate;
    for t in &p.setup.table {
        sum += t * p.gain.sin();
    }
    for i in 0..p.setup.table.len() {
        sum *= p.setup.table[i] + p.gain;
    }
    if p.setup.depth.unit == Unit::Foot {
        sum *= p.setup.depth.at[0];
    }
    sum + p
        .setup
        .table
        .iter()
        .zip(1..)
        .map(|(t, k)| t * p.gain.powi(k))
        .sum::<f64>()
}

#[differentiable]
fn handed(p: &Probe) -> f64 {
    let order = p.setup.order;
    p.gain * half(p.setup.order)
        + scaled(&p.setup, 2.0) * p.gain.powi(order as i32)
        + p.setup.twice()
}

#[differentiable]
fn bound(x: f64, p: &Probe) -> f64 {
    let Setup { rate, depth, .. } = &p.setup;
    let all = &p.setup;
    rate * x + depth.at[1] * p.gain + all.table[1] * x * p.gain
}

#[differentiable]
fn beside(x: &[f64], p: &Probe) -> f64 {
    let k = x[0] * p.gain;
    k * read(p) + handed(p) * x[2] + bound(x[1], p)
}

#[test]
fn of_functions() {
    let p = Probe {
        gain: 0.7,
        setup: setup(),
    };
    scalar!(beside::AD.fix_p(&p), |x| beside(x, &p))
        .row(396)
        .check(&POINTS);
    for x in POINTS {
        let of_gain = |gain: &[f64]| {
            let setup = setup();
            vec![beside(
                x,
                &Probe {
                    gain: gain[0],
                    setup,
                },
            )]
        };
        let expected = columns(of_gain, &[p.gain], 0.1).concat();
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let found = gradient(beside::AD, NoPrep, &backend, &(&x.to_vec(), &p)).unwrap();
            assert_close("by gain", &[found.1.gain], &expected, DIFFERENCES);
        }
    }
}

#[differentiable]
mod model {
    #[derive(Clone)]
    pub struct Tyre {
        pub grip: f64,
        pub count: usize,
        pub rim: Rim,
        pub curve: Vec<f64>,
    }

    #[derive(Clone)]
    pub struct Rim {
        pub width: f64,
        pub holes: [f64; 3],
    }

    impl Tyre {
        fn twice(&self) -> f64 {
            2.0 * self.grip
        }
        fn at(&self, slip: f64) -> f64 {
            self.grip * (slip * self.rim.width).sin()
        }
    }

    pub struct Car {
        pub mass: f64,
        #[constant]
        pub tyre: Tyre,
    }

    fn force(tyre: &Tyre, slip: f64) -> f64 {
        tyre.grip * slip + tyre.at(slip) + tyre.curve[0]
    }

    impl Car {
        fn run(&self, slip: f64) -> f64 {
            self.tyre.at(slip) * self.mass
        }
        fn rim(&self) -> &Rim {
            &self.tyre.rim
        }
    }

    fn numbers(car: &Car) -> f64 {
        let mut sum = car.mass * car.tyre.grip + car.tyre.rim.width * car.mass.sin();
        for c in &car.tyre.curve {
            sum += c * car.mass;
        }
        for i in 0..car.tyre.count {
            sum *= car.tyre.rim.holes[i] + car.mass;
        }
        sum + car.tyre.curve.iter().map(|c| c * car.mass).sum::<f64>()
    }

    fn calls(car: &Car) -> f64 {
        let tyre = &car.tyre;
        force(&car.tyre, car.mass)
            + force(tyre, 0.5) * car.mass
            + car.tyre.at(car.mass)
            + car.tyre.twice()
    }

    fn patterns(car: &Car) -> f64 {
        let Tyre { grip, count, .. } = &car.tyre;
        let tyre = car.tyre.clone();
        grip * car.mass.powi(*count as i32) * tyre.rim.holes[0] + car.rim().width
    }

    pub fn in_a_module(x: &[f64], car: &Car) -> f64 {
        let k = x[0] * car.mass;
        k * numbers(car) * calls(car) + patterns(car) * x[2] + car.run(x[1])
    }
}

#[test]
fn of_modules() {
    let car = |mass| Car {
        mass,
        tyre: Tyre {
            grip: 0.9,
            count: 2,
            rim: Rim {
                width: 1.3,
                holes: [0.2, 0.5, 0.7],
            },
            curve: vec![0.4, -0.2],
        },
    };
    let one = car(1.2);
    scalar!(in_a_module::AD.fix_car(&one), |x| in_a_module(x, &one))
        .row(396)
        .takes_memory()
        .check(&POINTS);
    for x in POINTS {
        let of_mass = |mass: &[f64]| vec![in_a_module(x, &car(mass[0]))];
        let expected = columns(of_mass, &[one.mass], 0.1).concat();
        for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
            let found = gradient(in_a_module::AD, NoPrep, &backend, &(&x.to_vec(), &one)).unwrap();
            assert_close("by mass", &[found.1.mass], &expected, DIFFERENCES);
        }
    }
}

pub enum Kernel {
    Linear(usize),
    Scaled(f64, Box<Kernel>),
    Sum(Box<Kernel>, Box<Kernel>),
}

#[differentiable]
impl Kernel {
    fn value(&self, x: &[f64]) -> f64 {
        match self {
            Kernel::Linear(k) => x[*k] * x[0],
            Kernel::Scaled(by, of) => by * of.value(x).sin(),
            Kernel::Sum(left, right) => left.value(x) + right.value(x) * x[2],
        }
    }
}

#[differentiable]
fn by_kernel(x: &[f64], kernel: &Kernel) -> f64 {
    kernel.value(x) * kernel.value(&[x[2], x[0], x[1]])
}

#[test]
fn methods_of_what_boxes_hold() {
    let linear = |k| Box::new(Kernel::Linear(k));
    let kernel = Kernel::Sum(linear(1), Box::new(Kernel::Scaled(0.7, linear(2))));
    scalar!(by_kernel::AD.with(&kernel), |x| by_kernel(x, &kernel))
        .row(424)
        .check(&POINTS);
}

#[derive(Differentiable)]
pub struct Body {
    pub speed: f64,
    #[constant]
    pub mass: f64,
}

#[differentiable]
impl Body {
    fn moved(&self, h: f64) -> Body {
        Body {
            speed: self.speed * h,
            mass: self.mass,
        }
    }
    fn slowed(&self) -> Body {
        Body {
            speed: self.speed.sin(),
            ..*self
        }
    }
    fn energy(&self) -> f64 {
        self.mass * self.speed * self.speed
    }
}

#[differentiable]
fn falling(x: &[f64], #[constant] mass: f64) -> f64 {
    let mut body = Body { speed: x[0], mass };
    let mut sum = 0.0;
    for k in 0..3 {
        body = body.moved(x[1]).slowed();
        sum += body.energy() * x[2];
        let other = Body {
            speed: x[k],
            mass: 0.3,
        };
        body.mass = other.mass;
        body = Body {
            mass: mass / 2.0,
            ..body
        };
    }
    sum * body.energy()
}

#[test]
fn numbers_in_constant_fields() {
    scalar!(falling::AD.with(0.7), |x| falling(x, 0.7))
        .row(425)
        .check(&POINTS);
}
