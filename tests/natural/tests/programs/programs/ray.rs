//! Experienced: ionospheric ray path through a layered medium; generic fn over a Profile trait, static dispatch.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod ion {
    pub trait Profile {
        fn density(&self, h: f64) -> f64;
        fn name(&self) -> String {
            String::from("profile")
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Chapman {
        pub peak: f64,
        pub height: f64,
        pub scale: f64,
    }

    impl Profile for Chapman {
        fn density(&self, h: f64) -> f64 {
            let z = (h - self.height) / self.scale;
            self.peak * (0.5 * (1.0 - z - (-z).exp())).exp()
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Stack<A, B> {
        pub lower: A,
        pub upper: B,
    }

    impl<A: Profile, B: Profile> Profile for Stack<A, B> {
        fn density(&self, h: f64) -> f64 {
            self.lower.density(h) + self.upper.density(h)
        }
    }

    fn group_delay<P: Profile>(p: &P, f: f64, top: f64) -> f64 {
        let n = 200;
        let dh = top / n as f64;
        let mut delay = 0.0;
        for i in 0..n {
            let h = (i as f64 + 0.5) * dh;
            let fp2 = 80.6e-12 * p.density(h);
            let mu2 = 1.0 - fp2 / (f * f);
            if mu2 <= 0.0 {
                break;
            }
            delay += dh / mu2.sqrt();
        }
        delay
    }

    pub fn misfit(e: &Chapman, f: &Chapman) -> f64 {
        let both = Stack { lower: *e, upper: *f };
        [8.0, 10.0, 14.0].iter().map(|&freq| (group_delay(&both, freq, 600.0) / 700.0 - 1.0).powi(2)).sum()
    }
}
use ion::*;

pub(super) fn main() -> Result<(), di::Error> {
    let e = Chapman { peak: 1e11, height: 110.0, scale: 15.0 };
    let f = Chapman { peak: 6e11, height: 300.0, scale: 60.0 };
    let (ge, gf) = gradient(misfit::AD, NoPrep, &AutoSource::new(), &(e, f))?;
    let c = |x: &[f64]| Chapman { peak: x[0], height: x[1], scale: x[2] };
    let want = fd(|x| misfit(&c(&x[..3]), &c(&x[3..])), &[1e11, 110.0, 15.0, 6e11, 300.0, 60.0]);
    check("49", &[ge.peak, ge.height, ge.scale, gf.peak, gf.height, gf.scale], &want);
    Ok(())
}
