//! Helical compression spring: Wahl factor, wire strength by material, penalty for violated constraints.
use di::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    Music,
    Stainless,
    ChromeVanadium,
}

impl Wire {
    /// (A in MPa mm^m, m, G in MPa)
    const fn data(self) -> (f64, f64, f64) {
        match self {
            Wire::Music => (2211.0, 0.145, 80_000.0),
            Wire::Stainless => (1867.0, 0.146, 69_000.0),
            Wire::ChromeVanadium => (2005.0, 0.168, 77_200.0),
        }
    }
}

#[differentiable]
fn wahl(c: f64) -> f64 {
    (4.0 * c - 1.0) / (4.0 * c - 4.0) + 0.615 / c
}

#[differentiable]
pub fn objective(x: &[f64; 3], wire: Wire, load: f64) -> f64 {
    let &[d, coil, n] = x;
    let (a, m, g) = wire.data();
    let index = coil / d;
    let stress = wahl(index) * 8.0 * load * coil / (std::f64::consts::PI * d.powi(3));
    let strength = 0.45 * a / d.powf(m);
    let rate = g * d.powi(4) / (8.0 * coil.powi(3) * n);
    let free_length = load / rate + (n + 2.0) * d;
    let weight = 0.25 * std::f64::consts::PI.powi(2) * d * d * coil * (n + 2.0) * 7.85e-6;

    let constraints = [stress / strength - 1.0, 4.0 - index, index - 12.0, free_length / 80.0 - 1.0];
    let penalty: f64 = constraints.iter().filter(|&&c| c > 0.0).map(|c| c.powi(2)).sum();
    weight + 10.0 * penalty
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [2.0, 16.0, 9.0];
    for wire in [Wire::Music, Wire::Stainless, Wire::ChromeVanadium] {
        let f = objective::AD.with(wire).fix_load(180.0);
        let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
        super::check_of(&format!("{wire:?}"), &g, &x, |x| objective(&[x[0], x[1], x[2]], wire, 180.0));
    }
    Ok(())
}
