//! First year: how loud is a bell, integrated with the trapezoid rule.

use di::prelude::*;

#[differentiable]
fn sound(t: f64, amp: f64, decay: f64, freq: f64) -> f64 {
    let pi = 3.14159265358979;
    return amp * (-decay * t).exp() * (2.0 * pi * freq * t).sin();
}

#[differentiable]
fn energy(p: &[f64]) -> f64 {
    let n = 200;
    let a = 0.0;
    let b = 2.0;
    let dt = (b - a) / n as f64;
    let mut total = 0.0;
    let mut i = 0;
    while i <= n {
        let t = a + dt * i as f64;
        let s = sound(t, p[0], p[1], p[2]);
        let weight;
        if i == 0 || i == n {
            weight = 0.5;
        } else {
            weight = 1.0;
        }
        total = total + weight * s * s * dt;
        i = i + 1;
    }
    return total;
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [1.5, 0.8, 3.0];
    println!("energy = {}", energy(&p));
    let g = gradient(energy::AD, NoPrep, &AutoSource::new(), &p)?;
    super::check_of("bell", &g, &p, |p| energy(p));
    Ok(())
}
