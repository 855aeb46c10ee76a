//! Scientist: minimal model of blood glucose; inputs from a struct with Option meals.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Debug)]
struct Meal {
    at: f64,
    grams: f64,
    slow: bool,
}

#[derive(Clone, Debug, Default)]
struct Day {
    breakfast: Option<Meal>,
    lunch: Option<Meal>,
    snacks: Vec<Meal>,
}

impl Day {
    fn meals(&self) -> impl Iterator<Item = &Meal> {
        self.breakfast.iter().chain(self.lunch.as_ref()).chain(&self.snacks)
    }
    fn uptake(&self, t: f64) -> f64 {
        self.meals()
            .filter(|m| t >= m.at)
            .map(|m| {
                let tau = if m.slow { 1.2 } else { 0.6 };
                let s = (t - m.at) / tau;
                m.grams * s * (-s).exp() / tau
            })
            .sum()
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Patient {
    sg: f64,
    p2: f64,
    p3: f64,
    secretion: f64,
}

/// Area of glucose above 7 mmol/l.
#[differentiable]
fn exposure(p: &Patient, #[constant] day: &Day) -> f64 {
    let (gb, ib) = (5.0, 10.0);
    let (mut g, mut x, mut i) = (gb, 0.0, ib);
    let dt = 0.02;
    let mut area = 0.0;
    for k in 0..600 {
        let t = k as f64 * dt;
        let dg = -(p.sg + x) * g + p.sg * gb + day.uptake(t) * 0.1;
        let dx = -p.p2 * x + p.p3 * (i - ib);
        let di = -2.0 * (i - ib) + p.secretion * (g - 5.5).max(0.0);
        g += dt * dg;
        x += dt * dx;
        i += dt * di;
        area += (g - 7.0).max(0.0) * dt;
    }
    area
}

pub(super) fn main() -> Result<(), di::Error> {
    let meal = |at, grams, slow| Meal { at, grams, slow };
    let day = Day { breakfast: Some(meal(0.5, 60.0, false)), lunch: None, snacks: vec![meal(5.0, 30.0, true), meal(8.0, 50.0, false)] };
    let p = Patient { sg: 0.8, p2: 1.5, p3: 0.02, secretion: 20.0 };
    let g = gradient(exposure::AD.with(&day), NoPrep, &AutoSource::new(), &p)?;
    let f = |x: &[f64]| exposure(&Patient { sg: x[0], p2: x[1], p3: x[2], secretion: x[3] }, &day);
    check("37", &[g.sg, g.p2, g.p3, g.secretion], &fd(f, &[0.8, 1.5, 0.02, 20.0]));
    Ok(())
}
