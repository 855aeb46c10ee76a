//! Student: Newton's method for a cubic, with a maximum number of steps.

use di::prelude::*;
use super::{check, fd};

const MAX_STEPS: usize = 50;
const EPS: f64 = 1e-14;

#[differentiable]
fn cubic(c: &[f64; 4], x: f64) -> f64 {
    c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x
}

#[differentiable]
fn cubic_prime(c: &[f64; 4], x: f64) -> f64 {
    c[1] + 2.0 * c[2] * x + 3.0 * c[3] * x * x
}

#[differentiable]
fn newton(c: &[f64; 4], start: f64) -> Option<f64> {
    let mut x = start;
    let mut steps = 0;
    while steps < MAX_STEPS {
        let fx = cubic(c, x);
        let dfx = cubic_prime(c, x);
        if dfx == 0.0 {
            return None;
        }
        let new_x = x - fx / dfx;
        if (new_x - x).abs() < EPS {
            return Some(new_x);
        }
        x = new_x;
        steps += 1;
    }
    None
}

#[differentiable]
fn root_or_zero(c: &[f64; 4]) -> f64 {
    match newton(c, 2.0) {
        Some(r) => r,
        None => {
            println!("no root found");
            0.0
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let c = [-5.0, -2.0, 0.3, 1.0];
    let g = gradient(root_or_zero::AD, NoPrep, &AutoSource::new(), &c)?;
    check("02", &g, &fd(|x| root_or_zero(&[x[0], x[1], x[2], x[3]]), &c));
    Ok(())
}
