//! Optimisation test problems and signal processing. Refused: each with what the compiler says.

// E0080 [DI0110] a parameter of type `[(f64, f64)]` is not supported
// E0080 [DI0117] this result is not supported
// E0080 [DI0323] arrays of tuples are not supported
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
            let power: Vec<f64> = fft(&input).iter().map(|(re, im)| re * re + im * im + 0.01).collect();
            let n = power.len() as f64;
            let geometric = (power.iter().map(|p| p.ln()).sum::<f64>() / n).exp();
            geometric / (power.iter().sum::<f64>() / n)
        }
    }

    #[test]
    fn recursive_fft() {
        scalar!(compute::flatness, (), &[0.4, 1.1, -0.3, 0.8, 0.2, -0.9, 0.6, 0.1]);
    }
}
