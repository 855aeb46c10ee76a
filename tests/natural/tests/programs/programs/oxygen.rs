//! Experienced: oxygen transport; units as newtypes with macro_rules, PhantomData-free.

use di::prelude::*;
use super::{check, fd};

macro_rules! hill {
    ($p:expr, $p50:expr, $n:expr) => {
        1.0 / (1.0 + ($p50 / $p).powf($n))
    };
}

#[derive(Clone, Copy, Debug)]
#[allow(dead_code)]
enum Site {
    Lung,
    Muscle { exercise: bool },
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Blood {
    hb: f64,
    p50: f64,
    hill: f64,
    ph: f64,
}

#[differentiable]
impl Blood {
    /// Bohr shift.
    fn effective_p50(&self, ph: f64) -> f64 {
        self.p50 * 10f64.powf(0.48 * (7.4 - ph))
    }
    fn content(&self, po2: f64, ph: f64) -> f64 {
        let s = hill!(po2, self.effective_p50(ph), self.hill);
        1.34 * self.hb * s + 0.003 * po2
    }
    fn at(&self, site: Site) -> f64 {
        let (po2, dph) = match site {
            Site::Lung => (100.0, 0.0),
            Site::Muscle { exercise: true } => (20.0, -0.2),
            Site::Muscle { .. } => (40.0, -0.05),
        };
        self.content(po2, self.ph + dph)
    }
    fn delivery(&self, output: f64, exercise: bool) -> f64 {
        output * 10.0 * (self.at(Site::Lung) - self.at(Site::Muscle { exercise }))
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let b = Blood { hb: 15.0, p50: 26.8, hill: 2.7, ph: 7.4 };
    for ex in [true, false] {
        let f = Blood::delivery_ad.with(ex);
        let (g, go) = gradient(f, NoPrep, &AutoSource::new(), &(b, 5.0))?;
        let want = fd(|x| Blood { hb: x[0], p50: x[1], hill: x[2], ph: x[3] }.delivery(x[4], ex), &[15.0, 26.8, 2.7, 7.4, 5.0]);
        check("43", &[g.hb, g.p50, g.hill, g.ph, go], &want);
    }
    Ok(())
}
