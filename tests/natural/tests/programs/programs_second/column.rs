//! Allowable load of columns: Euler or Johnson, with end conditions and sections.
use di::prelude::*;
use std::f64::consts::PI;

#[derive(Clone, Copy)]
pub enum Ends {
    Pinned,
    Fixed,
    FixedFree,
    Custom(f64),
}

impl Ends {
    pub fn k(self) -> f64 {
        match self {
            Ends::Pinned => 1.0,
            Ends::Fixed => 0.5,
            Ends::FixedFree => 2.0,
            Ends::Custom(k) => k,
        }
    }
}

pub trait Section {
    fn area(&self) -> f64;
    fn inertia(&self) -> f64;
    fn gyration(&self) -> f64 {
        (self.inertia() / self.area()).sqrt()
    }
}

#[derive(Clone, Copy, Differentiable)]
pub struct Tube {
    pub outer: f64,
    pub wall: f64,
}

#[differentiable]
impl Section for Tube {
    fn area(&self) -> f64 {
        let inner = self.outer - 2.0 * self.wall;
        PI / 4.0 * (self.outer.powi(2) - inner.powi(2))
    }
    fn inertia(&self) -> f64 {
        let inner = self.outer - 2.0 * self.wall;
        PI / 64.0 * (self.outer.powi(4) - inner.powi(4))
    }
}

#[differentiable]
pub fn critical_load(tube: &Tube, length: f64, e: f64, fy: f64, ends: Ends) -> f64 {
    let slender = ends.k() * length / tube.gyration();
    let limit = (2.0 * PI * PI * e / fy).sqrt();
    let stress = if slender > limit {
        PI.powi(2) * e / slender.powi(2)
    } else {
        fy * (1.0 - fy * slender * slender / (4.0 * PI * PI * e))
    };
    stress * tube.area()
}

pub(super) fn main() -> Result<(), di::Error> {
    for (ends, len) in [(Ends::Pinned, 4.0), (Ends::Fixed, 1.5), (Ends::FixedFree, 3.0), (Ends::Custom(0.7), 2.0)] {
        let tube = Tube { outer: 0.1, wall: 0.005 };
        let (t, l, e, fy) = gradient(critical_load::AD.with(ends), NoPrep, &AutoSource::new(), &(tube, len, 210e9, 355e6))?;
        super::check_of("column", &[t.outer, t.wall, l, e, fy], &[0.1, 0.005, len, 210e9, 355e6], |x| {
            critical_load(&Tube { outer: x[0], wall: x[1] }, x[2], x[3], x[4], ends)
        });
    }
    Ok(())
}
