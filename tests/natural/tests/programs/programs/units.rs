//! Experienced: units as newtypes; Sum for a newtype; pump and pipe curve.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod units {
    use std::iter::Sum;
    use std::ops::{Add, Div, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Metres(pub f64);
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Flow(pub f64);
    #[derive(Clone, Copy, Debug)]
    pub struct Area(pub f64);
    #[derive(Clone, Copy, Debug)]
    pub struct Speed(pub f64);

    impl Add for Metres {
        type Output = Metres;
        fn add(self, o: Metres) -> Metres {
            Metres(self.0 + o.0)
        }
    }
    impl Mul for Metres {
        type Output = Area;
        fn mul(self, o: Metres) -> Area {
            Area(self.0 * o.0)
        }
    }
    impl Div<Area> for Flow {
        type Output = Speed;
        fn div(self, a: Area) -> Speed {
            Speed(self.0 / a.0)
        }
    }
    impl Sum for Metres {
        fn sum<I: Iterator<Item = Metres>>(iter: I) -> Metres {
            iter.fold(Metres(0.0), |a, b| a + b)
        }
    }

    fn head(v: Speed) -> Metres {
        Metres(v.0 * v.0 / (2.0 * 9.81))
    }

    fn friction(d: Metres, l: Metres, q: Flow) -> Metres {
        let bore = d * d;
        let v = q / Area(std::f64::consts::FRAC_PI_4 * bore.0);
        let re = v.0.abs() * d.0 / 1e-6;
        let f = if re < 2300.0 { 64.0 / re } else { 0.25 / (0.0001 / (3.7 * d.0) + 5.74 / re.powf(0.9)).log10().powi(2) };
        Metres(f * l.0 / d.0 * head(v).0)
    }

    pub fn margin(diameters: &[f64], q: f64) -> f64 {
        let losses: Metres = diameters.iter().map(|&d| friction(Metres(d), Metres(120.0), Flow(q))).sum();
        let pump = Metres(40.0 - 9000.0 * q * q);
        let total = losses + Metres(12.0);
        if total > pump { -(total.0 - pump.0) } else { pump.0 - total.0 }
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (g, gq) = gradient(units::margin::AD, NoPrep, &AutoSource::new(), &(vec![0.1, 0.08, 0.12], 0.01))?;
    check("57", &[g[0], g[1], g[2], gq], &fd(|x| units::margin(&x[..3], x[3]), &[0.1, 0.08, 0.12, 0.01]));
    Ok(())
}
