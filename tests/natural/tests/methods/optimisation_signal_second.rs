//! Optimisation test problems and signal processing.

/// Deconvolution: blur kernel from parameters, non-negativity by squares.
mod blind_deconvolution {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const HALF: i32 = 2;

    #[differentiable]
    fn kernel(width: f64) -> Vec<f64> {
        let raw: Vec<f64> = (-HALF..=HALF)
            .map(|k| (-0.5 * (k as f64 / width).powi(2)).exp())
            .collect();
        let s: f64 = raw.iter().sum();
        raw.iter().map(|v| v / s).collect()
    }

    #[differentiable]
    fn blur(signal: &[f64], k: &[f64]) -> Vec<f64> {
        let n = signal.len() as i32;
        (0..n)
            .map(|i| {
                k.iter()
                    .enumerate()
                    .map(|(j, w)| {
                        let pos = (i + j as i32 - HALF).clamp(0, n - 1);
                        w * signal[pos as usize]
                    })
                    .sum()
            })
            .collect()
    }

    #[differentiable]
    pub fn loss(x: &[f64], #[constant] observed: &[f64]) -> f64 {
        let source: Vec<f64> = x[1..].iter().map(|v| v * v).collect();
        let b = blur(&source, &kernel(x[0]));
        let fit: f64 = b.iter().zip(observed).map(|(p, q)| (p - q).powi(2)).sum();
        fit + 0.01 * source.iter().sum::<f64>()
    }

    #[test]
    fn blind_deconvolution() {
        scalar!(
            loss,
            (&[0.2, 0.5, 0.9, 0.6, 0.3]),
            &[0.9, 0.3, 0.6, 1.1, 0.7, 0.4]
        );
    }
}

/// Autoregressive spectral model by Levinson-Durbin.
mod levinson {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        fn autocorrelation(x: &[f64], lags: usize) -> Vec<f64> {
            let n = x.len();
            (0..=lags)
                .map(|l| {
                    x[l..]
                        .iter()
                        .zip(&x[..n - l])
                        .map(|(a, b)| a * b)
                        .sum::<f64>()
                        / n as f64
                })
                .collect()
        }

        fn levinson_durbin(r: &[f64]) -> (Vec<f64>, f64) {
            let order = r.len() - 1;
            let mut a = vec![0.0; order + 1];
            a[0] = 1.0;
            let mut e = r[0];
            for m in 1..=order {
                let mut acc = r[m];
                for i in 1..m {
                    acc += a[i] * r[m - i];
                }
                let k = -acc / e;
                let prev = a.clone();
                for i in 1..m {
                    a[i] = prev[i] + k * prev[m - i];
                }
                a[m] = k;
                e *= 1.0 - k * k;
            }
            (a, e)
        }

        pub fn coefficients(x: &[f64], order: usize) -> Vec<f64> {
            let (mut a, e) = levinson_durbin(&autocorrelation(x, order));
            a[0] = e;
            a
        }
    }

    #[test]
    fn levinson() {
        vector!(
            problem::coefficients,
            (3),
            &[0.5, 1.1, 0.7, -0.2, -0.9, -0.4, 0.6, 1.0]
        );
    }
}

/// Wavelet transform (Haar), soft sparsity of the details.
mod haar_sparsity {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn haar_step(s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let r = std::f64::consts::FRAC_1_SQRT_2;
        let approx = s.chunks_exact(2).map(|p| r * (p[0] + p[1])).collect();
        let detail = s.chunks_exact(2).map(|p| r * (p[0] - p[1])).collect();
        (approx, detail)
    }

    #[differentiable]
    pub fn sparsity(x: &[f64], #[constant] eps: f64) -> f64 {
        let mut current = x.to_vec();
        let mut cost = 0.0;
        let mut scale = 1.0;
        while current.len() > 1 {
            let (a, d) = haar_step(&current);
            for v in &d {
                cost += scale * (v * v + eps).sqrt();
            }
            scale *= 0.5;
            current = a;
        }
        cost + 0.1 * current[0].powi(2)
    }

    #[test]
    fn haar_sparsity() {
        scalar!(sparsity, (0.05), &[0.2, 0.9, 0.4, 1.3, -0.5, 0.6, 0.8, 0.1]);
    }
}

/// Discrete Fourier transform and power spectrum in a struct of two vectors.
mod dft_power {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Spectrum {
        re: Vec<f64>,
        im: Vec<f64>,
    }

    #[differentiable]
    fn dft(signal: &[f64]) -> Spectrum {
        let n = signal.len();
        let mut s = Spectrum {
            re: vec![0.0; n],
            im: vec![0.0; n],
        };
        for k in 0..n {
            for (t, v) in signal.iter().enumerate() {
                let angle = -std::f64::consts::TAU * (k * t % n) as f64 / n as f64;
                s.re[k] += v * angle.cos();
                s.im[k] += v * angle.sin();
            }
        }
        s
    }

    fn hann(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| 0.5 - 0.5 * (std::f64::consts::TAU * i as f64 / n as f64).cos())
            .collect()
    }

    #[differentiable]
    pub fn power(x: &[f64]) -> Vec<f64> {
        let w = hann(x.len());
        let windowed: Vec<f64> = x.iter().zip(&w).map(|(a, b)| a * b).collect();
        let s = dft(&windowed);
        s.re.iter()
            .zip(&s.im)
            .take(x.len() / 2 + 1)
            .map(|(a, b)| a * a + b * b)
            .collect()
    }

    #[test]
    fn dft_power() {
        vector!(power, (), &[0.1, 0.8, 0.9, 0.2, -0.6, -0.9, -0.3, 0.4]);
    }
}

/// BFGS-free optimiser state: Adam unrolled on a quadratic bowl with momentum structs.
mod adam_unrolled {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Adam {
        m: Vec<f64>,
        v: Vec<f64>,
        lr: f64,
        beta1: f64,
        beta2: f64,
        t: i32,
    }

    #[differentiable]
    impl Adam {
        fn new(n: usize, lr: f64, beta1: f64, beta2: f64) -> Adam {
            Adam {
                m: vec![0.0; n],
                v: vec![0.0; n],
                lr,
                beta1,
                beta2,
                t: 0,
            }
        }

        fn step(&mut self, x: &mut [f64], g: &[f64]) {
            self.t += 1;
            for i in 0..x.len() {
                self.m[i] = self.beta1 * self.m[i] + (1.0 - self.beta1) * g[i];
                self.v[i] = self.beta2 * self.v[i] + (1.0 - self.beta2) * g[i] * g[i];
                let mh = self.m[i] / (1.0 - self.beta1.powi(self.t));
                let vh = self.v[i] / (1.0 - self.beta2.powi(self.t));
                x[i] -= self.lr * mh / (vh.sqrt() + 1e-3);
            }
        }
    }

    #[differentiable]
    fn bowl_gradient(x: &[f64]) -> Vec<f64> {
        vec![2.0 * x[0] + 0.5 * x[1], 0.5 * x[0] + 4.0 * x[1].powi(3)]
    }

    #[differentiable]
    pub fn final_loss(h: &[f64], steps: usize) -> f64 {
        let mut adam = Adam::new(2, h[0], h[1], h[2]);
        let mut x = vec![h[3], h[4]];
        for _ in 0..steps {
            let g = bowl_gradient(&x);
            adam.step(&mut x, &g);
        }
        x[0] * x[0] + 0.5 * x[0] * x[1] + x[1].powi(4)
    }

    #[test]
    fn adam_unrolled() {
        scalar!(final_loss, (4), &[0.1, 0.8, 0.9, 1.2, 0.9]);
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
