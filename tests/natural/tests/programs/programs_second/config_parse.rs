//! A configuration language for a saltwater aquarium: parse errors with `?`, then the model.
use di::prelude::*;
use std::{fmt, num::ParseFloatError, str::FromStr};

#[derive(Debug)]
pub enum ConfigError {
    Syntax(usize),
    Number(ParseFloatError),
    Unknown(String),
}
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
impl std::error::Error for ConfigError {}
impl From<ParseFloatError> for ConfigError {
    fn from(e: ParseFloatError) -> Self {
        ConfigError::Number(e)
    }
}

#[derive(Debug, Clone, Default, Differentiable)]
pub struct Tank {
    volume: f64,
    salinity: f64,
    evaporation: f64,
    days: f64,
}

impl FromStr for Tank {
    type Err = ConfigError;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let mut tank = Tank::default();
        for (n, line) in s.lines().map(str::trim).filter(|l| !l.is_empty()).enumerate() {
            let (key, value) = line.split_once('=').ok_or(ConfigError::Syntax(n))?;
            let v: f64 = value.trim().parse()?;
            match key.trim() {
                "volume" => tank.volume = v,
                "salinity" => tank.salinity = v,
                "evaporation" => tank.evaporation = v,
                "days" => tank.days = v,
                other => return Err(ConfigError::Unknown(other.to_owned())),
            }
        }
        Ok(tank)
    }
}

#[differentiable]
fn stress(tank: &Tank, topup: f64) -> f64 {
    let mut salt = tank.volume * tank.salinity;
    let mut v = tank.volume;
    let mut stress = 0.0;
    let mut day = 0.0;
    while day < tank.days {
        v -= tank.evaporation * (1.0 + 0.1 * (day * 0.9).sin());
        if day % 7.0 == 6.0 {
            salt *= 0.95;
            v += topup.min(tank.volume - v);
        }
        let s = salt / v;
        stress += (s - 35.0).powi(2);
        day += 1.0;
    }
    stress / tank.days
}

pub(super) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tank: Tank = "volume = 200\n salinity= 34\n\nevaporation =1.5\ndays=30".parse()?;
    let (t, u) = gradient(stress::AD, NoPrep, &AutoSource::new(), &(tank, 9.0))?;
    super::check_of("aquarium", &[t.volume, t.salinity, t.evaporation, u], &[200.0, 34.0, 1.5, 9.0], |x| {
        stress(&Tank { volume: x[0], salinity: x[1], evaporation: x[2], days: 30.0 }, x[3])
    });
    Ok(())
}
