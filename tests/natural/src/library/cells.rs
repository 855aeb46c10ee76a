//! Voltages of cells without a load.

use di::prelude::*;

pub trait Ocv {
    fn volts(&self, soc: f64) -> f64;
}

pub struct Shepherd {
    pub e0: f64,
    pub k: f64,
    pub a: f64,
    pub b: f64,
}

pub struct Polynomial {
    pub coefficients: Vec<f64>,
}

#[differentiable]
impl Ocv for Shepherd {
    fn volts(&self, soc: f64) -> f64 {
        self.e0 - self.k / soc + self.a * (-self.b * (1.0 - soc)).exp()
    }
}

#[differentiable]
impl Ocv for Polynomial {
    fn volts(&self, soc: f64) -> f64 {
        self.coefficients
            .iter()
            .rev()
            .fold(0.0, |acc, c| acc * soc + c)
    }
}
