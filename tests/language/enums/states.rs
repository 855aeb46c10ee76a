//! State without floats that changes: enums with data and structs of integers.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15],
    &[0.85, 0.44, 0.52],
    &[0.05, 0.93, 0.64],
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Heating,
    Holding { since: usize },
    Off,
}

#[differentiable]
fn heated(x: &[f64]) -> f64 {
    let (mut temp, mut cost) = (x[0], 0.0);
    let mut mode = Mode::Heating;
    for k in 0..24 {
        let err: f64 = 1.1 - temp;
        mode = match mode {
            Mode::Heating if err.abs() < 0.2 => Mode::Holding { since: k },
            Mode::Holding { since } if k - since > 3 => Mode::Off,
            Mode::Off if temp < 0.9 => Mode::Heating,
            m => m,
        };
        let u = if mode == Mode::Off { -x[2] } else { x[1] * err };
        if let Mode::Holding { since } = mode {
            cost += 0.1 * x[1] * temp * since as f64;
        }
        if !matches!(mode, Mode::Holding { .. }) {
            cost += u * u;
        }
        temp += 0.3 * u * temp;
    }
    cost + temp * temp
}

struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(9);
        self.0 >> 33
    }
    fn uniform(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 31) as f64
    }
}

fn normal(rng: &mut Lcg) -> f64 {
    (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0
}

#[differentiable]
fn path(s: f64, sigma: f64, rng: &mut Lcg) -> f64 {
    let mut s = s;
    for _ in 0..3 {
        s *= (0.2 * sigma * normal(rng)).exp();
        if sigma > 0.5 && rng.next() % 3 == 0 {
            s *= 1.0 - 0.1 * sigma;
        }
    }
    s
}

#[differentiable]
fn price(x: &[f64], n: usize) -> f64 {
    let mut rng = Lcg(7);
    let mut total = 0.0;
    for _ in 0..n {
        total += path(1.0 + x[0], x[1], &mut rng) * x[2];
        rng.next();
        let skip = x[(rng.next() % 3) as usize] * rng.uniform();
        total += skip * skip;
    }
    total
}

#[derive(Clone, Copy, Debug)]
struct Rng {
    state: u64,
    inc: u64,
}

impl Rng {
    fn next(self) -> Rng {
        let state = self.state.wrapping_mul(6364136223846793005);
        Rng {
            state: state.wrapping_add(self.inc),
            ..self
        }
    }
    fn value(&self) -> f64 {
        (self.state >> 40) as f64 / (1u64 << 24) as f64
    }
    fn draw(self) -> (f64, Rng) {
        (self.value(), self.next())
    }
}

#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    col: usize,
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut rng = Rng { state: 42, inc: 11 };
    let mut cell = Cell { row: 0, col: 1 };
    let (mut sum, mut lcg) = (1.0 + x[1], Lcg(5));
    while sum < 6.0 {
        rng = rng.next();
        let (u, r) = rng.draw();
        rng = r;
        sum += (u + rng.value()) * x[cell.row] * x[cell.col] * sum + 0.1;
        for k in 0..2 {
            cell.row += 1;
            if cell.row > 2 {
                cell.row = 0;
                cell.col = (cell.col + k) % 3;
            }
            lcg.0 = lcg.0.wrapping_mul(6364136223846793005) ^ 5;
            sum += x[cell.row] * (lcg.0 >> 62) as f64;
        }
        if sum > 4.0 {
            cell.col = cell.row;
        }
    }
    sum * sum
}

#[test]
fn state_with_data() {
    scalar!(heated).row(347).check(&POINTS);
    scalar!(walked).row(347).check(&POINTS);
}

#[test]
fn generators_that_are_borrowed() {
    scalar!(price::AD.with(4), |x: &[f64]| price(x, 4))
        .row(348)
        .check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Turn {
    #[default]
    Ahead,
    Left(i8),
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Walk {
    at: (i16, i16),
    turn: Turn,
    seen: [bool; 4],
    tag: Option<u8>,
    sign: char,
}

#[differentiable]
impl Walk {
    fn turn(&mut self, by: i8) {
        self.turn = match self.turn {
            Turn::Ahead => Turn::Left(by),
            Turn::Left(k) if k < 0 => Turn::Ahead,
            Turn::Left(k) => Turn::Left(k - 1),
        };
    }
    fn advance(&mut self, u: f64) -> f64 {
        self.at.0 -= 1;
        if u > 0.5 {
            self.sign = 'b';
        }
        u * self.at.0 as f64
    }
    fn weight(&self) -> f64 {
        let turn = match self.turn {
            Turn::Ahead => 0.25,
            Turn::Left(k) => k as f64,
        };
        let tag = self.tag.map_or(0.0, |t| t as f64);
        let marks = if self.seen[2] { 0.7 } else { 0.0 } + if self.sign == 'b' { 0.3 } else { 0.1 };
        self.at.0 as f64 + 0.5 * self.at.1 as f64 + turn + tag + marks
    }
}

#[differentiable]
fn wandered(x: &[f64]) -> f64 {
    let mut walk = Walk {
        at: (-3, 2),
        ..Walk::default()
    };
    let (mut sum, mut last, mut pair) = (x[1], None, (Turn::Ahead, 1usize));
    for k in 0..7usize {
        walk.turn(k as i8 - 2);
        walk.at.1 = walk.at.0 * 2;
        walk.seen[(k + 1) % 4] = k % 2 == 1;
        sum += 0.02 * walk.advance(x[2] + 0.1 * k as f64);
        if k == 3 {
            walk.tag = Some(9);
        }
        if let Some(w) = last {
            sum += 0.01 * Walk::weight(&w) * x[1] * sum;
        }
        if sum > 0.7 {
            last = Some(walk);
        }
        pair = match pair {
            (Turn::Ahead, n) => (Turn::Left(2), n + 1),
            (Turn::Left(k), n) if k > 0 => (Turn::Left(k - 1), n),
            (turn, n) => (turn, 2 * n),
        };
        if let (Turn::Left(k), n) = pair {
            sum += 0.1 * x[0].powi(k as i32 + n as i32);
        }
        sum += 0.01 * walk.weight() * x[0] * sum;
    }
    let mut step = |k: usize| {
        walk.turn(k as i8);
        walk.at.0 += 1;
        walk.weight()
    };
    for k in 0..3 {
        sum += 0.1 * step(k) * x[0] * x[2];
    }
    sum * sum
}

#[test]
fn states_of_all_kinds() {
    scalar!(wandered).rows(&[347, 348]).check(&POINTS);
}

#[differentiable]
mod plant {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Phase {
        Rising,
        Resting { since: u32 },
        Back(usize),
    }

    impl Phase {
        const FIRST: Phase = Phase::Back(1);

        fn next(self, step: usize) -> Self {
            match self {
                Phase::Rising if step > 2 => Self::Back(step),
                Phase::Back(at) if step > at + 1 => Phase::Resting { since: step as u32 },
                other => other,
            }
        }
        fn after(self, err: f64, k: u32) -> Self {
            match self {
                Phase::Rising if err < 0.5 => Phase::Resting { since: k },
                Phase::Resting { since } if k > since + 2 => Phase::Back(k as usize),
                phase => phase,
            }
        }
        fn react(&mut self, err: f64, k: u32) {
            *self = match *self {
                Phase::Rising if err < 0.4 => Phase::Resting { since: k },
                Phase::Resting { since } if k > since + 2 => Phase::Rising,
                phase => phase,
            };
        }
        fn tick(&mut self) -> u32 {
            match self {
                Phase::Resting { since } => {
                    *since += 1;
                    *since
                }
                _ => 2,
            }
        }
        fn gain(&self) -> f64 {
            match self {
                Phase::Rising => 1.0,
                Phase::Resting { since } => 0.1 * *since as f64,
                Phase::Back(k) => *k as f64,
            }
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    pub(super) struct Cell {
        row: usize,
        col: usize,
    }

    pub(super) struct State {
        phase: Phase,
        heat: f64,
        at: Cell,
    }

    impl State {
        fn step(&mut self, u: f64, k: u32) {
            if u > 0.6 {
                self.phase = Phase::Resting { since: k };
            } else {
                self.phase = self.phase.next(k as usize);
            }
            self.at.row += 1;
            self.heat += 0.1 * u * self.phase.gain() * self.at.row as f64;
        }
    }

    fn classified(x: f64, k: u32) -> (Phase, f64) {
        if x > 0.6 {
            (Phase::Resting { since: k }, 2.0 * x)
        } else if x > 0.3 {
            (Phase::Back(k as usize), x * x)
        } else {
            (Phase::Rising, x.sin())
        }
    }

    fn start(x: f64) -> Option<Cell> {
        if x > 0.3 {
            Some(Cell { row: 1, col: 0 })
        } else {
            None
        }
    }

    fn cells(x: &[f64]) -> Vec<Cell> {
        let mut all = Vec::new();
        for (k, a) in x.iter().enumerate() {
            if *a > 0.4 {
                all.push(Cell { row: k, col: 0 });
            }
        }
        all
    }

    fn by_value(x: f64, phase: Phase) -> f64 {
        match phase {
            Phase::Resting { since } => x * x * since as f64,
            _ => x,
        }
    }

    fn by_reference(x: f64, phase: &Phase) -> f64 {
        if let Phase::Back(k) = phase {
            x.powi(*k as i32)
        } else {
            x.cos()
        }
    }

    fn moved(x: f64, mut phase: Phase) -> f64 {
        let mut s = x;
        for k in 0..5 {
            s += 0.1 * by_value(s, phase);
            phase = phase.next(k + 2);
            if s > 1.0 {
                phase = Phase::Resting { since: k as u32 };
            }
        }
        s * by_value(s, phase)
    }

    fn flip(phase: &mut Phase, x: f64) -> f64 {
        if x > 0.9 {
            *phase = Phase::Rising;
        }
        match phase {
            Phase::Resting { since } => x * *since as f64,
            _ => x,
        }
    }

    pub(super) fn handed(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for k in 0..4u32 {
            for a in x {
                let (phase, v) = classified(*a + 0.052 * k as f64, k);
                sum += v * phase.gain() + by_value(*a, phase) + by_reference(v, &phase);
                if let Some(c) = start(*a) {
                    sum += x[c.row] * v;
                }
                if start(*a) == Some(Cell { row: 1, col: 0 }) {
                    sum += a * a;
                }
            }
        }
        for c in cells(x) {
            sum += x[c.row] * x[c.col];
        }
        let mut list = vec![Cell { row: 0, col: 1 }; 3];
        for k in 0..3 {
            list[k].row = k % 2;
            list[2 - k].col += k / 2;
            sum += x[list[k].row] * x[list[k].col];
        }
        sum + moved(x[0], Phase::Rising) + moved(x[1], Phase::FIRST)
    }

    pub(super) fn held(x: &[f64]) -> f64 {
        let mut state = State {
            phase: Phase::Rising,
            heat: x[0],
            at: Cell { row: 0, col: 0 },
        };
        for k in 0..7 {
            state.step(x[1] + 0.1 * x[2] * state.heat, k);
        }
        state.heat * state.heat
    }

    pub(super) fn changed(x: &[f64]) -> f64 {
        let (mut phase, mut heat, mut k) = (Phase::Rising, x[0], 0);
        loop {
            phase = phase.after(1.0 - heat, k);
            heat += 0.1 * by_value(x[1], phase) + 0.1 * heat;
            phase.react(1.2 - heat, k);
            heat += 0.01 * flip(&mut phase, heat) * phase.tick() as f64;
            k += 1;
            if heat > 2.0 || k > 20 {
                break;
            }
        }
        let last = if heat > 2.2 { phase } else { Phase::FIRST };
        let Phase::Resting { since } = last else {
            return heat * x[2];
        };
        heat * heat * since as f64
    }
}

#[test]
fn states_that_are_handed_on() {
    scalar!(plant::handed::AD, plant::handed)
        .row(349)
        .check(&POINTS);
    scalar!(plant::held::AD, plant::held)
        .row(349)
        .check(&POINTS);
    scalar!(plant::changed::AD, plant::changed)
        .rows(&[347, 348])
        .check(&POINTS);
}
