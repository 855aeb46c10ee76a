//! Experienced: surveying adjustment: observation enum, param index map, Jacobian by in-place residuals.

use di::prelude::*;
use super::{check, fd};
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Obs {
    Distance { from: &'static str, to: &'static str, value: f64, sigma: f64 },
    Azimuth { from: &'static str, to: &'static str, value: f64 },
    Height(&'static str, f64),
}

struct Network {
    index: HashMap<&'static str, usize>,
    obs: Vec<Obs>,
}

impl Network {
    fn id(&self, name: &str) -> usize {
        3 * self.index[name]
    }
}

#[differentiable]
fn wrap(a: f64) -> f64 {
    let mut a = a;
    while a > std::f64::consts::PI {
        a -= std::f64::consts::TAU;
    }
    while a < -std::f64::consts::PI {
        a += std::f64::consts::TAU;
    }
    a
}

#[differentiable]
fn residuals(x: &[f64], #[constant] net: &Network, out: &mut [f64]) {
    for (r, obs) in out.iter_mut().zip(net.obs.iter()) {
        *r = match obs {
            Obs::Distance { from, to, value, sigma } => {
                let (i, j) = (net.id(from), net.id(to));
                let d2: f64 = (0..3).map(|k| (x[i + k] - x[j + k]).powi(2)).sum();
                (d2.sqrt() - value) / sigma
            }
            Obs::Azimuth { from, to, value } => {
                let i = net.id(from);
                let j = net.id(to);
                let [dx, dy] = [x[j] - x[i], x[j + 1] - x[i + 1]];
                wrap(dx.atan2(dy) - value) * 1e3
            }
            Obs::Height(name, h) => x[net.id(name) + 2] - h,
        };
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let net = Network {
        index: HashMap::from([("A", 0), ("B", 1), ("C", 2)]),
        obs: vec![
            Obs::Distance { from: "A", to: "B", value: 10.0, sigma: 0.01 },
            Obs::Azimuth { from: "B", to: "C", value: 6.0 },
            Obs::Height("C", 2.0),
            Obs::Distance { from: "C", to: "A", value: 8.0, sigma: 0.02 },
        ],
    };
    let x = [0.1, 0.0, 0.0, 9.0, 1.0, 0.5, 4.0, 7.0, 1.9];
    let mut out = [0.0; 4];
    let j = jacobian(residuals::AD.with(&net).output(&mut out), NoPrep, &AutoSource::new(), &x)?;
    for i in 0..4 {
        let row: Vec<f64> = (0..9).map(|k| j[(i, k)]).collect();
        let f = |x: &[f64]| {
            let mut o = [0.0; 4];
            residuals(x, &net, &mut o);
            o[i]
        };
        check("82", &row, &fd(f, &x));
    }
    Ok(())
}
