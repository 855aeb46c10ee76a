//! Student: hot air balloon, tuple returns, nested functions, consts, shadowing.

use di::prelude::*;
use super::{check, fd};

const R: f64 = 287.05;
const G: f64 = 9.80665;

#[differentiable]
fn atmosphere(h: f64) -> (f64, f64, f64) {
    let t = if h < 11000.0 { 288.15 - 0.0065 * h } else { 216.65 };
    let p = if h < 11000.0 {
        101325.0 * (t / 288.15).powf(G / (R * 0.0065))
    } else {
        22632.0 * (-G * (h - 11000.0) / (R * t)).exp()
    };
    let rho = p / (R * t);
    (t, p, rho)
}

#[differentiable]
fn climb(volume: f64, burner: f64, payload: f64) -> f64 {
    fn area(volume: f64) -> f64 {
        4.84 * volume.powf(2.0 / 3.0)
    }
    let mut h = 0.0;
    let mut v = 0.0;
    let mut inside = 370.0;
    let mut minutes = 0;
    while minutes < 10 {
        for _ in 0..60 {
            let (t, p, rho) = atmosphere(h);
            let inner_rho = p / (R * inside);
            let lift = G * volume * (rho - inner_rho);
            let mass = payload + inner_rho * volume;
            let drag = 0.5 * 0.5 * rho * area(volume) / 4.0 * v * f64::abs(v);
            let a = (lift - payload * G - drag) / mass;
            v += a;
            h += v;
            let h_loss = 4.0 * area(volume) * (inside - t);
            inside += (burner * 1000.0 - h_loss) / (1005.0 * inner_rho * volume);
            let h = h.max(0.0);
            if h == 0.0 {
                v = v.max(0.0);
            }
        }
        minutes += 1;
    }
    h
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = (2200.0, 330.0, 500.0);
    let (a, b, c) = gradient(climb::AD, NoPrep, &AutoSource::new(), &x)?;
    check("42", &[a, b, c], &fd(|x| climb(x[0], x[1], x[2]), &[2200.0, 330.0, 500.0]));
    Ok(())
}
