//! `?` of functions without an attribute whose error types are no `Clone`.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.3, 1.2], &[1.1, -0.4]];

#[derive(Debug, PartialEq)]
enum Refused {
    Old(u32),
    Off { by: i32 },
    Unknown,
}

fn death(age: u32) -> Result<f64, Refused> {
    match age {
        0..3 => Ok(0.25 * f64::from(age)),
        3..5 => Err(Refused::Old(age)),
        5 => Err(Refused::Unknown),
        _ => Err(Refused::Off { by: -2 }),
    }
}

struct Table {
    rows: Vec<f64>,
}

impl Table {
    fn get(&self, k: usize) -> Result<f64, Refused> {
        self.rows.get(k).copied().ok_or(Refused::Old(k as u32))
    }
}

#[differentiable]
fn value(x: f64, age: u32) -> Result<f64, Refused> {
    Ok(x * (1.0 - death(age)?))
}

#[differentiable]
fn twice(x: f64, age: u32) -> Result<f64, Refused> {
    let known = death(age);
    let first = value(x, age)?;
    Ok(first * x.exp() + known?)
}

#[differentiable]
fn read(x: f64, t: &Table, count: usize) -> Result<f64, Refused> {
    let mut s = 0.5 * x;
    for i in 0..count {
        s += x * t.get(i)?;
        s *= x;
    }
    Ok(s)
}

#[differentiable]
fn ages(p: &[f64]) -> f64 {
    let x = p[0] * p[1];
    let mut s = x;
    for age in 0..7 {
        match twice(x, age) {
            Ok(v) => s += v,
            Err(Refused::Old(n)) => s *= n as f64 * x,
            Err(Refused::Off { by }) => s += by as f64 * x * x,
            Err(Refused::Unknown) => s += p[1],
        }
        s += value(p[1], age).unwrap_or(p[0] * p[0]);
    }
    s
}

#[differentiable]
fn tables(p: &[f64], t: &Table) -> f64 {
    let mut s = read(p[0], t, 2).unwrap_or(7.0);
    s += match read(p[1], t, 4) {
        Ok(v) => v,
        Err(Refused::Old(n)) => s * p[1] * n as f64,
        Err(_) => 0.0,
    };
    s
}

#[differentiable]
mod model {
    #[derive(Debug)]
    pub(super) enum FundError {
        TooOld(u32),
    }

    fn death(age: u32) -> Result<f64, FundError> {
        if age < 100 {
            Ok(0.01 * age as f64)
        } else {
            Err(FundError::TooOld(age))
        }
    }

    pub(super) fn value(x: f64, age: u32) -> Result<f64, FundError> {
        Ok(x * (1.0 - death(age)?))
    }

    pub fn fund(p: &[f64]) -> f64 {
        let mut s = p[0] * p[0];
        for age in [3, 99, 100] {
            s += match value(p[1] * s, age) {
                Ok(v) => v,
                Err(FundError::TooOld(n)) => p[0] * n as f64,
            };
        }
        s
    }
}

#[test]
fn errors_of_plain_functions() {
    let table = Table {
        rows: vec![0.5, 2.0, 1.5],
    };
    scalar!(ages).row(603).check(&POINTS);
    scalar!(tables::AD.with(&table), |p| tables(p, &table))
        .row(603)
        .check(&POINTS);
    scalar!(model::fund::AD, model::fund)
        .row(603)
        .check(&POINTS);
}
