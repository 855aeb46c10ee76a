//! Curve fits. Refused: each with what the compiler says.

// E0080 [DI0323] arrays of tuples are not supported
// E0080 [DI0278] `predict` is a closure and cannot be used inside passive code
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

// E0080 [DI0117] this result is not supported
// E0080 [DI0306] the method `loading` is not known to be differentiable
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

// E0446 private type `Pt` in public interface (generic over a length; accepted if `Pt` is public)
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
