//! Engineer: stability of a gravity dam, load cases as const arrays of structs with closures.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone, Copy, Debug, Differentiable)]
struct Section {
    crest: f64,
    base: f64,
    height: f64,
}

struct LoadCase {
    name: &'static str,
    water: f64,
    uplift: f64,
    quake: f64,
}

static CASES: [LoadCase; 3] = [
    LoadCase { name: "normal", water: 0.95, uplift: 0.6, quake: 0.0 },
    LoadCase { name: "flood", water: 1.0, uplift: 0.8, quake: 0.0 },
    LoadCase { name: "quake", water: 0.9, uplift: 0.6, quake: 0.1 },
];

#[differentiable]
impl Section {
    fn weight(&self) -> f64 {
        24.0 * 0.5 * (self.crest + self.base) * self.height
    }
    fn lever(&self) -> f64 {
        let rect = self.crest * self.height;
        let tri = 0.5 * (self.base - self.crest) * self.height;
        (rect * (self.base - self.crest / 2.0) + tri * (self.base - self.crest) * 2.0 / 3.0) / (rect + tri)
    }
    fn safety(&self, #[constant] case: &LoadCase) -> (f64, f64) {
        let hw = case.water * self.height;
        let push = 9.81 * hw * hw / 2.0 + case.quake * self.weight();
        let lift = 0.5 * case.uplift * 9.81 * hw * self.base;
        let sliding = 0.75 * (self.weight() - lift) / push;
        let resisting = self.weight() * self.lever();
        let tipping = push * hw / 3.0 + lift * self.base * 2.0 / 3.0;
        (sliding, resisting / tipping)
    }
}

#[differentiable]
fn worst(s: &Section) -> f64 {
    CASES
        .iter()
        .map(|c| {
            let (a, b) = s.safety(c);
            a.min(b / 1.2)
        })
        .reduce(f64::min)
        .unwrap()
}

pub(super) fn main() -> Result<(), di::Error> {
    println!("{} cases, first {}", CASES.len(), CASES[0].name);
    let s = Section { crest: 5.0, base: 32.0, height: 40.0 };
    let g = gradient(worst::AD, NoPrep, &AutoSource::new(), &s)?;
    check("35", &[g.crest, g.base, g.height], &fd(|x| worst(&Section { crest: x[0], base: x[1], height: x[2] }), &[5.0, 32.0, 40.0]));
    Ok(())
}
