//! Engineer: chimney draft; Box<dyn Error>, `?` on parse results inside the model.

use di::prelude::*;
use super::{check, fd};
use std::error::Error;

#[derive(Clone, Debug, Differentiable)]
struct Chimney {
    height: f64,
    diameter: f64,
}

#[differentiable]
fn density(t: f64) -> Result<f64, Box<dyn Error>> {
    if t < -273.15 {
        return Err("below absolute zero".into());
    }
    Ok(353.0 / (t + 273.15))
}

#[differentiable]
fn draft(c: &Chimney, t_gas: f64, #[constant] outside: &str) -> Result<f64, Box<dyn Error>> {
    let t_out: f64 = outside.trim().parse()?;
    let buoyancy = 9.81 * c.height * (density(t_out)? - density(t_gas)?);
    let mut v = 1.0;
    for _ in 0..60 {
        let re = v * c.diameter / 3e-5;
        let f = 0.3164 / f64::powf(re, 0.25);
        let k = f * c.height / c.diameter + 1.5;
        v = 0.5 * v + 0.5 * (2.0 * buoyancy / (density(t_gas)? * k)).sqrt();
    }
    Ok(v * std::f64::consts::PI * c.diameter.powi(2) / 4.0)
}

#[differentiable]
fn flow(c: &Chimney, t_gas: f64, #[constant] outside: &str) -> f64 {
    match draft(c, t_gas, outside) {
        Ok(q) => q,
        Err(e) => {
            eprintln!("error: {e}");
            f64::NAN
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let c = Chimney { height: 9.0, diameter: 0.18 };
    let (g, gt) = gradient(flow::AD.with(" 4.5 "), NoPrep, &AutoSource::new(), &(c, 160.0))?;
    check("80", &[g.height, g.diameter, gt], &fd(|x| flow(&Chimney { height: x[0], diameter: x[1] }, x[2], "4.5"), &[9.0, 0.18, 160.0]));
    Ok(())
}
