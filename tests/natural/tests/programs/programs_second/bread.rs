//! Baking bread: crust and crumb temperature, browning integral, yield of a recipe.
use di::prelude::*;

#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Preheat { minutes: u32 },
    Bake { minutes: u32, steam: bool },
    Rest(u32),
}

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Loaf {
    crust: f64,
    crumb: f64,
    brown: f64,
    water: f64,
}

#[differentiable]
fn minute(loaf: Loaf, oven: f64, transfer: f64, steam: bool) -> Loaf {
    let h = if steam { 1.6 * transfer } else { transfer };
    let heat = h * (oven - loaf.crust);
    let inward = 0.08 * (loaf.crust - loaf.crumb);
    let evaporation = match loaf.crust {
        t if t > 100.0 => 0.004 * (t - 100.0) * loaf.water,
        _ => 0.0,
    };
    Loaf {
        crust: loaf.crust + heat - inward - 20.0 * evaporation,
        crumb: loaf.crumb + 0.5 * inward,
        brown: loaf.brown + ((loaf.crust - 150.0) / 15.0).exp(),
        water: loaf.water - evaporation,
        ..loaf
    }
}

#[differentiable]
fn bake(oven: f64, transfer: f64, plan: &[Stage]) -> f64 {
    let mut loaf = Loaf { crust: 25.0, crumb: 25.0, water: 1.0, ..Default::default() };
    for stage in plan {
        match stage {
            Stage::Preheat { .. } => continue,
            Stage::Bake { minutes, steam } => {
                for _ in 0..*minutes {
                    loaf = minute(loaf, oven, transfer, *steam);
                }
            }
            Stage::Rest(m) => {
                for _ in 0..*m {
                    loaf = minute(loaf, 22.0, 0.5 * transfer, false);
                }
            }
        }
    }
    (loaf.crumb - 96.0).powi(2) + (loaf.brown - 30.0).powi(2) / 100.0 + 40.0 * (loaf.water - 0.85).powi(2)
}

pub(super) fn main() -> Result<(), di::Error> {
    let plan = vec![Stage::Preheat { minutes: 10 }, Stage::Bake { minutes: 10, steam: true }, Stage::Bake { minutes: 25, steam: false }, Stage::Rest(8)];
    let g = gradient(bake::AD.with(&plan), NoPrep, &AutoSource::new(), &(215.0, 0.12))?;
    super::check_of("bread", &[g.0, g.1], &[215.0, 0.12], |x| bake(x[0], x[1], &plan));
    Ok(())
}
