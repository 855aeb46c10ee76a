//! Curve fits. Refused: each with what the compiler says.


// 413 E0080 [DI0323] arrays of tuples are not supported
// 422 E0080 [DI0278] `predict` is a closure and cannot be used inside passive code
/// Piecewise linear fit with smooth hinge at sorted break points.
mod smooth_hinges {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn hinge(z: f64, sharpness: f64) -> f64 {
        (1.0 + (sharpness * z).exp()).ln() / sharpness
    }

    #[differentiable]
    pub fn sse(x: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let n = (x.len() - 2) / 2;
        let intercept = x[0];
        let slope = x[1];
        let mut hinges: Vec<(f64, f64)> = (0..n).map(|i| (x[2 + i], x[2 + n + i])).collect();
        hinges.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        let predict = |t: f64| {
            let mut v = intercept + slope * t;
            for (i, (b, s)) in hinges.iter().enumerate() {
                v += s * hinge(t - b, 4.0 + i as f64);
            }
            v
        };
        data.iter().map(|(t, y)| (predict(*t) - y).powi(2)).sum()
    }

    #[test]
    fn smooth_hinges() {
        let data = [(0.0, 0.1), (0.4, 0.5), (0.8, 0.7), (1.3, 0.6), (1.9, 1.2), (2.5, 2.0)];
        scalar!(sse, (&data), &[0.1, 0.9, 1.6, 0.7, 1.1, -0.8]);
    }
}

// 441 E0080 [DI0107] a tuple as a parameter is not supported
// 452 E0080 [DI0304] this is indexed or iterated, but it cannot be told what it is
// 458 E0277 the generic arguments of `spread` cannot be inferred here
/// Orthogonal distance regression of a circle and generic data by const lengths.
mod circle_fit {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    struct Pt(f64, f64);

    #[differentiable]
    fn radial<const N: usize>(c: (f64, f64), #[constant] pts: &[Pt; N]) -> [f64; N] {
        let mut d = [0.0; N];
        for (di, p) in d.iter_mut().zip(pts.iter()) {
            *di = (p.0 - c.0).hypot(p.1 - c.1);
        }
        d
    }

    #[differentiable]
    pub fn spread<const N: usize>(x: &[f64; 2], #[constant] pts: &[Pt; N]) -> f64 {
        let d = radial((x[0], x[1]), pts);
        let mean = d.iter().sum::<f64>() / N as f64;
        d.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / N as f64
    }

    #[differentiable]
    pub fn cost(x: &[f64; 2], #[constant] pts: &[Pt; 5]) -> f64 {
        spread(x, pts)
    }

    #[test]
    fn circle_fit() {
        let pts = [Pt(1.0, 0.1), Pt(0.6, 0.9), Pt(-0.5, 1.0), Pt(-1.1, -0.2), Pt(0.2, -0.9)];
        scalar!(cost, (&pts), &[0.1, 0.2]);
    }
}

// 482 E0080 [DI0117] this result is not supported
// 506 E0080 [DI0306] the method `loading` is not known to be differentiable
/// Isotherm with validation: Result of parameters, early return.
mod checked_isotherm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Langmuir {
        qmax: f64,
        k: f64,
        n: f64,
    }

    #[differentiable]
    impl Langmuir {
        fn try_new(x: &[f64]) -> Result<Langmuir, String> {
            if x.len() != 3 {
                return Err(format!("expected 3 parameters, got {}", x.len()));
            }
            if x[0] <= 0.0 || x[1] <= 0.0 {
                return Err("parameters must be positive".to_string());
            }
            Ok(Langmuir { qmax: x[0], k: x[1], n: x[2] })
        }

        fn loading(&self, #[constant] pressure: f64) -> f64 {
            let kp = (self.k * pressure).powf(1.0 / self.n);
            self.qmax * kp / (1.0 + kp)
        }
    }

    #[differentiable]
    pub fn loss(x: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let iso = match Langmuir::try_new(x) {
            Ok(iso) => iso,
            Err(_) => return 1e6,
        };
        let mut sum = 0.0;
        for &(p, q) in data.iter().filter(|(p, _)| *p > 0.0) {
            let rel = iso.loading(p) / q - 1.0;
            sum += rel * rel;
        }
        sum
    }

    #[test]
    fn checked_isotherm() {
        let data = vec![(0.0, 0.0), (0.1, 0.3), (0.5, 0.8), (1.0, 1.2), (2.0, 1.5)];
        scalar!(loss, (&data), &[1.8, 1.3, 1.2]);
    }
}

// E0446 private type `Obs` in public interface
/// Enzyme kinetics fitted to observations in structs with weights.
mod michaelis_menten {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Obs {
        substrate: f64,
        rate: f64,
        sd: f64,
    }

    #[differentiable]
    fn model(p: &[f64], #[constant] s: f64) -> f64 {
        p[0] * s / (p[1] + s)
    }

    #[differentiable]
    pub fn chi2(p: &[f64], #[constant] data: &[Obs]) -> f64 {
        data.iter()
            .map(|o| ((model(p, o.substrate) - o.rate) / o.sd).powi(2))
            .sum()
    }

    #[differentiable]
    pub fn residuals(p: &[f64], #[constant] data: &[Obs]) -> Vec<f64> {
        let mut r = Vec::with_capacity(data.len());
        for o in data {
            r.push((model(p, o.substrate) - o.rate) / o.sd);
        }
        r
    }

    #[test]
    fn michaelis_menten() {
        let data: Vec<Obs> = [(0.2, 0.3), (0.5, 0.6), (1.0, 0.8), (2.0, 1.1)]
            .iter()
            .map(|&(substrate, rate)| Obs {
                substrate,
                rate,
                sd: 0.5,
            })
            .collect();
        scalar!(chi2, (&data), &[1.4, 0.7]);
        vector!(residuals, (&data), &[1.4, 0.7]);
    }
}

// E0446 private type `Velocity` in public interface
/// Sine fit to unevenly sampled data with groups and offsets per group.
mod grouped_sine {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    enum Instrument {
        Harps,
        Elodie,
    }

    struct Velocity {
        time: f64,
        value: f64,
        source: Instrument,
    }

    #[differentiable]
    fn offset(x: &[f64], source: Instrument) -> f64 {
        match source {
            Instrument::Harps => x[3],
            Instrument::Elodie => x[4],
        }
    }

    #[differentiable]
    pub fn log_likelihood(x: &[f64], #[constant] data: &[Velocity]) -> f64 {
        let (k, period, phase) = (x[0], x[1], x[2]);
        let jitter = x[5].exp();
        let mut ll = 0.0;
        for v in data {
            let model =
                k * (std::f64::consts::TAU * v.time / period + phase).sin() + offset(x, v.source);
            let s2 = 0.04 + jitter * jitter;
            ll -= 0.5 * ((v.value - model).powi(2) / s2 + s2.ln());
        }
        ll
    }

    #[test]
    fn grouped_sine() {
        use Instrument::*;
        let data = vec![
            Velocity {
                time: 0.1,
                value: 0.5,
                source: Harps,
            },
            Velocity {
                time: 0.9,
                value: 1.3,
                source: Harps,
            },
            Velocity {
                time: 1.4,
                value: 0.2,
                source: Elodie,
            },
            Velocity {
                time: 2.2,
                value: -0.6,
                source: Elodie,
            },
            Velocity {
                time: 2.9,
                value: 0.4,
                source: Harps,
            },
        ];
        scalar!(log_likelihood, (&data), &[0.9, 2.7, 0.3, 0.1, -0.2, -0.5]);
    }
}
