//! Student: beer recipe, bitterness and colour, list of hops in a Vec of structs with an enum.

use di::prelude::*;
use super::{check, fd};

#[derive(Debug, Clone)]
enum Form {
    Pellet,
    Whole,
    Extract(f64),
}

#[derive(Debug, Clone)]
struct Hop {
    name: String,
    alpha: f64,
    minutes: f64,
    form: Form,
}

#[differentiable]
fn utilization(gravity: f64, minutes: f64) -> f64 {
    let bigness = 1.65 * 0.000125_f64.powf(gravity - 1.0);
    let boil = (1.0 - (-0.04 * minutes).exp()) / 4.15;
    bigness * boil
}

#[differentiable]
fn ibu(grams: &Vec<f64>, gravity: f64, liters: f64, #[constant] hops: &Vec<Hop>) -> f64 {
    let mut total = 0.0;
    for (hop, g) in hops.iter().zip(grams.iter()) {
        let factor = match &hop.form {
            Form::Pellet => 1.1,
            Form::Whole => 1.0,
            Form::Extract(f) => *f,
        };
        if hop.name.starts_with("dry") {
            continue;
        }
        total += factor * utilization(gravity, hop.minutes) * g * hop.alpha * 10.0 / liters;
    }
    total
}

#[differentiable]
fn balance(x: &Vec<f64>, #[constant] hops: &Vec<Hop>) -> f64 {
    let n = hops.len();
    let grams = x[0..n].to_vec();
    let bitter = ibu(&grams, x[n], x[n + 1], hops);
    let bu_gu = bitter / ((x[n] - 1.0) * 1000.0);
    (bu_gu - 0.8).powi(2)
}

pub(super) fn main() -> Result<(), di::Error> {
    let hop = |n: &str, a, m, form| Hop { name: n.to_string(), alpha: a, minutes: m, form };
    let hops = vec![hop("Saaz", 3.5, 60.0, Form::Pellet), hop("Cascade", 6.0, 10.0, Form::Whole), hop("dry Citra", 12.0, 0.0, Form::Extract(1.3))];
    let x = vec![30.0, 25.0, 50.0, 1.052, 20.0];
    let g = gradient(balance::AD.with(&hops), NoPrep, &AutoSource::new(), &x)?;
    check("29", &g, &fd(|x| balance(&x.to_vec(), &hops), &x));
    Ok(())
}
