//! Scientist: forest stand growth: cohorts, retain, sort, mutable vector of structs, thinning.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod forest {
    #[derive(Clone, Debug)]
    pub struct Cohort {
        diameter: f64,
        stems: f64,
        species: Species,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Species {
        Spruce,
        Beech,
    }

    impl Cohort {
        fn basal_area(&self) -> f64 {
            self.stems * std::f64::consts::PI / 4.0 * (self.diameter / 100.0).powi(2)
        }
        fn volume(&self) -> f64 {
            let form = if self.species == Species::Spruce { 0.48 } else { 0.52 };
            let height = 1.3 + (self.diameter / (1.5 + 0.17 * self.diameter)).powi(2);
            form * height * self.basal_area()
        }
    }

    fn grow(stand: &mut Vec<Cohort>, rate: f64, competition: f64) {
        let total: f64 = stand.iter().map(|c| c.basal_area()).sum();
        for c in stand.iter_mut() {
            let k = match c.species {
                Species::Spruce => rate,
                Species::Beech => 0.8 * rate,
            };
            c.diameter += k * c.diameter.sqrt() * (-competition * total).exp();
            c.stems *= 1.0 - 0.0005 * total;
        }
    }

    pub fn value(p: &[f64]) -> f64 {
        let mut stand = vec![
            Cohort { diameter: p[0], stems: 500.0, species: Species::Spruce },
            Cohort { diameter: p[0] * 0.6, stems: 800.0, species: Species::Beech },
            Cohort { diameter: 4.0, stems: 900.0, species: Species::Spruce },
        ];
        let mut harvest = 0.0;
        for year in 0..30 {
            grow(&mut stand, p[1], p[2]);
            if year == 15 {
                stand.sort_by(|a, b| b.diameter.partial_cmp(&a.diameter).unwrap());
                let cut = stand.remove(0);
                harvest += cut.volume() * 0.9;
                stand.retain(|c| c.diameter > 5.0);
            }
        }
        harvest + stand.iter().map(Cohort::volume).sum::<f64>()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [15.0, 0.25, 0.03];
    let g = gradient(forest::value::AD, NoPrep, &AutoSource::new(), &p)?;
    check("48", &g, &fd(forest::value, &p));
    Ok(())
}
