//! Experienced: antenna-less: thermostat plant with builder of differentiated struct, validation Result and `?`.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod plant {
    #[derive(Debug, Clone, PartialEq)]
    pub enum BuildError {
        Missing(&'static str),
        Negative { name: &'static str, value: f64 },
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Plant {
        gain: f64,
        tau: f64,
        delay: f64,
    }

    #[derive(Debug, Clone, Copy, Default)]
    pub struct Builder {
        gain: Option<f64>,
        tau: Option<f64>,
        delay: Option<f64>,
    }

    impl Builder {
        pub fn new() -> Self {
            Builder { gain: None, tau: None, delay: None }
        }
        pub fn gain(mut self, v: f64) -> Self {
            self.gain = Some(v);
            self
        }
        pub fn tau(mut self, v: f64) -> Self {
            self.tau = Some(v);
            self
        }
        pub fn delay(self, v: f64) -> Self {
            Builder { delay: Some(v), ..self }
        }
        pub fn build(self) -> Result<Plant, BuildError> {
            let tau = self.tau.ok_or(BuildError::Missing("tau"))?;
            if tau <= 0.0 {
                return Err(BuildError::Negative { name: "tau", value: tau });
            }
            Ok(Plant { gain: self.gain.ok_or(BuildError::Missing("gain"))?, tau, delay: self.delay.unwrap_or(0.0) })
        }
    }

    impl Plant {
        fn response(&self, t: f64) -> f64 {
            let s = t - self.delay;
            if s < 0.0 { 0.0 } else { self.gain * (1.0 - (-s / self.tau).exp()) }
        }
    }

    fn try_fit(p: &[f64], data: &[(f64, f64)]) -> Result<f64, BuildError> {
        let plant = Builder::new().gain(p[0]).tau(p[1]).delay(p[2]).build()?;
        Ok(data.iter().map(|&(t, y)| (plant.response(t) - y).powi(2)).sum())
    }

    pub fn fit(p: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        try_fit(p, data).unwrap_or_else(|e| {
            eprintln!("{e:?}");
            f64::INFINITY
        })
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let data = [(0.5, 0.1), (1.0, 0.6), (2.0, 1.4), (4.0, 1.9)];
    let p = [2.0, 1.5, 0.6];
    let g = gradient(plant::fit::AD.with(&data), NoPrep, &AutoSource::new(), &p)?;
    check("66", &g, &fd(|p| plant::fit(p, &data), &p));
    Ok(())
}
