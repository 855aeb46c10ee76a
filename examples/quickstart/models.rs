//! The regression models of the 13 datasets: plain Rust, annotated once.

use di::prelude::*;
use std::f64::consts::TAU;

// Which model a dataset is fitted with: a number, since annotated functions call each other by name.
pub(crate) const BOXBOD: usize = 0;
pub(crate) const CHWIRUT2: usize = 1;
pub(crate) const ENSO: usize = 2;
pub(crate) const GAUSS1: usize = 3;
pub(crate) const HAHN1: usize = 4;
pub(crate) const KIRBY2: usize = 5;
pub(crate) const LANCZOS1: usize = 6;
pub(crate) const MGH09: usize = 7;
pub(crate) const MGH17: usize = 8;
pub(crate) const MISRA1A: usize = 9;
pub(crate) const NELSON: usize = 10;
pub(crate) const RAT43: usize = 11;
pub(crate) const THURBER: usize = 12;

#[differentiable]
pub(crate) fn boxbod(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[differentiable]
pub(crate) fn chwirut2(b: &[f64], #[constant] x: f64) -> f64 {
    (-b[0] * x).exp() / (b[1] + b[2] * x)
}

#[differentiable]
pub(crate) fn enso(b: &[f64], #[constant] x: f64) -> f64 {
    let year = TAU * x / 12.0;
    let slow = TAU * x / b[3];
    let fast = TAU * x / b[6];
    b[0] + b[1] * year.cos()
        + b[2] * year.sin()
        + b[4] * slow.cos()
        + b[5] * slow.sin()
        + b[7] * fast.cos()
        + b[8] * fast.sin()
}

#[differentiable]
pub(crate) fn gauss1(b: &[f64], #[constant] x: f64) -> f64 {
    let left = (x - b[3]) / b[4];
    let right = (x - b[6]) / b[7];
    b[0] * (-b[1] * x).exp() + b[2] * (-left * left).exp() + b[5] * (-right * right).exp()
}

#[differentiable]
pub(crate) fn hahn1(b: &[f64], #[constant] x: f64) -> f64 {
    let above = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
    let below = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    above / below
}

#[differentiable]
pub(crate) fn kirby2(b: &[f64], #[constant] x: f64) -> f64 {
    (b[0] + b[1] * x + b[2] * x.powi(2)) / (1.0 + b[3] * x + b[4] * x.powi(2))
}

#[differentiable]
pub(crate) fn lanczos1(b: &[f64], #[constant] x: f64) -> f64 {
    let mut y = 0.0;
    for k in 0..3 {
        y += b[2 * k] * (-b[2 * k + 1] * x).exp();
    }
    y
}

#[differentiable]
pub(crate) fn mgh09(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3])
}

#[differentiable]
pub(crate) fn mgh17(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] + b[1] * (-x * b[3]).exp() + b[2] * (-x * b[4]).exp()
}

#[differentiable]
pub(crate) fn misra1a(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

/// The logarithm of the response: Nelson's model is fitted to `ln(y)`.
#[differentiable]
pub(crate) fn nelson(b: &[f64], #[constant] weeks: f64, #[constant] celsius: f64) -> f64 {
    b[0] - b[1] * weeks * (-b[2] * celsius).exp()
}

#[differentiable]
pub(crate) fn rat43(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x).exp()).powf(1.0 / b[3])
}

#[differentiable]
pub(crate) fn thurber(b: &[f64], #[constant] x: f64) -> f64 {
    let above = b[0] + b[1] * x + b[2] * x.powi(2) + b[3] * x.powi(3);
    let below = 1.0 + b[4] * x + b[5] * x.powi(2) + b[6] * x.powi(3);
    above / below
}

/// What the model says. All but Nelson's have one predictor and leave `x2` aside.
#[differentiable]
pub(crate) fn predict(b: &[f64], model: usize, #[constant] x: f64, #[constant] x2: f64) -> f64 {
    if model == BOXBOD {
        boxbod(b, x)
    } else if model == CHWIRUT2 {
        chwirut2(b, x)
    } else if model == ENSO {
        enso(b, x)
    } else if model == GAUSS1 {
        gauss1(b, x)
    } else if model == HAHN1 {
        hahn1(b, x)
    } else if model == KIRBY2 {
        kirby2(b, x)
    } else if model == LANCZOS1 {
        lanczos1(b, x)
    } else if model == MGH09 {
        mgh09(b, x)
    } else if model == MGH17 {
        mgh17(b, x)
    } else if model == MISRA1A {
        misra1a(b, x)
    } else if model == NELSON {
        nelson(b, x, x2)
    } else if model == RAT43 {
        rat43(b, x)
    } else {
        thurber(b, x)
    }
}

/// What a fit makes small: prediction minus response, for each observation.
#[differentiable]
pub(crate) fn residuals(
    b: &[f64],
    model: usize,
    #[constant] x: &[[f64; 2]],
    #[constant] y: &[f64],
    r: &mut [f64],
) {
    for i in 0..y.len() {
        r[i] = predict(b, model, x[i][0], x[i][1]) - y[i];
    }
}

/// Half the sum of the squared residuals.
#[differentiable]
pub(crate) fn loss(
    b: &[f64],
    model: usize,
    #[constant] x: &[[f64; 2]],
    #[constant] y: &[f64],
) -> f64 {
    let mut r = vec![0.0; y.len()];
    residuals(b, model, x, y, &mut r);
    let mut sum = 0.0;
    for v in &r {
        sum += v * v;
    }
    0.5 * sum
}
