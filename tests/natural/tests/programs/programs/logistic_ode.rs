//! Student: fits the growth of yeast with Euler's method.

use di::prelude::*;
use super::{check, fd};

const DAYS: [i32; 6] = [0, 2, 4, 6, 8, 10];
const CELLS: [f64; 6] = [9.6, 29.0, 71.1, 174.6, 350.7, 513.3];

#[differentiable]
fn simulate(r: f64, k: f64, n0: f64) -> Vec<f64> {
    let dt = 0.05;
    let steps_per_day = (1.0 / dt) as usize;
    let mut results: Vec<f64> = Vec::with_capacity(11);
    let mut n = n0;
    results.push(n);
    for _day in 1..=10 {
        for _ in 0..steps_per_day {
            let dn = r * n * (1.0 - n / k);
            n = n + dn * dt;
        }
        results.push(n);
    }
    results
}

#[differentiable]
fn error(p: &[f64]) -> f64 {
    let r = p[0];
    let k = p[1];
    let n0 = p[2];
    let sim = simulate(r, k, n0);
    let mut sum = 0.0;
    for i in 0..DAYS.len() {
        let day = DAYS[i] as usize;
        let diff = sim[day] - CELLS[i];
        sum += diff * diff / CELLS[i];
    }
    sum.sqrt()
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [0.5, 650.0, 9.0];
    let g = gradient(error::AD, NoPrep, &AutoSource::new(), &p)?;
    check("07", &g, &fd(error, &p));
    Ok(())
}
