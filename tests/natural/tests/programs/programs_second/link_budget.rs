//! Satellite link budget in decibels with rain fade; builder for the ground station.
use di::prelude::*;

#[derive(Debug, Clone, Copy, Differentiable)]
struct Station {
    power_w: f64,
    dish_m: f64,
    noise_k: f64,
    efficiency: f64,
}

#[differentiable]
impl Station {
    fn builder() -> StationBuilder {
        StationBuilder { power_w: 10.0, dish_m: 1.2, noise_k: None, efficiency: None }
    }
    fn gain_db(&self, ghz: f64) -> f64 {
        let lambda = 0.299792458 / ghz;
        db(self.efficiency * (std::f64::consts::PI * self.dish_m / lambda).powi(2))
    }
}

#[derive(Clone, Copy, Differentiable)]
struct StationBuilder {
    power_w: f64,
    dish_m: f64,
    noise_k: Option<f64>,
    efficiency: Option<f64>,
}

#[differentiable]
impl StationBuilder {
    fn power(mut self, w: f64) -> Self {
        self.power_w = w;
        self
    }
    fn dish(mut self, m: f64) -> Self {
        self.dish_m = m;
        self
    }
    fn noise(self, k: f64) -> Self {
        Self { noise_k: Some(k), ..self }
    }
    fn build(self) -> Station {
        Station {
            power_w: self.power_w,
            dish_m: self.dish_m,
            noise_k: self.noise_k.unwrap_or(290.0),
            efficiency: self.efficiency.unwrap_or_else(|| 0.6),
        }
    }
}

#[differentiable]
fn db(x: f64) -> f64 {
    10.0 * x.log10()
}

#[differentiable]
fn margin(power: f64, dish: f64, noise: f64, rain_mm: f64) -> f64 {
    let ghz = 12.0;
    let tx = Station::builder().power(power).dish(dish).build();
    let rx = Station::builder().dish(0.8).noise(noise).build();
    let path = 92.45 + 20.0 * f64::log10(ghz) + 20.0 * f64::log10(36_000.0);
    let rain = 0.0188 * rain_mm.powf(1.217) * 4.0;
    db(tx.power_w) + tx.gain_db(ghz) - path - rain + rx.gain_db(ghz) - db(rx.noise_k) + 228.6 - db(36e6) - 6.5
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = (20.0, 2.4, 150.0, 25.0);
    let g = gradient(margin::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("link", &[g.0, g.1, g.2, g.3], &[x.0, x.1, x.2, x.3], |x| margin(x[0], x[1], x[2], x[3]));
    Ok(())
}
