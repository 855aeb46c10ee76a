//! Unit conversions for a kitchen with Display and FromStr-like text handling inside the model.
use di::prelude::*;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Gram,
    Cup,
    Spoon,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = match self {
            Unit::Gram => "g",
            Unit::Cup => "cup",
            Unit::Spoon => "tbsp",
        };
        f.write_str(s)
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Ingredient {
    amount: f64,
    kcal_per_gram: f64,
    #[constant]
    unit: Unit,
}

impl fmt::Display for Ingredient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} {}", self.amount, self.unit)
    }
}

#[differentiable]
impl Ingredient {
    fn grams(&self, density: f64) -> f64 {
        self.amount
            * match self.unit {
                Unit::Gram => 1.0,
                Unit::Cup => 240.0 * density,
                Unit::Spoon => 15.0 * density,
            }
    }
}

#[differentiable]
fn energy(recipe: &[Ingredient], density: f64) -> f64 {
    let mut text = String::new();
    let mut kcal = 0.0;
    for i in recipe {
        kcal += i.grams(density) * i.kcal_per_gram;
        text += &i.to_string();
        text.push('\n');
    }
    if text.is_empty() { 0.0 } else { kcal.ln() }
}

pub(super) fn main() -> Result<(), di::Error> {
    let mk = |x: &[f64]| {
        vec![
            Ingredient { amount: x[0], kcal_per_gram: 3.6, unit: Unit::Gram },
            Ingredient { amount: x[1], kcal_per_gram: 4.0, unit: Unit::Cup },
            Ingredient { amount: x[2], kcal_per_gram: 8.8, unit: Unit::Spoon },
        ]
    };
    let x = [200.0, 0.5, 3.0, 0.9];
    let (g, d) = gradient(energy::AD, NoPrep, &AutoSource::new(), &(mk(&x), 0.9))?;
    super::check_of("kitchen", &[g[0].amount, g[1].amount, g[2].amount, d], &x, |x| energy(&mk(x), x[3]));
    Ok(())
}
