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
