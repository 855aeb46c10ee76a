//! ARMA residuals and exponential smoothing (Holt-Winters), struct with state, closures for the seasons.
use di::prelude::*;

const SALES: [f64; 16] = [12., 15., 19., 11., 13., 17., 21., 12., 15., 18., 24., 13., 16., 20., 25., 15.];

#[derive(Debug, Clone, Differentiable)]
struct HoltWinters {
    alpha: f64,
    beta: f64,
    gamma: f64,
    level: f64,
    trend: f64,
    season: [f64; 4],
}

#[differentiable]
impl HoltWinters {
    fn start(x: &[f64]) -> Self {
        let squash = |v: f64| 1.0 / (1.0 + (-v).exp());
        let year = &SALES[..4];
        let mean = year.iter().sum::<f64>() / 4.0;
        let mut season = [0.0; 4];
        for (s, y) in season.iter_mut().zip(year) {
            *s = y - mean;
        }
        HoltWinters { alpha: squash(x[0]), beta: squash(x[1]), gamma: squash(x[2]), level: mean, trend: x[3], season }
    }

    fn forecast(&self, t: usize) -> f64 {
        self.level + self.trend + self.season[t % 4]
    }

    fn observe(&mut self, t: usize, y: f64) -> f64 {
        let error = y - self.forecast(t);
        let old = self.level;
        let s = &mut self.season[t % 4];
        self.level = self.alpha * (y - *s) + (1.0 - self.alpha) * (self.level + self.trend);
        self.trend = self.beta * (self.level - old) + (1.0 - self.beta) * self.trend;
        *s = self.gamma * (y - self.level) + (1.0 - self.gamma) * *s;
        error
    }
}

#[differentiable]
fn sse(x: &[f64]) -> f64 {
    let mut hw = HoltWinters::start(x);
    let mut errors = Vec::new();
    for (t, &y) in SALES.iter().enumerate().skip(4) {
        errors.push(hw.observe(t, y));
    }
    let ar = x[4];
    errors.windows(2).map(|w| w[1] - ar * w[0]).map(|e| e * e).sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.2, -1.0, 0.4, 0.3, 0.1];
    let g = gradient(sse::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("holt", &g, &x, |x| sse(x));
    Ok(())
}
