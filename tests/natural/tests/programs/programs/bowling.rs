//! Student: simulation with own random generator (struct Rng) and f32 sums? Monte Carlo of bowling.

use di::prelude::*;
use super::{check, fd};

struct Rng {
    state: u64,
}

impl Rng {
    fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) as f64) / (1u64 << 31) as f64
    }
    fn normal(&mut self) -> f64 {
        let u1 = self.next().max(1e-12);
        let u2 = self.next();
        (-2.0 * u1.ln()).sqrt() * (2.0 * std::f64::consts::PI * u2).cos()
    }
}

#[differentiable]
fn pins(angle: f64, offset: f64) -> f64 {
    let miss = offset + 18.0 * angle.tan() - 0.1;
    10.0 * (-miss * miss / 0.08).exp()
}

#[differentiable]
fn mean_score(angle: f64, offset: f64, spread: f64, seed: u64) -> f64 {
    let mut rng = Rng::new(seed);
    let mut total = 0.0;
    let throws = 200;
    for _ in 0..throws {
        let noise = rng.normal();
        let first = pins(angle + spread * noise, offset);
        let mut score = first;
        if rng.next() < 0.3 {
            score += (10.0 - first) * 0.5;
        }
        total += score;
    }
    total / throws as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let f = mean_score::AD.with(42);
    let (a, b, c) = gradient(f, NoPrep, &AutoSource::new(), &(0.002, 0.05, 0.01))?;
    check("59", &[a, b, c], &fd(|x| mean_score(x[0], x[1], x[2], 42), &[0.002, 0.05, 0.01]));
    Ok(())
}
