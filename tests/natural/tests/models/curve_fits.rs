//! Curve fits.

/// Sum of Gaussian peaks on a background; peaks as structs.
mod spectrum_peaks {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        #[derive(Clone, Copy, Debug)]
        struct Peak {
            height: f64,
            centre: f64,
            width: f64,
        }

        impl Peak {
            fn at(&self, x: f64) -> f64 {
                let z = (x - self.centre) / self.width;
                self.height * (-0.5 * z * z).exp()
            }
        }

        fn unpack(p: &[f64]) -> (f64, f64, Vec<Peak>) {
            let peaks = p[2..]
                .chunks_exact(3)
                .map(|c| Peak {
                    height: c[0],
                    centre: c[1],
                    width: c[2],
                })
                .collect();
            (p[0], p[1], peaks)
        }

        pub fn loss(p: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
            let (offset, slope, peaks) = unpack(p);
            let mut sum = 0.0;
            for &(x, y) in data {
                let mut v = offset + slope * x;
                for peak in &peaks {
                    v += peak.at(x);
                }
                sum += (v - y) * (v - y);
            }
            sum
        }
    }

    #[test]
    fn spectrum_peaks() {
        let data: Vec<(f64, f64)> = (0..12)
            .map(|i| (i as f64 * 0.25, (i as f64 * 0.7).sin().abs()))
            .collect();
        scalar!(
            problem::loss,
            (&data),
            &[0.2, 0.1, 0.9, 0.8, 0.4, 0.7, 2.1, 0.3]
        );
    }
}

/// Dose response with a robust loss chosen by an enum; inline module.
mod dose_response {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod fit {
        #[derive(Clone, Copy, Debug)]
        pub enum Loss {
            Squared,
            Huber(f64),
            Cauchy { scale: f64 },
        }

        pub struct Experiment {
            pub doses: Vec<f64>,
            pub responses: Vec<f64>,
            pub loss: Loss,
            pub log_dose: bool,
            pub compound: String,
        }

        #[derive(Clone, Debug)]
        struct Hill {
            bottom: f64,
            top: f64,
            ec50: f64,
            slope: f64,
        }

        impl Hill {
            fn response(&self, #[constant] dose: f64) -> f64 {
                let r = (dose / self.ec50).powf(self.slope);
                self.bottom + (self.top - self.bottom) * r / (1.0 + r)
            }
        }

        fn rho(#[constant] loss: Loss, e: f64) -> f64 {
            match loss {
                Loss::Squared => 0.5 * e * e,
                Loss::Huber(d) if e.abs() <= d => 0.5 * e * e,
                Loss::Huber(d) => d * (e.abs() - 0.5 * d),
                Loss::Cauchy { scale } => 0.5 * scale * scale * (1.0 + (e / scale).powi(2)).ln(),
            }
        }

        pub fn objective(x: &[f64], #[constant] exp: &Experiment) -> f64 {
            let hill = Hill {
                bottom: x[0],
                top: x[1],
                ec50: x[2].exp(),
                slope: x[3],
            };
            let mut sum = 0.0;
            for (d, y) in exp.doses.iter().zip(exp.responses.iter()) {
                let dose = if exp.log_dose { d.exp() } else { *d };
                sum += rho(exp.loss, hill.response(dose) - y);
            }
            sum
        }
    }

    #[test]
    fn dose_response() {
        for loss in [
            fit::Loss::Squared,
            fit::Loss::Huber(0.3),
            fit::Loss::Cauchy { scale: 0.5 },
        ] {
            let exp = fit::Experiment {
                doses: vec![-1.0, -0.3, 0.2, 0.8, 1.5],
                responses: vec![0.2, 0.1, 0.9, 0.7, 1.9],
                loss,
                log_dose: true,
                compound: "A".to_owned(),
            };
            scalar!(fit::objective, (&exp), &[0.1, 1.2, 0.3, 1.4]);
        }
    }
}

/// Variable projection: amplitudes eliminated by normal equations.
mod variable_projection {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn basis(rates: &[f64], #[constant] t: f64) -> [f64; 2] {
        [(-rates[0] * t).exp(), (-rates[1] * t).exp()]
    }

    #[differentiable]
    fn amplitudes(rates: &[f64], #[constant] data: &[(f64, f64)]) -> [f64; 2] {
        let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
        let mut r = [0.0; 2];
        for &(t, y) in data {
            let phi = basis(rates, t);
            a += phi[0] * phi[0];
            b += phi[0] * phi[1];
            c += phi[1] * phi[1];
            r[0] += phi[0] * y;
            r[1] += phi[1] * y;
        }
        let det = a * c - b * b;
        [(c * r[0] - b * r[1]) / det, (a * r[1] - b * r[0]) / det]
    }

    #[differentiable]
    pub fn reduced(rates: &[f64], #[constant] data: &[(f64, f64)]) -> f64 {
        let [c0, c1] = amplitudes(rates, data);
        data.iter()
            .map(|&(t, y)| {
                let [p, q] = basis(rates, t);
                let e = c0 * p + c1 * q - y;
                e * e
            })
            .sum::<f64>()
    }

    #[test]
    fn variable_projection() {
        let data = [(0.0, 2.0), (0.3, 1.1), (0.7, 0.9), (1.2, 0.3), (2.0, 0.35)];
        scalar!(reduced, (&data), &[0.4, 2.5]);
    }
}

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
        let data = [
            (0.0, 0.1),
            (0.4, 0.5),
            (0.8, 0.7),
            (1.3, 0.6),
            (1.9, 1.2),
            (2.5, 2.0),
        ];
        scalar!(sse, (&data), &[0.1, 0.9, 1.6, 0.7, 1.1, -0.8]);
    }
}

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
            Ok(Langmuir {
                qmax: x[0],
                k: x[1],
                n: x[2],
            })
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
        let pts = [
            Pt(1.0, 0.1),
            Pt(0.6, 0.9),
            Pt(-0.5, 1.0),
            Pt(-1.1, -0.2),
            Pt(0.2, -0.9),
        ];
        scalar!(cost, (&pts), &[0.1, 0.2]);
    }
}
