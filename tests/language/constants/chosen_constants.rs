//! Constants that are found by what is differentiated: `site.at(z).gamma`, of a method that returns a reference.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[1.4, 0.45]];

struct Layer {
    top: f64,
    gamma: f64,
}

struct Site {
    layers: Vec<Layer>,
}

impl Site {
    fn at(&self, z: f64) -> &Layer {
        let mut layers = self.layers.iter().rev();
        layers.find(|l| l.top <= z).unwrap_or(&self.layers[0])
    }

    fn find(&self, z: f64) -> Option<&Layer> {
        self.layers.iter().rev().find(|l| l.top <= z)
    }
}

#[differentiable]
fn chosen(p: &[f64], #[constant] site: &Site) -> f64 {
    let l = site.at(p[0] * 2.0);
    let mut s = l.gamma * p[0] * p[0] * p[1] + site.at(p[1]).gamma * p[1];
    for k in 0..2 {
        let w = p[0] * k as f64;
        s += site.at(w).gamma * w * w;
    }
    s
}

#[differentiable]
fn marked(p: &[f64], #[constant] site: &Site) -> f64 {
    let l = passive(site.at(p[0]));
    let m = site.at(passive(p[1]));
    l.gamma * p[0] * p[0] * m.gamma * p[1]
}

#[differentiable]
fn found(p: &[f64], #[constant] site: &Site) -> f64 {
    let z = p[0];
    match site.find(z) {
        Some(l) => l.gamma * z * z * p[1],
        None => z,
    }
}

#[test]
fn constants_are_found_by_numbers() {
    let layer = |top, gamma| Layer { top, gamma };
    let layers = vec![layer(-9.0, 17.0), layer(1.0, 19.0)];
    let site = Site { layers };
    scalar!(chosen::AD.with(&site), |x: &[f64]| chosen(x, &site))
        .row(881)
        .check(&POINTS);
    scalar!(marked::AD.with(&site), |x: &[f64]| marked(x, &site))
        .row(881)
        .check(&POINTS);
    scalar!(found::AD.with(&site), |x: &[f64]| found(x, &site))
        .row(881)
        .check(&POINTS);
}
