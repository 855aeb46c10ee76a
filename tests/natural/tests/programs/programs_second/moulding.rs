//! Injection moulding: cooling time by explicit finite differences through the wall.
use di::prelude::*;

const NODES: usize = 15;

#[differentiable]
fn conductivity(t: f64) -> f64 {
    // piecewise linear table
    const T: [f64; 4] = [20.0, 100.0, 180.0, 260.0];
    const K: [f64; 4] = [0.22, 0.21, 0.26, 0.29];
    if t <= T[0] {
        return K[0];
    }
    for i in 1..T.len() {
        if t <= T[i] {
            let f = (t - T[i - 1]) / (T[i] - T[i - 1]);
            return K[i - 1] + f * (K[i] - K[i - 1]);
        }
    }
    K[T.len() - 1]
}

#[differentiable]
fn centre_temperature(thickness: f64, melt: f64, mould: f64, seconds: f64) -> f64 {
    let dx = thickness / (NODES - 1) as f64;
    let steps = 600;
    let dt = seconds / steps as f64;
    let rho_c = 1.05e6 * 1.9;
    let mut t = [melt; NODES];
    t[0] = mould;
    t[NODES - 1] = mould;
    let mut flux = [0.0; NODES];
    for _ in 0..steps {
        for i in 0..NODES - 1 {
            flux[i] = conductivity(0.5 * (t[i] + t[i + 1])) * (t[i] - t[i + 1]) / dx;
        }
        for i in 1..NODES - 1 {
            t[i] += dt / (rho_c * dx) * (flux[i - 1] - flux[i]);
        }
    }
    t[NODES / 2]
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = (0.0025, 230.0, 40.0, 9.0);
    let g = gradient(centre_temperature::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("mould", &[g.0, g.1, g.2, g.3], &[x.0, x.1, x.2, x.3], |x| centre_temperature(x[0], x[1], x[2], x[3]));
    let g = gradient(centre_temperature::AD, NoPrep, &AutoSource::new().forward(), &x)?;
    super::check_of("mould f", &[g.0, g.1, g.2, g.3], &[x.0, x.1, x.2, x.3], |x| centre_temperature(x[0], x[1], x[2], x[3]));
    Ok(())
}
