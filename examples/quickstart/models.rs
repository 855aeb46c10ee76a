//! The regression models of the 13 datasets: plain Rust, annotated once.

use di::prelude::*;
use std::f64::consts::TAU;

/// Which model a dataset is fitted with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Model {
    BoxBod,
    Chwirut2,
    Enso,
    Gauss1,
    Hahn1,
    Kirby2,
    Lanczos1,
    Mgh09,
    Mgh17,
    Misra1a,
    Nelson,
    Rat43,
    Thurber,
}

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

/// The prediction of the model. All but Nelson's have one predictor and ignore `x2`.
#[differentiable]
pub(crate) fn predict(
    b: &[f64],
    #[constant] model: Model,
    #[constant] x: f64,
    #[constant] x2: f64,
) -> f64 {
    match model {
        Model::BoxBod => boxbod(b, x),
        Model::Chwirut2 => chwirut2(b, x),
        Model::Enso => enso(b, x),
        Model::Gauss1 => gauss1(b, x),
        Model::Hahn1 => hahn1(b, x),
        Model::Kirby2 => kirby2(b, x),
        Model::Lanczos1 => lanczos1(b, x),
        Model::Mgh09 => mgh09(b, x),
        Model::Mgh17 => mgh17(b, x),
        Model::Misra1a => misra1a(b, x),
        Model::Nelson => nelson(b, x, x2),
        Model::Rat43 => rat43(b, x),
        Model::Thurber => thurber(b, x),
    }
}

/// What a fit minimizes: prediction minus response, for each observation.
#[differentiable]
pub(crate) fn residuals(
    b: &[f64],
    #[constant] model: Model,
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
    #[constant] model: Model,
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
