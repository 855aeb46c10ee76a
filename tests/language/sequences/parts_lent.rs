//! Elements of lists of which one call borrows several parts, and lists of tuples that hold structs.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[-1.2, 0.4, 0.9], &[0.2, 0.37, -0.55]];

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Delay {
    last: f64,
    before: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Filter {
    gain: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Stage {
    filter: Filter,
    delay: Delay,
    weights: [f64; 2],
    state: [f64; 2],
}

#[differentiable]
impl Filter {
    fn of(gain: f64) -> Filter {
        Filter { gain: gain.tanh() }
    }

    fn tick(&self, delay: &mut Delay, x: f64) -> f64 {
        let y = self.gain * x + delay.last;
        delay.last = delay.before - self.gain * y;
        delay.before = x * y;
        y
    }
}

#[differentiable]
fn stage(gain: f64, at: f64) -> Stage {
    Stage {
        filter: Filter::of(gain),
        delay: Delay {
            last: at,
            before: 0.5,
        },
        weights: [gain * at, at],
        state: [0.1, gain],
    }
}

#[differentiable]
fn applied(weights: &[f64], state: &mut [f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for (w, s) in weights.iter().zip(state) {
        *s = 0.5 * *s + w * x;
        sum += *s * *s;
    }
    sum
}

#[differentiable]
fn exchanged(a: &mut f64, b: &mut f64, c: &mut [f64]) {
    *a += *b * c[0];
    *b -= *a * c[1];
    c[1] += *a;
}

// ---- lists of tuples that hold structs ----

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let gains = [x[0], x[1]];
    let mut chain: Vec<(Filter, Delay)> = gains
        .iter()
        .map(|g| (Filter::of(*g), Delay::default()))
        .collect();
    let signal = [0.3, x[2], -0.4];
    let out: Vec<f64> = signal
        .iter()
        .map(|&x| {
            let mut y = x;
            for (filter, delay) in chain.iter_mut() {
                y = filter.tick(delay, y);
            }
            y
        })
        .collect();
    out.iter().map(|y| y * y).sum::<f64>() + chain[1].1.last
}

#[differentiable]
fn weighted(x: &[f64]) -> f64 {
    let mut all: Vec<(Delay, f64)> = vec![(Delay::default(), x[0]), (Delay::default(), x[1])];
    for (delay, weight) in &mut all {
        delay.last += x[2] * *weight;
        *weight *= delay.last.sin();
    }
    let found: Option<(Delay, f64)> = all.iter().copied().find(|(d, _)| d.last != 0.0);
    found.map_or(1.0, |(d, w)| d.last * w) * all[1].0.last + all[0].1
}

#[test]
fn lists_of_tuples_with_structs() {
    scalar!(filtered).row(317).check(&POINTS);
    scalar!(weighted).row(317).check(&POINTS);
}

// ---- parts of one element ----

#[differentiable]
fn stages(x: &[f64]) -> f64 {
    let mut chain = vec![stage(x[0], x[1]), stage(x[2], x[0])];
    let mut y = x[2];
    for s in chain.iter_mut() {
        y += s.filter.tick(&mut s.delay, y);
        y += applied(&s.weights, &mut s.state, y);
    }
    for Stage { filter, delay, .. } in &mut chain {
        y += filter.tick(delay, x[1]);
    }
    for k in 0..chain.len() {
        let s = &mut chain[k];
        exchanged(&mut s.filter.gain, &mut s.delay.last, &mut s.weights);
        exchanged(&mut s.weights[1], &mut s.filter.gain, &mut s.state);
    }
    y + chain[1].delay.last * chain[0].weights[1] + chain[0].state[1]
}

#[differentiable]
fn swept(all: &mut [Stage], x: f64) -> f64 {
    let mut y = x;
    for s in all.iter_mut() {
        y += applied(&s.weights, &mut s.state, y);
        exchanged(&mut s.delay.before, &mut s.weights[0], &mut s.state);
    }
    y
}

#[differentiable]
fn of_lent_stages(x: &[f64]) -> f64 {
    let mut all = vec![stage(x[0], x[1]), stage(x[1], x[2])];
    swept(&mut all, x[2]) * swept(&mut all[1..], 0.3) + all[1].weights[0] * all[0].delay.before
}

#[derive(Clone, Debug, Differentiable)]
struct Bank {
    stages: Vec<Stage>,
    scale: f64,
}

#[differentiable]
impl Bank {
    fn run(&mut self, x: f64) -> f64 {
        let mut y = x;
        for s in &mut self.stages {
            y = s.filter.tick(&mut s.delay, y * self.scale);
        }
        y
    }
}

#[differentiable]
fn of_bank(x: &[f64]) -> f64 {
    let mut bank = Bank {
        stages: vec![stage(x[0], x[1]), stage(x[1], x[2])],
        scale: x[2],
    };
    bank.run(x[0]) * bank.run(x[1]) + bank.stages[1].delay.before
}

#[differentiable]
fn of_pairs(x: &[f64]) -> f64 {
    let mut cells: Vec<(f64, f64)> = vec![(x[0], x[1]), (x[2], x[0])];
    for cell in cells.iter_mut() {
        let (a, b) = cell;
        exchanged(a, b, &mut [0.2, x[0]]);
    }
    cells[0].0 * cells[1].1
}

#[test]
fn parts_of_one_element_that_are_lent_together() {
    scalar!(stages).row(318).check(&POINTS);
    scalar!(of_lent_stages).row(318).check(&POINTS);
    scalar!(of_bank).row(318).takes_memory().check(&POINTS);
    scalar!(of_pairs).row(318).check(&POINTS);
}

// ---- closures with a name ----

struct Reading {
    at: f64,
    level: f64,
}

#[differentiable]
fn of_readings(p: &[f64], readings: &[Reading]) -> f64 {
    let excess = |r: &Reading| (p[0] * r.at + p[1]) / r.level - p[2];
    let squared = |r: &Reading| excess(r) * excess(r);
    readings.iter().map(squared).sum::<f64>() + excess(&readings[0])
}

#[differentiable]
fn fitted(p: &[f64]) -> f64 {
    let readings = passive(vec![
        Reading {
            at: 0.5,
            level: 1.5,
        },
        Reading {
            at: 1.5,
            level: 2.5,
        },
    ]);
    of_readings(p, &readings)
}

#[test]
fn closures_that_take_constant_structs() {
    scalar!(fitted).row(319).takes_memory().check(&POINTS);
}

// ---- constants that hold structs, and arrays by value ----

#[derive(Clone, Debug, Differentiable)]
struct Contract {
    strike: f64,
    of: usize,
}

#[differentiable]
fn priced(x: &[f64], contract: &Contract) -> f64 {
    (x[0] - contract.strike).powi(2) * x[contract.of]
}

#[differentiable]
fn book(x: &[f64], #[constant] book: &[(Contract, f64)]) -> f64 {
    let mut sum: f64 = book.iter().map(|(c, q)| q * priced(x, c)).sum();
    for (c, q) in book {
        sum += q * q * priced(x, c);
    }
    let (first, weight) = &book[0];
    sum + priced(x, first) * weight
}

#[differentiable]
fn booked(x: &[f64]) -> f64 {
    let all = passive(vec![
        (Contract { strike: 0.2, of: 1 }, 0.3),
        (Contract { strike: 0.5, of: 2 }, 1.3),
    ]);
    book(x, &all)
}

#[test]
fn constant_tuples_that_hold_structs() {
    scalar!(booked).row(321).takes_memory().check(&POINTS);
}

const START: [f64; 2] = [1.5, -0.5];

#[differentiable]
fn started(x: &[f64], #[constant] start: [f64; 2]) -> f64 {
    x[0].sin() * start[0] + x[1] * start[1] * x[2]
}

#[differentiable]
fn handed_on(x: &[f64], #[constant] start: [f64; 2]) -> f64 {
    started(x, start) * x[1]
}

#[differentiable]
fn arrays_by_value(x: &[f64]) -> f64 {
    let own = [0.2, 0.7];
    let mut sum = started(x, [1.0, 2.0]) * started(x, own) + started(x, START);
    for k in 0..2 {
        sum += handed_on(x, START) * own[k] + handed_on(x, [0.1, own[0]]);
    }
    sum
}

struct Weights<const N: usize> {
    q: [f64; N],
}

#[differentiable]
fn quadratic<const N: usize>(x: &[f64; N], weights: &Weights<N>) -> f64 {
    (0..N).map(|i| weights.q[i] * x[i] * x[i]).sum()
}

#[differentiable]
fn lengths_of_constants(x: &[f64], #[constant] weights: &Weights<2>) -> f64 {
    let y = [x[0] * x[1], x[2]];
    quadratic(&y, weights) + quadratic(&[x[1], x[0]], weights)
}

#[differentiable]
fn weighed(x: &[f64]) -> f64 {
    let weights = passive(Weights { q: [0.5, 1.5] });
    lengths_of_constants(x, &weights)
}

#[test]
fn constant_arrays_by_value() {
    scalar!(arrays_by_value).row(322).check(&POINTS);
    scalar!(weighed).row(322).check(&POINTS);
}

// ---- functions that return parts of what they borrow ----

#[differentiable]
fn atom(x: &[f64], i: usize) -> &[f64] {
    &x[2 * i..2 * (i + 1)]
}

#[differentiable]
fn larger<'a>(a: &'a [f64], b: &'a [f64]) -> &'a [f64] {
    if a[0] > b[0] { a } else { b }
}

#[differentiable]
fn distance(x: &[f64], i: usize, j: usize) -> f64 {
    let (a, b) = (atom(x, i), atom(x, j));
    (a[0] - b[0]).powi(2) * a[1] + larger(a, b)[1]
}

#[differentiable]
fn of_atoms(x: &[f64]) -> f64 {
    let y = [x[0], x[1], x[2], x[0] * x[1], x[2], 0.3];
    distance(&y, 0, 1) * distance(&y, 2, 1) + atom(x, 0).iter().sum::<f64>()
}

#[differentiable]
mod molecules {
    fn atom(x: &[f64], i: usize) -> &[f64] {
        &x[2 * i..2 * (i + 1)]
    }

    fn first(x: &[f64]) -> &f64 {
        &x[0]
    }

    pub(super) fn energy(x: &[f64]) -> f64 {
        let y = [x[0], x[1], x[2], x[0] * x[1]];
        let a = atom(&y, 1);
        a[0] * a[1] + atom(&y, 0).iter().sum::<f64>() * first(&y)
    }
}

#[differentiable]
fn of_molecules(x: &[f64]) -> f64 {
    molecules::energy(x)
}

#[test]
fn functions_that_return_parts() {
    scalar!(of_atoms).row(108).check(&POINTS);
    scalar!(of_molecules).row(108).check(&POINTS);
}

// ---- constant arrays behind references, by value ----

#[derive(Clone, Copy, Debug, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl From<[f64; 3]> for Vec3 {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Vec3 { x, y, z }
    }
}

#[differentiable]
fn spread(x: &[f64], w: [f64; 3]) -> f64 {
    x[0] * w[0].sin() + x[1] * w[1] * w[2]
}

#[differentiable]
fn held(x: &[f64], #[constant] w: [f64; 3]) -> f64 {
    x[0] * w[0].sin() + x[1] * x[0] * w[1] * w[2]
}

#[differentiable]
fn aimed(x: &[f64], #[constant] target: &[f64; 3], #[constant] rows: &[[f64; 3]]) -> f64 {
    let to = Vec3::from(*target);
    let mut sum = spread(x, *target) * held(x, *target) + x[2] * to.y;
    for row in rows {
        sum += spread(x, *row) * sum.sin() + held(x, *row);
    }
    for i in 0..rows.len() {
        sum += spread(x, rows[i]) + held(x, rows[i]) * Vec3::from(rows[i]).z;
    }
    sum + to.x * to.z
}

#[differentiable]
fn of_targets(x: &[f64]) -> f64 {
    aimed(x, &[0.1, 0.2, 0.3], &[[0.3, 0.2, 0.1], [0.7, 0.9, 0.1]])
}

#[test]
fn constant_arrays_behind_references() {
    scalar!(of_targets).row(322).check(&POINTS);
}
