//! Optimisation test problems and signal processing.

/// Design of a FIR filter: weighted error over bands in configuration.
mod fir_design {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod design {
        #[derive(Clone, Debug)]
        pub struct Band {
            pub from: f64,
            pub to: f64,
            pub gain: f64,
            pub weight: f64,
        }

        #[derive(Clone, Debug)]
        pub struct Spec {
            pub bands: Vec<Band>,
            pub points: usize,
            pub symmetric: bool,
        }

        impl Default for Spec {
            fn default() -> Self {
                Spec {
                    bands: vec![
                        Band {
                            from: 0.0,
                            to: 0.8,
                            gain: 1.0,
                            weight: 1.0,
                        },
                        Band {
                            from: 1.5,
                            to: 3.1,
                            gain: 0.0,
                            weight: 4.0,
                        },
                    ],
                    points: 6,
                    symmetric: true,
                }
            }
        }

        fn taps(x: &[f64], symmetric: bool) -> Vec<f64> {
            if !symmetric {
                return x.to_vec();
            }
            let mut h = x.to_vec();
            h.extend(x.iter().rev().skip(1));
            h
        }

        fn magnitude2(h: &[f64], #[constant] w: f64) -> f64 {
            let (re, im) = h.iter().enumerate().fold((0.0, 0.0), |(re, im), (k, hk)| {
                let a = w * k as f64;
                (re + hk * a.cos(), im - hk * a.sin())
            });
            re * re + im * im
        }

        pub fn error(x: &[f64], #[constant] spec: &Spec) -> f64 {
            let h = taps(x, spec.symmetric);
            let mut total = 0.0;
            for band in &spec.bands {
                for i in 0..spec.points {
                    let w = band.from + (band.to - band.from) * i as f64 / (spec.points - 1) as f64;
                    total += band.weight * (magnitude2(&h, w) - band.gain).powi(2);
                }
            }
            total
        }
    }

    #[test]
    fn fir_design() {
        scalar!(design::error, (&design::Spec::default()), &[0.2, 0.3, 0.5]);
        let spec = design::Spec {
            symmetric: false,
            ..Default::default()
        };
        scalar!(design::error, (&spec), &[0.3, 0.25, 0.2, 0.1]);
    }
}

/// Levenberg-Marquardt test problems of Moré: Powell singular, helical valley, as residual vectors.
mod more_residuals {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    pub fn powell_singular(x: &[f64; 4]) -> [f64; 4] {
        let [a, b, c, d] = *x;
        [
            a + 10.0 * b,
            5f64.sqrt() * (c - d),
            (b - 2.0 * c).powi(2),
            10f64.sqrt() * (a - d).powi(2),
        ]
    }

    #[differentiable]
    fn theta(x: f64, y: f64) -> f64 {
        let base = (y / x).atan() / std::f64::consts::TAU;
        if x > 0.0 { base } else { base + 0.5 }
    }

    #[differentiable]
    pub fn helical_valley(x: &[f64; 3]) -> [f64; 3] {
        [
            10.0 * (x[2] - 10.0 * theta(x[0], x[1])),
            10.0 * (x[0].hypot(x[1]) - 1.0),
            x[2],
        ]
    }

    #[differentiable]
    pub fn watson(x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let mut r = Vec::new();
        for i in 1..=6 {
            let t = i as f64 / 6.0;
            let derivative: f64 = (1..n).map(|j| j as f64 * x[j] * t.powi(j as i32 - 1)).sum();
            let value: f64 = x
                .iter()
                .enumerate()
                .map(|(j, v)| v * t.powi(j as i32))
                .sum();
            r.push(derivative - value * value - 1.0);
        }
        r.push(x[0]);
        r.push(x[1] - x[0] * x[0] - 1.0);
        r
    }

    #[test]
    fn more_residuals() {
        vector!(powell_singular, (), &[1.2, -0.4, 0.3, 0.8]);
        vector!(helical_valley, (), &[-0.8, 0.5, 0.4]);
        vector!(helical_valley, (), &[0.8, 0.5, 0.4]);
        vector!(watson, (), &[0.1, 0.8, -0.2, 0.4]);
    }
}

/// Recursive fast Fourier transform on pairs, spectral flatness.
mod recursive_fft {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        fn fft(a: &[(f64, f64)]) -> Vec<(f64, f64)> {
            let n = a.len();
            if n == 1 {
                return a.to_vec();
            }
            let even: Vec<(f64, f64)> = a.iter().step_by(2).copied().collect();
            let odd: Vec<(f64, f64)> = a.iter().skip(1).step_by(2).copied().collect();
            let (e, o) = (fft(&even), fft(&odd));
            let mut out = vec![(0.0, 0.0); n];
            for k in 0..n / 2 {
                let (s, c) = (-std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
                let t = (c * o[k].0 - s * o[k].1, c * o[k].1 + s * o[k].0);
                out[k] = (e[k].0 + t.0, e[k].1 + t.1);
                out[k + n / 2] = (e[k].0 - t.0, e[k].1 - t.1);
            }
            out
        }

        pub fn flatness(x: &[f64]) -> f64 {
            let input: Vec<(f64, f64)> = x.iter().map(|v| (*v, 0.0)).collect();
            let power: Vec<f64> = fft(&input)
                .iter()
                .map(|(re, im)| re * re + im * im + 0.01)
                .collect();
            let n = power.len() as f64;
            let geometric = (power.iter().map(|p| p.ln()).sum::<f64>() / n).exp();
            geometric / (power.iter().sum::<f64>() / n)
        }
    }

    #[test]
    fn recursive_fft() {
        scalar!(
            compute::flatness,
            (),
            &[0.4, 1.1, -0.3, 0.8, 0.2, -0.9, 0.6, 0.1]
        );
    }
}
