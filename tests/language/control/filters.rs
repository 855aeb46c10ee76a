//! Filters: closures that change what is outside of them, side by side with data.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.4, 0.6], &[0.7, 0.3]];
const SIGNAL: [f64; 4] = [0.3, 0.4, 1.2, 0.9];
const WANTED: [f64; 5] = [0.2, 0.5, 1.0, 1.1, 3.0];

#[differentiable]
mod filter {
    pub(super) struct LowPass {
        pub(super) a: f64,
        pub(super) z: f64,
    }

    impl LowPass {
        fn process(&mut self, v: f64) -> f64 {
            self.z = self.a * self.z + (1.0 - self.a) * v;
            self.z
        }
    }

    struct Garch {
        w: f64,
        b: f64,
    }

    impl Garch {
        fn variances<'a>(&'a self, r: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
            let mut h = self.w;
            r.iter().map(move |r| {
                let now = h;
                h = self.w + self.b * h + 0.1 * r * r;
                now
            })
        }
    }

    pub(super) fn misfit(x: &[f64], #[constant] signal: &[f64], #[constant] wanted: &[f64]) -> f64 {
        let mut low = LowPass { a: x[0], z: x[1] };
        let pairs = signal.iter().map(|&v| low.process(v)).zip(wanted.iter());
        let sum: f64 = pairs.map(|(y, w)| (y - w) * (y - w)).sum();
        let garch = Garch {
            w: x[0] * x[1],
            b: x[1],
        };
        let terms = garch.variances(signal).zip(wanted).enumerate();
        let weighed = terms.map(|(k, (h, r))| 0.5 * h.ln() + r * r / h * k as f64);
        let folded = garch
            .variances(signal)
            .zip(signal)
            .fold(0.0, |s, (h, r)| s * 0.5 + h * r);
        sum + low.z + weighed.sum::<f64>() + folded
    }
}

#[test]
fn closures_that_write_beside_data() {
    // of the shorter and the longer side, and the state afterwards
    for n in [2, 4, 5] {
        let wanted = &WANTED[..n];
        scalar!(filter::misfit::AD.with(&SIGNAL, wanted), |x: &[f64]| {
            filter::misfit(x, &SIGNAL, wanted)
        })
        .row(367)
        .check(&POINTS);
    }
}
