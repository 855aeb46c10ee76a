//! Optimisation test problems and signal processing. Refused: each with what the compiler says.


// 102 E0080 [DI0110] a parameter of type `[(f64, f64)]` is not supported
// 102 E0080 [DI0117] this result is not supported
// 121 E0080 [DI0323] arrays of tuples are not supported
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


// E0446 private type `benchmark_functions::Problem` in public interface
/// Rosenbrock, Rastrigin and Ackley behind one enum.
mod benchmark_functions {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::f64::consts::{E, TAU};

    #[derive(Clone, Copy, Debug)]
    enum Problem {
        Rosenbrock,
        Rastrigin,
        Ackley,
    }

    #[differentiable]
    fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2)
            .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2))
            .sum()
    }

    #[differentiable]
    fn rastrigin(x: &[f64]) -> f64 {
        10.0 * x.len() as f64
            + x.iter()
                .map(|v| v * v - 10.0 * (TAU * v).cos())
                .sum::<f64>()
    }

    #[differentiable]
    fn ackley(x: &[f64]) -> f64 {
        let n = x.len() as f64;
        let norm = (x.iter().map(|v| v * v).sum::<f64>() / n).sqrt();
        let waves = x.iter().map(|v| (TAU * v).cos()).sum::<f64>() / n;
        20.0 + E - 20.0 * (-0.2 * norm).exp() - waves.exp()
    }

    #[differentiable]
    pub fn objective(x: &[f64], problem: Problem) -> f64 {
        match problem {
            Problem::Rosenbrock => rosenbrock(x),
            Problem::Rastrigin => rastrigin(x),
            Problem::Ackley => ackley(x),
        }
    }

    #[test]
    fn benchmark_functions() {
        let x = [0.8, 0.6, 0.3];
        scalar!(objective, (Problem::Rosenbrock), &x);
        scalar!(objective, (Problem::Rastrigin), &x);
        scalar!(objective, (Problem::Ackley), &x);
    }
}

// E0446 private type `Image` in public interface
/// Total variation denoising with a smooth absolute value; image as rows.
mod tv_denoise {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Image {
        rows: usize,
        cols: usize,
        pixels: Vec<f64>,
    }

    fn index(im: &Image, r: usize, c: usize) -> usize {
        r * im.cols + c
    }

    #[differentiable]
    fn smooth_norm(a: f64, b: f64, eps: f64) -> f64 {
        (a * a + b * b + eps * eps).sqrt()
    }

    #[differentiable]
    pub fn objective(x: &[f64], #[constant] noisy: &Image, #[constant] lambda: f64) -> f64 {
        let mut tv = 0.0;
        for r in 0..noisy.rows {
            for c in 0..noisy.cols {
                let here = x[index(noisy, r, c)];
                let dx = if c + 1 < noisy.cols {
                    x[index(noisy, r, c + 1)] - here
                } else {
                    0.0
                };
                let dy = if r + 1 < noisy.rows {
                    x[index(noisy, r + 1, c)] - here
                } else {
                    0.0
                };
                tv += smooth_norm(dx, dy, 0.1);
            }
        }
        let fidelity: f64 = x
            .iter()
            .zip(&noisy.pixels)
            .map(|(a, b)| (a - b).powi(2))
            .sum();
        0.5 * fidelity + lambda * tv
    }

    #[test]
    fn tv_denoise() {
        let im = Image {
            rows: 2,
            cols: 3,
            pixels: vec![0.2, 0.9, 0.4, 0.6, 0.1, 0.8],
        };
        scalar!(objective, (&im, 0.3), &[0.3, 0.8, 0.5, 0.5, 0.2, 0.7]);
    }
}

// E0446 private type `Constraint` in public interface
/// Interior point barrier for a small quadratic programme with constraints as rows.
mod log_barrier {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Constraint {
        a: [f64; 2],
        b: f64,
    }

    #[differentiable]
    pub fn barrier(x: &[f64], #[constant] cons: &[Constraint], #[constant] t: f64) -> f64 {
        let quadratic = x[0] * x[0] + 0.5 * x[0] * x[1] + 2.0 * x[1] * x[1] - x[0];
        let mut phi = 0.0;
        for c in cons {
            let s = slack(c, x);
            if s <= 0.0 {
                return f64::INFINITY;
            }
            phi -= s.ln();
        }
        t * quadratic + phi
    }

    #[differentiable]
    fn slack(#[constant] c: &Constraint, x: &[f64]) -> f64 {
        c.b - c.a[0] * x[0] - c.a[1] * x[1]
    }

    #[test]
    fn log_barrier() {
        let cons = vec![
            Constraint {
                a: [1.0, 1.0],
                b: 2.0,
            },
            Constraint {
                a: [-1.0, 0.0],
                b: 0.5,
            },
            Constraint {
                a: [0.0, -1.0],
                b: 0.5,
            },
        ];
        scalar!(barrier, (&cons, 1.5), &[0.4, 0.6]);
    }
}
