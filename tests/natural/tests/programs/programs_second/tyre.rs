//! Pacejka's magic formula: four wheels, load transfer, balance of a car in a corner.
use di::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
enum Wheel {
    FrontLeft,
    FrontRight,
    RearLeft,
    RearRight,
}

const WHEELS: [Wheel; 4] = [Wheel::FrontLeft, Wheel::FrontRight, Wheel::RearLeft, Wheel::RearRight];

#[derive(Clone, Debug, Differentiable)]
struct Magic {
    b: f64,
    c: f64,
    mu: f64,
    e: f64,
}

#[differentiable]
impl Magic {
    fn lateral(&self, slip: f64, load: f64) -> f64 {
        let d = self.mu * load * (1.0 - 2.0e-5 * load);
        let bx = self.b * slip;
        d * (self.c * (bx - self.e * (bx - bx.atan())).atan()).sin()
    }
}

#[differentiable]
fn yaw_moment(tyre: &Magic, steer: f64, lateral_g: f64) -> f64 {
    let mut loads: HashMap<Wheel, f64> = HashMap::new();
    for w in WHEELS {
        let transfer = 1500.0 * lateral_g;
        let base = match w {
            Wheel::FrontLeft | Wheel::FrontRight => 3400.0,
            _ => 3000.0,
        };
        let sign = if matches!(w, Wheel::FrontLeft | Wheel::RearLeft) { -1.0 } else { 1.0 };
        loads.insert(w, base + sign * transfer);
    }
    WHEELS
        .iter()
        .map(|w| {
            let front = matches!(w, Wheel::FrontLeft | Wheel::FrontRight);
            let slip = if front { steer - 0.01 } else { 0.035 };
            let arm = if front { 1.2 } else { -1.4 };
            arm * tyre.lateral(slip, loads[w])
        })
        .sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [11.0, 1.4, 1.05, -0.4, 0.06, 0.5];
    let mk = |x: &[f64]| Magic { b: x[0], c: x[1], mu: x[2], e: x[3] };
    let (t, s, l) = gradient(yaw_moment::AD, NoPrep, &AutoSource::new(), &(mk(&x), x[4], x[5]))?;
    super::check_of("tyre", &[t.b, t.c, t.mu, t.e, s, l], &x, |x| yaw_moment(&mk(x), x[4], x[5]));
    Ok(())
}
