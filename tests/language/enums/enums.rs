//! Enums without data as values, and options that are compared.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Idle,
    Heat,
    Cool,
}

#[differentiable]
fn thermostat(x: &[f64]) -> f64 {
    let (mut mode, mut t, mut cost) = (Mode::Idle, x[0], 0.0);
    for k in 0..8 {
        mode = match mode {
            Mode::Idle if t < 0.4 => Mode::Heat,
            Mode::Idle if t > 0.8 => Mode::Cool,
            Mode::Heat if t > 0.9 => Mode::Idle,
            Mode::Cool if t < 0.5 => Mode::Idle,
            m => m,
        };
        if mode == Mode::Heat {
            t += x[1] * (1.0 - t);
            cost += x[1] * x[1];
        } else if let Mode::Cool = mode {
            t -= x[2] * t;
            cost += x[2];
        }
        if k == 5 {
            mode = Mode::Idle;
        }
        t += 0.01 * t * t;
    }
    debug_assert!(mode != Mode::Cool || t > 0.0, "{mode:?}");
    cost + t * t
}

#[test]
fn state_that_loops_change() {
    scalar!(thermostat).row(303).check(&POINTS);
}

#[differentiable]
mod motor {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
    pub(super) enum Phase {
        Off = 3,
        Slow = 7,
        Fast = 11,
    }

    impl Phase {
        fn gain(self) -> f64 {
            match self {
                Phase::Off => 0.5,
                Phase::Slow => 1.5,
                Phase::Fast => -0.7,
            }
        }
        fn next(&self) -> Phase {
            match self {
                Phase::Off => Phase::Slow,
                Phase::Slow => Phase::Fast,
                Phase::Fast => Phase::Off,
            }
        }
    }

    #[derive(Clone, Debug)]
    pub(super) struct State {
        pub(super) speed: f64,
        pub(super) phase: Phase,
    }

    #[derive(Clone, Debug)]
    pub(super) struct Plan {
        pub(super) first: Phase,
        pub(super) all: Vec<Phase>,
        pub(super) weights: Vec<f64>,
    }

    impl State {
        fn wanted(&self) -> Phase {
            if self.speed > 0.6 {
                Phase::Fast
            } else {
                self.phase
            }
        }
    }

    fn classified(x: f64, plan: &Plan) -> (Phase, f64) {
        if x > 0.6 {
            (Phase::Fast, 2.0 * x)
        } else if x > 0.2 {
            (plan.first, x * x)
        } else {
            (Phase::Slow, x.sin())
        }
    }

    fn risen(x: f64) -> Option<Phase> {
        (x > 0.5).then_some(Phase::Slow)
    }

    fn history(x: &[f64]) -> Vec<Phase> {
        let mut all = Vec::new();
        for a in x {
            all.push(if *a > 0.4 { Phase::Slow } else { Phase::Off });
        }
        all
    }

    fn driven(x: f64, phase: Phase) -> f64 {
        match phase {
            Phase::Off | Phase::Fast => x * x,
            Phase::Slow => x.exp(),
        }
    }

    fn looked_at(x: f64, phase: &Phase) -> f64 {
        if *phase == Phase::Slow { x.cos() } else { x }
    }

    fn stepped(s: &State, u: f64) -> State {
        let phase = s.wanted();
        let speed = s.speed + 0.1 * u * phase.gain();
        State { speed, phase }
    }

    pub(super) fn returned(x: &[f64], #[constant] plan: &Plan) -> f64 {
        let (mut cost, mut last) = (0.0, plan.first);
        for a in x {
            let (phase, v) = classified(*a, plan);
            cost += v * phase.gain() + (phase as i32) as f64 * a * a;
            if phase > last {
                cost += 0.3 * a * a;
            }
            last = phase;
            cost += driven(*a, phase) + driven(*a, last.next()) + looked_at(*a, &phase);
            match risen(*a) {
                Some(Phase::Slow) => cost *= 1.1,
                Some(_) => cost *= 1.2,
                None => cost += driven(*a, Phase::Slow),
            }
        }
        for (phase, a) in history(x).iter().zip(x) {
            cost += match phase {
                Phase::Slow => a * a,
                _ => *a,
            };
        }
        let slow = history(x).iter().filter(|p| **p == Phase::Slow).count();
        cost * (1.0 + slow as f64)
    }

    pub(super) fn held(x: &[f64], #[constant] plan: &Plan) -> f64 {
        let (mut cost, mut phase) = (0.0, Phase::Off);
        let mut s = State {
            speed: x[0],
            phase: Phase::Slow,
        };
        for a in x {
            s = stepped(&s, *a);
            cost += s.speed * s.speed * s.phase.gain();
        }
        if s.phase == Phase::Fast {
            cost += s.speed;
        }
        for phase in [Phase::Off, Phase::Slow] {
            cost += driven(x[1], phase);
        }
        for (phase, w) in plan.all.iter().zip(&plan.weights) {
            cost += w * driven(x[0], *phase);
        }
        while phase != Phase::Fast {
            phase = phase.next();
            cost += driven(x[2], phase);
        }
        let picked = |a: f64| if a > 0.5 { Phase::Slow } else { Phase::Fast };
        cost * picked(x[1]).gain()
    }

    impl State {
        fn shift(&mut self, u: f64) {
            if self.phase == Phase::Off {
                self.phase = Phase::Slow;
            } else {
                self.phase = self.wanted();
            }
            self.speed += match self.phase {
                Phase::Off => u,
                Phase::Slow => 0.5 * u * u,
                Phase::Fast => u.sin(),
            };
        }
    }

    pub(super) fn shifted(x: &[f64]) -> f64 {
        let mut state = State {
            speed: x[0],
            phase: Phase::Off,
        };
        let mut sum = 0.0;
        for u in x {
            state.shift(*u);
            sum += state.speed * state.phase.gain();
        }
        sum * state.speed
    }

    pub(super) fn off(x: &[f64]) -> f64 {
        let (mut phase, mut heat) = (Phase::Fast, x[0]);
        while phase != Phase::Off {
            heat = heat * x[1] + driven(x[2], phase);
            phase = if heat > 2.0 { Phase::Off } else { phase.next() };
        }
        heat * heat
    }
}

fn plan() -> motor::Plan {
    motor::Plan {
        first: motor::Phase::Off,
        all: vec![motor::Phase::Fast, motor::Phase::Slow],
        weights: vec![0.4, 0.6],
    }
}

#[test]
fn variants_that_are_returned() {
    let plan = plan();
    scalar!(
        motor::returned::AD.with(&plan),
        |x: &[f64]| motor::returned(x, &plan)
    )
    .row(304)
    .check(&POINTS);
}

#[test]
fn variants_that_are_held() {
    let plan = plan();
    scalar!(motor::held::AD.with(&plan), |x: &[f64]| motor::held(
        x, &plan
    ))
    .rows(&[303, 304])
    .check(&POINTS);
    scalar!(motor::shifted::AD, motor::shifted)
        .row(304)
        .check(&POINTS);
    scalar!(motor::off::AD, motor::off).row(303).check(&POINTS);
}

#[derive(Clone, Debug)]
struct Road {
    narrow: Option<usize>,
    name: Option<String>,
    pair: Option<(usize, i32)>,
    marks: Vec<Option<usize>>,
}

#[differentiable]
fn traffic(x: &[f64], #[constant] road: &Road) -> f64 {
    let (mut s, mut best) = (0.0, None);
    for i in 0..x.len() {
        if road.narrow == Some(i) {
            s += x[i] * x[i];
        }
        if Some(i) != road.narrow {
            s += x[i].sin();
        }
        if road.marks[i] == best {
            s += 3.0 * x[i] * x[i];
        }
        if x[i] > 0.5 {
            best = Some(i);
        }
    }
    if best != None && road.name.as_deref() == Some("main") {
        s *= x[1].exp();
    }
    if road.pair == Some((1, 2)) {
        s *= x[2].cos();
    }
    if x.iter().copied().reduce(f64::max) == Some(2.0) {
        0.0
    } else {
        s
    }
}

#[test]
fn options_that_are_compared() {
    let road = Road {
        narrow: Some(1),
        name: Some("main".to_owned()),
        pair: Some((1, 2)),
        marks: vec![None, Some(0), None],
    };
    scalar!(traffic::AD.with(&road), |x: &[f64]| traffic(x, &road))
        .row(305)
        .check(&POINTS);
}

#[derive(Clone, Copy)]
enum Frequency {
    Annual = 1,
    Half = 2,
}

#[derive(Differentiable)]
struct Bond {
    coupon: f64,
    frequency: Frequency,
}

#[differentiable]
impl Bond {
    fn price(&self, y: f64) -> f64 {
        let q = self.frequency as u32;
        self.coupon / q as f64 * (1.0 + y / self.frequency as u32 as f64).powi(-(q as i32))
    }
}

#[differentiable]
fn bonds(x: &[f64]) -> f64 {
    let half = Bond {
        coupon: x[0] * x[0],
        frequency: Frequency::Half,
    };
    let annual = Bond {
        coupon: x[1],
        frequency: Frequency::Annual,
    };
    half.price(x[1]) * annual.price(x[0] * x[0]) * (half.frequency as usize) as f64
}

#[test]
fn casts_of_fields_that_are_enums() {
    scalar!(bonds).row(370).check(&POINTS);
}

#[derive(Clone, Copy, PartialEq)]
enum Gear {
    N,
    D,
}

#[differentiable]
fn geared(x: &[f64]) -> f64 {
    let mut gear = Gear::N;
    let mut sum = 0.0;
    for k in 0..4 {
        gear = match gear {
            Gear::N => Gear::D,
            Gear::D if k > 2 => Gear::N,
            gear => gear,
        };
        sum += if gear == Gear::D {
            x[0] * x[1]
        } else {
            x[1].sin()
        };
    }
    let gears = [Gear::N, Gear::D];
    for gear in gears {
        sum += match gear {
            Gear::N => x[0].exp(),
            Gear::D => x[0] * x[0],
        };
    }
    sum
}

#[test]
fn variants_that_are_named_by_one_letter() {
    scalar!(geared).check(&POINTS);
}

const ALL: [Mode; 3] = [Mode::Heat, Mode::Idle, Mode::Cool];

#[differentiable]
fn gain(x: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Idle => x,
        Mode::Heat => x * x,
        Mode::Cool => x.sin(),
    }
}

#[differentiable]
fn each(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for mode in ALL {
        sum += gain(x[0] * x[1], mode);
    }
    let mut out = [0.0; 3];
    for (o, mode) in out.iter_mut().zip(ALL) {
        *o = gain(x[2], mode) * sum;
    }
    let rest: f64 = ALL.into_iter().map(|mode| gain(x[1], mode)).sum();
    out[0] * out[1] + out[2] * rest
}

#[test]
fn constant_arrays_of_enums_by_value() {
    scalar!(each).row(422).check(&POINTS);
}
