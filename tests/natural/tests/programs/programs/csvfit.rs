//! Engineer: least squares from a CSV file; parse errors with `?`.

use di::prelude::*;
use super::{check, fd};
use std::fmt;
use std::num::ParseFloatError;

#[derive(Debug)]
enum CsvError {
    Columns(usize),
    Number(ParseFloatError),
}
impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CsvError::Columns(n) => write!(f, "expected 3 columns, got {n}"),
            CsvError::Number(e) => write!(f, "bad number: {e}"),
        }
    }
}
impl From<ParseFloatError> for CsvError {
    fn from(e: ParseFloatError) -> Self {
        CsvError::Number(e)
    }
}

#[derive(Debug, Clone)]
struct Record {
    strain: f64,
    stress: f64,
    weight: Option<f64>,
}

fn parse(text: &str) -> Result<Vec<Record>, CsvError> {
    text.lines()
        .skip(1)
        .filter(|l| !l.trim().is_empty())
        .map(|l| {
            let cols: Vec<&str> = l.split(',').collect();
            if cols.len() != 3 {
                return Err(CsvError::Columns(cols.len()));
            }
            Ok(Record {
                strain: cols[0].trim().parse()?,
                stress: cols[1].trim().parse()?,
                weight: cols[2].trim().parse().ok(),
            })
        })
        .collect()
}

/// Ramberg-Osgood like hardening law, weighted residuals.
#[differentiable]
fn residuals(p: &[f64], #[constant] data: &[Record]) -> Vec<f64> {
    data.iter()
        .map(|r| {
            let model = p[0] * (1.0 - (-p[1] * r.strain).exp()) + p[2] * r.strain.sqrt();
            r.weight.unwrap_or(1.0) * (model - r.stress)
        })
        .collect()
}

pub(super) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = parse("strain,stress,w\n0.1, 20.0, 1\n0.2,33.0,\n0.4,50,2\n0.8, 61, 0.5\n").map_err(|e| e.to_string())?;
    let p = [55.0, 3.0, 5.0];
    let j = jacobian(residuals::AD.with(&data), NoPrep, &AutoSource::new(), &p)?;
    for i in 0..data.len() {
        let row: Vec<f64> = (0..3).map(|k| j[(i, k)]).collect();
        check("05", &row, &fd(|x| residuals(x, &data)[i], &p));
    }
    Ok(())
}
