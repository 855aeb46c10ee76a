//! Experienced: one-dimensional Gaussian mixture, log-sum-exp with iterators and a builder.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Debug, Default, Differentiable)]
struct Mixture {
    logits: Vec<f64>,
    means: Vec<f64>,
    log_sds: Vec<f64>,
}

impl Mixture {
    fn builder() -> Self {
        Self::default()
    }
    fn component(mut self, logit: f64, mean: f64, log_sd: f64) -> Self {
        self.logits.push(logit);
        self.means.push(mean);
        self.log_sds.push(log_sd);
        self
    }
}

#[differentiable]
fn log_sum_exp(xs: impl Iterator<Item = f64> + Clone) -> f64 {
    let m = xs.clone().fold(f64::NEG_INFINITY, f64::max);
    if m.is_infinite() {
        return m;
    }
    m + xs.map(|x| (x - m).exp()).sum::<f64>().ln()
}

#[differentiable]
impl Mixture {
    fn log_density(&self, x: f64) -> f64 {
        let norm = log_sum_exp(self.logits.iter().copied());
        let terms = self
            .logits
            .iter()
            .zip(&self.means)
            .zip(&self.log_sds)
            .map(|((l, m), s)| l - norm - s - 0.5 * ((x - m) / s.exp()).powi(2));
        log_sum_exp(terms) - 0.5 * std::f64::consts::TAU.ln()
    }
}

#[differentiable]
fn nll(m: &Mixture, #[constant] data: &[f64]) -> f64 {
    -data.iter().map(|&x| m.log_density(x)).sum::<f64>()
}

pub(super) fn main() -> Result<(), di::Error> {
    let m = Mixture::builder().component(0.1, -1.0, 0.0).component(0.4, 2.0, -0.5);
    let data = [-1.3, 0.2, 1.7, 2.2, 2.9];
    let g = gradient(nll::AD.with(&data), NoPrep, &AutoSource::new(), &m)?;
    let got: Vec<f64> = [g.logits, g.means, g.log_sds].concat();
    let want = fd(
        |x| nll(&Mixture { logits: x[..2].to_vec(), means: x[2..4].to_vec(), log_sds: x[4..].to_vec() }, &data),
        &[0.1, 0.4, -1.0, 2.0, 0.0, -0.5],
    );
    check("13", &got, &want);
    Ok(())
}
