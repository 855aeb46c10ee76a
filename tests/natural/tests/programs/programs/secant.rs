//! Student: secant method to find the angle of a hanging lamp; returns a Result with a custom error.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod solver {
    #[derive(Debug)]
    pub enum SolveError {
        TooManySteps { last: f64 },
        Flat,
    }

    pub fn secant<F: Fn(f64) -> f64>(f: F, mut x0: f64, mut x1: f64) -> Result<f64, SolveError> {
        let mut f0 = f(x0);
        for _ in 0..60 {
            let f1 = f(x1);
            if f1 == f0 {
                if f1.abs() < 1e-10 {
                    return Ok(x1);
                }
                return Err(SolveError::Flat);
            }
            let x2 = x1 - f1 * (x1 - x0) / (f1 - f0);
            if (x2 - x1).abs() < 1e-13 {
                return Ok(x2);
            }
            x0 = x1;
            f0 = f1;
            x1 = x2;
        }
        Err(SolveError::TooManySteps { last: x1 })
    }

    pub fn lamp_angle(p: &[f64; 3]) -> f64 {
        let [wind, weight, length] = *p;
        let balance = |a: f64| wind * length * a.cos() - weight * length * a.sin() - 0.1 * a.powi(3);
        match secant(balance, 0.1, 0.3) {
            Ok(a) => a,
            Err(SolveError::TooManySteps { last }) => last,
            Err(SolveError::Flat) => f64::NAN,
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [2.0, 9.0, 1.5];
    let g = gradient(solver::lamp_angle::AD, NoPrep, &AutoSource::new(), &p)?;
    check("12", &g, &fd(|x| solver::lamp_angle(&[x[0], x[1], x[2]]), &p));
    Ok(())
}
