//! Engineer: ship stability, offsets table (const 2D), trapezoidal hydrostatics, GM and GZ.

use di::prelude::*;
use super::{check, fd};

const STATIONS: usize = 5;
const WATERLINES: usize = 4;
const OFFSETS: [[f64; WATERLINES]; STATIONS] =
    [[0.1, 0.4, 0.8, 1.0], [1.5, 2.6, 3.0, 3.2], [2.8, 3.5, 3.8, 3.9], [2.0, 3.0, 3.4, 3.6], [0.2, 0.9, 1.6, 2.2]];

#[differentiable]
fn trapz(y: &[f64], dx: f64) -> f64 {
    y.windows(2).map(|w| 0.5 * (w[0] + w[1]) * dx).sum()
}

#[differentiable]
fn half_breadth(station: usize, z: f64, dz: f64) -> f64 {
    let k = ((z / dz).floor() as usize).min(WATERLINES - 2);
    let t = z / dz - k as f64;
    OFFSETS[station][k] * (1.0 - t) + OFFSETS[station][k + 1] * t
}

#[differentiable]
fn gm(draft: f64, beam_scale: f64, kg: f64) -> f64 {
    let (dx, dz) = (6.0, 1.2);
    let mut areas = [0.0; STATIONS];
    let mut moments = [0.0; STATIONS];
    let mut inertia = [0.0; STATIONS];
    for i in 0..STATIONS {
        let z: Vec<f64> = (0..=8).map(|k| draft * k as f64 / 8.0).collect();
        let b: Vec<f64> = z.iter().map(|&z| 2.0 * beam_scale * half_breadth(i, z, dz)).collect();
        let bz: Vec<f64> = b.iter().zip(&z).map(|(b, z)| b * z).collect();
        areas[i] = trapz(&b, draft / 8.0);
        moments[i] = trapz(&bz, draft / 8.0);
        inertia[i] = b.last().unwrap().powi(3) / 12.0;
    }
    let volume = trapz(&areas, dx);
    let kb = trapz(&moments, dx) / volume;
    let bm = trapz(&inertia, dx) / volume;
    kb + bm - kg
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b, c) = gradient(gm::AD, NoPrep, &AutoSource::new(), &(2.9, 1.05, 2.2))?;
    check("36", &[a, b, c], &fd(|x| gm(x[0], x[1], x[2]), &[2.9, 1.05, 2.2]));
    Ok(())
}
