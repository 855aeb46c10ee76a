//! Belt drive: wrap angles, capstan equation, transmissible power.
use di::prelude::*;

#[differentiable]
mod drive {
    #[derive(Clone, Debug)]
    pub struct Pulley {
        pub radius: f64,
        pub rpm: f64,
    }

    impl Pulley {
        pub fn omega(&self) -> f64 {
            self.rpm * std::f64::consts::TAU / 60.0
        }
        pub fn belt_speed(&self) -> f64 {
            self.omega() * self.radius
        }
    }

    #[derive(Clone, Debug)]
    pub struct Belt {
        pub mu: f64,
        pub mass_per_m: f64,
        pub max_tension: f64,
        pub groove_deg: Option<f64>,
    }

    impl Belt {
        fn effective_mu(&self) -> f64 {
            self.groove_deg.map_or(self.mu, |deg| self.mu / (0.5 * deg.to_radians()).sin())
        }
    }

    pub fn power(small: &Pulley, big_radius: f64, distance: f64, belt: &Belt) -> f64 {
        let wrap = std::f64::consts::PI - 2.0 * ((big_radius - small.radius) / distance).asin();
        let v = small.belt_speed();
        let centrifugal = belt.mass_per_m * v * v;
        let ratio = (belt.effective_mu() * wrap).exp();
        let tight = belt.max_tension - centrifugal;
        let slack = tight / ratio;
        (tight - slack).max(0.0) * v
    }
}
use drive::*;

pub(super) fn main() -> Result<(), di::Error> {
    let small = Pulley { radius: 0.06, rpm: 1450.0 };
    for groove_deg in [None, Some(38.0)] {
        let belt = Belt { mu: 0.3, mass_per_m: 0.12, max_tension: 600.0, groove_deg };
        let x = (small.clone(), 0.15, 0.5, belt.clone());
        let (a, b, c, d) = gradient(power::AD, NoPrep, &AutoSource::new(), &x)?;
        let g = [a.radius, a.rpm, b, c, d.mu, d.mass_per_m, d.max_tension];
        super::check_of("belt", &g, &[0.06, 1450.0, 0.15, 0.5, 0.3, 0.12, 600.0], |x| {
            let belt = Belt { mu: x[4], mass_per_m: x[5], max_tension: x[6], groove_deg };
            power(&Pulley { radius: x[0], rpm: x[1] }, x[2], x[3], &belt)
        });
    }
    Ok(())
}
