//! Engineer: config text "key = value" to BTreeMap<String, f64>, model looks names up; active parameters override.

use di::prelude::*;
use super::{check, fd};
use std::collections::BTreeMap;

fn parse(text: &str) -> BTreeMap<String, f64> {
    text.lines()
        .filter_map(|l| l.split_once('='))
        .filter_map(|(k, v)| Some((k.trim().to_owned(), v.trim().parse().ok()?)))
        .collect()
}

#[differentiable]
fn drying_time(names: &[&str], x: &[f64], #[constant] config: &BTreeMap<String, f64>) -> f64 {
    let lookup = |name: &str| -> f64 {
        match names.iter().position(|n| *n == name) {
            Some(i) => x[i],
            None => *config.get(name).unwrap_or_else(|| panic!("missing {name}")),
        }
    };
    let mut moisture = lookup("initial");
    let equilibrium = lookup("equilibrium");
    let k = lookup("k0") * (-lookup("activation") / (8.314 * (lookup("temperature") + 273.15))).exp();
    let dt = lookup("dt");
    let mut t = 0.0;
    loop {
        let next = moisture - k * (moisture - equilibrium) * dt;
        if next < 0.2 {
            let frac = (moisture - 0.2) / (moisture - next);
            break t + frac * dt;
        }
        moisture = next;
        t += dt;
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let cfg = parse("initial = 0.8\nequilibrium=0.05\nk0 = 5.0e3\n# comment\nactivation = 3.0e4\ntemperature = 60\ndt = 1.0\nbad = x");
    let names = ["temperature", "initial", "k0"];
    let x = [65.0, 0.7, 6.0e3];
    let f = drying_time::AD.with(&names, &cfg);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    check("77", &g, &fd(|x| drying_time(&names, x, &cfg), &x));
    Ok(())
}
