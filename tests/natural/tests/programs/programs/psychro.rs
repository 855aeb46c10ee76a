//! Engineer: psychrometrics, wet bulb temperature by fixed-point / Newton, error type and `?`.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod air {
    #[derive(Debug, Clone, PartialEq)]
    pub enum AirError {
        OutOfRange(&'static str),
        NoConvergence(usize),
    }
    type Result<T> = std::result::Result<T, AirError>;

    fn saturation_pressure(t: f64) -> Result<f64> {
        if !(-40.0..=90.0).contains(&t) {
            return Err(AirError::OutOfRange("temperature"));
        }
        Ok(610.94 * (17.625 * t / (t + 243.04)).exp())
    }

    fn humidity_ratio(pv: f64, p: f64) -> f64 {
        0.622 * pv / (p - pv)
    }

    fn wet_bulb(t: f64, rh: f64, p: f64) -> Result<f64> {
        let w = humidity_ratio(rh * saturation_pressure(t)?, p);
        let mut tw = t - 5.0;
        for _ in 0..100 {
            let ws = humidity_ratio(saturation_pressure(tw)?, p);
            let calc = ((2501.0 - 2.326 * tw) * ws - 1.006 * (t - tw)) / (2501.0 + 1.86 * t - 4.186 * tw);
            let err = calc - w;
            if err.abs() < 1e-15 {
                return Ok(tw);
            }
            tw -= err * 900.0;
        }
        Err(AirError::NoConvergence(100))
    }

    /// Heat index of a stable: NaN if the state is impossible.
    pub fn stress(t: f64, rh: f64) -> f64 {
        wet_bulb(t, rh, 101_325.0).map(|tw| 0.72 * (t + tw) + 40.6).unwrap_or(f64::NAN)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b) = gradient(air::stress::AD, NoPrep, &AutoSource::new(), &(30.0, 0.6))?;
    check("26", &[a, b], &fd(|x| air::stress(x[0], x[1]), &[30.0, 0.6]));
    Ok(())
}
