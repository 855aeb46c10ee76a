//! Functions without an attribute that change what they borrow: of other modules, elements and fields, and chains on
//! what they give.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.3, 1.2, -0.7], &[1.1, -0.4, 0.9]];

fn bump(n: &mut usize) -> f64 {
    *n += 1;
    *n as f64
}

fn step(n: &mut usize) -> usize {
    *n += 1;
    *n
}

fn pop(n: &mut usize) -> Option<f64> {
    *n = n.checked_sub(1)?;
    Some(*n as f64 + 0.5)
}

mod rng {
    pub fn next(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*seed >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn up_to(n: &mut usize, end: usize) -> bool {
        *n += 1;
        *n < end
    }
}

mod inner {
    use super::rng::{next, up_to as count};
    use di::prelude::*;

    #[differentiable]
    pub(super) fn imported(x: &[f64]) -> f64 {
        let (mut n, mut seed) = (0, 7);
        let mut s = 0.0;
        while count(&mut n, 5) {
            s = 0.5 * s + next(&mut seed) * x[n % 3] * x[0];
        }
        s * n as f64
    }

    #[differentiable]
    pub(super) fn by_path(x: &[f64]) -> f64 {
        let (mut n, mut seed) = (1, 3);
        let mut s = x[0];
        for v in x {
            let k = super::bump(&mut n);
            if crate::changed_elsewhere::rng::next(&mut seed) < 0.5 {
                s += v * v * k;
            } else {
                s *= v * super::pop(&mut n).unwrap_or(1.0);
            }
        }
        s + x[1] * n as f64
    }
}

#[differentiable]
mod model {
    use super::rng::next;

    pub fn drawn(x: &[f64]) -> f64 {
        let mut seed = 11;
        x.iter().map(|v| draw(*v, &mut seed)).sum()
    }

    fn draw(x: f64, seed: &mut u64) -> f64 {
        let u = next(seed);
        let w = super::rng::next(seed) + 1.0;
        x * x * u + (x * w).sin()
    }

    pub fn counted(x: &[f64]) -> f64 {
        let mut counts = vec![0; x.len()];
        let mut s = 0.0;
        for i in 0..6 {
            s += super::bump(&mut counts[i % 2]) * x[i % 3] * x[0];
        }
        s * counts[0] as f64
    }
}

struct Clock {
    ticks: usize,
    laps: u32,
}

fn lap(laps: &mut u32) {
    *laps += 2;
}

struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn uniform(&self, draws: &mut u64) -> f64 {
        self.low + (self.high - self.low) * rng::next(draws)
    }

    fn tick(&self, n: &mut u64) {
        *n += self.high as u64;
    }
}

#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let mut counts = vec![2; x.len()];
    let mut s = 0.0;
    for i in 0..x.len() {
        s += bump(&mut counts[i]) * x[0];
        if i > 0 {
            s *= x[i] + bump(&mut counts[(i + 2) % 3]);
        }
    }
    s + counts[0] as f64 * x[1] * x[2]
}

#[differentiable]
fn indices(x: &[f64]) -> f64 {
    let (mut grid, mut k) = ([[1; 3]; 2], 0);
    let s = bump(&mut grid[k][step(&mut k)]) * x[0] * x[1];
    s + x[step(&mut k)] * x[2] * grid[0][1] as f64
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let (mut pair, mut list) = ((1, 0.5), [(2, 0), (0, 1)]);
    let s = bump(&mut pair.0) * x[0] * x[1] * pair.1;
    s * bump(&mut list[1].0) + x[2] * x[2] * (pair.0 + list[1].0) as f64
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut clock = Clock { ticks: 0, laps: 1 };
    let mut s = 0.0;
    for v in x {
        s = s * 0.5 + bump(&mut clock.ticks) * v * v;
        lap(&mut clock.laps);
    }
    s * clock.laps as f64 + clock.ticks as f64 * x[0]
}

#[differentiable]
fn methods(x: &[f64], dice: &Range) -> f64 {
    let mut draws = 5;
    let other = Range {
        low: 0.0,
        high: 3.0,
    };
    let mut s = 0.0;
    for v in x {
        s += v * v * dice.uniform(&mut draws);
        let mut n = draws % 7;
        other.tick(&mut n);
        s *= 1.0 + n as f64 * v;
    }
    s
}

#[differentiable]
fn popped(x: f64, n: &mut usize) -> f64 {
    let k = pop(n).unwrap_or(2.0);
    x * x * k + x.powi(step(n).min(3) as i32)
}

#[differentiable]
fn chains(x: &[f64]) -> f64 {
    let mut n = 2;
    let mut s = popped(x[0], &mut n) + popped(x[1], &mut n);
    while let Some(k) = pop(&mut n) {
        s += k * x[2] * x[2];
    }
    s *= pop(&mut n).map_or(x[1], |k| k * x[0]);
    s + f64::max(n as f64 * x[0], bump(&mut n) * x[1]) * x[1]
}

const RANGE: Range = Range {
    low: 0.5,
    high: 2.0,
};

#[test]
fn functions_of_other_modules() {
    scalar!(inner::imported::AD, inner::imported)
        .row(600)
        .check(&POINTS);
    scalar!(inner::by_path::AD, inner::by_path)
        .row(600)
        .check(&POINTS);
    scalar!(model::drawn::AD, model::drawn)
        .row(600)
        .check(&POINTS);
    scalar!(model::counted::AD, model::counted)
        .row(601)
        .check(&POINTS);
}

#[test]
fn elements_and_fields() {
    scalar!(elements).row(601).check(&POINTS);
    scalar!(indices).row(601).check(&POINTS);
    scalar!(tuples).row(601).check(&POINTS);
    scalar!(fields).row(601).check(&POINTS);
    scalar!(methods::AD.with(&RANGE), |x| methods(x, &RANGE))
        .rows(&[600, 601])
        .check(&POINTS);
}

#[test]
fn chains_on_what_is_given() {
    scalar!(chains).row(602).check(&POINTS);
}
