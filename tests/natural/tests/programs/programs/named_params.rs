//! Engineer: engine model, parameters in an enum-indexed array (Param as usize), macro-free names, checks by assert.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Param {
    Compression,
    Gamma,
    Lambda,
    Friction,
    Count,
}
use Param::*;

struct Params<'a>(&'a [f64]);

#[derive(Clone, Copy)]
enum Cycle {
    Otto,
    Diesel { cutoff: f64 },
}

#[differentiable]
fn get(p: &[f64], which: Param) -> f64 {
    assert!(p.len() == Count as usize);
    p[which as usize]
}

#[differentiable]
fn efficiency(p: &[f64], cycle: Cycle) -> f64 {
    let r = get(p, Compression);
    let g = get(p, Gamma);
    let ideal = match cycle {
        Cycle::Otto => 1.0 - r.powf(1.0 - g),
        Cycle::Diesel { cutoff } => 1.0 - r.powf(1.0 - g) * (cutoff.powf(g) - 1.0) / (g * (cutoff - 1.0)),
    };
    let mix = 1.0 - 0.8 * (get(p, Lambda) - 1.05).powi(2);
    debug_assert!(mix > 0.0, "mixture {mix}");
    let fmep = get(p, Friction) * (1.0 + 0.02 * (r - 9.0).max(0.0));
    (ideal * mix - fmep).max(0.0)
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [10.5, 1.33, 1.0, 0.08];
    let _ = Params(&p).0.len();
    for c in [Cycle::Otto, Cycle::Diesel { cutoff: 1.8 }] {
        let g = gradient(efficiency::AD.with(c), NoPrep, &AutoSource::new(), &p)?;
        check("86", &g, &fd(|p| efficiency(p, c), &p));
    }
    Ok(())
}
