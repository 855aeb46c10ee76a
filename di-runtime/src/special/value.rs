//! Values of the special functions, on floats.

use std::f64::consts::FRAC_1_SQRT_2;

pub(super) use libm::{erf, erfc, j0, j1, jn, lgamma as ln_gamma, tgamma as gamma, y0, y1, yn};

pub(super) use super::series::polygamma;

pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

pub(super) fn digamma(x: f64) -> f64 {
    polygamma(0, x)
}

pub(super) fn trigamma(x: f64) -> f64 {
    polygamma(1, x)
}

pub(super) fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

pub(super) fn beta(a: f64, b: f64) -> f64 {
    ln_beta(a, b).exp()
}

pub(super) fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let e = x.exp();
        e / (1.0 + e)
    }
}

pub(super) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

pub(super) fn log_sigmoid(x: f64) -> f64 {
    -softplus(-x)
}

pub(super) fn logit(x: f64) -> f64 {
    x.ln() - (-x).ln_1p()
}

pub(super) fn log_add_exp(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high.is_infinite() {
        return high;
    }
    high + (low - high).exp().ln_1p()
}
