//! Engineer: gear contact stress with material table by enum and impl.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Material {
    Steel,
    CastIron,
    Bronze,
}

impl Material {
    const fn youngs(self) -> f64 {
        match self {
            Material::Steel => 206e9,
            Material::CastIron => 118e9,
            Material::Bronze => 113e9,
        }
    }
    const fn poisson(self) -> f64 {
        match self {
            Self::Steel => 0.3,
            Self::CastIron => 0.28,
            Self::Bronze => 0.33,
        }
    }
}

struct Pair {
    pinion: Material,
    wheel: Material,
    teeth: (u32, u32),
}

#[differentiable]
fn elastic_factor(#[constant] p: &Pair) -> f64 {
    let part = |m: Material| (1.0 - m.poisson().powi(2)) / m.youngs();
    (1.0 / (std::f64::consts::PI * (part(p.pinion) + part(p.wheel)))).sqrt()
}

/// Safety against pitting: module [mm], face width [mm], torque [Nm].
#[differentiable]
fn safety(module: f64, width: f64, torque: f64, #[constant] p: &Pair) -> f64 {
    let (z1, z2) = p.teeth;
    let ratio = z2 as f64 / z1 as f64;
    let d1 = module * 1e-3 * f64::from(z1);
    let force = 2.0 * torque / d1;
    let alpha = 20f64.to_radians();
    let zone = (2.0 / (alpha.cos() * alpha.sin())).sqrt();
    let dynamic = match d1 * 1500.0 * std::f64::consts::PI / 60.0 {
        v if v < 2.0 => 1.0 + 0.1 * v,
        v if v < 10.0 => 1.05 + 0.08 * v,
        v => 1.1 + v.sqrt() / 5.0,
    };
    let stress = zone * elastic_factor(p) * (force * dynamic / (d1 * width * 1e-3) * (ratio + 1.0) / ratio).sqrt();
    let limit: f64 = if p.wheel == Material::Steel { 1.1e9 } else { 0.5e9 };
    limit / stress
}

pub(super) fn main() -> Result<(), di::Error> {
    for wheel in [Material::Steel, Material::CastIron, Material::Bronze] {
        let p = Pair { pinion: Material::Steel, wheel, teeth: (17, 53) };
        let (a, b, c) = gradient(safety::AD.with(&p), NoPrep, &AutoSource::new(), &(3.0, 30.0, 120.0))?;
        check("25", &[a, b, c], &fd(|x| safety(x[0], x[1], x[2], &p), &[3.0, 30.0, 120.0]));
    }
    Ok(())
}
