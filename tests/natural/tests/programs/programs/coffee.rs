//! Engineer: espresso extraction, grind classes in a const table.

use di::prelude::*;
use super::{check, fd};

struct GrindClass {
    name: &'static str,
    radius_um: f64,
    share: f64,
}

const CLASSES: &[GrindClass] = &[
    GrindClass { name: "fines", radius_um: 15.0, share: 0.18 },
    GrindClass { name: "boulders", radius_um: 190.0, share: 0.62 },
    GrindClass { name: "dust", radius_um: 4.0, share: 0.2 },
];

#[differentiable]
fn rate(temp_c: f64, radius_um: f64) -> f64 {
    let arrhenius = (-2500.0 / (temp_c + 273.15)).exp();
    4.0e4 * arrhenius / radius_um.powf(1.3)
}

#[differentiable]
fn yield_percent(temp_c: f64, dose_g: f64, time_s: f64) -> f64 {
    let mut dissolved = 0.0;
    for class in CLASSES.iter().filter(|c| c.name != "dust") {
        let k = rate(temp_c, class.radius_um);
        dissolved += class.share * dose_g * (1.0 - (-k * time_s).exp());
    }
    if let Some(dust) = CLASSES.iter().find(|c| c.name == "dust") {
        dissolved += dust.share * dose_g * 0.95;
    }
    100.0 * dissolved / dose_g * (1.0 - 0.002 * dose_g)
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = (93.0, 18.0, 27.0);
    let (a, b, c) = gradient(yield_percent::AD, NoPrep, &AutoSource::new(), &x)?;
    check("21", &[a, b, c], &fd(|x| yield_percent(x[0], x[1], x[2]), &[93.0, 18.0, 27.0]));
    Ok(())
}
