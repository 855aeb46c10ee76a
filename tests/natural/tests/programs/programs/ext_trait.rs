//! Experienced: extension traits for f64 and [f64], blanket impl, statistics of rainfall extremes (GEV).

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod gev {
    pub trait Sq {
        fn sq(self) -> f64;
        fn xlogx(self) -> f64;
    }
    impl Sq for f64 {
        fn sq(self) -> f64 {
            self * self
        }
        fn xlogx(self) -> f64 {
            if self > 0.0 { self * self.ln() } else { 0.0 }
        }
    }

    pub trait Stats {
        fn mean(&self) -> f64;
        fn variance(&self) -> f64;
        fn l_moment2(&self) -> f64;
    }
    impl Stats for [f64] {
        fn mean(&self) -> f64 {
            self.iter().sum::<f64>() / self.len() as f64
        }
        fn variance(&self) -> f64 {
            let m = self.mean();
            self.iter().map(|x| (x - m).sq()).sum::<f64>() / (self.len() as f64 - 1.0)
        }
        fn l_moment2(&self) -> f64 {
            let mut v = self.to_vec();
            v.sort_unstable_by(f64::total_cmp);
            let n = v.len() as f64;
            let b1 = v.iter().enumerate().map(|(i, x)| i as f64 / (n - 1.0) * x).sum::<f64>() / n;
            2.0 * b1 - self.mean()
        }
    }

    pub fn level(sample: &[f64], shape: f64) -> f64 {
        let scale = sample.variance().sqrt() * 0.78;
        let loc = sample.mean() - 0.5772 * scale;
        let y = -(1.0 - 0.01_f64).ln();
        let q = if shape.abs() < 1e-9 { -y.ln() } else { (y.powf(-shape) - 1.0) / shape };
        loc + scale * q + sample.l_moment2() + 0.01 * shape.xlogx()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let s = [33.0, 41.0, 28.0, 60.0, 37.0, 52.0];
    let (g, gs) = gradient(gev::level::AD, NoPrep, &AutoSource::new(), &(s.to_vec(), 0.12))?;
    let mut got = g;
    got.push(gs);
    let x = [33.0, 41.0, 28.0, 60.0, 37.0, 52.0, 0.12];
    check("60", &got, &fd(|x| gev::level(&x[..6], x[6]), &x));
    Ok(())
}
