//! Rosenthal's moving heat source: peak temperature next to a weld seam.
use di::prelude::*;

#[derive(Debug, Clone, Copy, Differentiable)]
pub struct Weld {
    pub voltage: f64,
    pub current: f64,
    pub speed: f64,
    pub efficiency: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct Steel {
    k: f64,
    rho: f64,
    cp: f64,
    t0: f64,
}

impl Steel {
    const S355: Steel = Steel { k: 41.0, rho: 7800.0, cp: 600.0, t0: 293.0 };

    fn diffusivity(&self) -> f64 {
        self.k / (self.rho * self.cp)
    }
}

#[differentiable]
fn temperature(w: &Weld, #[constant] s: &Steel, xi: f64, y: f64, z: f64) -> f64 {
    let q = w.efficiency * w.voltage * w.current;
    let r = (xi * xi + y * y + z * z).sqrt();
    s.t0 + q / (2.0 * std::f64::consts::PI * s.k * r) * (-w.speed * (xi + r) / (2.0 * s.diffusivity())).exp()
}

#[differentiable]
fn peak(w: &Weld, #[constant] s: &Steel, y: f64) -> f64 {
    // scan along the seam, keep the largest
    let mut best = f64::NEG_INFINITY;
    for i in 0..200 {
        let xi = -0.05 + 0.0005 * i as f64;
        let t = temperature(w, s, xi, y, 0.002);
        if t > best {
            best = t;
        }
    }
    best
}

pub(super) fn main() -> Result<(), di::Error> {
    let w = Weld { voltage: 24.0, current: 180.0, speed: 0.006, efficiency: 0.8 };
    let f = peak::AD.with(&Steel::S355).fix_y(0.006);
    let g = gradient(f, NoPrep, &AutoSource::new(), &w)?;
    super::check_of(
        "weld",
        &[g.voltage, g.current, g.speed, g.efficiency],
        &[24.0, 180.0, 0.006, 0.8],
        |x| peak(&Weld { voltage: x[0], current: x[1], speed: x[2], efficiency: x[3] }, &Steel::S355, 0.006),
    );
    Ok(())
}
