//! Pressure drop in a pipeline with fittings: Colebrook friction by fixed point.
use di::prelude::*;

#[derive(Clone, Copy, Debug)]
pub enum Fitting {
    Elbow,
    Tee,
    Valve { open: f64 },
}

#[differentiable]
pub fn loss_coefficient(f: &Fitting) -> f64 {
    match *f {
        Fitting::Elbow => 0.9,
        Fitting::Tee => 1.8,
        Fitting::Valve { open } if open >= 1.0 => 0.2,
        Fitting::Valve { open } => 0.2 / (open * open),
    }
}

#[differentiable]
pub fn friction_factor(re: f64, rel_roughness: f64) -> Option<f64> {
    if re <= 0.0 {
        return None;
    }
    if re < 2300.0 {
        return Some(64.0 / re);
    }
    let mut f = 0.02_f64;
    for _ in 0..50 {
        let rhs = -2.0 * (rel_roughness / 3.7 + 2.51 / (re * f.sqrt())).log10();
        f = 1.0 / (rhs * rhs);
    }
    Some(f)
}

#[differentiable]
pub fn pressure_drop(flow: f64, diameter: f64, roughness: f64, #[constant] fittings: &[Fitting]) -> f64 {
    const RHO: f64 = 998.0;
    const MU: f64 = 1.0e-3;
    let area = std::f64::consts::FRAC_PI_4 * diameter.powi(2);
    let v = flow / area;
    let re = RHO * v * diameter / MU;
    let f = friction_factor(re, roughness / diameter).unwrap_or(0.0);
    let minor: f64 = fittings.iter().map(loss_coefficient).sum();
    (f * 120.0 / diameter + minor) * 0.5 * RHO * v * v
}

pub(super) fn main() -> Result<(), di::Error> {
    let fit = [Fitting::Elbow, Fitting::Elbow, Fitting::Tee, Fitting::Valve { open: 0.6 }];
    let f = pressure_drop::AD.with(&fit);
    let g = gradient(f, NoPrep, &AutoSource::new(), &(0.004, 0.05, 4.5e-5))?;
    super::check_of("colebrook", &[g.0, g.1, g.2], &[0.004, 0.05, 4.5e-5], |x| pressure_drop(x[0], x[1], x[2], &fit));
    Ok(())
}
