//! The regression models of the 13 datasets: plain Rust, annotated once.

use di::prelude::*;
use std::f64::consts::TAU;

// Which model a dataset is fitted with: a number, since annotated functions call each other by name.
pub const BOXBOD: usize = 0;
pub const CHWIRUT2: usize = 1;
pub const ENSO: usize = 2;
pub const GAUSS1: usize = 3;
pub const HAHN1: usize = 4;
pub const KIRBY2: usize = 5;
pub const LANCZOS1: usize = 6;
pub const MGH09: usize = 7;
pub const MGH17: usize = 8;
pub const MISRA1A: usize = 9;
pub const NELSON: usize = 10;
pub const RAT43: usize = 11;
pub const THURBER: usize = 12;

#[differentiable]
pub fn boxbod(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[differentiable]
pub fn chwirut2(b: &[f64], #[constant] x: f64) -> f64 {
    (-b[0] * x).exp() / (b[1] + b[2] * x)
}

#[differentiable]
pub fn enso(b: &[f64], #[constant] x: f64) -> f64 {
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
pub fn gauss1(b: &[f64], #[constant] x: f64) -> f64 {
    let left = (x - b[3]) / b[4];
    let right = (x - b[6]) / b[7];
    b[0] * (-b[1] * x).exp() + b[2] * (-left * left).exp() + b[5] * (-right * right).exp()
}

#[differentiable]
pub fn hahn1(b: &[f64], #[constant] x: f64) -> f64 {
    let above = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
    let below = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    above / below
}

#[differentiable]
pub fn kirby2(b: &[f64], #[constant] x: f64) -> f64 {
    (b[0] + b[1] * x + b[2] * x.powi(2)) / (1.0 + b[3] * x + b[4] * x.powi(2))
}

#[differentiable]
pub fn lanczos1(b: &[f64], #[constant] x: f64) -> f64 {
    let mut y = 0.0;
    for k in 0..3 {
        y += b[2 * k] * (-b[2 * k + 1] * x).exp();
    }
    y
}

#[differentiable]
pub fn mgh09(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3])
}

#[differentiable]
pub fn mgh17(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] + b[1] * (-x * b[3]).exp() + b[2] * (-x * b[4]).exp()
}

#[differentiable]
pub fn misra1a(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

/// The logarithm of the response: Nelson's model is fitted to `ln(y)`.
#[differentiable]
pub fn nelson(b: &[f64], #[constant] weeks: f64, #[constant] celsius: f64) -> f64 {
    b[0] - b[1] * weeks * (-b[2] * celsius).exp()
}

#[differentiable]
pub fn rat43(b: &[f64], #[constant] x: f64) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x).exp()).powf(1.0 / b[3])
}

#[differentiable]
pub fn thurber(b: &[f64], #[constant] x: f64) -> f64 {
    let above = b[0] + b[1] * x + b[2] * x.powi(2) + b[3] * x.powi(3);
    let below = 1.0 + b[4] * x + b[5] * x.powi(2) + b[6] * x.powi(3);
    above / below
}

/// What the model says for one row of predictors. All models but Nelson's have one predictor.
#[differentiable]
pub fn predict(b: &[f64], model: usize, #[constant] x: [f64; 2]) -> f64 {
    if model == BOXBOD {
        boxbod(b, x[0])
    } else if model == CHWIRUT2 {
        chwirut2(b, x[0])
    } else if model == ENSO {
        enso(b, x[0])
    } else if model == GAUSS1 {
        gauss1(b, x[0])
    } else if model == HAHN1 {
        hahn1(b, x[0])
    } else if model == KIRBY2 {
        kirby2(b, x[0])
    } else if model == LANCZOS1 {
        lanczos1(b, x[0])
    } else if model == MGH09 {
        mgh09(b, x[0])
    } else if model == MGH17 {
        mgh17(b, x[0])
    } else if model == MISRA1A {
        misra1a(b, x[0])
    } else if model == NELSON {
        nelson(b, x[0], x[1])
    } else if model == RAT43 {
        rat43(b, x[0])
    } else {
        thurber(b, x[0])
    }
}

/// What a fit makes small: prediction minus response, for each observation.
#[differentiable]
pub fn residuals(
    b: &[f64],
    model: usize,
    #[constant] x: &[[f64; 2]],
    #[constant] y: &[f64],
    r: &mut [f64],
) {
    for i in 0..y.len() {
        r[i] = predict(b, model, x[i]) - y[i];
    }
}

/// Half the sum of the squared residuals.
#[differentiable]
pub fn loss(b: &[f64], model: usize, #[constant] x: &[[f64; 2]], #[constant] y: &[f64]) -> f64 {
    let mut r = vec![0.0; y.len()];
    residuals(b, model, x, y, &mut r);
    let mut sum = 0.0;
    for i in 0..r.len() {
        sum += r[i] * r[i];
    }
    0.5 * sum
}
