//! Student: XOR network, weights in one long vector.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + f64::exp(-x))
}

#[differentiable]
fn forward(w: &Vec<f64>, a: f64, b: f64) -> f64 {
    let mut hidden = vec![];
    for i in 0..3 {
        let z = w[3 * i] * a + w[3 * i + 1] * b + w[3 * i + 2];
        hidden.push(sigmoid(z));
    }
    let mut out = w[12];
    let mut i = 0;
    for h in hidden {
        out += h * w[9 + i];
        i += 1;
    }
    sigmoid(out)
}

#[differentiable]
fn error(w: &Vec<f64>) -> f64 {
    let table = [(0.0, 0.0, 0.0), (0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)];
    let mut e = 0.0;
    for (a, b, target) in table.iter() {
        let y = forward(w, *a, *b);
        e += (y - target) * (y - target);
    }
    return e / table.len() as f64;
}

pub(super) fn main() -> Result<(), di::Error> {
    let w: Vec<f64> = (0..13).map(|i| ((i * 37 % 11) as f64 - 5.0) / 4.0).collect();
    let g = gradient(error::AD, NoPrep, &AutoSource::new(), &w)?;
    check("04", &g, &fd(|x| error(&x.to_vec()), &w));
    Ok(())
}
