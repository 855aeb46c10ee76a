//! First year: wind chill and heat index with tables.

use di::prelude::*;

static COEFFS: [f64; 4] = [13.12, 0.6215, -11.37, 0.3965];
const HEAT: [[f64; 3]; 3] = [
    [-8.784695, 2.338549, -0.01642482],
    [1.61139411, -0.14611605, 0.002211732],
    [-0.012308094, 0.00072546, -0.000003582],
];

#[differentiable]
fn wind_chill(t: f64, v: f64) -> f64 {
    let w = v.powf(0.16);
    COEFFS[0] + COEFFS[1] * t + COEFFS[2] * w + COEFFS[3] * t * w
}

#[differentiable]
fn heat_index(t: f64, rh: f64) -> f64 {
    let mut sum = 0.0;
    for (i, row) in HEAT.iter().enumerate() {
        for (j, c) in row.iter().enumerate() {
            sum += c * t.powi(j as i32) * rh.powi(i as i32);
        }
    }
    sum
}

#[differentiable]
fn feels_like(t: f64, v: f64, rh: f64) -> f64 {
    match (t, v) {
        (t, v) if t < 10.0 && v > 4.8 => wind_chill(t, v),
        (t, _) if t >= 27.0 => heat_index(t, rh),
        _ => t,
    }
}

#[differentiable]
fn week(temps: &[f64; 7], wind: f64, rh: f64) -> f64 {
    let mut sum = 0.0;
    for t in temps {
        sum += feels_like(*t, wind, rh);
    }
    sum / 7.0
}

pub(super) fn main() -> Result<(), di::Error> {
    let t = [-5.0, 3.0, 8.0, 15.0, 22.0, 29.0, 33.0];
    let (g, a, b) = gradient(week::AD, NoPrep, &AutoSource::new(), &(t, 20.0, 60.0))?;
    let mut all = g.to_vec();
    all.extend([a, b]);
    let mut x = t.to_vec();
    x.extend([20.0, 60.0]);
    super::check_of("windchill", &all, &x, |x| week(x[..7].try_into().unwrap(), x[7], x[8]));
    Ok(())
}
