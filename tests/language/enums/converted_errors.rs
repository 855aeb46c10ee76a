//! Several `impl From` of one type of errors.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 5] = [
    &[0.7, 1.3],
    &[-6.4, 0.9],
    &[2.0, 0.04],
    &[9.2, 0.8],
    &[0.2, 7.6],
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Low {
    Negative,
    Big(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    Zero,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum High {
    Low(Low),
    Other(Other),
}

#[differentiable]
impl From<Low> for High {
    fn from(e: Low) -> Self {
        High::Low(e)
    }
}

#[differentiable]
impl From<Other> for High {
    fn from(e: Other) -> Self {
        High::Other(e)
    }
}

#[differentiable]
fn square(x: f64) -> Result<f64, Low> {
    if x < 0.0 {
        Err(Low::Negative)
    } else if x > 9.0 {
        Err(Low::Big(3))
    } else {
        Ok(x * x)
    }
}

#[differentiable]
fn sine(x: f64) -> Result<f64, Other> {
    if x < 0.1 {
        Err(Other::Zero)
    } else {
        Ok(x.sin())
    }
}

#[differentiable]
fn product(x: &[f64]) -> Result<f64, High> {
    Ok(square(x[0])? * sine(x[1])?)
}

#[differentiable]
fn mapped(x: &[f64]) -> Result<f64, High> {
    let a = square(x[0]).map_err(High::Low)?;
    let b = sine(x[1]).map_err(|e| e.into());
    match b {
        Ok(b) => Ok(a + b),
        Err(e) => Err(e),
    }
}

#[differentiable]
fn by_error(x: &[f64]) -> f64 {
    let first = match product(x) {
        Ok(v) => v,
        Err(High::Low(Low::Negative)) => x[0],
        Err(High::Low(Low::Big(n))) => n as f64 * x[1],
        Err(High::Other(_)) => x[0] * x[0],
    };
    first * product(&[x[1], x[0]]).unwrap_or(x[1])
}

#[differentiable]
fn mapped_told(x: &[f64]) -> f64 {
    match mapped(x) {
        Ok(v) => v,
        Err(High::Low(_)) => x[1],
        Err(High::Other(Other::Zero)) => x[0],
    }
}

#[differentiable]
mod inside {
    #[derive(Debug)]
    #[allow(dead_code, reason = "errors are for people to read")]
    pub enum Failure {
        Count(std::num::ParseIntError),
        Weight(std::num::ParseFloatError),
        Short,
    }

    impl From<std::num::ParseIntError> for Failure {
        fn from(e: std::num::ParseIntError) -> Self {
            Failure::Count(e)
        }
    }

    impl From<std::num::ParseFloatError> for Failure {
        fn from(e: std::num::ParseFloatError) -> Self {
            Failure::Weight(e)
        }
    }

    fn read(x: &[f64], text: &str) -> Result<f64, Failure> {
        let k = text.trim().parse::<u32>()?;
        let w: f64 = text.parse()?;
        if x.len() < 2 {
            return Err(Failure::Short);
        }
        Ok(x[0] * f64::from(k) + w * x[1] * x[0])
    }

    pub fn all(x: &[f64]) -> f64 {
        let a = read(x, "3").unwrap_or(x[0]);
        let b = read(x, "two").unwrap_or(x[1]);
        a * b + read(&x[1..], "2").unwrap_or(x[0] * x[1])
    }
}

#[test]
fn errors_of_several_kinds() {
    scalar!(by_error).row(690).check(&POINTS);
    scalar!(mapped_told).row(690).check(&POINTS);
    scalar!(inside::all::AD, inside::all)
        .row(690)
        .check(&POINTS);
}
