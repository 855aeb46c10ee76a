//! Sediment transport over a river profile (Meyer-Peter Mueller), Exner equation.
use di::prelude::*;

struct Grain {
    d50: f64,
    density: f64,
}

impl Default for Grain {
    fn default() -> Self {
        Grain { d50: 0.004, density: 2650.0 }
    }
}

#[differentiable]
fn transport(slope: f64, depth: f64, #[constant] grain: &Grain) -> f64 {
    let s = grain.density / 1000.0 - 1.0;
    let shields = depth * slope / (s * grain.d50);
    let excess = shields - 0.047;
    if excess <= 0.0 {
        return 0.0;
    }
    8.0 * excess.powf(1.5) * (s * 9.81 * grain.d50.powi(3)).sqrt()
}

#[differentiable]
fn evolve(bed: &mut [f64], discharge: f64, #[constant] grain: &Grain, dx: f64, dt: f64) {
    let n = bed.len();
    let q: Vec<f64> = bed
        .windows(2)
        .map(|w| {
            let slope = ((w[0] - w[1]) / dx).max(1e-5);
            let depth = (discharge * 0.04 / slope.sqrt()).powf(0.6);
            transport(slope, depth, grain)
        })
        .collect();
    for i in 1..n - 1 {
        bed[i] -= dt / (0.6 * dx) * (q[i] - q[i - 1]);
    }
}

#[differentiable]
fn erosion(bed0: &[f64], discharge: f64, #[constant] grain: &Grain) -> f64 {
    let mut bed = bed0.to_vec();
    for _ in 0..20 {
        evolve(&mut bed, discharge, grain, 100.0, 3600.0);
    }
    bed.iter().zip(bed0).skip(2).step_by(2).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() * 1e6
}

pub(super) fn main() -> Result<(), di::Error> {
    let bed = [10.0, 9.5, 8.7, 8.3, 8.1, 7.2, 6.9];
    let grain = Grain::default();
    let (b, q) = gradient(erosion::AD.with(&grain), NoPrep, &AutoSource::new(), &(bed, 2.5))?;
    let mut g = b.to_vec();
    g.push(q);
    let mut x = bed.to_vec();
    x.push(2.5);
    super::check_of("sediment", &g, &x, |x| erosion(&x[..7], x[7], &grain));
    Ok(())
}
