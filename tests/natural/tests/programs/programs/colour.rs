//! Experienced: colour science, sRGB to Lab and delta E, newtypes and From.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod colour {
    #[derive(Clone, Copy, Debug)]
    pub struct Srgb(pub [f64; 3]);
    #[derive(Clone, Copy, Debug)]
    pub struct Xyz {
        x: f64,
        y: f64,
        z: f64,
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Lab {
        l: f64,
        a: f64,
        b: f64,
    }

    fn linear(c: f64) -> f64 {
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    impl From<Srgb> for Xyz {
        fn from(Srgb(rgb): Srgb) -> Self {
            let [r, g, b] = rgb.map(linear);
            Xyz {
                x: 0.4124 * r + 0.3576 * g + 0.1805 * b,
                y: 0.2126 * r + 0.7152 * g + 0.0722 * b,
                z: 0.0193 * r + 0.1192 * g + 0.9505 * b,
            }
        }
    }

    impl From<Xyz> for Lab {
        fn from(c: Xyz) -> Self {
            const D: f64 = 6.0 / 29.0;
            let f = |t: f64| if t > D.powi(3) { t.cbrt() } else { t / (3.0 * D * D) + 4.0 / 29.0 };
            let (fx, fy, fz) = (f(c.x / 0.9505), f(c.y), f(c.z / 1.089));
            Lab { l: 116.0 * fy - 16.0, a: 500.0 * (fx - fy), b: 200.0 * (fy - fz) }
        }
    }

    impl Lab {
        pub fn chroma(&self) -> f64 {
            self.a.hypot(self.b)
        }
        pub fn delta_e94(&self, other: &Lab) -> f64 {
            let dl = self.l - other.l;
            let dc = self.chroma() - other.chroma();
            let dh2 = (self.a - other.a).powi(2) + (self.b - other.b).powi(2) - dc * dc;
            let (sc, sh) = (1.0 + 0.045 * self.chroma(), 1.0 + 0.015 * self.chroma());
            (dl * dl + (dc / sc).powi(2) + dh2.max(0.0) / (sh * sh)).sqrt()
        }
    }

    pub fn distance(rgb: [f64; 3], #[constant] target: [f64; 3]) -> f64 {
        let lab: Lab = Xyz::from(Srgb(rgb)).into();
        let other = Lab::from(Xyz::from(Srgb(target)));
        lab.delta_e94(&other)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (x, t) = ([0.6, 0.3, 0.02], [0.5, 0.35, 0.1]);
    let g = gradient(colour::distance::AD.with(t), NoPrep, &AutoSource::new(), &x)?;
    check("22", &g, &fd(|x| colour::distance([x[0], x[1], x[2]], t), &x));
    Ok(())
}
