//! Student: parachute jump with phases, match on tuple, loop with break value.

use di::prelude::*;
use super::{check, fd};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    FreeFall,
    Opening,
    Open,
}

#[differentiable]
fn drag_area(#[constant] phase: Phase, body: f64, canopy: f64, since: f64) -> f64 {
    match phase {
        Phase::FreeFall => body,
        Phase::Opening => body + (canopy - body) * (since / 3.0).powi(2),
        Phase::Open => canopy,
    }
}

#[differentiable]
fn landing_speed(p: &[f64]) -> f64 {
    let mass = p[0];
    let body = p[1];
    let canopy = p[2];
    let mut h = p[3];
    let mut v = 0.0;
    let mut phase = Phase::FreeFall;
    let mut t: f64 = 0.0;
    let mut opened_at: f64 = 0.0;
    let dt = 0.05;
    let max_force = loop {
        let rho = 1.225 * (-h / 8500.0).exp();
        let since = t - opened_at;
        let force = 0.5 * rho * drag_area(phase, body, canopy, since) * v * v;
        v += (9.81 - force / mass) * dt;
        h -= v * dt;
        t += dt;
        phase = match (phase, t) {
            (Phase::FreeFall, t) if t >= 10.0 => {
                opened_at = t;
                Phase::Opening
            }
            (Phase::Opening, t) if t - opened_at >= 3.0 => Phase::Open,
            (other, _) => other,
        };
        if t > 20.0 {
            break force;
        }
    };
    v + max_force / 1000.0 + h / 1e4
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [85.0, 0.6, 25.0, 3000.0];
    let g = gradient(landing_speed::AD, NoPrep, &AutoSource::new(), &p)?;
    check("34", &g, &fd(landing_speed, &p));
    Ok(())
}
