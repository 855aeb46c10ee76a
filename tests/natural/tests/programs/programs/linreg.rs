//! First-year student: straight line through points, mean squared error.

use di::prelude::*;
use super::{check, fd};

struct Data {
    points: Vec<(f64, f64)>,
}

impl Data {
    fn new() -> Data {
        let mut points = Vec::new();
        for i in 0..20 {
            let x = i as f64 * 0.5;
            points.push((x, 3.0 * x - 1.0 + (x * 7.0).sin()));
        }
        Data { points }
    }
    fn len(&self) -> usize {
        self.points.len()
    }
}

#[differentiable]
fn predict(m: f64, b: f64, x: f64) -> f64 {
    m * x + b
}

#[differentiable]
fn mse(params: [f64; 2], #[constant] data: &Data) -> f64 {
    let mut total = 0.0;
    let [m, b] = params;
    for &(x, y) in &data.points {
        let err = predict(m, b, x) - y;
        total = total + err.powi(2);
    }
    total / data.len() as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let data = Data::new();
    let x = [1.0, 0.5];
    let f = mse::AD.with(&data);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    let want = fd(|x| mse([x[0], x[1]], &data), &x);
    check("01", &g, &want);
    Ok(())
}
