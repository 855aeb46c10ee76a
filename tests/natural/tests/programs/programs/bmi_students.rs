//! First-year: many small functions, unneeded returns and casts, global consts, strings for modes.

use di::prelude::*;
use super::{check, fd};

const PI: f64 = 3.14159265358979;
const MATERIALS: [(&str, f64, f64); 3] = [("wood", 600.0, 40.0), ("steel", 7850.0, 90.0), ("alu", 2700.0, 120.0)];

#[differentiable]
fn find_density(name: &str) -> f64 {
    for (n, d, _) in MATERIALS {
        if n == name {
            return d;
        }
    }
    return 1000.0;
}

#[differentiable]
fn cylinder_volume(r: f64, h: f64) -> f64 {
    return PI * r.powi(2) * h;
}

#[differentiable]
fn cone_volume(r: f64, h: f64) -> f64 {
    let v = cylinder_volume(r, h);
    return v / 3 as f64;
}

#[differentiable]
fn total_mass(sizes: [f64; 3], mode: &str, name: &str) -> f64 {
    let r = sizes[0];
    let h1 = sizes[1];
    let h2 = sizes[2];
    let volume: f64;
    if mode == "cone" {
        volume = cone_volume(r, h1);
    } else if mode == "both" {
        let a = cone_volume(r, h1);
        let b = cylinder_volume(r, h2);
        volume = a + b;
    } else {
        volume = cylinder_volume(r, h2);
    }
    let mut mass = volume * find_density(name);
    let mut k = 0;
    while mass > 100.0 {
        mass = mass / 10.0;
        k = k + 1;
    }
    let digits = k as f64;
    match mode {
        "cone" => mass + digits,
        "both" | "all" => mass * 2. + r * digits,
        _ => {
            let extra = { let q = h2 * h2; q - 1.0 };
            mass + extra
        }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    for (mode, name) in [("cone", "wood"), ("both", "steel"), ("x", "gold")] {
        let f = total_mass::AD.with(mode, name);
        let x = [0.3, 1.2, 0.9];
        let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
        check("83", &g, &fd(|x| total_mass([x[0], x[1], x[2]], mode, name), &x));
    }
    Ok(())
}
