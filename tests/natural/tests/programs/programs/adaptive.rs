//! Engineer: adaptive Simpson by recursion with &dyn Fn, and adaptive step ODE (step control by error).

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn adaptive(f: &dyn Fn(f64) -> f64, a: f64, b: f64, fa: f64, fm: f64, fb: f64, whole: f64, tol: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    let (l, r) = (0.5 * (a + m), 0.5 * (m + b));
    let (fl, fr) = (f(l), f(r));
    let left = (m - a) / 6.0 * (fa + 4.0 * fl + fm);
    let right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
    let delta = left + right - whole;
    if depth == 0 || delta.abs() <= 15.0 * tol {
        return left + right + delta / 15.0;
    }
    adaptive(f, a, m, fa, fl, fm, left, tol / 2.0, depth - 1) + adaptive(f, m, b, fm, fr, fb, right, tol / 2.0, depth - 1)
}

#[differentiable]
fn integrate(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (fa, fm, fb) = (f(a), f(0.5 * (a + b)), f(b));
    let whole = (b - a) / 6.0 * (fa + 4.0 * fm + fb);
    adaptive(f, a, b, fa, fm, fb, whole, 1e-9, 20)
}

/// Period of a pendulum of the given amplitude, with a correction for the bob.
#[differentiable]
fn period(length: f64, amplitude: f64, radius: f64) -> f64 {
    let k = (amplitude / 2.0).sin();
    let elliptic = integrate(&|t: f64| 1.0 / (1.0 - (k * t.sin()).powi(2)).sqrt(), 0.0, std::f64::consts::FRAC_PI_2);
    let correction = 1.0 + 0.2 * (radius / length).powi(2);
    4.0 * (length * correction / 9.81).sqrt() * elliptic
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b, c) = gradient(period::AD, NoPrep, &AutoSource::new(), &(1.0, 1.2, 0.1))?;
    check("58", &[a, b, c], &fd(|x| period(x[0], x[1], x[2]), &[1.0, 1.2, 0.1]));
    Ok(())
}
