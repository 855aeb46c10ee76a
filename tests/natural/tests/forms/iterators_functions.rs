//! Iterators with a name, functions as values and results, options and slices, in several fields.

/// Two-body orbit: Kepler's equation by Newton, then radius from vis-viva, with `let else`.
mod kepler {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn solve_kepler(mean: f64, ecc: f64) -> Option<f64> {
        let mut e = mean + ecc * mean.sin();
        for _ in 0..50 {
            let f = e - ecc * e.sin() - mean;
            let df = 1.0 - ecc * e.cos();
            let step = f / df;
            e -= step;
            if step.abs() < 1e-14 {
                return Some(e);
            }
        }
        None
    }

    #[differentiable]
    pub fn mismatch(p: &[f64], #[constant] times: &[f64], #[constant] ranges: &[f64]) -> f64 {
        let [a, ecc, m0, n] = p else {
            panic!("four elements expected");
        };
        let mut total = 0.0;
        let observations = times.iter().zip(ranges);
        for (t, r) in observations {
            let Some(e) = solve_kepler(m0 + n * t, *ecc) else {
                continue;
            };
            let predicted = a * (1.0 - ecc * e.cos());
            total += (predicted - r).powi(2);
        }
        total
    }

    #[test]
    fn kepler() {
        let t = [0.0, 0.7, 1.9, 3.2];
        let r = [0.9, 1.0, 1.3, 1.2];
        scalar!(mismatch, (&t, &r), &[1.1, 0.2, 0.1, 0.9]);
    }
}

/// Chemical kinetics: table of rate functions.
mod kinetics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod reactor {
        fn first_order(c: &[f64; 3], k: f64) -> f64 {
            k * c[0]
        }

        fn second_order(c: &[f64; 3], k: f64) -> f64 {
            k * c[0] * c[1]
        }

        fn michaelis(c: &[f64; 3], k: f64) -> f64 {
            k * c[1] / (0.5 + c[1])
        }

        pub fn final_product(k: &[f64]) -> f64 {
            let laws: [fn(&[f64; 3], f64) -> f64; 3] = [first_order, second_order, michaelis];
            let stoichiometry = [[-1.0, 1.0, 0.0], [-1.0, -1.0, 1.0], [0.0, -1.0, 1.0]];
            let mut c = [1.0, 0.2, 0.0];
            let dt = 0.05;
            for _ in 0..40 {
                let mut rate = [0.0; 3];
                for ((law, &k), row) in laws.iter().zip(k).zip(&stoichiometry) {
                    let v = law(&c, k);
                    for (r, s) in rate.iter_mut().zip(row) {
                        *r += s * v;
                    }
                }
                for (c, r) in c.iter_mut().zip(&rate) {
                    *c += dt * r;
                }
            }
            c[2]
        }
    }

    #[test]
    fn kinetics() {
        scalar!(reactor::final_product, (), &[0.7, 1.3, 0.4]);
    }
}

/// Exponential smoothing with `scan`, residuals by windows.
mod smoothing {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn smooth(y: &[f64], alpha: f64) -> Vec<f64> {
        y.iter()
            .scan(y[0], |level, &v| {
                *level = alpha * v + (1.0 - alpha) * *level;
                Some(*level)
            })
            .collect()
    }

    #[differentiable]
    pub fn roughness(p: &[f64], #[constant] y: &[f64]) -> f64 {
        let alpha = 1.0 / (1.0 + (-p[0]).exp());
        let s = smooth(y, alpha);
        let fit: f64 = s
            .iter()
            .zip(y.iter().skip(1))
            .map(|(a, b)| (a - b).powi(2))
            .sum();
        let rough: f64 = s
            .windows(3)
            .map(|w| (w[0] - 2.0 * w[1] + w[2]).powi(2))
            .sum();
        fit / s.len() as f64 + p[1] * rough
    }

    #[test]
    fn smoothing() {
        scalar!(roughness, (&[1.0, 1.4, 0.9, 1.8, 2.1, 1.7]), &[0.3, 0.2]);
    }
}

/// Runge-Kutta with a right-hand side passed as a closure, recursive step halving.
mod adaptive {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn rk4<const N: usize>(
        f: impl Fn(f64, &[f64; N]) -> [f64; N],
        t: f64,
        y: &[f64; N],
        h: f64,
    ) -> [f64; N] {
        let axpy = |a: f64, k: &[f64; N]| {
            let mut out = *y;
            for i in 0..N {
                out[i] += a * k[i];
            }
            out
        };
        let k1 = f(t, y);
        let k2 = f(t + h / 2.0, &axpy(h / 2.0, &k1));
        let k3 = f(t + h / 2.0, &axpy(h / 2.0, &k2));
        let k4 = f(t + h, &axpy(h, &k3));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    #[differentiable]
    pub fn energy(p: &[f64]) -> f64 {
        let (mu, x0) = (p[0], p[1]);
        let rhs = |_t: f64, y: &[f64; 2]| [y[1], mu * (1.0 - y[0] * y[0]) * y[1] - y[0]];
        let mut y = [x0, 0.0];
        let h = 0.1;
        for step in 0..20 {
            y = rk4(rhs, step as f64 * h, &y, h);
        }
        0.5 * (y[0] * y[0] + y[1] * y[1])
    }

    #[test]
    fn adaptive() {
        scalar!(energy, (), &[0.8, 1.2]);
    }
}

/// Hidden Markov model: the forward pass as a `fold` that starts from a call.
mod hmm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Belief = [f64; 2];

    #[differentiable]
    fn gaussian(x: f64, mean: f64, sd: f64) -> f64 {
        (-0.5 * ((x - mean) / sd).powi(2)).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
    }

    #[differentiable]
    fn initial(p: &[f64], y: f64) -> (Belief, f64) {
        let b = [0.5 * gaussian(y, p[0], p[2]), 0.5 * gaussian(y, p[1], p[2])];
        let norm = b[0] + b[1];
        ([b[0] / norm, b[1] / norm], norm.ln())
    }

    #[differentiable]
    pub fn log_likelihood(p: &[f64], #[constant] obs: &[f64]) -> f64 {
        let stay = 1.0 / (1.0 + (-p[3]).exp());
        let transition = [[stay, 1.0 - stay], [1.0 - stay, stay]];
        let [first, rest @ ..] = obs else {
            return 0.0;
        };
        let (_, ll) = rest.iter().fold(initial(p, *first), |(belief, ll), &y| {
            let mut next = [0.0; 2];
            for (j, n) in next.iter_mut().enumerate() {
                let prior: f64 = (0..2).map(|i| belief[i] * transition[i][j]).sum();
                *n = prior * gaussian(y, p[j], p[2]);
            }
            let norm: f64 = next.iter().sum();
            (next.map(|v| v / norm), ll + norm.ln())
        });
        ll
    }

    #[test]
    fn hmm() {
        scalar!(
            log_likelihood,
            (&[0.1, 0.9, 1.2, -0.2, 0.0]),
            &[0.0, 1.0, 0.6, 0.8]
        );
    }
}

/// Natural cubic spline: Thomas algorithm, `while let` over a peekable-free iterator and `partition_point`.
mod spline {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
        let n = x.len();
        let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
        let slopes: Vec<_> = y
            .windows(2)
            .zip(&h)
            .map(|(w, h)| (w[1] - w[0]) / h)
            .collect();
        let mut m = vec![0.0; n];
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        for i in 1..n - 1 {
            let w = 2.0 * (h[i - 1] + h[i]) - h[i - 1] * c[i - 1];
            c[i] = h[i] / w;
            d[i] = (6.0 * (slopes[i] - slopes[i - 1]) - h[i - 1] * d[i - 1]) / w;
        }
        for i in (1..n - 1).rev() {
            m[i] = d[i] - c[i] * m[i + 1];
        }
        m
    }

    #[differentiable]
    pub fn interpolate(y: &[f64], #[constant] x: &[f64], #[constant] at: &[f64]) -> Vec<f64> {
        let m = second_derivatives(x, y);
        let mut out = Vec::with_capacity(at.len());
        let mut queries = at.iter();
        while let Some(&q) = queries.next() {
            let i = x.partition_point(|&v| v <= q).clamp(1, x.len() - 1) - 1;
            let h = x[i + 1] - x[i];
            let (a, b) = ((x[i + 1] - q) / h, (q - x[i]) / h);
            let cubic = ((a.powi(3) - a) * m[i] + (b.powi(3) - b) * m[i + 1]) * h * h / 6.0;
            out.push(a * y[i] + b * y[i + 1] + cubic);
        }
        out
    }

    #[test]
    fn spline() {
        vector!(
            interpolate,
            (&[0.0, 0.5, 1.2, 2.0], &[0.2, 0.9, 1.7]),
            &[1.0, 0.4, 1.3, 0.7]
        );
    }
}

/// Black-Scholes over a book of options, payoffs chosen by `match`.
mod options {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Kind {
        Call,
        Put,
        Straddle,
    }

    #[differentiable]
    fn call(s: f64, k: f64) -> f64 {
        (s - k).max(0.0)
    }

    #[differentiable]
    fn put(s: f64, k: f64) -> f64 {
        (k - s).max(0.0)
    }

    #[differentiable]
    fn straddle(s: f64, k: f64) -> f64 {
        (s - k).abs()
    }

    #[differentiable]
    pub fn monte_carlo(
        p: &[f64],
        #[constant] kind: Kind,
        #[constant] draws: &[f64],
        #[constant] strike: f64,
    ) -> f64 {
        let (spot, vol, rate, expiry) = (p[0], p[1], p[2], 0.75);
        let payoff = match kind {
            Kind::Call => call,
            Kind::Put => put,
            Kind::Straddle => straddle,
        };
        let drift = (rate - 0.5 * vol * vol) * expiry;
        let terminal = draws
            .iter()
            .map(|z| spot * (drift + vol * expiry.sqrt() * z).exp());
        let total: f64 = terminal.map(|s| payoff(s, strike)).sum();
        (-rate * expiry).exp() * total / draws.len() as f64
    }

    #[test]
    fn options() {
        let z = [-1.3, -0.4, 0.1, 0.6, 1.5];
        scalar!(monte_carlo, (Kind::Call, &z, 1.0), &[1.1, 0.3, 0.02]);
        scalar!(monte_carlo, (Kind::Straddle, &z, 1.0), &[1.1, 0.3, 0.02]);
    }
}

/// Feed-forward network with activations as closures and layer slices by `chunks_exact`, `split_at`.
mod network {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn dense(
        weights: &[f64],
        bias: &[f64],
        x: &[f64],
        activation: impl Fn(f64) -> f64,
    ) -> Vec<f64> {
        weights
            .chunks_exact(x.len())
            .zip(bias)
            .map(|(row, b)| activation(row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b))
            .collect()
    }

    #[differentiable]
    pub fn loss(p: &[f64], #[constant] sizes: &[usize], #[constant] data: &[(f64, f64)]) -> f64 {
        let mut total = 0.0;
        for &(input, target) in data {
            let mut rest = p;
            let mut x = vec![input];
            let mut layers = sizes.windows(2).enumerate();
            while let Some((layer, pair)) = layers.next() {
                let (inputs, outputs) = (pair[0], pair[1]);
                let (weights, tail) = rest.split_at(inputs * outputs);
                let (bias, tail) = tail.split_at(outputs);
                rest = tail;
                let last = layer + 2 == sizes.len();
                x = dense(weights, bias, &x, |v| if last { v } else { v.tanh() });
            }
            total += (x[0] - target).powi(2);
        }
        total / data.len() as f64
    }

    #[test]
    fn network() {
        let p = [0.3, -0.6, 0.1, 0.2, 0.5, 0.7, 0.05];
        scalar!(loss, (&[1, 2, 1], &[(0.1, 0.3), (0.8, -0.2)]), &p);
    }
}
