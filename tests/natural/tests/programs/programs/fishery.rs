//! Engineer/scientist: Schaefer and Fox surplus production models behind Box<dyn>.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod stock {
    pub trait Growth {
        fn surplus(&self, b: f64) -> f64;
    }
    pub struct Schaefer {
        r: f64,
        k: f64,
    }
    pub struct Fox {
        r: f64,
        k: f64,
    }
    impl Growth for Schaefer {
        fn surplus(&self, b: f64) -> f64 {
            self.r * b * (1.0 - b / self.k)
        }
    }
    impl Growth for Fox {
        fn surplus(&self, b: f64) -> f64 {
            self.r * b * (1.0 - b.ln() / self.k.ln())
        }
    }

    pub fn make(kind: &str, r: f64, k: f64) -> Box<dyn Growth> {
        match kind {
            "fox" => Box::new(Fox { r, k }),
            _ => Box::new(Schaefer { r, k }),
        }
    }

    pub fn nll(p: &[f64], kind: &str, #[constant] catch: &[f64], #[constant] index: &[f64]) -> f64 {
        let [r, k, q, log_sigma] = [p[0], p[1], p[2], p[3]];
        let model = make(kind, r, k);
        let mut b = k;
        let mut ll = 0.0;
        for (c, i) in catch.iter().zip(index) {
            let z = (i.ln() - (q * b).ln()) / log_sigma.exp();
            ll += -0.5 * z * z - log_sigma;
            b = (b + model.surplus(b) - c).max(1.0);
        }
        -ll
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (catch, index) = ([20.0, 40.0, 60.0, 50.0, 30.0], [1.1, 1.0, 0.8, 0.6, 0.5]);
    let p = [0.3, 400.0, 0.0025, -1.2];
    for kind in ["fox", "schaefer"] {
        let g = gradient(stock::nll::AD.with(kind, &catch, &index), NoPrep, &AutoSource::new(), &p)?;
        check("30", &g, &fd(|p| stock::nll(p, kind, &catch, &index), &p));
    }
    Ok(())
}
